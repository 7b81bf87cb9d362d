//! The binary `vaactl`.

use std::io::{self, Write};
use std::panic;
use std::process::ExitCode;

use vaactl::cli::Cli;
use vaactl::cmd;
use vaactl::output::Output;

fn main() -> ExitCode {
    let cli = match Cli::read(std::env::args_os()) {
        Ok(cli) => cli,
        Err(error) => error.exit(),
    };
    // The database library panics on some damaged files; that too is told in one line.
    panic::set_hook(Box::new(|info| {
        let text = info.to_string();
        tell(&format!(
            "internal error, perhaps of a damaged database: {text}"
        ));
    }));
    let run = || {
        let mut out = Output::new(cli.global.json);
        let result = cmd::run(cli, &mut out);
        // What was answered before a failure is still an answer.
        let flushed = out.flush().map_err(anyhow::Error::from);
        result.and_then(|exit| flushed.map(|()| exit))
    };
    match panic::catch_unwind(panic::AssertUnwindSafe(run)) {
        Ok(Ok(exit)) => ExitCode::from(exit.code()),
        // The reader has what it wanted, as `head` does; shells know this status from SIGPIPE.
        Ok(Err(error)) if is_broken_pipe(&error) => ExitCode::from(141),
        Ok(Err(error)) => {
            tell(&text_of(&error));
            ExitCode::FAILURE
        }
        Err(_) => ExitCode::FAILURE,
    }
}

/// Writes an error as one line.
fn tell(text: &str) {
    let _ = writeln!(io::stderr(), "error: {}", text.replace(['\r', '\n'], " "));
}

/// Returns an error with its causes, but not those that it tells itself.
fn text_of(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.ends_with(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
    })
}

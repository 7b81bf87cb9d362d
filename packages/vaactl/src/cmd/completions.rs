use anyhow::Result;
use clap::CommandFactory;

use super::Exit;
use crate::cli::{Cli, Completions};
use crate::output::Output;

pub(super) fn run(args: &Completions, out: &mut Output) -> Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "vaactl", &mut script);
    out.bytes(&script)?;
    Ok(Exit::Done)
}

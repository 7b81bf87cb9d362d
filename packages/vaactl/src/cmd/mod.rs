//! The commands, one a file.

mod check;
mod completions;
mod conflicts;
mod deploy;
mod export;
mod get;
mod guardians;
mod import;
mod ingest;
mod ingest_from;
mod init;
mod keys;
mod list;
mod migrate;
mod missing;
mod observe;
mod parse;
mod pending;
mod repair;
mod replay;
mod serve;
mod status;
mod summary;
mod totals;
mod vaa;
mod verify;

use std::path::Path;

use anyhow::{Context, Result};
use cosmwasm_std::Binary;
use cw_orm::{PageRequest, PageResponse};

use crate::cli::{Cli, Command, Page};
use crate::input::{Inputs, decode_text};
use crate::output::Output;

/// What is said of input without a VAA, as a file that was cut off at its start.
const NO_INPUT: &str = "there is no VAA in the input";

/// Says how a command ended that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// All is done.
    Done,
    /// A VAA was refused, or is not what it should be.
    Refused,
    /// A VAA conflicts with another, which was to be told.
    Conflict,
}

impl Exit {
    /// Returns the exit status.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Refused => 1,
            Self::Conflict => 3,
        }
    }
}

/// Runs a command.
///
/// # Errors
/// Why it failed; refused VAAs are no failure but an [`Exit`].
pub fn run(cli: Cli, out: &mut Output) -> Result<Exit> {
    let global = &cli.global;
    match cli.command {
        Command::Init(args) => init::run(global, args, out),
        Command::Ingest(args) if args.replay => replay::run(global, &args, out),
        Command::Ingest(args) => match &args.from.url {
            Some(url) => ingest_from::run(global, &args, url, out),
            None => ingest::run(global, &args, out),
        },
        Command::List(args) => list::run(global, &args, out),
        Command::Get(args) => get::run(global, &args, out),
        Command::Vaa(args) => vaa::run(global, &args, out),
        Command::Parse(args) => parse::run(&args, out),
        Command::Verify(args) => verify::run(global, &args, out),
        Command::Guardians(args) => guardians::run(global, &args, out),
        Command::Conflicts(args) => conflicts::run(global, &args, out),
        Command::Observe(args) => observe::run(global, &args, out),
        Command::Pending(args) => pending::run(global, &args, out),
        Command::Status(args) => status::run(global, &args, out),
        Command::Repair(args) => repair::run(global, &args, out),
        Command::Missing(args) => missing::run(global, &args, out),
        Command::Totals(args) => totals::run(global, &args, out),
        Command::Serve(args) => serve::run(global, &args, out),
        Command::Export(args) => export::run(global, &args, out),
        Command::Import(args) => import::run(global, &args, out),
        Command::Check(args) => check::run(global, &args, out),
        Command::Deploy(args) => deploy::run(global, &args, out),
        Command::Migrate(args) => migrate::run(global, &args, out),
        Command::Keys(args) => keys::run(global, args, out),
        Command::Completions(args) => completions::run(&args, out),
    }
}

/// Opens arguments that are each a file, `-`, or a VAA as text.
fn open_inputs(arguments: &[String]) -> Result<Vec<Inputs>> {
    arguments
        .iter()
        .map(|argument| {
            if argument != "-" && !Path::new(argument).exists() && decode_text(argument).is_ok() {
                return Ok(Inputs::of_bytes("argument", argument.clone().into_bytes()));
            }
            Ok(Inputs::open(std::slice::from_ref(argument))?)
        })
        .collect()
}

/// Returns what `page` asks for, and the most rows it wants.
fn page_request(page: &Page) -> Result<(PageRequest, Option<u64>)> {
    let key = page
        .key
        .as_deref()
        .map(Binary::from_base64)
        .transpose()
        .ok()
        .with_context(|| "--key is not the key that an earlier list ended with")?;
    let request = PageRequest {
        key,
        offset: page.offset.map(Into::into),
        limit: None,
        count_total: false,
        reverse: page.reverse,
    };
    Ok((request, (!page.all).then_some(page.limit)))
}

/// Tells on standard error how to go on with a list that has more rows.
fn tell_more(response: &PageResponse) {
    if let Some(key) = &response.next_key {
        eprintln!("more rows follow: --key {key} goes on, --all lists them");
    }
}

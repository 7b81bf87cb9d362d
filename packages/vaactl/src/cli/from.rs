//! The arguments of `ingest` that name a server.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::remote::Emitter;

/// Names the form of a server's answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Api {
    /// Wormholescan's lists, as `vaactl serve` has them too.
    Scan,
    /// A guardian's, asked for one sequence of an emitter after the other.
    Guardian,
}

/// Names a server to fetch VAAs from, and how.
#[derive(Debug, Args)]
#[command(next_help_heading = "From a server")]
pub struct FromArgs {
    /// Fetch the VAAs of a server: a Wormholescan, a guardian, or another registry's `serve`.
    #[arg(
        id = "from",
        long = "from",
        value_name = "URL",
        conflicts_with_all = ["files", "replay"]
    )]
    pub url: Option<String>,
    /// Only VAAs of this emitter, in hex; can be given several times.
    #[arg(
        long = "emitter",
        value_name = "CHAIN/ADDRESS",
        requires = "from",
        conflicts_with = "files",
        required_if_eq("api", "guardian")
    )]
    pub emitters: Vec<Emitter>,
    /// The form of the server's answers.
    #[arg(long, value_enum, default_value = "scan", requires = "from")]
    pub api: Api,
    /// Keep how far it came in this file, and go on from there.
    #[arg(long, value_name = "FILE", requires = "from", conflicts_with = "files")]
    pub cursor: Option<PathBuf>,
    /// Go on asking for new VAAs, until interrupted. Between rounds an embedded registry is free for other commands.
    #[arg(long, requires = "from", conflicts_with = "files")]
    pub follow: bool,
    /// Seconds between rounds without news.
    #[arg(long, value_name = "SECONDS", default_value = "10", requires = "follow", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub interval: u64,
    /// How often to ask again, after ever longer pauses, while the server is down or busy; without end under --follow.
    #[arg(
        long,
        value_name = "N",
        default_value = "8",
        requires = "from",
        conflicts_with = "follow"
    )]
    pub retries: u32,
    /// VAAs to ask for at once.
    #[arg(long, value_name = "N", default_value = "100", requires = "from", value_parser = clap::value_parser!(u64).range(1..=1_000))]
    pub page_size: u64,
}

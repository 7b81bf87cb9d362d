//! The command line's arguments.

mod from;
mod node;
mod serve;

pub use from::{Api, FromArgs};
pub use node::NodeArgs;
pub use serve::Serve;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{ArgGroup, Args, CommandFactory, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use vaa_registry::msg::GuardianSetInit;
use vaa_registry::state::MAX_TX_ID_LEN;
use wormhole_vaa::{Address, Digest, MessageId, parse_chain};

use crate::network::{Network, sets_of_file};
use crate::registry::MAX_SECONDS;

/// Keeps a registry of Wormhole VAAs: verifies them, stores them, answers for them.
#[derive(Debug, Parser)]
#[command(
    name = "vaactl",
    version,
    propagate_version = true,
    arg_required_else_help = true
)]
#[command(
    after_help = "Exit status: 0 done, 1 refused or failed, 2 usage error, 3 a conflict under --strict."
)]
pub struct Cli {
    /// What every command takes.
    #[command(flatten)]
    pub global: Global,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

impl Cli {
    /// Reads arguments, the first of which is the program's name.
    ///
    /// # Errors
    /// A usage error, or a request for help.
    pub fn read<T: Into<OsString> + Clone>(
        arguments: impl IntoIterator<Item = T>,
    ) -> Result<Self, clap::Error> {
        let cli = Self::try_parse_from(arguments)?;
        // clap checks no conflict between a global option and one on the other side of the command.
        let conflict = match &cli.command {
            Command::Ingest(args) if args.replay && cli.global.time.is_some() => {
                "--time can not be used with --replay, which sets the time"
            }
            Command::Ingest(args) if args.replay && cli.global.node.url.is_some() => {
                "--replay can not be used with --node: a chain's time is its own"
            }
            Command::Check(_) if cli.global.node.url.is_some() => {
                "--node can not be used with check, which reads the store itself"
            }
            Command::Init(_) if cli.global.node.url.is_some() => {
                "--node can not be used with init: deploy makes a registry on a chain"
            }
            Command::Totals(args) if args.misfit() => {
                "--chain goes with chain and emitter, --emitter with emitter, --from and --to with day"
            }
            Command::Status(args) if args.signers && args.ids.len() > 1 => {
                "--signers can not be used with several messages"
            }
            Command::Vaa(args) if args.format.is_some() && cli.global.json => {
                "--format can not be used with --json, which has its own"
            }
            _ => return Ok(cli),
        };
        Err(Self::command().error(ErrorKind::ArgumentConflict, conflict))
    }
}

/// Takes the options of every command, before or after its name.
#[derive(Clone, Debug, Args)]
pub struct Global {
    /// Directory that holds the embedded registry.
    #[arg(
        long,
        global = true,
        env = "VAACTL_HOME",
        default_value = "./.vaactl",
        value_name = "DIR"
    )]
    pub home: PathBuf,
    /// Write JSON lines for programs instead of tables.
    #[arg(long, global = true)]
    pub json: bool,
    /// Block time in Unix seconds, instead of now; time in a registry never goes back.
    #[arg(long, global = true, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(..=MAX_SECONDS))]
    pub time: Option<u64>,
    /// Where the registry is, if on a chain.
    #[command(flatten)]
    pub node: NodeArgs,
}

/// Names a command.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Create an embedded registry.
    Init(Init),
    /// Verify and store the VAAs of files, or of a server.
    Ingest(Ingest),
    /// List messages.
    List(List),
    /// Show a message by its id or digest.
    Get(Get),
    /// Write the signed VAA of a message.
    Vaa(VaaArgs),
    /// Show what is in VAAs, without verifying them.
    Parse(Parse),
    /// Verify VAAs against the registry, or offline against known guardian sets.
    Verify(Verify),
    /// Show the guardian sets.
    Guardians(Guardians),
    /// List messages that claim the id of another.
    Conflicts(Conflicts),
    /// Sign what a guardian observed, and submit it.
    Observe(Observe),
    /// List what guardians signed, but no quorum.
    Pending(Pending),
    /// Show all that is known of messages.
    Status(Status),
    /// Make a VAA of a message for a guardian set, of the signatures that are stored.
    Repair(Repair),
    /// List the sequences of an emitter that no message has.
    Missing(Missing),
    /// Count messages by chain, emitter or day.
    Totals(Totals),
    /// Serve the registry over HTTP, in the forms of guardians and Wormholescan.
    Serve(Serve),
    /// Write the registry's whole state, for another registry to import.
    Export(Export),
    /// Import what `export` wrote into a registry that was made with --import.
    Import(Import),
    /// Check that rows, indexes, totals and digests of the embedded registry agree.
    Check(Check),
    /// Store the contract on a chain and create a registry of it.
    Deploy(Deploy),
    /// Move a registry to newer code.
    Migrate(Migrate),
    /// Keep the keys that sign transactions.
    Keys(Keys),
    /// Write a completion script for a shell.
    Completions(Completions),
}

/// Takes the arguments of `init`.
#[derive(Debug, Args)]
pub struct Init {
    /// What the registry begins with.
    #[command(flatten)]
    pub beginning: Beginning,
}

/// Says what a registry begins with.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("sets").required(true).args(["network", "guardian_sets"]))]
pub struct Beginning {
    /// Begin with the newest known guardian set of a network.
    #[arg(long, value_name = "NETWORK")]
    pub network: Option<Network>,
    /// Begin with an older set of the network: its guardians sign until every upgrade since has
    /// been ingested, and a day beyond.
    #[arg(long, value_name = "N", conflicts_with = "guardian_sets")]
    pub from_set: Option<u32>,
    /// Begin with the guardian sets of a file: a JSON list of {"index", "addresses",
    /// "expires_at"}, the highest index current, the others with their expiry in Unix seconds.
    #[arg(long, value_name = "FILE")]
    pub guardian_sets: Option<PathBuf>,
    /// Begin with the import of another registry's state, which trusts these guardian sets alone; nothing else is stored
    /// until the import is sealed.
    #[arg(long)]
    pub import: bool,
    /// Wormhole chain id of the chain that the registry stands for.
    #[arg(long, value_name = "CHAIN", default_value = "3104", value_parser = parse_chain)]
    pub this_chain: u16,
}

impl Beginning {
    /// Returns the guardian sets.
    ///
    /// # Errors
    /// A set that is unknown, or a file that holds none.
    pub fn sets(&self) -> anyhow::Result<Vec<GuardianSetInit>> {
        match (self.network, &self.guardian_sets) {
            (Some(network), _) => Ok(vec![network.set(self.from_set)?.into_init()]),
            (None, Some(file)) => sets_of_file(file),
            (None, None) => Ok(Vec::new()),
        }
    }
}

/// Names the code of a contract.
#[derive(Debug, Args)]
pub struct Code {
    /// The contract's wasm; artifacts/vaa_registry.wasm if absent.
    #[arg(long, value_name = "FILE")]
    pub wasm: Option<PathBuf>,
    /// Code that the chain has already.
    #[arg(long, value_name = "N", conflicts_with = "wasm")]
    pub code_id: Option<u64>,
}

/// Takes the arguments of `deploy`.
#[derive(Debug, Args)]
pub struct Deploy {
    /// What the registry begins with.
    #[command(flatten)]
    pub beginning: Beginning,
    /// The contract.
    #[command(flatten)]
    pub code: Code,
    /// The contract's label on the chain.
    #[arg(long, value_name = "TEXT", default_value = "vaa-registry")]
    pub label: String,
    /// Who may migrate the contract; the sender if absent.
    #[arg(long, value_name = "ADDRESS")]
    pub admin: Option<String>,
    /// Nobody may migrate the contract.
    #[arg(long, conflicts_with = "admin")]
    pub no_admin: bool,
}

/// Takes the arguments of `migrate`.
#[derive(Debug, Args)]
pub struct Migrate {
    /// The contract.
    #[command(flatten)]
    pub code: Code,
}

/// Takes the arguments of `keys`.
#[derive(Debug, Args)]
pub struct Keys {
    /// What to do.
    #[command(subcommand)]
    pub command: KeysCommand,
}

/// Names what to do with keys.
#[derive(Debug, Subcommand)]
pub enum KeysCommand {
    /// Add a key: that of --mnemonic-file or VAACTL_MNEMONIC, else a new one.
    Add {
        /// Its name.
        name: String,
        /// What the chain's addresses begin with, to show the key's.
        #[arg(long, default_value = "wasm")]
        prefix: String,
    },
    /// List the keys.
    List {
        /// What the chain's addresses begin with, to show the keys'.
        #[arg(long, default_value = "wasm")]
        prefix: String,
    },
    /// Remove a key for good.
    Remove {
        /// Its name.
        name: String,
    },
}

/// Takes the arguments of `ingest`.
#[derive(Debug, Args)]
pub struct Ingest {
    /// Files of VAAs: JSON lines with `vaa_hex`, hex, base64, CSV, or binary; `-` is standard input.
    #[arg(required_unless_present = "from", value_name = "FILE")]
    pub files: Vec<String>,
    /// Follow history: order the VAAs by guardian set, and let each set's VAAs be verified at the
    /// time of the upgrade that introduced it. Creates a registry at mainnet set 0 if there is none.
    #[arg(long)]
    pub replay: bool,
    /// Exit with 3 if a VAA conflicts with another of the same id.
    #[arg(long)]
    pub strict: bool,
    /// A server instead of files.
    #[command(flatten)]
    pub from: FromArgs,
}

/// Names a column family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Family {
    /// What the emitter published.
    Publication,
    /// The newest signatures.
    Quorum,
    /// How it was verified.
    Status,
}

/// Takes the arguments of `list`.
#[derive(Debug, Args)]
pub struct List {
    /// Only messages of this chain, by id or name.
    #[arg(long, value_name = "CHAIN", value_parser = parse_chain)]
    pub chain: Option<u16>,
    /// Only messages of this emitter, in hex.
    #[arg(long, value_name = "ADDRESS", requires = "chain")]
    pub emitter: Option<Address>,
    /// Only messages whose time is at least this, in Unix seconds; orders by time.
    #[arg(long, value_name = "SECONDS")]
    pub from: Option<u32>,
    /// Only messages whose time is at most this, in Unix seconds; orders by time.
    #[arg(long, value_name = "SECONDS")]
    pub to: Option<u32>,
    /// Order by time.
    #[arg(long)]
    pub by_time: bool,
    /// Only messages verified under this guardian set.
    #[arg(long, value_name = "N", conflicts_with_all = ["chain", "emitter", "from", "to", "by_time", "recipient"])]
    pub guardian_set: Option<u32>,
    /// Only token transfers to this chain, or to CHAIN/ADDRESS on it.
    #[arg(long, value_name = "CHAIN[/ADDRESS]", value_parser = parse_recipient, conflicts_with_all = ["chain", "emitter", "from", "to", "by_time"])]
    pub recipient: Option<Recipient>,
    /// Only governance messages of this module, as Core, or its 32 bytes in hex.
    #[arg(long, value_name = "MODULE", conflicts_with_all = ["chain", "emitter", "from", "to", "by_time", "recipient", "guardian_set"])]
    pub module: Option<String>,
    /// Only governance messages of this action.
    #[arg(long, value_name = "N", requires = "module")]
    pub action: Option<u8>,
    /// Only messages that match.
    #[command(flatten)]
    pub matching: Matching,
    /// Which rows.
    #[command(flatten)]
    pub page: Page,
    /// Column families to read; all if absent.
    #[arg(long, value_name = "FAMILY", value_delimiter = ',')]
    pub families: Vec<Family>,
}

/// Says what messages have to be like.
#[derive(Debug, Args)]
pub struct Matching {
    /// Only messages with this nonce.
    #[arg(long, value_name = "N")]
    pub nonce: Option<u32>,
    /// Only messages with this consistency level.
    #[arg(long, value_name = "N")]
    pub consistency_level: Option<u8>,
    /// Only messages whose payload begins with these bytes, in hex.
    #[arg(long, value_name = "HEX", value_parser = parse_payload_prefix)]
    pub payload_prefix: Option<PayloadPrefix>,
    /// Only messages whose payload has at least this many bytes.
    #[arg(long, value_name = "N")]
    pub min_payload: Option<u32>,
    /// Only messages whose payload has at most this many bytes.
    #[arg(long, value_name = "N")]
    pub max_payload: Option<u32>,
}

/// Holds the first bytes of a payload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PayloadPrefix(pub Vec<u8>);

fn parse_payload_prefix(text: &str) -> Result<PayloadPrefix, String> {
    let bytes = wormhole_vaa::decode_hex("payload prefix", text);
    bytes.map(PayloadPrefix).map_err(|error| error.to_string())
}

/// Takes the arguments of every list.
#[derive(Debug, Args)]
pub struct Page {
    /// Most rows to list.
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: u64,
    /// List all rows.
    #[arg(long, conflicts_with = "limit")]
    pub all: bool,
    /// Go on where a list ended.
    #[arg(long, value_name = "KEY", conflicts_with = "offset")]
    pub key: Option<String>,
    /// Pass over rows first.
    #[arg(long, value_name = "N")]
    pub offset: Option<u64>,
    /// List in descending order.
    #[arg(long)]
    pub reverse: bool,
}

/// Names where transfers go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipient {
    /// The chain.
    pub chain: u16,
    /// The account on it; all if absent.
    pub address: Option<Address>,
}

fn parse_recipient(text: &str) -> Result<Recipient, String> {
    let (chain, address) = match text.split_once(['/', ':']) {
        Some((chain, address)) => (chain, Some(address)),
        None => (text, None),
    };
    Ok(Recipient {
        chain: parse_chain(chain).map_err(|error| error.to_string())?,
        address: address
            .map(str::parse)
            .transpose()
            .map_err(|error: wormhole_vaa::HexError| error.to_string())?,
    })
}

/// Names a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reference {
    /// By its id.
    Id(MessageId),
    /// By its digest.
    Digest(Digest),
}

fn parse_reference(text: &str) -> Result<Reference, String> {
    if text.contains(['/', ':']) {
        text.parse()
            .map(Reference::Id)
            .map_err(|error: wormhole_vaa::MessageIdError| error.to_string())
    } else {
        text.parse()
            .map(Reference::Digest)
            .map_err(|error: wormhole_vaa::HexError| error.to_string())
    }
}

/// Takes the arguments of `get`.
#[derive(Debug, Args)]
pub struct Get {
    /// The message: chain/emitter/sequence, chain:emitter:sequence, or a digest.
    #[arg(value_name = "ID|DIGEST", value_parser = parse_reference)]
    pub message: Reference,
}

/// Names a form of a VAA.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// Lower-case hex digits.
    Hex,
    /// Base64.
    Base64,
    /// The bytes.
    Binary,
}

/// Takes the arguments of `vaa`.
#[derive(Debug, Args)]
pub struct VaaArgs {
    /// The message: chain/emitter/sequence, or chain:emitter:sequence.
    #[arg(value_name = "ID")]
    pub id: MessageId,
    /// The guardian set whose signatures are wanted; the newest if absent.
    #[arg(long, value_name = "N")]
    pub guardian_set: Option<u32>,
    /// How to write it; hex if absent.
    #[arg(long, value_enum)]
    pub format: Option<Form>,
}

/// Takes the arguments of `parse`.
#[derive(Debug, Args)]
pub struct Parse {
    /// Files of VAAs, `-` for standard input, or a VAA itself in hex or base64.
    #[arg(required = true, value_name = "FILE|VAA")]
    pub inputs: Vec<String>,
}

/// Takes the arguments of `verify`.
#[derive(Debug, Args)]
pub struct Verify {
    /// Files of VAAs, `-` for standard input, or a VAA itself in hex or base64.
    #[arg(required = true, value_name = "FILE|VAA")]
    pub inputs: Vec<String>,
    /// Verify offline against the known guardian sets of a network.
    #[arg(long, value_name = "NETWORK", conflicts_with = "guardian_sets")]
    pub network: Option<Network>,
    /// Verify offline against the guardian sets of a file, as `init` takes it.
    #[arg(long, value_name = "FILE")]
    pub guardian_sets: Option<PathBuf>,
}

/// Takes the arguments of `guardians`.
#[derive(Debug, Args)]
pub struct Guardians {
    /// Show the guardians of one set.
    #[arg(value_name = "N")]
    pub index: Option<u32>,
}

/// Takes the arguments of `conflicts`.
#[derive(Debug, Args)]
pub struct Conflicts {
    /// Only those of this message.
    #[arg(value_name = "ID")]
    pub id: Option<MessageId>,
    /// Which rows.
    #[command(flatten)]
    pub page: Page,
}

/// Takes the arguments of `observe`.
#[derive(Debug, Args)]
pub struct Observe {
    /// Files of VAAs, whose bodies are signed, or `-` for standard input; with --bodies of bodies alone, with --signed of
    /// what --out wrote.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// The files hold message bodies.
    #[arg(long, conflicts_with = "signed")]
    pub bodies: bool,
    /// The transaction that published the messages, in hex.
    #[arg(long, value_name = "HEX", value_parser = parse_tx_id, required_unless_present = "signed", conflicts_with = "signed")]
    pub tx_id: Option<TxId>,
    /// File with the guardian's secret key in hex; without it, the environment's VAACTL_GUARDIAN_KEY.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["devnet_key", "signed"])]
    pub key_file: Option<PathBuf>,
    /// Sign with the well-known key of Wormhole's development network.
    #[arg(long, conflicts_with = "signed")]
    pub devnet_key: bool,
    /// The guardian set to sign for; the current one if absent.
    #[arg(long, value_name = "N", conflicts_with = "signed")]
    pub guardian_set: Option<u32>,
    /// Write the signed batches to a file, `-` for standard output, for anybody to submit, instead of submitting them.
    #[arg(long, value_name = "FILE", conflicts_with = "signed")]
    pub out: Option<PathBuf>,
    /// Submit batches that were signed before.
    #[arg(long)]
    pub signed: bool,
}

/// Holds a transaction id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TxId(pub Vec<u8>);

fn parse_tx_id(text: &str) -> Result<TxId, String> {
    match wormhole_vaa::decode_hex("transaction id", text) {
        Ok(bytes) if bytes.len() <= MAX_TX_ID_LEN => Ok(TxId(bytes)),
        Ok(bytes) => Err(format!(
            "{} bytes, at most {MAX_TX_ID_LEN} are allowed",
            bytes.len()
        )),
        Err(error) => Err(error.to_string()),
    }
}

/// Takes the arguments of `pending`.
#[derive(Debug, Args)]
pub struct Pending {
    /// Only what claims to be this message.
    #[arg(value_name = "ID")]
    pub id: Option<MessageId>,
    /// Which rows.
    #[command(flatten)]
    pub page: Page,
}

/// Takes the arguments of `status`.
#[derive(Debug, Args)]
pub struct Status {
    /// The messages: chain/emitter/sequence, or chain:emitter:sequence. One is shown in full, several in short.
    #[arg(required = true, value_name = "ID")]
    pub ids: Vec<MessageId>,
    /// Show which guardians signed the message, and which did not.
    #[arg(long)]
    pub signers: bool,
    /// The guardian set whose signers are shown; the newest that signed if absent.
    #[arg(long, value_name = "N", requires = "signers")]
    pub guardian_set: Option<u32>,
}

/// Takes the arguments of `repair`.
#[derive(Debug, Args)]
pub struct Repair {
    /// The message: chain/emitter/sequence, or chain:emitter:sequence.
    #[arg(value_name = "ID")]
    pub id: MessageId,
    /// The body, by its digest in hex; the registered one if absent, else the first that is pending.
    #[arg(long, value_name = "DIGEST")]
    pub digest: Option<Digest>,
    /// The guardian set that the VAA is to be of; the current one if absent.
    #[arg(long, value_name = "N")]
    pub guardian_set: Option<u32>,
}

/// Takes the arguments of `missing`.
#[derive(Debug, Args)]
pub struct Missing {
    /// The emitter's chain, by id or name.
    #[arg(long, value_name = "CHAIN", value_parser = parse_chain)]
    pub chain: u16,
    /// The emitter, in hex.
    #[arg(long, value_name = "ADDRESS")]
    pub emitter: Address,
    /// The first sequence of interest; the first registered if absent.
    #[arg(long, value_name = "SEQUENCE")]
    pub from: Option<u64>,
    /// The last sequence of interest; the last registered if absent.
    #[arg(long, value_name = "SEQUENCE")]
    pub to: Option<u64>,
    /// Which rows.
    #[command(flatten)]
    pub page: Page,
}

/// Names what totals are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TotalsBy {
    /// Of each chain.
    Chain,
    /// Of each emitter.
    Emitter,
    /// Of each day, by the time that emitters wrote, in UTC.
    Day,
}

/// Takes the arguments of `totals`.
#[derive(Debug, Args)]
pub struct Totals {
    /// What the totals are of.
    #[arg(value_enum, default_value = "chain")]
    pub by: TotalsBy,
    /// Only this chain, or emitters of it.
    #[arg(long, value_name = "CHAIN", value_parser = parse_chain)]
    pub chain: Option<u16>,
    /// Only this emitter, in hex.
    #[arg(long, value_name = "ADDRESS", requires = "chain")]
    pub emitter: Option<Address>,
    /// Only days from that of this second on, in Unix time.
    #[arg(long, value_name = "SECONDS")]
    pub from: Option<u32>,
    /// Only days up to that of this second, in Unix time.
    #[arg(long, value_name = "SECONDS")]
    pub to: Option<u32>,
    /// Which rows.
    #[command(flatten)]
    pub page: Page,
}

impl Totals {
    /// Whether there is an option that the totals asked for do not have.
    fn misfit(&self) -> bool {
        let times = self.from.is_some() || self.to.is_some();
        match self.by {
            TotalsBy::Chain => self.emitter.is_some() || times,
            TotalsBy::Emitter => times,
            TotalsBy::Day => self.chain.is_some(),
        }
    }
}

/// Takes the arguments of `export`.
#[derive(Debug, Args)]
pub struct Export {
    /// Where to write it, a page of JSON a line; standard output if absent.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Rows of a page.
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=30))]
    pub rows: u32,
}

/// Takes the arguments of `import`.
#[derive(Debug, Args)]
pub struct Import {
    /// What `export` wrote; `-` for standard input. What is imported already is passed over.
    #[arg(value_name = "FILE")]
    pub file: String,
    /// Seal the import when all is there.
    #[arg(long)]
    pub seal: bool,
}

/// Takes the arguments of `check`.
#[derive(Debug, Args)]
pub struct Check {
    /// Most faults to tell.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: u64,
}

/// Takes the arguments of `completions`.
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell.
    pub shell: Shell,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Cli, clap::Error> {
        Cli::read(line.split(' '))
    }

    #[test]
    fn the_arguments_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn global_options_stand_before_or_after_the_command() {
        for line in [
            "vaactl --home h --json --time 5 list",
            "vaactl list --home h --json --time 5",
            "vaactl --json list --time 5 --home h",
        ] {
            let Cli { global, .. } = parse(line).unwrap();
            assert_eq!(global.home.to_str(), Some("h"));
            assert!(global.json);
            assert_eq!(global.time, Some(5));
        }
    }

    #[test]
    fn senseless_combinations_are_usage_errors() {
        for line in [
            "vaactl init",
            "vaactl init --network mainnet --guardian-sets f",
            "vaactl init --guardian-sets f --from-set 1",
            "vaactl init --network nonet",
            "vaactl init --network mainnet --this-chain 65536",
            "vaactl ingest",
            "vaactl ingest --from http://a f",
            "vaactl ingest --from http://a --replay",
            "vaactl ingest --from http://a --api guardian",
            "vaactl ingest --from http://a --emitter 2",
            "vaactl ingest --from http://a --follow --retries 2",
            "vaactl ingest --emitter 2/0x0000000000000000000000000000000000000004 f",
            "vaactl serve --max-connections 0",
            "vaactl serve --request-timeout 0",
            "vaactl ingest --replay --time 5 f",
            "vaactl --time 5 ingest --replay f",
            "vaactl observe f",
            "vaactl observe --signed --tx-id 01 f",
            "vaactl observe --tx-id xy f",
            "vaactl observe --tx-id 01 --devnet-key --key-file k f",
            "vaactl list --emitter 04",
            "vaactl list --chain 1 --emitter 04",
            "vaactl list --guardian-set 1 --chain 1",
            "vaactl list --limit 0",
            "vaactl list --all --limit 5",
            "vaactl list --time 18446744074",
            "vaactl list --action 1",
            "vaactl list --module Core --chain 1",
            "vaactl list --payload-prefix 0",
            "vaactl status",
            "vaactl status 1/04",
            "vaactl status --guardian-set 1 1/0x0000000000000000000000000000000000000004/1",
            "vaactl status --signers 1/0x0000000000000000000000000000000000000004/1 1/0x0000000000000000000000000000000000000004/2",
            "vaactl repair abcd",
            "vaactl import",
            "vaactl export --rows 31",
            "vaactl check --node http://127.0.0.1:1",
            "vaactl missing --chain 1",
            "vaactl missing --chain 1 --emitter 0x0000000000000000000000000000000000000004 --from 18446744073709551616",
            "vaactl totals week",
            "vaactl totals day --chain 1",
            "vaactl totals chain --from 1",
            "vaactl totals emitter --to 1",
            "vaactl get 1/2",
            "vaactl get abc",
            "vaactl vaa abcd",
            "vaactl --json vaa 1/0x0000000000000000000000000000000000000004/1 --format hex",
            "vaactl nothing",
        ] {
            let error = parse(line).err().unwrap_or_else(|| panic!("{line}"));
            assert_eq!(error.exit_code(), 2, "{line}");
        }
    }
}

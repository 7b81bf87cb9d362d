//! Moving a registry: its state out in pages, and into another one.

use cosmwasm_schema::cw_serde;
use cosmwasm_std::Uint64;

/// A table that is exported, in the order in which they are imported. What is not here is made anew, the digests, or is
/// the importing registry's own, its admin.
#[cw_serde]
#[derive(Copy, Eq)]
pub enum GenesisTable {
    /// The settings.
    Config,
    /// The guardian sets.
    GuardianSets,
    /// The emitters and their numbers.
    Emitters,
    /// The messages.
    Messages,
    /// Signatures that a newer set's replaced.
    Superseded,
    /// Messages that came second.
    Conflicts,
    /// Bodies that no quorum signed.
    PendingBodies,
    /// Their signatures.
    Observations,
    /// Which of those are of further bodies of a message.
    FurtherDigests,
    /// How many undecided digests each guardian has.
    Undecided,
    /// Where pruning goes on.
    PruneCursor,
    /// Claims of transactions.
    TxClaims,
    /// Messages by transaction.
    TxMessages,
    /// The publishers.
    Publishers,
    /// The publications.
    Publications,
}

impl GenesisTable {
    /// All tables, in order.
    pub const ALL: [Self; 15] = [
        Self::Config,
        Self::GuardianSets,
        Self::Emitters,
        Self::Messages,
        Self::Superseded,
        Self::Conflicts,
        Self::PendingBodies,
        Self::Observations,
        Self::FurtherDigests,
        Self::Undecided,
        Self::PruneCursor,
        Self::TxClaims,
        Self::TxMessages,
        Self::Publishers,
        Self::Publications,
    ];

    /// Returns its name in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Config => "config",
            Self::GuardianSets => "guardian_sets",
            Self::Emitters => "emitters",
            Self::Messages => "messages",
            Self::Superseded => "superseded",
            Self::Conflicts => "conflicts",
            Self::PendingBodies => "pending_bodies",
            Self::Observations => "observations",
            Self::FurtherDigests => "further_digests",
            Self::Undecided => "undecided",
            Self::PruneCursor => "prune_cursor",
            Self::TxClaims => "tx_claims",
            Self::TxMessages => "tx_messages",
            Self::Publishers => "publishers",
            Self::Publications => "publications",
        }
    }
}

/// How far an import is.
#[cw_serde]
pub struct ImportStatusResponse {
    /// Whether a genesis is being imported.
    pub importing: bool,
    /// The table whose pages come next; null if all are imported, or nothing is.
    pub next: Option<GenesisTable>,
    /// How many rows of it are imported: the `first` of the page that comes next.
    pub rows: Uint64,
    /// What is still to be proved before the import can be sealed, in words: 10 at most.
    pub unproved: Vec<String>,
}

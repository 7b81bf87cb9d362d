//! What can go wrong. Every text ends in its code, since a chain hands on nothing but text; codes never change meaning.
//!
//! `E1xx`: a VAA, observation or publication is refused. `E2xx`: a message or query is malformed. `E3xx`: an instantiate
//! or migrate is refused. `E4xx`: the sender may not, or nobody may now.
//! `E9xx`: the store; the last two digits are the ORM's error code.

use cosmwasm_std::{StdError, Uint64};
use cw_orm::OrmError;
use thiserror::Error;
use wormhole_vaa::{
    GuardianSetError, HexError, MessageId, MessageIdError, ParseError, VerifyError, encode_hex,
};

use crate::{
    msg::ItemError,
    state::{MAX_SETS, MAX_TX_ID_LEN, MAX_UNDECIDED, MAX_UNDECIDED_OF_MESSAGE},
};

/// Why a VAA, an observation or a publication is refused. Decided before anything of it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The bytes are no VAA of version 1.
    #[error("{0} [{code}]", code = self.code())]
    Parse(#[from] ParseError),
    /// The payload is over the limit.
    #[error("payload of {len} bytes is over the limit of {limit} [{code}]", code = self.code())]
    PayloadTooLarge {
        /// Its length in bytes.
        len: usize,
        /// The limit.
        limit: u32,
    },
    /// The registry knows no guardian set of this index.
    #[error("guardian set {index} is unknown [{code}]", code = self.code())]
    UnknownGuardianSet {
        /// The index that the VAA names.
        index: u32,
    },
    /// The signatures are not a quorum of the set's.
    #[error("{0} [{code}]", code = self.code())]
    Signatures(#[from] VerifyError),
    /// The set's signatures no longer count.
    #[error("guardian set {index} expired at {expired_at}, block time is {now} [{code}]", code = self.code())]
    GuardianSetExpired {
        /// The set's index.
        index: u32,
        /// The last second in which its signatures counted, in Unix time.
        expired_at: u64,
        /// The block time, in Unix seconds.
        now: u64,
    },
    /// A signature, without the guardian's index, is not 65 bytes.
    #[error("signature of {len} bytes, 65 are needed [{code}]", code = self.code())]
    SignatureLength {
        /// Its length in bytes.
        len: usize,
    },
    /// A transaction id is empty or too long.
    #[error("transaction id of {len} bytes, 1 to {MAX_TX_ID_LEN} are allowed [{code}]", code = self.code())]
    TxIdLength {
        /// Its length in bytes.
        len: usize,
    },
    /// The guardian has signed as many undecided digests as one may.
    #[error("guardian {guardian} of set {index} has {MAX_UNDECIDED} undecided digests, no more are kept [{code}]", code = self.code())]
    TooManyUndecided {
        /// The guardian's index.
        guardian: u8,
        /// The set's index.
        index: u32,
    },
    /// The guardian has signed as many undecided digests of this message as one may.
    #[error("guardian {guardian} of set {index} has {MAX_UNDECIDED_OF_MESSAGE} undecided digests of {id}, no more are kept [{code}]", code = self.code())]
    TooManyOfMessage {
        /// The guardian's index.
        guardian: u8,
        /// The set's index.
        index: u32,
        /// The message's id.
        id: MessageId,
    },
    /// The message was verified under as many guardian sets as are kept.
    #[error("{id} was verified under {MAX_SETS} guardian sets, no more are kept [{code}]", code = self.code())]
    TooManySets {
        /// The message's id.
        id: MessageId,
    },
    /// Nothing is stored now but guardian set upgrades.
    #[error("the registry is paused [{code}]", code = self.code())]
    Paused,
    /// The message is not one that the publisher may publish.
    #[error("{id} is outside the publisher's scope [{code}]", code = self.code())]
    OutOfScope {
        /// The message's id.
        id: MessageId,
    },
    /// The publisher has as many rows as it may.
    #[error("the publisher's quota of {quota} rows is used up [{code}]", code = self.code())]
    QuotaExhausted {
        /// The quota.
        quota: u32,
    },
}

impl Refusal {
    /// Returns the stable code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Parse(ParseError::UnsupportedVersion(_)) => "E102",
            Self::Parse(_) => "E101",
            Self::PayloadTooLarge { .. } => "E103",
            Self::UnknownGuardianSet { .. } => "E104",
            Self::GuardianSetExpired { .. } => "E105",
            Self::Signatures(error) => match error {
                VerifyError::SignaturesNotAscending { .. } => "E106",
                VerifyError::GuardianIndexOutOfRange { .. } => "E107",
                VerifyError::NoQuorum { .. } => "E108",
                VerifyError::InvalidRecoveryId { .. } => "E109",
                VerifyError::InvalidSignature { .. } => "E110",
                VerifyError::SignatureMismatch { .. } => "E111",
            },
            Self::SignatureLength { .. } => "E112",
            Self::TxIdLength { .. } => "E113",
            Self::TooManyUndecided { .. } => "E114",
            Self::TooManyOfMessage { .. } => "E115",
            Self::TooManySets { .. } => "E116",
            Self::Paused => "E403",
            Self::OutOfScope { .. } => "E405",
            Self::QuotaExhausted { .. } => "E406",
        }
    }
}

impl From<&Refusal> for ItemError {
    fn from(refusal: &Refusal) -> Self {
        Self {
            code: refusal.code().into(),
            message: refusal.to_string(),
        }
    }
}

/// An error of the contract: the message or query failed and changed nothing.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ContractError {
    /// A VAA of a batch is refused, and the batch was to be stored whole or not at all.
    #[error("VAA {position} of the batch: {refusal}")]
    Refused {
        /// Its position in the batch, from 0.
        position: usize,
        /// Why.
        refusal: Refusal,
    },
    /// An observation of a batch is refused, and the batch was to be stored whole or not at all.
    #[error("observation {position} of the batch: {refusal}")]
    ObservationRefused {
        /// Its position in the batch, from 0.
        position: usize,
        /// Why.
        refusal: Refusal,
    },
    /// A publication of a batch is refused, and the batch was to be stored whole or not at all.
    #[error("publication {position} of the batch: {refusal}")]
    PublicationRefused {
        /// Its position in the batch, from 0.
        position: usize,
        /// Why.
        refusal: Refusal,
    },
    /// A whole batch of observations is refused: its guardian's set does not count, or did not sign it.
    #[error("the batch of observations: {0}")]
    ObservationsRefused(Refusal),
    /// A batch of nothing.
    #[error("the batch is empty [E201]")]
    EmptyBatch,
    /// A batch over the limit.
    #[error("the batch of {len} is over the limit of {limit} [E202]")]
    BatchTooLarge {
        /// How many elements it has.
        len: usize,
        /// The limit.
        limit: u32,
    },
    /// Text that is no message id.
    #[error("{0} [E203]")]
    MessageId(#[from] MessageIdError),
    /// Text that is no address or digest.
    #[error("{0} [E204]")]
    Hex(#[from] HexError),
    /// A guardian set that the registry does not know.
    #[error("guardian set {index} is unknown [E205]")]
    UnknownGuardianSet {
        /// The index asked for.
        index: u32,
    },
    /// A message that is not registered.
    #[error("message {id} is not registered [E206]")]
    UnknownMessage {
        /// The id asked for.
        id: String,
    },
    /// A guardian set that a message was not verified under.
    #[error("message {id} was not verified under guardian set {index} [E207]")]
    NotVerifiedUnder {
        /// The message's id.
        id: String,
        /// The set's index.
        index: u32,
    },
    /// A query of an index that the registry does not keep.
    #[error("the registry keeps no index `{index}` [E208]")]
    IndexAbsent {
        /// The index's name.
        index: &'static str,
    },
    /// A filter by emitter without its chain.
    #[error("an emitter needs its chain [E209]")]
    EmitterWithoutChain,
    /// A time range that ends before it starts.
    #[error("the time range ends at {to}, before it starts at {from} [E210]")]
    InvertedTimes {
        /// Its first second.
        from: u32,
        /// Its last second.
        to: u32,
    },
    /// A page request that cannot be answered.
    #[error("{0} [E211]")]
    Page(OrmError),
    /// Observations that are no JSON list of such.
    #[error("observations: {reason} [E212]")]
    Observations {
        /// Why.
        reason: String,
    },
    /// A limit of no rows.
    #[error("the limit is 0 rows [E213]")]
    NoRows,
    /// A chain id or contract address that the signed bytes of observations cannot hold.
    #[error("chain id or contract address of {len} bytes, at most 255 can be signed [E214]")]
    DomainTooLong {
        /// Its length in bytes.
        len: usize,
    },
    /// An account that is no publisher.
    #[error("{publisher} is no publisher [E215]")]
    UnknownPublisher {
        /// The account.
        publisher: String,
    },
    /// Text that is no address of this chain.
    #[error("{address:?} is no address of this chain: {reason} [E216]")]
    Address {
        /// The text.
        address: String,
        /// Why.
        reason: String,
    },
    /// A transaction id to look for that no message can have.
    #[error("transaction id of {len} bytes, 1 to {MAX_TX_ID_LEN} are allowed [E217]")]
    TxId {
        /// Its length in bytes.
        len: usize,
    },
    /// A filter by message id and by chain or emitter at once.
    #[error("a message id names chain and emitter already [E219]")]
    IdAndChain,
    /// More rows than a query may read.
    #[error("more than {budget} rows would have to be read [E218]")]
    TooManyRows {
        /// How many rows may be.
        budget: u32,
    },
    /// A range of sequences that ends before it starts.
    #[error("the range ends at sequence {to}, before it starts at {from} [E220]")]
    InvertedSequences {
        /// Its first sequence.
        from: Uint64,
        /// Its last sequence.
        to: Uint64,
    },
    /// More messages than can be asked for at once.
    #[error("{len} messages are asked for, {limit} can be at once [E221]")]
    TooManyIds {
        /// How many there are.
        len: usize,
        /// How many can be.
        limit: usize,
    },
    /// A body that the registry does not know.
    #[error("message {id} has no body with digest {digest} [E222]")]
    UnknownBody {
        /// The message's id.
        id: String,
        /// The digest asked for.
        digest: String,
    },
    /// Text of a batch that is no message id.
    #[error("id {position} of the batch: {reason} [E203]")]
    MessageIdOfBatch {
        /// Its position, from 0.
        position: usize,
        /// Why.
        reason: MessageIdError,
    },
    /// An index that cannot be built while another one is.
    #[error("index `{index}` is being built, and has to be complete first [E223]")]
    IndexBeingBuilt {
        /// The index that is being built.
        index: &'static str,
    },
    /// Guardian sets that do not follow each other.
    #[error("guardian set {found} follows set {previous}: indexes must rise without gaps [E301]")]
    SetsNotContiguous {
        /// The set before.
        previous: u32,
        /// The set that follows it.
        found: u32,
    },
    /// No guardian set to start with.
    #[error("no guardian set is given [E302]")]
    NoGuardianSets,
    /// A guardian set that is none.
    #[error("guardian set {index}: {reason} [E303]")]
    InvalidGuardianSet {
        /// Its index.
        index: u32,
        /// Why.
        reason: GuardianSetError,
    },
    /// A guardian's address that is none.
    #[error("guardian set {index}: {reason} [E304]")]
    InvalidGuardian {
        /// The set's index.
        index: u32,
        /// Why.
        reason: HexError,
    },
    /// A replaced set without an expiry, or with one that is too late, or a current one with an expiry.
    #[error("guardian set {index}: {reason} [E305]")]
    Expiry {
        /// The set's index.
        index: u32,
        /// Why.
        reason: String,
    },
    /// Limits that would let nothing through, or too much.
    #[error("limit `{limit}` of {value} is not between 1 and {max} [E306]")]
    Limit {
        /// The limit's name.
        limit: &'static str,
        /// The value given.
        value: u32,
        /// The largest value.
        max: u32,
    },
    /// A migration from another contract, or from newer code.
    #[error("cannot migrate from {contract} {version} [E307]")]
    Migration {
        /// The contract that was here.
        contract: String,
        /// Its version.
        version: String,
    },
    /// An import without an admin, who alone may do it.
    #[error("an import needs an admin [E308]")]
    ImportWithoutAdmin,
    /// A page of another table than the one that comes next.
    #[error("the import goes on with table {expected}, not {found:?} [E309]")]
    ImportOrder {
        /// The table that comes next.
        expected: &'static str,
        /// The page's.
        found: String,
    },
    /// A row that no registry could have stored, or that cannot be verified.
    #[error("import of {table}, row {key}: {reason} [E310]")]
    ImportRow {
        /// The table.
        table: &'static str,
        /// The row's encoded key, in hex.
        key: String,
        /// Why.
        reason: String,
    },
    /// An import that lacks something.
    #[error("the import lacks {what} [E311]")]
    ImportIncomplete {
        /// What.
        what: String,
    },
    /// A page that is not the next one, or not as it was exported.
    #[error("{0} [E312]")]
    ImportPage(OrmError),
    /// A migration of a store that this code would misread.
    #[error("the store has the layout {}, not that of this code [E313]", layout(.found))]
    Layout {
        /// The layout stored, if there is one: see [`LAYOUT`](crate::state::LAYOUT).
        found: Option<[u8; 32]>,
    },
    /// Somebody other than the admin.
    #[error("{sender} is not the admin [E401]")]
    NotAdmin {
        /// Who it was.
        sender: String,
    },
    /// Somebody other than whom the admin proposed.
    #[error("{sender} was not proposed as admin [E402]")]
    NotProposed {
        /// Who it was.
        sender: String,
    },
    /// Nothing is stored now but guardian set upgrades.
    #[error("the registry is paused [E403]")]
    Paused,
    /// Somebody who is no publisher.
    #[error("{sender} may not publish [E404]")]
    NotPublisher {
        /// Who it was.
        sender: String,
    },
    /// Giving the role of admin up during a pause, which nobody could end.
    #[error("the registry is paused, and without an admin would stay so [E407]")]
    PausedRenounce,
    /// A change while a genesis is imported, or a query of what is not proved yet.
    #[error("a genesis is being imported: nothing else is done until it is sealed [E408]")]
    Importing,
    /// An import into a registry that is none to import into, or is sealed; or by code that cannot.
    #[error("the registry imports nothing: its code cannot, or it is sealed [E409]")]
    NotImporting,
    /// The store is not as this code left it.
    #[error("{0} [E9{code:02}]", code = .0.code())]
    Storage(OrmError),
    /// Stored bytes that are not what they are stored as.
    #[error("stored {what} is damaged [E997]")]
    Damaged {
        /// What they should be.
        what: String,
    },
    /// The registry has no configuration.
    #[error("the registry is not set up [E998]")]
    NotSetUp,
    /// An error of the standard library, as in making the answer's JSON.
    #[error("{0} [E999]")]
    Std(#[from] StdError),
}

fn layout(found: &Option<[u8; 32]>) -> String {
    match found {
        Some(digest) => encode_hex(digest),
        None => "of no version".into(),
    }
}

impl From<OrmError> for ContractError {
    fn from(error: OrmError) -> Self {
        match error {
            OrmError::IndexUnavailable { index, .. } => Self::IndexAbsent { index },
            OrmError::KeyAndOffset
            | OrmError::MalformedCursor
            | OrmError::ForeignCursor
            | OrmError::ScanBudget { .. } => Self::Page(error),
            OrmError::Genesis { .. } => Self::ImportPage(error),
            error => Self::Storage(error),
        }
    }
}

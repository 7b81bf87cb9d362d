//! What can be asked.

use cosmwasm_schema::{QueryResponses, cw_serde};
use cosmwasm_std::{Binary, Uint64};
#[cfg_attr(target_arch = "wasm32", allow(unused_imports))]
use cw_orm::{GenesisPage, PageRequest};

use super::GenesisTable;
#[cfg_attr(target_arch = "wasm32", allow(unused_imports))]
#[cfg(feature = "import")]
use super::ImportStatusResponse;
// Only the schema names them, which is not part of the wasm.
#[cfg_attr(target_arch = "wasm32", allow(unused_imports))]
use super::pending::{
    ObservationDomainResponse, ObservationsResponse, PendingMessagesResponse, PublicationsResponse,
    PublishersResponse, TxIdsResponse, TxMessagesResponse,
};
#[cfg_attr(target_arch = "wasm32", allow(unused_imports))]
use super::response::{
    ConfigResponse, ConflictsResponse, GuardianSetResponse, GuardianSetsResponse,
    MessageQueryResponse, MessagesResponse, SignedVaaResponse, VerifyResponse,
};
#[cfg_attr(target_arch = "wasm32", allow(unused_imports))]
use super::status::{BatchStatusResponse, MessageStatusResponse, RepairResponse, SignersResponse};
use super::totals::ListedPhase;
#[cfg_attr(target_arch = "wasm32", allow(unused_imports))]
use super::totals::{
    ChainTotalsResponse, DayTotalsResponse, EmitterTotalsResponse, MessagesByPhaseResponse,
    MissingSequencesResponse,
};

/// Asks the registry. Message ids are text, `chain/emitter/sequence` or `chain:emitter:sequence`. Pages have 10 rows by
/// default and 30 at most; a `next_key` in the answer means that there are more.
#[cw_serde]
#[derive(QueryResponses)]
pub enum QueryMsg {
    /// How the registry is set up.
    #[returns(ConfigResponse)]
    Config {},
    /// One guardian set.
    #[returns(GuardianSetResponse)]
    GuardianSet {
        /// Its index; the current set's, if absent.
        index: Option<u32>,
    },
    /// All guardian sets, by index.
    #[returns(GuardianSetsResponse)]
    GuardianSets {
        /// The page wanted; the first, if absent.
        page: Option<PageRequest>,
    },
    /// The message with this id, or null.
    #[returns(MessageQueryResponse)]
    Message {
        /// The message's id.
        id: String,
        /// The column families wanted; all, if absent.
        families: Option<FamilySelection>,
    },
    /// The message with this digest, or null. The digest of a conflicting message finds the message that stands; see
    /// `conflicts` for the other.
    #[returns(MessageQueryResponse)]
    MessageByDigest {
        /// The digest in hex.
        digest: String,
        /// The column families wanted; all, if absent.
        families: Option<FamilySelection>,
    },
    /// All messages, by chain, emitter and sequence.
    #[returns(MessagesResponse)]
    Messages {
        /// The page wanted; the first, if absent.
        page: Option<PageRequest>,
        /// The column families wanted; all, if absent.
        families: Option<FamilySelection>,
        /// Only messages that match; a page then can be short, even empty, and still have a `next_key`.
        filter: Option<MessageFilter>,
    },
    /// The messages of a chain, by emitter and sequence.
    #[returns(MessagesResponse)]
    MessagesByChain {
        /// The Wormhole chain id.
        chain: u16,
        /// The page wanted; the first, if absent.
        page: Option<PageRequest>,
        /// The column families wanted; all, if absent.
        families: Option<FamilySelection>,
        /// Only messages that match; a page then can be short, even empty, and still have a `next_key`.
        filter: Option<MessageFilter>,
    },
    /// The messages of an emitter, by sequence.
    #[returns(MessagesResponse)]
    MessagesByEmitter {
        /// The emitter's Wormhole chain id.
        chain: u16,
        /// The emitter's address in hex: 32 bytes, or 20 that are padded on the left.
        emitter: String,
        /// The page wanted; the first, if absent.
        page: Option<PageRequest>,
        /// The column families wanted; all, if absent.
        families: Option<FamilySelection>,
        /// Only messages that match; a page then can be short, even empty, and still have a `next_key`.
        filter: Option<MessageFilter>,
    },
    /// Messages by the time that their emitters wrote into them; within a second by when the registry first met their
    /// emitters, then by sequence.
    #[returns(MessagesResponse)]
    MessagesByTime {
        /// Only those of this Wormhole chain id.
        chain: Option<u16>,
        /// Only those of this emitter, in hex; needs `chain`.
        emitter: Option<String>,
        /// The first second wanted, in Unix time; from the first on, if absent.
        from: Option<u32>,
        /// The last second wanted, in Unix time; up to the last, if absent.
        to: Option<u32>,
        /// The page wanted; the first, if absent.
        page: Option<PageRequest>,
        /// The column families wanted; all, if absent.
        families: Option<FamilySelection>,
        /// Only messages that match; a page then can be short, even empty, and still have a `next_key`.
        filter: Option<MessageFilter>,
    },
    /// The messages verified under a guardian set, by when the registry first met their emitters, then by sequence. One
    /// that was signed again by a later set is listed under both.
    #[returns(MessagesResponse)]
    MessagesByGuardianSet {
        /// The set's index.
        index: u32,
        /// The page wanted; the first, if absent.
        page: Option<PageRequest>,
        /// The column families wanted; all, if absent.
        families: Option<FamilySelection>,
        /// Only messages that match; a page then can be short, even empty, and still have a `next_key`.
        filter: Option<MessageFilter>,
    },
    /// The token transfers (payloads 1 and 3) to a recipient; the recipients by address, and each one's transfers by when
    /// the registry first met their emitters, then by sequence.
    #[returns(MessagesResponse)]
    MessagesByRecipient {
        /// The recipient's Wormhole chain id.
        chain: u16,
        /// The recipient's address in hex; all recipients of the chain, if absent.
        address: Option<String>,
        /// The page wanted; the first, if absent.
        page: Option<PageRequest>,
        /// The column families wanted; all, if absent.
        families: Option<FamilySelection>,
        /// Only messages that match; a page then can be short, even empty, and still have a `next_key`.
        filter: Option<MessageFilter>,
    },
    /// The governance messages of a module, by action and sequence.
    #[returns(MessagesResponse)]
    MessagesByGovernanceModule {
        /// The module's name, as `Core`, which the payload holds behind zeros; or its 32 bytes in hex.
        module: String,
        /// Only those of this action.
        action: Option<u8>,
        /// The page wanted; the first, if absent.
        page: Option<PageRequest>,
        /// The column families wanted; all, if absent.
        families: Option<FamilySelection>,
        /// Only messages that match; a page then can be short, even empty, and still have a `next_key`.
        filter: Option<MessageFilter>,
    },
    /// The messages of a phase by chain, emitter and sequence: a message is listed under the furthest that it has reached,
    /// also one of whose bodies another is pending. Pages can be short, even empty, and still have a `next_key`.
    #[returns(MessagesByPhaseResponse)]
    MessagesByPhase {
        /// The phase.
        phase: ListedPhase,
        /// Only those of this Wormhole chain id.
        chain: Option<u16>,
        /// Only those of this emitter, in hex; needs `chain`.
        emitter: Option<String>,
        /// The page wanted; the first, if absent.
        page: Option<PageRequest>,
    },
    /// Everything that is known about a message: whether it is, how far, under which guardian sets it was verified and
    /// when, whether it would verify now and until when, what conflicts with it.
    #[returns(MessageStatusResponse)]
    MessageStatus {
        /// The message's id.
        id: String,
    },
    /// How far some messages are, in short.
    #[returns(BatchStatusResponse)]
    BatchStatus {
        /// The messages' ids, 30 at most.
        ids: Vec<String>,
    },
    /// Which guardians signed a message, and which did not.
    #[returns(SignersResponse)]
    Signers {
        /// The message's id.
        id: String,
        /// The digest in hex; if absent, that of the registered message, else of the first body that is pending.
        digest: Option<String>,
        /// The guardian set; if absent, the newest that signed a message with quorum, and the current one for a pending
        /// body.
        guardian_set: Option<u32>,
    },
    /// What the stored signatures of a message are worth under a guardian set: those of its guardians, under whatever set
    /// they signed, and a VAA of them if they are a quorum. At most the newest 30 sets that verified the message count.
    #[returns(RepairResponse)]
    Repair {
        /// The message's id.
        id: String,
        /// The digest in hex; if absent, that of the registered message, else of the first body that is pending.
        digest: Option<String>,
        /// The guardian set; the current one, if absent.
        guardian_set: Option<u32>,
    },
    /// The sequences of an emitter that no registered message has, as ranges. Never walks where there are no messages.
    #[returns(MissingSequencesResponse)]
    MissingSequences {
        /// The emitter's Wormhole chain id.
        chain: u16,
        /// The emitter's address in hex.
        emitter: String,
        /// The first sequence that is of interest; the first registered, if absent.
        from: Option<Uint64>,
        /// The last sequence that is of interest; the last registered, if absent.
        to: Option<Uint64>,
        /// The page wanted; the first, if absent. It can be short, even empty, and still have a `next_key`.
        page: Option<PageRequest>,
    },
    /// How many messages the chains have.
    #[returns(ChainTotalsResponse)]
    TotalsByChain {
        /// Only this Wormhole chain id.
        chain: Option<u16>,
        /// The page wanted; the first, if absent.
        page: Option<PageRequest>,
    },
    /// How many messages the emitters have.
    #[returns(EmitterTotalsResponse)]
    TotalsByEmitter {
        /// Only those of this Wormhole chain id.
        chain: Option<u16>,
        /// Only this emitter, in hex; needs `chain`.
        emitter: Option<String>,
        /// The page wanted; the first, if absent.
        page: Option<PageRequest>,
    },
    /// How many messages the days have, by the time that emitters wrote.
    #[returns(DayTotalsResponse)]
    TotalsByDay {
        /// Any second of the first day wanted, in Unix time; from the first on, if absent.
        from: Option<u32>,
        /// Any second of the last day wanted, in Unix time; up to the last, if absent.
        to: Option<u32>,
        /// The page wanted; the first, if absent.
        page: Option<PageRequest>,
    },
    /// The signed VAA of a message, bit for bit as it was verified.
    #[returns(SignedVaaResponse)]
    SignedVaa {
        /// The message's id.
        id: String,
        /// The guardian set whose signatures are wanted; the newest that signed, if absent.
        guardian_set: Option<u32>,
    },
    /// What would become of a VAA if it were submitted now, with every reason against it. Changes nothing.
    #[returns(VerifyResponse)]
    Verify {
        /// The VAA's bytes.
        vaa: Binary,
    },
    /// The bodies that guardians signed, but no quorum, by id and digest.
    #[returns(PendingMessagesResponse)]
    PendingMessages {
        /// Only those of this message id.
        id: Option<String>,
        /// The page wanted; the first, if absent.
        page: Option<PageRequest>,
    },
    /// The pending signatures of a digest, by guardian set and in the order in which they came.
    #[returns(ObservationsResponse)]
    Observations {
        /// The digest in hex.
        digest: String,
        /// The page wanted; the first, if absent.
        page: Option<PageRequest>,
    },
    /// What a guardian signs before the bytes of a batch of observations: see `submit_observations`.
    #[returns(ObservationDomainResponse)]
    ObservationDomain {},
    /// What guardians claim to be the transaction that published a message, pending or decided.
    #[returns(TxIdsResponse)]
    TxIds {
        /// The message's id.
        id: String,
        /// The digest, in hex, to which the claims are wanted; that of the registered message, if absent.
        digest: Option<String>,
    },
    /// The decided messages for which guardians claim this transaction, by id and digest.
    #[returns(TxMessagesResponse)]
    MessagesByTxId {
        /// The transaction id.
        tx_id: Binary,
        /// The page wanted; the first, if absent.
        page: Option<PageRequest>,
    },
    /// The registered publishers, in the order of their registration.
    #[returns(PublishersResponse)]
    Publishers {
        /// The page wanted; the first, if absent.
        page: Option<PageRequest>,
    },
    /// What publishers say was published, attested by nobody, by id and publisher.
    #[returns(PublicationsResponse)]
    Publications {
        /// Only those of this message id; then without `chain` and `emitter`.
        id: Option<String>,
        /// Only those of this Wormhole chain id.
        chain: Option<u16>,
        /// Only those of this emitter, in hex; needs `chain`.
        emitter: Option<String>,
        /// The page wanted; the first, if absent.
        page: Option<PageRequest>,
    },
    /// A page of the registry's state, for another registry to import, table by table. Pages hang together as one state
    /// if nothing is written between them.
    #[returns(GenesisPage)]
    Export {
        /// The table.
        table: GenesisTable,
        /// The `next_key` of the page before; the first page, if absent.
        key: Option<Binary>,
        /// How many rows; 10 if absent, 30 are the most.
        limit: Option<u32>,
    },
    /// How far the import of a genesis is. On a chain, the code `vaa_registry_import` answers this.
    #[cfg(feature = "import")]
    #[returns(ImportStatusResponse)]
    ImportStatus {},
    /// The messages with quorum that came second to an id, by id and digest.
    #[returns(ConflictsResponse)]
    Conflicts {
        /// Only those of this message id.
        id: Option<String>,
        /// The page wanted; the first, if absent.
        page: Option<PageRequest>,
    },
}

/// What messages have to be like. What is absent is not asked for. Messages that do not match are passed at the cost of
/// reading them, up to the scan budget a page.
#[cw_serde]
#[derive(Default, Eq)]
pub struct MessageFilter {
    /// The nonce.
    pub nonce: Option<u32>,
    /// The consistency level.
    pub consistency_level: Option<u8>,
    /// What the payload begins with.
    pub payload_prefix: Option<Binary>,
    /// The least length of the payload in bytes.
    pub min_payload_length: Option<u32>,
    /// The most length of the payload in bytes.
    pub max_payload_length: Option<u32>,
}

/// The column families to answer with. What is not wanted is not read; `quorum_state` and `status` are stored as one, so
/// that either reads both.
#[cw_serde]
#[derive(Copy, Eq)]
pub struct FamilySelection {
    /// What the emitter published.
    pub message_publication: bool,
    /// The signatures of the newest guardian set that signed.
    pub quorum_state: bool,
    /// When and under which sets it was verified, and whether there is a conflict.
    pub status: bool,
}

impl FamilySelection {
    /// All families.
    pub const ALL: Self = Self {
        message_publication: true,
        quorum_state: true,
        status: true,
    };
}

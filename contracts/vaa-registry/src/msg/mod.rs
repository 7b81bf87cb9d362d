//! Messages and answers: the contract's interface. Every text here reaches the JSON schema.
//!
//! Numbers of 64 bits are text, so that JavaScript keeps their digits. Binary data is base64. Hashes and addresses are
//! lower-case hex without `0x`; both are accepted in any case, with or without `0x`.

mod execute;
mod genesis;
mod instantiate;
mod observe;
mod pending;
mod publish;
mod query;
mod response;
mod status;
mod totals;

pub use execute::{
    BuildIndexResponse, ExecuteMsg, Governance, ItemError, OnInvalid, OutcomeKind,
    SubmitVaasResponse, VaaOutcome,
};
pub use genesis::{GenesisTable, ImportStatusResponse};
pub use instantiate::{
    GovernanceEmitter, GuardianSetInit, IndexFlags, IndexName, InstantiateMsg, Limits, MigrateMsg,
};
pub use observe::{
    Observation, ObservationOutcome, ObservationOutcomeKind, PruneResponse,
    SubmitObservationsResponse,
};
pub use pending::{
    ObservationDomainResponse, ObservationResponse, ObservationsResponse, PendingMessageResponse,
    PendingMessagesResponse, PendingSignatures, PublicationResponse, PublicationsResponse,
    PublisherResponse, PublishersResponse, TxIdResponse, TxIdsResponse, TxMessageResponse,
    TxMessagesResponse,
};
pub use publish::{
    PublicationOutcome, PublicationOutcomeKind, PublishMessagesResponse, PublishedMessage,
    PublisherScope,
};
pub use query::{FamilySelection, MessageFilter, QueryMsg};
pub use response::{
    ConfigResponse, ConflictResponse, ConflictsResponse, GuardianSetResponse, GuardianSetsResponse,
    MessagePublicationResponse, MessageQueryResponse, MessageResponse, MessagesResponse,
    QuorumStateResponse, SignedVaaResponse, StatusResponse, Verification, VerifyResponse,
};
pub use status::{
    BatchStatusResponse, ConflictSummary, Guardian, MessageStatusResponse, MessageSummary,
    PendingSummary, Phase, PublicationSummary, RepairResponse, SignersResponse,
};
pub use totals::{
    ChainTotal, ChainTotalsResponse, DayTotal, DayTotalsResponse, EmitterTotal,
    EmitterTotalsResponse, ListedPhase, MessageOfPhase, MessagesByPhaseResponse,
    MissingSequencesResponse, SequenceRange,
};

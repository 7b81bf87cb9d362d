//! Messages and answers: the contract's interface. Every text here reaches the JSON schema.
//!
//! Numbers of 64 bits are text, so that JavaScript keeps their digits. Times are Unix seconds, periods are seconds.
//! Weights are decimal text of up to 18 places, added and compared exactly.

mod execute;
mod instantiate;
mod query;
mod response;

pub use execute::{
    CreateGroupResponse, CreatePolicyResponse, DecisionPolicy, ExecResponse, ExecuteMsg,
    MemberUpdate, PruneResponse, SubmitProposalResponse, VoteOption, Windows,
};
pub use instantiate::{InstantiateMsg, MigrateMsg};
pub use query::QueryMsg;
pub use response::{
    ConfigResponse, ExecutorResult, GroupQueryResponse, GroupResponse, GroupsResponse,
    MemberQueryResponse, MemberResponse, MembersResponse, PoliciesResponse, PolicyQueryResponse,
    PolicyResponse, ProposalQueryResponse, ProposalResponse, ProposalStatus, ProposalsResponse,
    TallyResult, VoteQueryResponse, VoteResponse, VotesResponse,
};

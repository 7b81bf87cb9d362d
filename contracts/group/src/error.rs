//! What can go wrong. Every text ends in its code, since a chain hands on nothing but text; codes never change meaning.
//!
//! `E10x`: there is no such thing. `E11x`: the sender may not. `E12x`: not in this state. `E2xx`: a message or query is
//! malformed. `E3xx`: an instantiate, migrate or account is refused. `E9xx`: the store; the last two digits are the ORM's
//! error code.

use cosmwasm_std::{Decimal, StdError};
use cw_orm::OrmError;
use thiserror::Error;

use crate::{
    limits::{MAX_MEMBERS, MAX_MESSAGES, MAX_MESSAGES_BYTES, MAX_METADATA, MAX_PRUNE, MAX_VOTES},
    msg::ProposalStatus,
};

/// An error of the contract: the message or query failed and changed nothing.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ContractError {
    /// No group has this id.
    #[error("there is no group {id} [E101]")]
    UnknownGroup {
        /// The id.
        id: u64,
    },
    /// The address is no member of the group.
    #[error("{address} is no member of group {group_id} [E102]")]
    UnknownMember {
        /// The group's id.
        group_id: u64,
        /// The address.
        address: String,
    },
    /// No policy has this id.
    #[error("there is no policy {id} [E103]")]
    UnknownPolicy {
        /// The id.
        id: u64,
    },
    /// No proposal has this id.
    #[error("there is no proposal {id} [E104]")]
    UnknownProposal {
        /// The id.
        id: u64,
    },
    /// The sender is not the admin.
    #[error("{sender} is not the admin of {what} {id} [E111]")]
    NotAdmin {
        /// `group` or `policy`.
        what: &'static str,
        /// Its id.
        id: u64,
        /// Who sent the message.
        sender: String,
    },
    /// The sender neither proposed it nor is the policy's admin.
    #[error("{sender} neither submitted proposal {id} nor is the admin of its policy [E112]")]
    NotProposer {
        /// The proposal's id.
        id: u64,
        /// Who sent the message.
        sender: String,
    },
    /// The proposal is not in a state in which this can be done.
    #[error("proposal {id} is {status} [E121]", status = .status.as_str())]
    WrongStatus {
        /// The proposal's id.
        id: u64,
        /// Where it stands.
        status: ProposalStatus,
    },
    /// The voting period is over.
    #[error("the voting period of proposal {id} ended at {end} [E122]")]
    VotingEnded {
        /// The proposal's id.
        id: u64,
        /// Its last second.
        end: u64,
    },
    /// The voter voted already.
    #[error("{voter} voted on proposal {id} already [E123]")]
    AlreadyVoted {
        /// The proposal's id.
        id: u64,
        /// The voter.
        voter: String,
    },
    /// The votes do not decide the proposal yet.
    #[error("proposal {id} is not decided yet: its voting period ends at {end} [E124]")]
    Undecided {
        /// The proposal's id.
        id: u64,
        /// The last second of its voting period.
        end: u64,
    },
    /// An accepted proposal has to wait.
    #[error("proposal {id} can not be executed before {from} [E125]")]
    TooEarly {
        /// The proposal's id.
        id: u64,
        /// The first second in which it can.
        from: u64,
    },
    /// The time to execute the proposal has passed.
    #[error("proposal {id} could be executed until {end} [E126]")]
    Expired {
        /// The proposal's id.
        id: u64,
        /// The last second in which it could.
        end: u64,
    },
    /// The proposal's own messages try to execute it again.
    #[error("proposal {id} is being executed [E127]")]
    Running {
        /// The proposal's id.
        id: u64,
    },
    /// The proposal has as many votes as it can have.
    #[error("proposal {id} has {MAX_VOTES} votes, the most there can be [E128]")]
    TooManyVotes {
        /// The proposal's id.
        id: u64,
    },
    /// Text that is no address of this chain.
    #[error("`{text}` is no address: {reason} [E201]")]
    Address {
        /// The text.
        text: String,
        /// Why.
        reason: String,
    },
    /// A member given twice.
    #[error("member {address} is given twice [E202]")]
    DuplicateMember {
        /// The address.
        address: String,
    },
    /// A new group's member without weight.
    #[error("member {address} has a weight of zero [E203]")]
    ZeroWeight {
        /// The address.
        address: String,
    },
    /// A group of too many members, or too many changes of members at once.
    #[error("{found} members are over the limit of {MAX_MEMBERS} [E204]")]
    TooManyMembers {
        /// How many they are.
        found: u32,
    },
    /// Weights whose sum is no decimal of 18 places any more.
    #[error("the members' weights add up to more than {max} [E205]", max = Decimal::MAX)]
    WeightOverflow,
    /// Metadata over the limit.
    #[error("metadata of {len} bytes is over the limit of {MAX_METADATA} [E206]")]
    MetadataTooLong {
        /// Its length in bytes.
        len: usize,
    },
    /// A policy that can not be.
    #[error("decision policy: {reason} [E207]")]
    Decision {
        /// Why.
        reason: &'static str,
    },
    /// A proposal of too many messages.
    #[error("{found} messages are over the limit of {MAX_MESSAGES} [E208]")]
    TooManyMessages {
        /// How many they are.
        found: usize,
    },
    /// A proposal of too large messages.
    #[error("messages of {len} bytes are over the limit of {MAX_MESSAGES_BYTES} [E209]")]
    MessagesTooLong {
        /// Their length as JSON, in bytes.
        len: usize,
    },
    /// A prune of no rows, or too many.
    #[error("a prune of {limit} rows is not between 1 and {MAX_PRUNE} [E210]")]
    PruneLimit {
        /// The rows asked for.
        limit: u32,
    },
    /// A time range that ends before it starts.
    #[error("the time range ends at {to}, before it starts at {from} [E211]")]
    InvertedTimes {
        /// Its first second.
        from: u64,
        /// Its last second.
        to: u64,
    },
    /// A page request that cannot be answered.
    #[error("{0} [E212]")]
    Page(OrmError),
    /// Coins sent to this contract, which would keep them for ever.
    #[error("the contract takes no coins [E213]")]
    Coins,
    /// A migration from another contract, or from newer code.
    #[error("cannot migrate from {contract} {version} [E301]")]
    Migration {
        /// The contract that was here.
        contract: String,
        /// Its version.
        version: String,
    },
    /// A policy's account that can not be made.
    #[error("the account of policy {id}: {reason} [E302]")]
    Account {
        /// The policy's id.
        id: u64,
        /// Why.
        reason: String,
    },
    /// The store is not as this code left it.
    #[error("{0} [E9{code:02}]", code = .0.code())]
    Storage(OrmError),
    /// Stored values that do not fit each other.
    #[error("stored {what} is damaged [E997]")]
    Damaged {
        /// What it is.
        what: String,
    },
    /// The contract has no configuration.
    #[error("the contract is not set up [E998]")]
    NotSetUp,
    /// An error of the standard library, as in making the answer's JSON.
    #[error("{0} [E999]")]
    Std(#[from] StdError),
}

impl From<OrmError> for ContractError {
    fn from(error: OrmError) -> Self {
        match error {
            OrmError::KeyAndOffset
            | OrmError::MalformedCursor
            | OrmError::ForeignCursor
            | OrmError::ScanBudget { .. } => Self::Page(error),
            error => Self::Storage(error),
        }
    }
}

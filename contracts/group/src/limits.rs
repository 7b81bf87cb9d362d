//! Bounds on what a message may bring, so that the work of every call is bounded too.
//!
//! | call | most rows read and written |
//! | --- | --- |
//! | create a group, update its members | [`MAX_MEMBERS`] members |
//! | exec, tally | [`MAX_VOTES`] votes and as many members |
//! | prune | [`MAX_PRUNE`] votes and proposals |
//! | everything else | a handful |

/// The most members of a group.
pub const MAX_MEMBERS: u32 = 100;
/// The most votes on a proposal. More than members, since who leaves a group leaves his vote behind.
pub const MAX_VOTES: u32 = 200;
/// The most bytes of any metadata.
pub const MAX_METADATA: usize = 255;
/// The most messages of a proposal.
pub const MAX_MESSAGES: usize = 32;
/// The most bytes of a proposal's messages, as JSON.
pub const MAX_MESSAGES_BYTES: usize = 16_384;
/// How many rows a prune deletes if it does not say.
pub const DEFAULT_PRUNE: u32 = 50;
/// The most rows that a prune deletes.
pub const MAX_PRUNE: u32 = 200;
/// How long after its voting period a proposal can be executed, in seconds, if the contract was not told otherwise: two
/// weeks.
pub const DEFAULT_EXECUTION_PERIOD: u32 = 1_209_600;

//! What can go wrong. Every text ends in its code, which never changes its meaning.

use cosmwasm_std::StdError;
use cw_orm::OrmError;
use thiserror::Error;
use vaa_registry::helper::NotVerified;
use wormhole_vaa::{Digest, HexError, MessageId, MessageIdError};

/// An error of the contract: the message failed and changed nothing.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ContractError {
    /// A message that is not verified.
    #[error("{0} [E101]")]
    NotVerified(#[from] NotVerified),
    /// A message of another emitter.
    #[error("{id} is no message of the emitter that is listened to [E102]")]
    OtherEmitter {
        /// The message's id.
        id: MessageId,
    },
    /// A message that was acted on.
    #[error("digest {digest} was acted on before [E103]")]
    ActedOn {
        /// The digest.
        digest: Digest,
    },
    /// A message whose guardian set has expired, where that is not enough.
    #[error("the guardian set that signed {id} has expired [E104]")]
    Expired {
        /// The message's id.
        id: MessageId,
    },
    /// Text that is no message id.
    #[error("{0} [E201]")]
    Id(#[from] MessageIdError),
    /// Text that is no address or digest.
    #[error("{0} [E202]")]
    Hex(#[from] HexError),
    /// A reply to a message that was not sent.
    #[error("no message has reply id {id} [E203]")]
    Reply {
        /// The id.
        id: u64,
    },
    /// The store is not as this code left it.
    #[error("{0} [E901]")]
    Storage(#[from] OrmError),
    /// An error of the standard library.
    #[error("{0} [E999]")]
    Std(#[from] StdError),
}

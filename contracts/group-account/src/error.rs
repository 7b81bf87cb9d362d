//! What can go wrong. Every text ends in its code, which never changes its meaning.

use cosmwasm_std::StdError;
use thiserror::Error;

/// An error of the account: the message failed and changed nothing.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ContractError {
    /// The sender is not the owner.
    #[error("{sender} is not the account's owner [E101]")]
    NotOwner {
        /// Who sent the message.
        sender: String,
    },
    /// An error of the standard library, as in reading the owner.
    #[error("{0} [E999]")]
    Std(#[from] StdError),
}

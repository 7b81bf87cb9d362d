//! Digests of registered messages: a body is looked up by what its guardians signed.
//!
//! A table of its own rather than an index of the messages: the digest covers the emitter's address, which is not in the
//! message's row.

use cosmwasm_std::Storage;
use cw_orm::{CompactUint64, Table};
use wormhole_vaa::Digest;

use super::MessageKey;
use crate::error::ContractError;

/// The digest of a message that stands under its id.
#[derive(Table, Clone, Debug, PartialEq, Eq)]
#[table(name = "digests", ns = "d")]
pub struct Registered {
    /// The digest.
    #[pk]
    pub digest: [u8; 32],
    /// The emitter's number.
    pub emitter: u64,
    /// The emitter's sequence number.
    pub sequence: u64,
}

impl Registered {
    /// Notes that a message has this digest.
    #[must_use]
    pub const fn new(digest: &Digest, key: &MessageKey) -> Self {
        Self {
            digest: digest.0,
            emitter: key.0.0,
            sequence: key.1.0,
        }
    }

    /// Finds the message with this digest. One scan of one entry.
    ///
    /// # Errors
    /// [`ContractError::Storage`].
    pub fn find(
        storage: &dyn Storage,
        digest: &Digest,
    ) -> Result<Option<MessageKey>, ContractError> {
        let found = Self::TABLE.prefix(&digest.0)?.first(storage)?;
        Ok(found.map(|found| (CompactUint64(found.emitter), CompactUint64(found.sequence))))
    }
}

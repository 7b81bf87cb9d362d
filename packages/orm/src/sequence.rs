//! Sequences: the last id that a table gave, 8 bytes big-endian.

use cosmwasm_std::Storage;

use crate::{error::OrmError, namespace::Namespace};

/// A persistent counter. Starts so that the first value is 1; never gives a value twice.
#[derive(Clone, Copy, Debug)]
pub struct Sequence {
    table: &'static str,
    namespace: Namespace,
}

impl Sequence {
    /// Names a sequence: the table it counts for, and where it is kept.
    #[must_use]
    pub const fn new(table: &'static str, namespace: Namespace) -> Self {
        Self { table, namespace }
    }

    /// Returns the last value given, 0 if none. One read.
    ///
    /// # Errors
    /// [`OrmError::MalformedSequence`].
    pub fn current(&self, storage: &dyn Storage) -> Result<u64, OrmError> {
        Ok(self.stored(storage)?.unwrap_or(0))
    }

    /// Returns the last value given, if one is stored.
    pub(crate) fn stored(&self, storage: &dyn Storage) -> Result<Option<u64>, OrmError> {
        match storage.get(&self.key()) {
            None => Ok(None),
            Some(bytes) => match <[u8; 8]>::try_from(bytes) {
                Ok(bytes) => Ok(Some(u64::from_be_bytes(bytes))),
                Err(_) => Err(OrmError::MalformedSequence { table: self.table }),
            },
        }
    }

    /// Returns the value that [`next`](Self::next) will give. One read.
    ///
    /// # Errors
    /// [`OrmError::SequenceExhausted`], [`OrmError::MalformedSequence`].
    pub fn peek(&self, storage: &dyn Storage) -> Result<u64, OrmError> {
        self.current(storage)?
            .checked_add(1)
            .ok_or(OrmError::SequenceExhausted { table: self.table })
    }

    /// Gives the next value. One read, one write.
    ///
    /// # Errors
    /// As [`peek`](Self::peek).
    pub fn next(&self, storage: &mut dyn Storage) -> Result<u64, OrmError> {
        let value = self.peek(storage)?;
        storage.set(&self.key(), &value.to_be_bytes());
        Ok(value)
    }

    /// Sets the last value given, once, before any is given. One read, one write.
    ///
    /// # Errors
    /// [`OrmError::SequenceInitialized`].
    pub fn init(&self, storage: &mut dyn Storage, value: u64) -> Result<(), OrmError> {
        if storage.get(&self.key()).is_some() {
            return Err(OrmError::SequenceInitialized { table: self.table });
        }
        storage.set(&self.key(), &value.to_be_bytes());
        Ok(())
    }

    pub(crate) fn key(&self) -> Vec<u8> {
        self.namespace.key(&[])
    }
}

//! An index of a contract's own: which sequence numbers of each sender have come, as bits, so that the missing ones are
//! found by reading 256 at a time.
//!
//! Entry: `namespace | sender | number / 256, u64 → 32 bytes`, a bit for each number; none where no bit is set. Its entries
//! lead to no single row, so it implements [`Indexable`] alone, and has a query of its own.

use core::ops::RangeInclusive;

use cosmwasm_std::{Storage, testing::MockStorage};
use cw_orm::{
    IndexKind, Indexable, Key, KeyRule, Namespace, OrmError, Record, Subject, Table, WritePlan,
};

const BYTES: usize = 32;
const BITS: u64 = 256;

/// The numbers that have come, of each sender.
#[derive(Clone, Copy, Debug)]
pub struct Came {
    id: u8,
    name: &'static str,
    namespace: Namespace,
}

/// A message of a sender.
#[derive(Clone, Debug, PartialEq, Table)]
#[table(name = "messages", ns = "m")]
#[custom(id = 1, name = came, with = came, index_type = Came)]
pub struct Message {
    /// Who sent it.
    #[pk]
    pub sender: String,
    /// Its number among those of the sender, from 0.
    #[pk]
    pub number: u64,
    /// What it says.
    pub text: String,
}

const fn came(id: u8, name: &'static str, namespace: Namespace) -> Came {
    Came {
        id,
        name,
        namespace,
    }
}

impl Came {
    fn error(&self, reason: impl ToString) -> OrmError {
        OrmError::Index {
            table: Message::META.name,
            index: self.name,
            reason: reason.to_string(),
        }
    }

    /// Returns the store's key of 256 bits, and these; all clear if none are stored.
    fn read(
        &self,
        storage: &dyn Storage,
        sender: &str,
        chunk: u64,
    ) -> Result<(Vec<u8>, [u8; BYTES]), OrmError> {
        let key = (sender.to_owned(), chunk)
            .encode(KeyRule::Delimited)
            .map_err(|source| self.error(source))?;
        let key = self.namespace.key(&key);
        let bits = match storage.get(&key) {
            None => [0; BYTES],
            Some(bytes) => bytes
                .try_into()
                .map_err(|_| self.error(format!("malformed bits {chunk} of `{sender}`")))?,
        };
        Ok((key, bits))
    }

    /// Plans to set or clear the bit of one message.
    fn mark(
        &self,
        storage: &dyn Storage,
        (sender, number): &(String, u64),
        comes: bool,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError> {
        let (chunk, place) = (number / BITS, number % BITS);
        let (key, mut bits) = self.read(storage, sender, chunk)?;
        let byte = usize::try_from(place / 8).unwrap_or_default();
        if let Some(byte) = bits.get_mut(byte) {
            let bit = 0x80_u8 >> (place % 8);
            *byte = if comes { *byte | bit } else { *byte & !bit };
        }
        if bits == [0; BYTES] {
            plan.remove(key);
        } else {
            plan.set(key, bits.to_vec());
        }
        Ok(())
    }

    /// Returns up to `limit` numbers of the range that have not come. Reads an entry for each 256 numbers of it that are
    /// looked at.
    ///
    /// # Errors
    /// [`OrmError::Index`] if the sender is no key, or stored bits are damaged.
    pub fn missing(
        &self,
        storage: &dyn Storage,
        sender: &str,
        numbers: RangeInclusive<u64>,
        limit: usize,
    ) -> Result<Vec<u64>, OrmError> {
        let mut found = Vec::new();
        let mut known = None;
        for number in numbers {
            if found.len() == limit {
                break;
            }
            let (chunk, place) = (number / BITS, number % BITS);
            let bits = match known {
                Some((of, bits)) if of == chunk => bits,
                _ => self.read(storage, sender, chunk)?.1,
            };
            known = Some((chunk, bits));
            let byte = usize::try_from(place / 8).unwrap_or_default();
            let byte = bits.get(byte).copied().unwrap_or_default();
            if byte & (0x80_u8 >> (place % 8)) == 0 {
                found.push(number);
            }
        }
        Ok(found)
    }
}

impl Indexable<Message> for Came {
    fn id(&self) -> u8 {
        self.id
    }

    fn name(&self) -> &'static str {
        self.name
    }

    fn namespace(&self) -> Namespace {
        self.namespace
    }

    fn kind(&self) -> IndexKind {
        IndexKind::Custom("bits")
    }

    fn on_create(
        &self,
        storage: &dyn Storage,
        subject: &Subject<'_, Message>,
        _: &Message,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError> {
        self.mark(storage, subject.key, true, plan)
    }

    /// A row's key never changes, and the bits are of the key alone.
    fn on_update(
        &self,
        _: &dyn Storage,
        _: &Subject<'_, Message>,
        _: &Message,
        _: &Message,
        _: &mut WritePlan,
    ) -> Result<(), OrmError> {
        Ok(())
    }

    fn on_delete(
        &self,
        storage: &dyn Storage,
        subject: &Subject<'_, Message>,
        _: &Message,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError> {
        self.mark(storage, subject.key, false, plan)
    }
}

/// Returns a message without text.
#[must_use]
pub fn message(sender: &str, number: u64) -> Message {
    Message {
        sender: sender.into(),
        number,
        text: String::new(),
    }
}

fn main() -> Result<(), OrmError> {
    let mut store = MockStorage::new();
    for number in (0..1_000).filter(|number| number % 300 != 7) {
        Message::TABLE.insert(&mut store, &message("ann", number))?;
    }
    let missing = Message::CAME.missing(&store, "ann", 0..=999, 10)?;
    println!("missing of ann: {missing:?}");
    Ok(())
}

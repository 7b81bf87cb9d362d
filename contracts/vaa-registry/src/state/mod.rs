//! All that the registry stores.
//!
//! | namespace | table | key | what |
//! | --- | --- | --- | --- |
//! | `c` | config | 0 | the one row of settings |
//! | `d` | digests | digest | the message that has it |
//! | `e` | emitters | chain, address | the emitter's number |
//! | `g` | guardian sets | index, part | when known, when expired; addresses |
//! | `m1` `m2` | messages | emitter's number, sequence | families: publication, quorum state |
//! | `s` | superseded | emitter's number, sequence, set | signatures that a newer set replaced |
//! | `x` | conflicts | chain, emitter, sequence, digest | messages that came second to an id |
//! | `p` | pending bodies | chain, emitter, sequence, digest | what was signed, but by no quorum |
//! | `o` | observations | digest, set, position | a guardian's signature of a pending body, and who signed so far |
//! | `f` | further digests | set, guardian, chain, emitter, sequence, digest | signatures of a message's second pending body and later ones |
//! | `n` | undecided | set | how many pending signatures each guardian has |
//! | `r` | prune cursor | 0 | where pruning goes on |
//! | `i` | transaction claims | digest, set, position | which guardians say which transaction it was |
//! | `t` | transactions' messages | transaction id, chain, emitter, sequence, digest | nothing: the key is the entry |
//! | `a` | admin | 0 | who administers |
//! | `b` | publishers | id | who may publish what, and how much |
//! | `k` `l` | import, owed | see `genesis` | how far an import is, and what it still has to bring; none but while importing |
//! | `z` | layout | 0 | which layout the store has |
//! | `u` | publications | chain, emitter, sequence, publisher | what a publisher says, attested by nobody |
//!
//! (`m1` stands for the byte `m` and the byte 1, and so on; the indexes are beside their tables.) `cw2` keeps its own
//! item. `LAYOUT.md` has the bytes.

mod admin;
mod config;
mod conflict;
mod emitter;
mod genesis;
mod guardian_bits;
mod guardian_set;
mod layout;
mod message;
mod packed_bytes;
mod pending;
mod publication;
mod registered;
mod signatures;
mod superseded;
mod tx_id;

pub use admin::Admin;
pub use config::{Config, IndexBits, IndexBuild};
pub use conflict::Conflict;
pub use emitter::{Emitter, GOVERNANCE_NUMBER, ShortAddress};
pub use genesis::{Import, Owed, OwedKind};
pub use guardian_bits::GuardianBits;
pub use guardian_set::{
    GRACE_SECONDS, GuardianSetEntry, GuardianSetPart, GuardianSetRow, GuardianSetTimes,
};
pub use layout::{LAYOUT, Layout, schema};
pub use message::{
    DAY_SECONDS, Decision, MAX_SETS, Message, MessageKey, MessagePublication, QuorumState,
};
pub use pending::{
    FurtherDigest, MAX_UNDECIDED, MAX_UNDECIDED_OF_MESSAGE, Observation, PendingBody, PendingKey,
    PruneCursor, Undecided, signature_of,
};
pub use publication::{Publication, Publisher};
pub use registered::Registered;
pub use signatures::PackedSignatures;
pub use superseded::Superseded;
pub use tx_id::{MAX_TX_ID_LEN, TxClaim, TxMessage};

use cosmwasm_std::Storage;
use cw_orm::{Key, Namespace, OrmError, Record, assert_distinct};

const ALL: &[&[Namespace]] = &[
    Config::NAMESPACES,
    Registered::NAMESPACES,
    Emitter::NAMESPACES,
    GuardianSetEntry::NAMESPACES,
    Message::NAMESPACES,
    Superseded::NAMESPACES,
    Conflict::NAMESPACES,
    PendingBody::NAMESPACES,
    Observation::NAMESPACES,
    FurtherDigest::NAMESPACES,
    Undecided::NAMESPACES,
    PruneCursor::NAMESPACES,
    TxClaim::NAMESPACES,
    TxMessage::NAMESPACES,
    Admin::NAMESPACES,
    Publisher::NAMESPACES,
    Publication::NAMESPACES,
    Import::NAMESPACES,
    Owed::NAMESPACES,
    Layout::NAMESPACES,
];

/// Returns the namespaces of `tables`, one after the other; `N` is how many they are.
const fn flat<const N: usize>(tables: &[&[Namespace]]) -> [Namespace; N] {
    let mut all = [Namespace::new(b"-"); N];
    let (mut table, mut next) = (0, 0);
    #[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]
    while table < tables.len() {
        let mut place = 0;
        while place < tables[table].len() {
            all[next] = tables[table][place];
            next += 1;
            place += 1;
        }
        table += 1;
    }
    all
}

const fn count(tables: &[&[Namespace]]) -> usize {
    let (mut table, mut sum) = (0, 0);
    #[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]
    while table < tables.len() {
        sum += tables[table].len();
        table += 1;
    }
    sum
}

const _: () = assert_distinct(&flat::<{ count(ALL) }>(ALL));

/// Removes a row of a table without indexes, whether it is there or not. Unlike the table's own `delete` it does not read
/// the row, which would cost more than removing it.
pub(crate) fn remove<R: Record>(
    storage: &mut dyn Storage,
    key: &R::PrimaryKey,
) -> Result<(), OrmError> {
    const { assert!(R::INDEXES.is_empty(), "index entries would be left") };
    let id = key
        .encode(R::META.key_rule)
        .map_err(|source| OrmError::Key {
            table: R::META.name,
            source,
        })?;
    storage.remove(&R::META.namespace.key(&id));
    Ok(())
}

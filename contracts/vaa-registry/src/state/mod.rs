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
//!
//! (`m1` stands for the byte `m` and the byte 1, and so on; the indexes are beside their tables.) `cw2` keeps its own
//! item. `LAYOUT.md` has the bytes.

mod config;
mod conflict;
mod emitter;
mod guardian_set;
mod message;
mod packed_bytes;
mod registered;
mod signatures;
mod superseded;

pub use config::{Config, IndexBits};
pub use conflict::Conflict;
pub use emitter::{Emitter, GOVERNANCE_NUMBER, ShortAddress};
pub use guardian_set::{
    GRACE_SECONDS, GuardianSetEntry, GuardianSetPart, GuardianSetRow, GuardianSetTimes,
};
pub use message::{Decision, Message, MessageKey, MessagePublication, QuorumState};
pub use registered::Registered;
pub use signatures::PackedSignatures;
pub use superseded::Superseded;

use cw_orm::{Namespace, assert_distinct};

const ALL: &[&[Namespace]] = &[
    Config::NAMESPACES,
    Registered::NAMESPACES,
    Emitter::NAMESPACES,
    GuardianSetEntry::NAMESPACES,
    Message::NAMESPACES,
    Superseded::NAMESPACES,
    Conflict::NAMESPACES,
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

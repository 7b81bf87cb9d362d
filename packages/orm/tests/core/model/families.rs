mod image;

use std::collections::BTreeMap;

use cw_orm::{Families, OrmError};
use proptest::prelude::*;

use super::{Outcome, cases, outcome};
use crate::fixture::{Body, MESSAGES, Message, Phase, Quorum, Store};
use image::{compare, image};

type Key = (u16, u64);
type Model = BTreeMap<Key, Message>;

#[derive(Clone, Debug)]
enum Op {
    Insert(Message),
    Update(Message),
    Upsert(Message),
    /// Puts the named families of the row given in place of those of the stored one.
    Modify(Key, u8, Message),
    Delete(Key),
    InsertQuorum(Key, Quorum),
    UpdateQuorum(Key, Quorum),
    UpsertPhase(Key, Phase),
    ModifyBody(Key, Body),
    DeletePhase(Key),
}

fn key() -> impl Strategy<Value = Key> {
    (1_u16..3, prop_oneof![Just(0), Just(1), Just(u64::MAX)])
}

fn body() -> impl Strategy<Value = Body> {
    (
        prop_oneof![8 => 0_u32..3, 1 => Just(13)],
        proptest::collection::vec(any::<u8>(), 0..2),
    )
        .prop_map(|(nonce, payload)| Body { nonce, payload })
}

fn quorum() -> impl Strategy<Value = Quorum> {
    "d|e|de|".prop_map(|digest| Quorum { digest })
}

fn phase() -> impl Strategy<Value = Phase> {
    proptest::collection::vec(prop_oneof![8 => 0_u8..3, 1 => Just(13)], 0..3)
        .prop_map(|phases| Phase { phases })
}

fn row() -> impl Strategy<Value = Message> {
    use proptest::option::of;
    (key(), of(body()), of(quorum()), of(phase())).prop_map(
        |((chain, sequence), body, quorum, phase)| Message {
            chain,
            sequence,
            body,
            quorum,
            phase,
        },
    )
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        4 => row().prop_map(Op::Insert),
        3 => row().prop_map(Op::Update),
        3 => row().prop_map(Op::Upsert),
        4 => (key(), 0_u8..8, row()).prop_map(|(key, named, row)| Op::Modify(key, named, row)),
        2 => key().prop_map(Op::Delete),
        2 => (key(), quorum()).prop_map(|(key, family)| Op::InsertQuorum(key, family)),
        2 => (key(), quorum()).prop_map(|(key, family)| Op::UpdateQuorum(key, family)),
        2 => (key(), phase()).prop_map(|(key, family)| Op::UpsertPhase(key, family)),
        2 => (key(), body()).prop_map(|(key, family)| Op::ModifyBody(key, family)),
        2 => key().prop_map(Op::DeletePhase),
    ]
}

fn named(bits: u8) -> Families {
    (0..3)
        .filter(|at| bits >> at & 1 == 1)
        .fold(Families::NONE, |all, at| all.and(Families::at(at)))
}

fn empty(key: Key) -> Message {
    Message {
        chain: key.0,
        sequence: key.1,
        body: None,
        quorum: None,
        phase: None,
    }
}

fn is_empty(row: &Message) -> bool {
    row.body.is_none() && row.quorum.is_none() && row.phase.is_none()
}

/// Why a row may not be written over the one with its key: whichever family comes first decides.
fn refused<T>(model: &Model, key: Key, row: &Message) -> Option<Outcome<T>> {
    let body_bad = row.body.as_ref().is_some_and(|body| body.nonce == 13);
    let quorum_bad = row
        .quorum
        .as_ref()
        .is_some_and(|quorum| quorum.digest.is_empty());
    let taken = row.quorum.is_some()
        && model
            .iter()
            .any(|(other, held)| *other != key && held.quorum == row.quorum);
    let phase_bad = row
        .phase
        .as_ref()
        .is_some_and(|phase| phase.phases.contains(&13));
    if body_bad || quorum_bad {
        Some(Outcome::Invalid)
    } else if taken {
        Some(Outcome::Taken)
    } else {
        (phase_bad || is_empty(row)).then_some(Outcome::Invalid)
    }
}

fn write(model: &mut Model, key: Key, row: Message) -> Outcome<Option<Message>> {
    refused(model, key, &row).unwrap_or_else(|| Outcome::Done(model.insert(key, row)))
}

/// Returns what the op makes of the row, or how it is refused at once.
fn target(model: &Model, op: &Op) -> Result<(Key, Message), Outcome<()>> {
    let at = |row: &Message| (row.chain, row.sequence);
    let held = |key: &Key| model.get(key).cloned().unwrap_or_else(|| empty(*key));
    Ok(match op {
        Op::Insert(row) if model.contains_key(&at(row)) => return Err(Outcome::Exists),
        Op::Update(row) if !model.contains_key(&at(row)) => return Err(Outcome::Missing),
        Op::Insert(row) | Op::Update(row) | Op::Upsert(row) => (at(row), row.clone()),
        Op::Modify(key, bits, row) => {
            let part = |bit: u8| bits >> bit & 1 == 1;
            let old = held(key);
            let seen = part(0) && old.body.is_some()
                || part(1) && old.quorum.is_some()
                || part(2) && old.phase.is_some();
            if !seen {
                return Err(Outcome::Missing);
            }
            let kept = part(0) && row.body.is_some()
                || part(1) && row.quorum.is_some()
                || part(2) && row.phase.is_some();
            let new = Message {
                body: if part(0) { row.body.clone() } else { old.body },
                quorum: if part(1) {
                    row.quorum.clone()
                } else {
                    old.quorum
                },
                phase: if part(2) {
                    row.phase.clone()
                } else {
                    old.phase
                },
                ..empty(*key)
            };
            // Losing every family that was named is refused, also where others are left.
            match kept {
                true => (*key, new),
                false => return Err(Outcome::Invalid),
            }
        }
        Op::Delete(key) => (*key, empty(*key)),
        Op::InsertQuorum(key, quorum) => {
            if !quorum.digest.is_empty() && held(key).quorum.is_some() {
                return Err(Outcome::Exists);
            }
            (
                *key,
                Message {
                    quorum: Some(quorum.clone()),
                    ..held(key)
                },
            )
        }
        Op::UpdateQuorum(key, quorum) => match held(key).quorum {
            None => return Err(Outcome::Missing),
            Some(_) => (
                *key,
                Message {
                    quorum: Some(quorum.clone()),
                    ..held(key)
                },
            ),
        },
        Op::UpsertPhase(key, phase) => (
            *key,
            Message {
                phase: Some(phase.clone()),
                ..held(key)
            },
        ),
        Op::ModifyBody(key, body) => match held(key).body {
            None => return Err(Outcome::Missing),
            Some(_) => (
                *key,
                Message {
                    body: Some(body.clone()),
                    ..held(key)
                },
            ),
        },
        Op::DeletePhase(key) => match held(key).phase {
            None => return Err(Outcome::Missing),
            Some(_) => (
                *key,
                Message {
                    phase: None,
                    ..held(key)
                },
            ),
        },
    })
}

fn expect(model: &mut Model, op: &Op) -> Outcome<()> {
    let (key, new) = match target(model, op) {
        Ok(target) => target,
        Err(refused) => return refused,
    };
    let deletes = matches!(op, Op::Delete(_) | Op::DeletePhase(_));
    if deletes && is_empty(&new) {
        return if model.remove(&key).is_some() {
            Outcome::Done(())
        } else {
            Outcome::Missing
        };
    }
    match write(model, key, new) {
        Outcome::Done(_) => Outcome::Done(()),
        Outcome::Taken => Outcome::Taken,
        _ => Outcome::Invalid,
    }
}

fn run(store: &mut Store, op: Op) -> Outcome<()> {
    let quorums = MESSAGES.family::<Quorum>();
    let phases = MESSAGES.family::<Phase>();
    outcome(match op {
        Op::Insert(row) => MESSAGES.insert(store, &row),
        Op::Update(row) => MESSAGES.update(store, &row).map(drop),
        Op::Upsert(row) => MESSAGES.upsert(store, &row).map(drop),
        Op::Modify(key, bits, row) => {
            let change = |old: Message| {
                let part = |bit: u8| bits >> bit & 1 == 1;
                assert!((part(0) || old.body.is_none()) && (part(1) || old.quorum.is_none()));
                Ok::<_, OrmError>(Message {
                    body: row.body.filter(|_| part(0)),
                    quorum: row.quorum.filter(|_| part(1)),
                    phase: row.phase.filter(|_| part(2)),
                    ..old
                })
            };
            MESSAGES.modify(store, &key, named(bits), change).map(drop)
        }
        Op::Delete(key) => MESSAGES.delete(store, &key).map(drop),
        Op::InsertQuorum(key, family) => quorums.insert(store, &key, &family),
        Op::UpdateQuorum(key, family) => quorums.update(store, &key, family).map(drop),
        Op::UpsertPhase(key, family) => phases.upsert(store, &key, family).map(drop),
        Op::ModifyBody(key, body) => MESSAGES
            .family::<Body>()
            .modify(store, &key, |_| Ok::<_, OrmError>(body))
            .map(drop),
        Op::DeletePhase(key) => phases.delete(store, &key).map(drop),
    })
}

proptest! {
    #![proptest_config(cases(400))]
    #[test]
    fn family_table_is_a_map_of_optional_parts(ops in proptest::collection::vec(op(), 1..25)) {
        let (mut store, mut model) = (Store::default(), Model::new());
        for op in ops {
            let (before, want) = (store.dump(), expect(&mut model, &op));
            let got = run(&mut store, op.clone());
            prop_assert_eq!(&got, &want, "{:?}", op);
            let after = store.dump();
            if got != Outcome::Done(()) {
                prop_assert_eq!(&after, &before, "a refused {:?} changed the store", op);
            }
            prop_assert_eq!(&after, &image(&model), "after {:?}", op);
        }
        compare(&store, &model)?;
    }
}

//! The buffered storage answers like a map, whatever part of it is in the database.

use cosmwasm_std::testing::MockStorage;
use cosmwasm_std::{Order, Record, Storage};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use redb::backends::InMemoryBackend;

use super::super::keyspace::Part;
use super::*;

#[derive(Clone, Debug)]
enum Op {
    Set(Vec<u8>, Vec<u8>),
    Remove(Vec<u8>),
    Flush,
    Discard,
}

/// Short keys over few bytes, so that operations meet; 0x00 and 0xff are the edges of ranges.
fn short_key() -> impl Strategy<Value = Vec<u8>> {
    vec(
        prop_oneof![Just(0u8), Just(1), Just(b'a'), Just(0xff)],
        0..4,
    )
}

const CONTRACT: &str = "c1";

/// Keys of the contract, and keys before and after them.
fn key() -> impl Strategy<Value = Vec<u8>> {
    let prefix = Keyspace::new(CONTRACT).prefix_of(Part::Contract).to_vec();
    let mut after = prefix.clone();
    after.pop();
    after.push(b'2');
    prop_oneof![
        1 => short_key(),
        3 => short_key().prop_map(move |own| [prefix.as_slice(), &own].concat()),
        1 => short_key().prop_map(move |rest| [after.as_slice(), &rest].concat()),
    ]
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        6 => (key(), vec(any::<u8>(), 1..4)).prop_map(|(k, v)| Op::Set(k, v)),
        3 => key().prop_map(Op::Remove),
        1 => Just(Op::Flush),
        1 => Just(Op::Discard),
    ]
}

fn all(storage: &dyn Storage) -> Vec<Record> {
    storage.range(None, None, Order::Ascending).collect()
}

/// Makes a map with the same content; `MockStorage` can not be cloned.
fn copy(of: &dyn Storage) -> MockStorage {
    let mut copy = MockStorage::new();
    for (key, value) in all(of) {
        copy.set(&key, &value);
    }
    copy
}

fn storage() -> BufferedStorage {
    let store = Store::create_with(Path::new("memory"), InMemoryBackend::new(), 1 << 20).unwrap();
    BufferedStorage::new(store, Keyspace::new(CONTRACT)).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn reads_and_ranges_equal_those_of_a_map(
        ops in vec(op(), 0..40),
        bounds in vec((option::of(key()), option::of(key())), 1..12),
    ) {
        let mut subject = storage();
        let mut model = MockStorage::new();
        let mut flushed = MockStorage::new();
        for op in ops {
            match op {
                Op::Set(key, value) => {
                    subject.set(&key, &value);
                    model.set(&key, &value);
                }
                Op::Remove(key) => {
                    subject.remove(&key);
                    model.remove(&key);
                }
                Op::Flush => {
                    subject.flush(&[]).unwrap();
                    flushed = copy(&model);
                }
                Op::Discard => {
                    subject.discard();
                    model = copy(&flushed);
                }
            }
            for (start, end) in &bounds {
                for order in [Order::Ascending, Order::Descending] {
                    let range = |s: &dyn Storage| -> Vec<Record> {
                        s.range(start.as_deref(), end.as_deref(), order).collect()
                    };
                    prop_assert_eq!(range(&subject), range(&model));
                }
                for key in [start, end].into_iter().flatten() {
                    prop_assert_eq!(subject.get(key), model.get(key));
                }
            }
        }
        prop_assert!(subject.fault().is_none());
    }
}

#[test]
fn many_removed_rows_are_passed_over() {
    let mut subject = storage();
    for n in 0..20_000u32 {
        subject.set(&n.to_be_bytes(), b"x");
    }
    subject.flush(&[]).unwrap();
    for n in 1..19_999u32 {
        subject.remove(&n.to_be_bytes());
    }
    let keys: Vec<Vec<u8>> = subject
        .range(None, None, Order::Descending)
        .map(|(key, _)| key)
        .collect();
    assert_eq!(
        keys,
        [
            19_999u32.to_be_bytes().to_vec(),
            0u32.to_be_bytes().to_vec()
        ]
    );
}

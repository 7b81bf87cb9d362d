//! Sequences.

use cw_orm::{Namespace, OrmError, Sequence};

use crate::fixture::{Store, TRADES, trade};

const SEQUENCE: Sequence = Sequence::new("things", Namespace::new(b"sq"));

#[test]
fn starts_at_1() {
    let mut store = Store::default();
    assert_eq!(
        (SEQUENCE.current(&store), SEQUENCE.peek(&store)),
        (Ok(0), Ok(1))
    );
    assert_eq!(SEQUENCE.next(&mut store), Ok(1));
    assert_eq!(
        (SEQUENCE.current(&store), SEQUENCE.peek(&store)),
        (Ok(1), Ok(2))
    );
}

#[test]
fn init_once() {
    let mut store = Store::default();
    SEQUENCE.init(&mut store, 41).unwrap();
    assert_eq!(SEQUENCE.next(&mut store), Ok(42));
    assert_eq!(
        SEQUENCE.init(&mut store, 1),
        Err(OrmError::SequenceInitialized { table: "things" })
    );
    assert_eq!(SEQUENCE.current(&store), Ok(42));
}

#[test]
fn init_after_the_first_value() {
    let mut store = Store::default();
    SEQUENCE.next(&mut store).unwrap();
    assert_eq!(
        SEQUENCE.init(&mut store, 9),
        Err(OrmError::SequenceInitialized { table: "things" })
    );
}

#[test]
fn survives_its_handle() {
    let mut store = Store::default();
    for want in 1..=5 {
        let again = Sequence::new("things", Namespace::new(b"sq"));
        assert_eq!(again.next(&mut store), Ok(want));
    }
}

/// The reference wraps to 0.
#[test]
fn exhausted() {
    let mut store = Store::default();
    SEQUENCE.init(&mut store, u64::MAX - 1).unwrap();
    assert_eq!(SEQUENCE.next(&mut store), Ok(u64::MAX));
    let before = store.dump();
    assert_eq!(
        SEQUENCE.next(&mut store),
        Err(OrmError::SequenceExhausted { table: "things" })
    );
    assert_eq!(store.dump(), before);
    TRADES.sequence().init(&mut store, u64::MAX).unwrap();
    assert_eq!(
        TRADES.insert(&mut store, &mut trade(1)),
        Err(OrmError::SequenceExhausted { table: "trades" })
    );
}

#[test]
fn malformed() {
    use cosmwasm_std::Storage;
    let mut store = Store::default();
    for bytes in [&[1][..], &[0; 7], &[0; 9]] {
        store.set(&crate::fixture::raw_key("sq", &[]), bytes);
        assert_eq!(
            SEQUENCE.next(&mut store),
            Err(OrmError::MalformedSequence { table: "things" })
        );
    }
}

/// A sequence set below an id that is stored, as by hand: the row that has the id stays.
#[test]
fn set_below_a_stored_id() {
    use cosmwasm_std::Storage;
    let mut store = Store::default();
    TRADES.insert(&mut store, &mut trade(1)).unwrap();
    store.set(&crate::fixture::raw_key("ts", &[]), &[0; 8]);
    let before = store.dump();
    assert!(matches!(
        TRADES.insert(&mut store, &mut trade(2)),
        Err(OrmError::AlreadyExists { .. })
    ));
    assert_eq!(store.dump(), before);
}

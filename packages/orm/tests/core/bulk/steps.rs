//! What a step deletes, where the next goes on, and what is left in the end.

use cosmwasm_std::{Binary, Order::Ascending};
use cw_orm::{Deleted, Families, OrmError};

use crate::fixture::{
    BY_CLIENT, BY_MARKET, BY_NONCE, BY_PHASE, BY_TAG, Body, MESSAGES, Message, ORDERS, Order,
    Phase, Quorum, Store, TRADES, faults, order, trade,
};

fn row(seq: u32) -> Order {
    Order {
        tags: vec!["x".into(), format!("t{}", seq % 3)],
        client: Some(format!("c{seq}")),
        memo: vec![u8::try_from(seq % 7).unwrap()],
        amount: u64::from(seq) + 100,
        ..order(if seq.is_multiple_of(2) { "a" } else { "b" }, seq, "m")
    }
}

fn filled(rows: u32) -> Store {
    let mut store = Store::default();
    (0..rows).for_each(|seq| ORDERS.insert(&mut store, &row(seq)).unwrap());
    store
}

/// What a step without a cursor says.
fn step(rows: u32, more: bool) -> Deleted {
    Deleted {
        rows,
        passed: rows,
        more,
        ..Deleted::default()
    }
}

/// What is said of a step, but for the cursor.
fn told(deleted: &Deleted) -> (u32, u32, bool) {
    assert_eq!(deleted.next_key.is_some(), deleted.more);
    (deleted.rows, deleted.passed, deleted.more)
}

fn seqs(store: &Store) -> Vec<u32> {
    let ids = ORDERS.all().ids(store, Ascending).read_all().unwrap();
    let mut seqs: Vec<u32> = ids.into_iter().map(|(_, seq)| seq).collect();
    seqs.sort_unstable();
    seqs
}

fn assert_sound(store: &Store) {
    assert_eq!(faults(|key| ORDERS.check(store, key, 7)), []);
}

#[test]
fn f03_clear_takes_the_index_entries_along_in_steps() {
    let mut store = filled(12);
    for (rows, more) in [(5, true), (5, true), (2, false), (0, false)] {
        assert_eq!(ORDERS.clear(&mut store, 5), Ok(step(rows, more)));
        assert_sound(&store);
    }
    assert!(store.dump().is_empty());
    let reused = Order {
        client: Some("c7".into()),
        ..row(3)
    };
    ORDERS.insert(&mut store, &reused).unwrap();
    let found = ORDERS.by(BY_CLIENT).unwrap().get(&store, &"c7".into());
    assert_eq!(found, Ok(Some((("b".into(), 3), reused))));
}

#[test]
fn f03_delete_by_prefix_leaves_the_rest_whole() {
    let mut store = filled(12);
    let a = ("a".to_owned(),);
    for (rows, more) in [(4, true), (2, false), (0, false)] {
        assert_eq!(
            ORDERS.delete_prefix(&mut store, &a, 4),
            Ok(step(rows, more))
        );
        assert_sound(&store);
    }
    assert_eq!(seqs(&store), [1, 3, 5, 7, 9, 11]);
    let whole_key = ("b".to_owned(), 5);
    let deleted = ORDERS.delete_prefix(&mut store, &whole_key, 4);
    assert_eq!(deleted, Ok(step(1, false)));
    assert_eq!(seqs(&store), [1, 3, 7, 9, 11]);
}

#[test]
fn f03_delete_by_index_value_leaves_the_rest_whole() {
    let mut store = filled(12);
    let tagged = ORDERS.by(BY_TAG).unwrap().key(&"t1".into()).unwrap();
    let first = ORDERS.delete_where(&mut store, &tagged, None, 3).unwrap();
    assert_eq!(told(&first), (3, 3, true));
    assert_sound(&store);
    let key = first.next_key;
    let second = ORDERS.delete_where(&mut store, &tagged, key.as_ref(), 3);
    assert_eq!(told(&second.unwrap()), (1, 1, false));
    assert_sound(&store);
    assert_eq!(seqs(&store), [0, 2, 3, 5, 6, 8, 9, 11]);
    assert_eq!(tagged.is_empty(&store), Ok(true));
}

#[test]
fn deletes_by_ranges_and_by_a_unique_key() {
    let mut store = filled(12);
    let range = ORDERS
        .range(("a".to_owned(), 4)..=("b".to_owned(), 3))
        .unwrap();
    let deleted = ORDERS.delete_where(&mut store, &range, None, 100).unwrap();
    assert_eq!(told(&deleted), (6, 6, false));
    assert_eq!(seqs(&store), [0, 2, 5, 7, 9, 11]);
    let clients = ORDERS.by(BY_CLIENT).unwrap();
    let one = clients.key(&"c7".into()).unwrap();
    assert_eq!(
        told(&ORDERS.delete_where(&mut store, &one, None, 100).unwrap()),
        (1, 1, false)
    );
    let some = clients.range("c1".to_owned().."c3".to_owned()).unwrap();
    assert_eq!(
        told(&ORDERS.delete_where(&mut store, &some, None, 100).unwrap()),
        (2, 2, false),
        "c11 and c2"
    );
    assert_eq!(seqs(&store), [0, 5, 9]);
    assert_sound(&store);
}

#[test]
fn a_row_with_several_entries_in_the_range_is_deleted_once() {
    let mut store = filled(6);
    let all_tags = ORDERS.by(BY_TAG).unwrap().all();
    // t0: 0 3, t1: 1 4, t2: 2 5, x: each of these again.
    let deleted = ORDERS
        .delete_where(&mut store, &all_tags, None, 100)
        .unwrap();
    assert_eq!(told(&deleted), (6, 12, false));
    assert!(store.dump().is_empty());
}

#[test]
fn f25_a_predicate_leaves_rows_standing_and_every_row_is_looked_at_once() {
    for limit in [1, 10, 1_000] {
        for budget in [1, 10, 1_000] {
            let mut store = filled(25);
            // Over 100 there are 24 rows; those of an odd amount, of which there are 12, are to go.
            let odd = ORDERS
                .by(BY_MARKET)
                .unwrap()
                .key(&"m".into())
                .unwrap()
                .filter("odd", |_, row| row.amount % 2 == 1)
                .budget(budget);
            let (mut key, mut deleted, mut passed, mut steps) = (None, 0, 0, 0);
            loop {
                let done = ORDERS
                    .delete_where(&mut store, &odd, key.as_ref(), limit)
                    .unwrap();
                assert!(done.rows <= limit && done.passed <= budget);
                assert_sound(&store);
                (deleted, passed, steps) = (deleted + done.rows, passed + done.passed, steps + 1);
                if steps == 1 {
                    // Row 26 is put behind the place, row 12 is gone before it comes to it or after it passed.
                    ORDERS.insert(&mut store, &row(25)).ok();
                    let _ = ORDERS.delete(&mut store, &("a".into(), 12));
                }
                if !done.more {
                    break;
                }
                key = done.next_key;
            }
            let left = seqs(&store);
            assert!(
                left.iter().all(|seq| seq % 2 == 0 || *seq == 25),
                "{left:?}"
            );
            let late = u32::from(left.contains(&25));
            assert_eq!((deleted, left.len()), (13 - late, 12 + late as usize));
            assert!(
                passed <= 26 && steps <= 27,
                "{passed} rows in {steps} steps"
            );
        }
    }
}

#[test]
fn f25_an_extra_step_does_nothing() {
    let mut store = filled(3);
    let none = ORDERS.all().filter("none", |_, _| false).budget(2);
    let first = ORDERS.delete_where(&mut store, &none, None, 9).unwrap();
    assert_eq!(told(&first), (0, 2, true));
    let key = first.next_key;
    let second = ORDERS.delete_where(&mut store, &none, key.as_ref(), 9);
    assert_eq!(told(&second.unwrap()), (0, 1, false));
    let before = store.dump();
    ORDERS.clear(&mut store, 9).unwrap();
    assert_eq!(ORDERS.clear(&mut store, 9), Ok(step(0, false)));
    assert_eq!(before.len(), 18);
}

#[test]
fn f26_a_step_is_bounded_whatever_the_limit() {
    let mut store = filled(1_500);
    assert_eq!(ORDERS.clear(&mut store, u32::MAX), Ok(step(1_000, true)));
    assert_eq!(ORDERS.clear(&mut store, u32::MAX), Ok(step(500, false)));
    let mut store = filled(1_100);
    let all = ORDERS.all();
    let deleted = ORDERS.delete_where(&mut store, &all, None, u32::MAX);
    assert_eq!(told(&deleted.unwrap()), (1_000, 1_000, true));
    let wide = ORDERS.all().budget(u32::MAX);
    let deleted = ORDERS.delete_where(&mut store, &wide, None, u32::MAX);
    assert_eq!(told(&deleted.unwrap()), (100, 100, false));
}

#[test]
fn a_limit_of_zero_is_refused() {
    let mut store = filled(2);
    let zero = OrmError::ZeroLimit { table: "orders" };
    let before = store.dump();
    assert_eq!(ORDERS.clear(&mut store, 0), Err(zero.clone()));
    assert_eq!(
        ORDERS.delete_prefix(&mut store, &("a".to_owned(),), 0),
        Err(zero.clone())
    );
    let all = ORDERS.all();
    assert_eq!(ORDERS.delete_where(&mut store, &all, None, 0), Err(zero));
    let zero = Err(OrmError::ZeroLimit { table: "messages" });
    assert_eq!(MESSAGES.clear(&mut store, 0), zero);
    assert_eq!(MESSAGES.delete_prefix(&mut store, &(1,), 0), zero);
    let all = MESSAGES.all(Families::ALL);
    assert_eq!(MESSAGES.delete_where(&mut store, &all, None, 0), zero);
    let all = MESSAGES.family::<Body>().all();
    assert_eq!(
        MESSAGES.delete_where_member(&mut store, &all, None, 0),
        zero
    );
    assert_eq!(store.dump(), before);
}

#[test]
fn a_key_of_another_scan_is_refused() {
    let mut store = filled(12);
    let odd = |name: &str| ORDERS.all().filter(name, |_, row| row.amount % 2 == 1);
    let first = ORDERS
        .delete_where(&mut store, &odd("odd").budget(3), None, 9)
        .unwrap();
    let key = first.next_key.unwrap();
    let before = store.dump();
    let foreign = Err(OrmError::ForeignCursor);
    let other = odd("other");
    assert_eq!(
        ORDERS.delete_where(&mut store, &other, Some(&key), 9),
        foreign
    );
    let by_tag = ORDERS.by(BY_TAG).unwrap().all();
    assert_eq!(
        ORDERS.delete_where(&mut store, &by_tag, Some(&key), 9),
        foreign
    );
    let messages = MESSAGES.all(Families::ALL);
    assert_eq!(
        MESSAGES.delete_where(&mut store, &messages, Some(&key), 9),
        Err(OrmError::ForeignCursor)
    );
    let junk = Binary::from(b"junk");
    assert_eq!(
        ORDERS.delete_where(&mut store, &other, Some(&junk), 9),
        Err(OrmError::MalformedCursor)
    );
    assert_eq!(store.dump(), before);
    // No bytes are no key, as in a page request.
    let none = Binary::default();
    let deleted = ORDERS.delete_where(&mut store, &odd("odd"), Some(&none), 1);
    assert_eq!(
        told(&deleted.unwrap()),
        (1, 7, true),
        "the first odd one is of b"
    );
}

#[test]
fn ids_are_not_given_again_after_a_clear_unless_that_is_asked_for() {
    let mut store = Store::default();
    for px in 0..5 {
        TRADES.insert(&mut store, &mut trade(px)).unwrap();
    }
    let not_empty = OrmError::NotEmpty {
        table: "trades",
        what: "rows",
    };
    assert_eq!(TRADES.clear(&mut store, 4), Ok(step(4, true)));
    assert_eq!(TRADES.reset_sequence(&mut store), Err(not_empty));
    assert_eq!(TRADES.clear(&mut store, 4), Ok(step(1, false)));
    assert_eq!(TRADES.sequence().current(&store), Ok(5));
    assert_eq!(TRADES.insert(&mut store, &mut trade(1)), Ok(6));
    let range = TRADES.range(6_u64..).unwrap();
    let deleted = TRADES.delete_where(&mut store, &range, None, 4).unwrap();
    assert_eq!(told(&deleted), (1, 1, false));
    assert_eq!(TRADES.reset_sequence(&mut store), Ok(()));
    assert!(store.dump().is_empty());
    assert_eq!(TRADES.insert(&mut store, &mut trade(1)), Ok(1));
}

fn message(sequence: u64) -> Message {
    let has = |bit: u64| (sequence >> bit) & 1 == 0;
    let body = Body {
        nonce: u32::try_from(sequence % 3).unwrap(),
        payload: vec![],
    };
    let digest = format!("d{sequence}");
    Message {
        chain: u16::try_from(sequence % 2).unwrap(),
        sequence,
        body: has(0).then_some(body),
        quorum: has(1).then_some(Quorum { digest }),
        phase: Some(Phase { phases: vec![1, 2] }).filter(|_| has(2) || !(has(0) || has(1))),
    }
}

fn messages(rows: u64) -> Store {
    let mut store = Store::default();
    (0..rows).for_each(|sequence| MESSAGES.insert(&mut store, &message(sequence)).unwrap());
    store
}

fn left(store: &Store) -> Vec<u64> {
    assert_eq!(faults(|key| MESSAGES.check(store, key, 3)), []);
    let ids = MESSAGES.all(Families::ALL).ids(store, Ascending);
    let mut left: Vec<u64> = ids.map(|id| id.unwrap().1).collect();
    left.sort_unstable();
    left
}

#[test]
fn all_families_of_a_row_go_together() {
    let mut store = messages(16);
    assert_eq!(
        MESSAGES.delete_prefix(&mut store, &(1,), 5),
        Ok(step(5, true))
    );
    assert_eq!(
        MESSAGES.delete_prefix(&mut store, &(1,), 5),
        Ok(step(3, false))
    );
    assert_eq!(left(&store), [0, 2, 4, 6, 8, 10, 12, 14]);
    // By the index of one family; the others are not in it.
    let nonce = MESSAGES.by::<Body, _>(BY_NONCE).unwrap().key(&2).unwrap();
    let deleted = MESSAGES.delete_where_member(&mut store, &nonce, None, 9);
    assert_eq!(told(&deleted.unwrap()), (3, 3, false), "2, 8 and 14");
    assert_eq!(left(&store), [0, 4, 6, 10, 12]);
    // By some families, which 6 has none of: 4 and 12 have no phase.
    let named = Families::at(1).and(Families::at(2));
    let some = MESSAGES.all(named).filter("no phase", |row: &Message| {
        row.body.is_none() && row.phase.is_none()
    });
    let deleted = MESSAGES.delete_where(&mut store, &some, None, 1).unwrap();
    assert_eq!(told(&deleted), (1, 2, true), "0 has a phase, 4 has none");
    let key = deleted.next_key;
    let deleted = MESSAGES.delete_where(&mut store, &some, key.as_ref(), 9);
    assert_eq!(told(&deleted.unwrap()), (1, 2, false));
    assert_eq!(left(&store), [0, 6, 10]);
    // An entry for each of two phases, and a row for both.
    let phases = MESSAGES.by::<Phase, _>(BY_PHASE).unwrap().all();
    let deleted = MESSAGES.delete_where_member(&mut store, &phases, None, 9);
    assert_eq!(told(&deleted.unwrap()), (2, 4, false));
    assert_eq!(left(&store), [6]);
    assert_eq!(MESSAGES.clear(&mut store, 9), Ok(step(1, false)));
    assert!(store.dump().is_empty());
}

#[test]
fn a_family_can_be_cleared_alone() {
    let mut store = messages(16);
    let bodies = MESSAGES.family::<Body>();
    assert_eq!(bodies.clear(&mut store, 3), Ok(step(3, true)));
    assert_eq!(
        bodies.delete_prefix(&mut store, &(0,), 9),
        Ok(step(5, false))
    );
    // Of the rows, only 6 and 14 are gone, which had nothing else.
    assert_eq!(left(&store).len(), 14);
    assert_eq!(bodies.all().is_empty(&store), Ok(true));
    let rest = MESSAGES.family::<Quorum>();
    let all = rest.all();
    assert_eq!(
        told(&rest.delete_where(&mut store, &all, None, 99).unwrap()),
        (8, 8, false)
    );
    let phases = MESSAGES.family::<Phase>().all().ids(&store, Ascending);
    let phases: Vec<u64> = phases.map(|id| id.unwrap().1).collect();
    assert_eq!(left(&store).len(), phases.len());
}

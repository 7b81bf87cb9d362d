//! Rows of older versions on their way.

use cosmwasm_std::Storage;
use cw_orm::Progress;

use crate::{
    fixture::{Store, faults, raw_key},
    versions::{ONE, THREE, TWO, v1, v2},
};

const NOTHING: Progress = Progress {
    steps: 0,
    done: true,
};

#[test]
fn older_rows_come_as_they_are_and_with_the_entries_of_this_code() {
    let mut old = Store::default();
    for (id, name) in [(1, "a"), (2, "b"), (3, "c")] {
        ONE.insert(&mut old, &v1(id, name, 7)).unwrap();
    }
    TWO.update(&mut old, v2(2, "b", "8")).unwrap();
    let page = TWO.export(&old, None, 9).unwrap();
    let mut new = Store::default();
    assert_eq!(TWO.import(&mut new, std::slice::from_ref(&page)), Ok(3));
    assert_eq!(new.dump(), old.dump());
    assert_eq!(faults(|key| TWO.check(&new, key, 9)), []);
    // Code that knows older versions still takes them.
    let mut newer = Store::default();
    assert_eq!(THREE.import(&mut newer, std::slice::from_ref(&page)), Ok(3));
    assert_eq!(THREE.get(&newer, &1).unwrap().unwrap().score, 7);
    // Code that does not know the newer version refuses it.
    assert!(ONE.import(&mut Store::default(), &[page]).is_err());
}

#[test]
fn older_rows_are_to_be_upgraded_also_where_all_were() {
    let mut old = Store::default();
    ONE.insert(&mut old, &v1(1, "a", 7)).unwrap();
    let page = TWO.export(&old, None, 9).unwrap();
    let mut new = Store::default();
    assert_eq!(TWO.upgrade_rows(&mut new, 9), Ok(NOTHING));
    assert_eq!(TWO.import(&mut new, &[page]), Ok(1));
    let done = TWO.upgrade_rows(&mut new, 9).unwrap();
    assert_eq!((done.steps, done.done), (1, true));
    let row = new.get(&raw_key("v", &[&1_u32.to_be_bytes()])).unwrap();
    assert_eq!(row[0], 2);
    // Rows of this version do not ask for that.
    let page = TWO.export(&new, None, 9).unwrap();
    TWO.clear(&mut new, 9).unwrap();
    TWO.import(&mut new, &[page]).unwrap();
    assert_eq!(TWO.upgrade_rows(&mut new, 9), Ok(NOTHING));
}

//! Indexes of a contract's own, which say nothing about their entries, or all.

use cosmwasm_std::Storage;
use cw_orm::{
    Codec, Fault, IndexEntry, IndexKind, Indexable, KeyRule, Namespace, OrmError, PageLimits,
    Postcard, PrimaryKeyTable, PrimaryKeyed, Record, Subject, TableMeta, Trace, WritePlan,
};

use crate::fixture::{Store, faults, raw_key};

/// A row with a number, by whose parity `silent` and `told` index it, and which `added` adds up.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    key: u8,
    n: u64,
}

const ROWS: PrimaryKeyTable<Row> = PrimaryKeyTable::new();

/// Writes `parity | row id → number`.
#[derive(Debug)]
struct Parity {
    id: u8,
    name: &'static str,
    namespace: Namespace,
    /// Whether it says which row an entry is of.
    tells: bool,
}

fn parity(row: &Row) -> u8 {
    u8::try_from(row.n % 2).unwrap()
}

impl Parity {
    fn entry(&self, subject: &Subject<'_, Row>, row: &Row) -> Vec<u8> {
        self.namespace
            .key(&[&[parity(row)], subject.row_id].concat())
    }
}

impl Indexable<Row> for Parity {
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
        IndexKind::Custom("parity")
    }

    fn on_create(
        &self,
        _: &dyn Storage,
        subject: &Subject<'_, Row>,
        new: &Row,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError> {
        // Set and removed again: not an entry of the row.
        let passing = self.namespace.key(&[9]);
        plan.set(passing.clone(), vec![1]);
        plan.remove(passing);
        plan.set(self.entry(subject, new), new.n.to_be_bytes().to_vec());
        Ok(())
    }

    fn on_update(
        &self,
        storage: &dyn Storage,
        subject: &Subject<'_, Row>,
        old: &Row,
        new: &Row,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError> {
        self.on_delete(storage, subject, old, plan)?;
        self.on_create(storage, subject, new, plan)
    }

    fn on_delete(
        &self,
        _: &dyn Storage,
        subject: &Subject<'_, Row>,
        old: &Row,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError> {
        plan.remove(self.entry(subject, old));
        Ok(())
    }

    fn trace<'e>(&self, key: &'e [u8], _: &'e [u8]) -> Trace<'e> {
        match key.split_first() {
            _ if !self.tells => Trace::Unknown,
            Some((0 | 1, id)) => Trace::Row(id),
            _ => Trace::Malformed,
        }
    }
}

/// Adds the numbers up: `parity → sum`.
#[derive(Debug)]
struct Added;

impl Added {
    fn plan(
        storage: &dyn Storage,
        subject: &Subject<'_, Row>,
        row: &Row,
        change: fn(u64, u64) -> u64,
        plan: &mut WritePlan,
    ) {
        let entry = Namespace::new(b"xa").key(&[parity(row)]);
        let stored = plan.read(storage, subject.probe, &entry);
        let stored = stored.map_or(0, |sum| u64::from_be_bytes(sum.try_into().unwrap()));
        plan.set(entry, change(stored, row.n).to_be_bytes().to_vec());
    }
}

impl Indexable<Row> for Added {
    fn id(&self) -> u8 {
        3
    }

    fn name(&self) -> &'static str {
        "added"
    }

    fn namespace(&self) -> Namespace {
        Namespace::new(b"xa")
    }

    fn kind(&self) -> IndexKind {
        IndexKind::Custom("sum")
    }

    fn on_create(
        &self,
        storage: &dyn Storage,
        subject: &Subject<'_, Row>,
        new: &Row,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError> {
        Self::plan(storage, subject, new, |sum, n| sum + n, plan);
        Ok(())
    }

    fn on_update(
        &self,
        storage: &dyn Storage,
        subject: &Subject<'_, Row>,
        old: &Row,
        new: &Row,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError> {
        self.on_delete(storage, subject, old, plan)?;
        self.on_create(storage, subject, new, plan)
    }

    fn on_delete(
        &self,
        storage: &dyn Storage,
        subject: &Subject<'_, Row>,
        old: &Row,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError> {
        Self::plan(storage, subject, old, |sum, n| sum - n, plan);
        Ok(())
    }

    fn entries(&self, _: &Subject<'_, Row>, row: &Row) -> Result<Vec<IndexEntry>, OrmError> {
        Ok(vec![(vec![parity(row)], row.n.to_be_bytes().to_vec())])
    }

    fn trace<'e>(&self, _: &'e [u8], value: &'e [u8]) -> Trace<'e> {
        match value.try_into() {
            Ok(sum) => Trace::Sum(u64::from_be_bytes(sum)),
            Err(_) => Trace::Malformed,
        }
    }

    fn sums(&self) -> bool {
        true
    }
}

const SILENT: Parity = Parity {
    id: 1,
    name: "silent",
    namespace: Namespace::new(b"xs"),
    tells: false,
};
const TOLD: Parity = Parity {
    id: 2,
    name: "told",
    namespace: Namespace::new(b"xt"),
    tells: true,
};

impl Record for Row {
    type PrimaryKey = u8;
    type Codec = Postcard;
    const META: TableMeta = TableMeta {
        name: "rows",
        namespace: Namespace::new(b"x"),
        version: 1,
        key_rule: KeyRule::Delimited,
        limits: PageLimits::DEFAULT,
    };
    const INDEXES: &'static [&'static dyn Indexable<Self>] = &[&SILENT, &TOLD, &Added];

    fn encode(&self) -> Result<Vec<u8>, String> {
        Postcard::encode(&self.n)
    }

    fn decode(key: &u8, _: u8, bytes: &[u8]) -> Result<Self, String> {
        let (key, n) = (*key, Postcard::decode(bytes)?);
        Ok(Self { key, n })
    }
}

impl PrimaryKeyed for Row {
    fn primary_key_fields(&self) -> u8 {
        self.key
    }
}

fn filled() -> Store {
    let mut store = Store::default();
    for key in 0..6 {
        let n = u64::from(key) + 10;
        ROWS.insert(&mut store, &Row { key, n }).unwrap();
    }
    ROWS.update(&mut store, Row { key: 3, n: 4 }).unwrap();
    ROWS.delete(&mut store, &5).unwrap();
    store
}

fn found(store: &Store) -> Vec<Fault> {
    faults(|key| ROWS.check(store, key, 2))
}

#[test]
fn an_index_s_entries_are_what_it_writes_for_a_new_row() {
    let mut store = filled();
    assert_eq!(found(&store), []);
    for (ns, index) in [("xs", "silent"), ("xt", "told")] {
        let entry = raw_key(ns, &[&[0, 3]]);
        let value = store.get(&entry).unwrap();
        store.set(&entry, &5_u64.to_be_bytes());
        let wrong = found(&store);
        assert!(
            matches!(&wrong[..], [Fault::WrongEntry { index: at, key, .. }] if at == index && key == "03"),
            "{wrong:?}"
        );
        store.remove(&entry);
        let missing = found(&store);
        assert!(
            matches!(&missing[..], [Fault::MissingEntry { index: at, .. }] if at == index),
            "{missing:?}"
        );
        store.set(&entry, &value);
    }
}

#[test]
fn entries_left_over_are_found_where_the_index_says_whose_they_are() {
    let mut store = filled();
    for ns in ["xs", "xt"] {
        store.set(&raw_key(ns, &[&[1, 3]]), &4_u64.to_be_bytes());
        store.set(&raw_key(ns, &[&[7]]), &[1]);
    }
    let found = found(&store);
    let [
        Fault::StrayEntry {
            index, key, entry, ..
        },
        Fault::MalformedEntry { index: other, .. },
    ] = &found[..]
    else {
        panic!("{found:?}")
    };
    assert_eq!(
        (&index[..], &key[..], &entry[..], &other[..]),
        ("told", "03", "0103", "told")
    );
}

#[test]
fn sums_are_added_up() {
    let mut store = filled();
    assert_eq!(
        store.get(&raw_key("xa", &[&[0]])).unwrap(),
        40_u64.to_be_bytes()
    );
    assert_eq!(
        store.get(&raw_key("xa", &[&[1]])).unwrap(),
        11_u64.to_be_bytes()
    );
    store.set(&raw_key("xa", &[&[1]]), &12_u64.to_be_bytes());
    store.set(&raw_key("xa", &[&[2]]), &[1]);
    let found = found(&store);
    let [
        Fault::MalformedEntry { index, .. },
        Fault::WrongSum {
            entry,
            stored,
            rows,
            ..
        },
    ] = &found[..]
    else {
        panic!("{found:?}")
    };
    let sum = (stored.u64(), rows.u64());
    assert_eq!((&index[..], &entry[..], sum), ("added", "01", (12, 11)));
}

#[test]
fn bulk_deletes_keep_sums_right() {
    let mut store = filled();
    let small = ROWS.all().filter("small", |_, row: &Row| row.n < 12);
    assert_eq!(
        ROWS.delete_where(&mut store, &small, None, 99)
            .unwrap()
            .rows,
        3
    );
    assert_eq!(found(&store), []);
    assert_eq!(
        store.get(&raw_key("xa", &[&[0]])).unwrap(),
        26_u64.to_be_bytes()
    );
    let page = ROWS.export(&store, None, 99).unwrap();
    let mut new = Store::default();
    ROWS.import(&mut new, &[page]).unwrap();
    assert_eq!(found(&new), []);
}

//! The stored schema, and how it changes.
//!
//! Entries: `namespace →` the schema as JSON; for each namespace that is to be cleared,
//! `00 01 00 | 'd' | namespace → ` what it was, as text.

use cosmwasm_std::{Order, Storage, storage_keys::to_length_prefixed};

use super::{
    IndexSchema, RecordSchema, Schema, SchemaChange, SchemaStep, TableChange, TableSchema,
    compare::Difference,
};
use crate::{
    backfill::{Progress, clear_prefix},
    codec::{Codec, Json},
    error::{OrmError, hex, unhex},
    key::successor,
    namespace::{LIFE_CYCLE, Namespace},
    raw::WritePlan,
    state::{self, Stored},
    upgrade::progress_key,
};

/// Where a contract keeps its schema.
///
/// ```
/// use cosmwasm_std::testing::MockStorage;
/// use cw_orm::{Namespace, OrmError, Schema, SchemaChange, SchemaStep, SchemaStore, Table};
///
/// # #[cfg(feature = "derive")]
/// # fn main() -> Result<(), OrmError> {
/// const SCHEMA: SchemaStore = SchemaStore::new(Namespace::new(b"~"));
///
/// mod v1 {
///     #[derive(cw_orm::Table)]
///     #[table(name = "people", ns = "p")]
///     pub struct Person {
///         #[pk]
///         pub name: String,
///         pub town: String,
///     }
/// }
///
/// let mut store = MockStorage::new();
/// // At instantiate:
/// SCHEMA.init(&mut store, &Schema::new().with(&v1::Person::TABLE))?;
/// v1::Person::TABLE.insert(&mut store, &v1::Person { name: "ann".into(), town: "Ulm".into() })?;
///
/// mod v2 {
///     #[derive(cw_orm::Table)]
///     #[table(name = "people", ns = "p")]
///     pub struct Person {
///         #[pk]
///         pub name: String,
///         #[index(id = 1, tracked)]
///         pub town: String,
///     }
/// }
///
/// // At migrate, an index that nobody named is refused:
/// let schema = Schema::new().with(&v2::Person::TABLE);
/// let refused = SCHEMA.migrate(&mut store, &schema, &[]).unwrap_err();
/// let added = SchemaChange::IndexAdded { index: "by_town".into() };
/// assert_eq!(refused, OrmError::Schema { table: "people".into(), change: added });
///
/// let steps = [SchemaStep::AddIndex { table: "people", index: "by_town" }];
/// SCHEMA.migrate(&mut store, &schema, &steps)?;
/// // In a message of its own, as often as it takes:
/// while !v2::Person::TABLE.backfill(&mut store, &v2::Person::BY_TOWN, 100)?.done {}
/// # Ok(())
/// # }
/// # #[cfg(not(feature = "derive"))]
/// # fn main() {}
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SchemaStore(Namespace);

impl SchemaStore {
    /// Names the namespace of the one entry, which is no other's.
    #[must_use]
    pub const fn new(namespace: Namespace) -> Self {
        Self(namespace)
    }

    /// Returns the stored schema, if there is one. One read.
    ///
    /// # Errors
    /// [`OrmError::MalformedSchema`].
    pub fn load(&self, storage: &dyn Storage) -> Result<Option<Schema>, OrmError> {
        let malformed = |reason| OrmError::MalformedSchema { reason };
        let Some(bytes) = storage.get(&self.0.key(&[])) else {
            return Ok(None);
        };
        let schema: Schema = Json::decode(&bytes).map_err(malformed)?;
        for (namespace, of) in spaces(&schema) {
            if !unhex(namespace).is_some_and(|name| (1..=255).contains(&name.len())) {
                return Err(malformed(format!("no namespace of {of}: {namespace}")));
            }
        }
        Ok(Some(schema))
    }

    /// Stores the schema of a store that has none: at instantiate, or in the first migration of a contract that had no
    /// schema. Tracked indexes of tables without rows are ready at once; others are to be backfilled. One read, a probe a
    /// namespace; one write, and one a tracked index.
    ///
    /// # Errors
    /// [`OrmError::SchemaExists`], [`OrmError::NamespaceShared`]; [`OrmError::Schema`] with
    /// [`SchemaChange::IndexNotFilled`] or [`SchemaChange::DeclaredTwice`]. All of them leave the store as it was.
    pub fn init(&self, storage: &mut dyn Storage, schema: &Schema) -> Result<(), OrmError> {
        if storage.get(&self.0.key(&[])).is_some() {
            return Err(OrmError::SchemaExists);
        }
        let none = Schema::new();
        let mut steps = Difference::of(&none, schema);
        steps
            .changes
            .retain(|found| found.change != SchemaChange::TableAdded);
        self.apply(storage, schema, &steps, &[])
    }

    /// Refuses a code whose layout is not the stored one. One read.
    ///
    /// # Errors
    /// [`OrmError::SchemaMissing`]; [`OrmError::Schema`] with the first difference.
    pub fn check(&self, storage: &dyn Storage, schema: &Schema) -> Result<(), OrmError> {
        let stored = self.load(storage)?.ok_or(OrmError::SchemaMissing)?;
        match Difference::of(&stored, schema).changes.into_iter().next() {
            Some(TableChange { table, change }) => Err(OrmError::Schema { table, change }),
            None => Ok(()),
        }
    }

    /// Makes the stored schema that of the code, if all differences are harmless or allowed by a step; returns them. Where
    /// there are none it is one read. Otherwise, writes the schema, the state of each new index and of each namespace that
    /// is to be cleared.
    ///
    /// # Errors
    /// [`OrmError::SchemaMissing`]; [`OrmError::Schema`] with the first difference that no step allows, or cannot be
    /// allowed; [`OrmError::NamespaceShared`], also with what is still to be cleared. All of them leave the store as it
    /// was.
    pub fn migrate(
        &self,
        storage: &mut dyn Storage,
        schema: &Schema,
        steps: &[SchemaStep],
    ) -> Result<Vec<TableChange>, OrmError> {
        let stored = self.load(storage)?.ok_or(OrmError::SchemaMissing)?;
        let difference = Difference::of(&stored, schema);
        if !difference.changes.is_empty() {
            self.apply(storage, schema, &difference, steps)?;
        }
        Ok(difference.changes)
    }

    /// Goes on with clearing what was dropped: removes at most `limit` entries (1 if it is 0).
    ///
    /// # Errors
    /// [`OrmError::MalformedSchema`] if what is to be cleared is no namespace.
    pub fn clear_dropped(
        &self,
        storage: &mut dyn Storage,
        limit: u32,
    ) -> Result<Progress, OrmError> {
        let (limit, mut steps) = (limit.max(1), 0_u32);
        while let Some(namespace) = first_dropped(storage) {
            if !(1..=255).contains(&namespace.len()) {
                return Err(OrmError::MalformedSchema {
                    reason: format!("no namespace to be cleared: {}", hex(&namespace)),
                });
            }
            let left = limit.saturating_sub(steps);
            if left == 0 {
                return Ok(Progress { steps, done: false });
            }
            let cleared = clear_prefix(storage, &to_length_prefixed(&namespace), left);
            steps = steps.saturating_add(cleared.steps);
            if !cleared.done {
                return Ok(Progress { steps, done: false });
            }
            storage.remove(&dropped_key(&namespace));
        }
        Ok(Progress { steps, done: true })
    }

    fn apply(
        &self,
        storage: &mut dyn Storage,
        schema: &Schema,
        difference: &Difference<'_>,
        steps: &[SchemaStep],
    ) -> Result<(), OrmError> {
        for TableChange { table, change } in &difference.changes {
            if !change.is_harmless() && !steps.iter().any(|step| step.allows(table, change)) {
                return Err(refused(table, change.clone()));
            }
        }
        let mut plan = WritePlan::default();
        plan_changes(&*storage, difference, &mut plan)?;
        self.check_spaces(&*storage, schema, difference)?;
        let bytes = Json::encode(schema).map_err(|reason| OrmError::MalformedSchema { reason })?;
        plan.set(self.0.key(&[]), bytes);
        plan.apply(storage);
        Ok(())
    }

    /// Refuses namespaces that are of two things.
    fn check_spaces(
        &self,
        storage: &dyn Storage,
        schema: &Schema,
        difference: &Difference<'_>,
    ) -> Result<(), OrmError> {
        let own = hex(self.0.name());
        let mut seen = vec![(&own[..], "the schema".to_owned())];
        let dropped = gone(difference)
            .into_iter()
            .map(|(namespace, what)| (namespace, format!("{what}, which is to be cleared")));
        seen.extend(dropped);
        for (namespace, what) in spaces(schema) {
            let pending = storage
                .get(&dropped_key(&unhex(namespace).unwrap_or_default()))
                .map(|what| format!("{}, which is to be cleared", String::from_utf8_lossy(&what)));
            let taken = seen.iter().find(|(other, _)| *other == namespace);
            if let Some(first) = pending.or_else(|| taken.map(|(_, what)| what.clone())) {
                return Err(OrmError::NamespaceShared {
                    namespace: namespace.to_owned(),
                    first,
                    second: what,
                });
            }
            seen.push((namespace, what));
        }
        Ok(())
    }
}

/// Plans what the changes make of the states of indexes, and of what is gone.
fn plan_changes(
    storage: &dyn Storage,
    difference: &Difference<'_>,
    plan: &mut WritePlan,
) -> Result<(), OrmError> {
    for table in &difference.tables_added {
        for record in &table.records {
            for index in &record.indexes {
                start(storage, &table.name, record, index, true, plan)?;
            }
        }
    }
    for (table, record) in &difference.records_added {
        for index in &record.indexes {
            start(storage, table, record, index, true, plan)?;
        }
    }
    for (table, record, index) in &difference.indexes_added {
        start(storage, table, record, index, false, plan)?;
    }
    for (table, index) in &difference.tracking {
        let namespace = bytes(&index.namespace);
        match (index.tracked, state::is_ready(storage, &namespace)) {
            // It was kept in every write so far.
            (true, None) => Stored::Ready.plan(&namespace, plan),
            (true, Some(_)) => {}
            (false, Some(true)) => Stored::Off.plan(&namespace, plan),
            (false, _) => {
                let index = index.name.clone();
                return Err(refused(table, SchemaChange::IndexUnfinished { index }));
            }
        }
    }
    for (namespace, what) in gone(difference) {
        let namespace = bytes(namespace);
        Stored::Off.plan(&namespace, plan);
        plan.remove(progress_key(&namespace));
        plan.set(dropped_key(&namespace), what.into_bytes());
    }
    Ok(())
}

/// Plans the first state of an index that the schema did not have. `kept` says that entries which are there were written
/// with the rows.
fn start(
    storage: &dyn Storage,
    table: &str,
    record: &RecordSchema,
    index: &IndexSchema,
    kept: bool,
    plan: &mut WritePlan,
) -> Result<(), OrmError> {
    let namespace = bytes(&index.namespace);
    let rows = occupied(storage, &bytes(&record.namespace));
    let entries = occupied(storage, &namespace);
    match (index.tracked, rows, entries) {
        (false, true, entries) if !(entries && kept) => {
            let index = index.name.clone();
            return Err(refused(table, SchemaChange::IndexNotFilled { index }));
        }
        (false, ..) => {}
        (true, ..) if state::is_ready(storage, &namespace).is_some() => {}
        (true, false, false) => Stored::Ready.plan(&namespace, plan),
        (true, true, false) => Stored::Building(Vec::new()).plan(&namespace, plan),
        // Off: its backfill begins with clearing them.
        (true, _, true) => {}
    }
    Ok(())
}

fn refused(table: &str, change: SchemaChange) -> OrmError {
    OrmError::Schema {
        table: table.to_owned(),
        change,
    }
}

/// Returns the name that hex stands for, which was checked when the schema was read.
fn bytes(namespace: &str) -> Vec<u8> {
    unhex(namespace).unwrap_or_default()
}

/// Whether a namespace has any entry. One probe.
fn occupied(storage: &dyn Storage, namespace: &[u8]) -> bool {
    let prefix = to_length_prefixed(namespace);
    let end = successor(&prefix);
    storage
        .range(Some(&prefix), end.as_deref(), Order::Ascending)
        .next()
        .is_some()
}

/// Returns every namespace of a schema, and what it is of.
fn spaces(schema: &Schema) -> Vec<(&str, String)> {
    schema.tables.iter().flat_map(spaces_of_table).collect()
}

fn spaces_of_table(table: &TableSchema) -> Vec<(&str, String)> {
    let sequence = table.sequence.iter();
    let mut found: Vec<(&str, String)> = sequence
        .map(|namespace| (&namespace[..], format!("the sequence of `{}`", table.name)))
        .collect();
    found.extend(table.records.iter().flat_map(spaces_of_record));
    found
}

fn spaces_of_record(record: &RecordSchema) -> Vec<(&str, String)> {
    let mut found = vec![(&record.namespace[..], format!("`{}`", record.name))];
    found.extend(record.indexes.iter().map(|index| {
        let what = format!("index `{}` of `{}`", index.name, record.name);
        (&index.namespace[..], what)
    }));
    found
}

/// Returns the namespaces that are to be cleared after a change, and what each was of.
fn gone<'s>(difference: &Difference<'s>) -> Vec<(&'s str, String)> {
    let tables = difference.tables_removed.iter();
    let mut found: Vec<(&str, String)> = tables.flat_map(|table| spaces_of_table(table)).collect();
    let records = difference.records_removed.iter();
    found.extend(records.flat_map(|record| spaces_of_record(record)));
    let indexes = difference.indexes_removed.iter();
    found.extend(indexes.map(|index| (&index.namespace[..], format!("index `{}`", index.name))));
    found
}

const DROPPED: &[u8] = b"d";

fn dropped_key(namespace: &[u8]) -> Vec<u8> {
    LIFE_CYCLE.key(&[DROPPED, namespace].concat())
}

/// Returns the first namespace that is to be cleared.
fn first_dropped(storage: &dyn Storage) -> Option<Vec<u8>> {
    let prefix = dropped_key(&[]);
    let (key, _) = storage
        .range(
            Some(&prefix),
            successor(&prefix).as_deref(),
            Order::Ascending,
        )
        .next()?;
    key.get(prefix.len()..).map(<[u8]>::to_vec)
}

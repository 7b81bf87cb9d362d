//! Indexes that are added to tables in use, and dropped from them.

mod faults;
mod model;
mod steps;

use cosmwasm_std::Storage;
use cw_orm::{
    Codec, IndexKind, IndexSet, Indexable, KeyRule, MultiKeyIndex, Namespace, OrmError, PageLimits,
    Postcard, PrimaryKeyTable, PrimaryKeyed, Record, Subject, TableMeta, UniqueIndex, WritePlan,
    expect_version,
};

/// A row whose indexes are all tracked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    pub name: String,
    /// One key in `by_group`, and counted in `group_size`.
    pub group: u8,
    /// Any number of keys in `by_tag`.
    pub tags: Vec<u8>,
    /// None or one key in `by_code`.
    pub code: Option<u16>,
}

pub const ITEMS: PrimaryKeyTable<Item> = PrimaryKeyTable::new();
/// The table as code that knows no index sees it.
pub const PLAIN: PrimaryKeyTable<Item> = PrimaryKeyTable::new().with_indexes(IndexSet::NONE);
pub const BY_GROUP: MultiKeyIndex<Item, u8> =
    MultiKeyIndex::<Item, _>::new(1, "by_group", Namespace::new(b"ig"), |_, row| {
        vec![row.group]
    })
    .tracked();
pub const BY_TAG: MultiKeyIndex<Item, u8> =
    MultiKeyIndex::<Item, _>::new(2, "by_tag", Namespace::new(b"it"), |_, row| {
        row.tags.clone()
    })
    .tracked();
pub const BY_CODE: UniqueIndex<Item, u16> =
    UniqueIndex::<Item, _>::new(3, "by_code", Namespace::new(b"ic"), |_, row| {
        row.code.into_iter().collect()
    })
    .tracked();
/// How many rows a group has: of a contract's own making, and wrong if it were told of a row twice.
pub const GROUP_SIZE: GroupSize = GroupSize;

#[derive(Clone, Copy, Debug)]
pub struct GroupSize;

impl GroupSize {
    pub fn of(self, storage: &dyn Storage, group: u8) -> u8 {
        storage
            .get(&Namespace::new(b"is").key(&[group]))
            .map_or(0, |value| value[0])
    }

    fn add(self, storage: &dyn Storage, group: u8, more: i8, plan: &mut WritePlan) {
        let key = Namespace::new(b"is").key(&[group]);
        match self.of(storage, group).checked_add_signed(more).unwrap() {
            0 => plan.remove(key),
            size => plan.set(key, vec![size]),
        }
    }
}

impl Indexable<Item> for GroupSize {
    fn id(&self) -> u8 {
        4
    }

    fn name(&self) -> &'static str {
        "group_size"
    }

    fn namespace(&self) -> Namespace {
        Namespace::new(b"is")
    }

    fn kind(&self) -> IndexKind {
        IndexKind::Custom("size")
    }

    fn is_tracked(&self) -> bool {
        true
    }

    fn on_create(
        &self,
        storage: &dyn Storage,
        _: &Subject<'_, Item>,
        new: &Item,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError> {
        self.add(storage, new.group, 1, plan);
        Ok(())
    }

    fn on_update(
        &self,
        storage: &dyn Storage,
        _: &Subject<'_, Item>,
        old: &Item,
        new: &Item,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError> {
        if old.group != new.group {
            self.add(storage, old.group, -1, plan);
            self.add(storage, new.group, 1, plan);
        }
        Ok(())
    }

    fn on_delete(
        &self,
        storage: &dyn Storage,
        _: &Subject<'_, Item>,
        old: &Item,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError> {
        self.add(storage, old.group, -1, plan);
        Ok(())
    }
}

impl Record for Item {
    type PrimaryKey = String;
    type Codec = Postcard;
    const META: TableMeta = TableMeta {
        name: "items",
        namespace: Namespace::new(b"i"),
        version: 1,
        key_rule: KeyRule::Delimited,
        limits: PageLimits {
            default: 10,
            max: 100,
        },
    };
    const INDEXES: &'static [&'static dyn Indexable<Self>] =
        &[&BY_GROUP, &BY_TAG, &BY_CODE, &GROUP_SIZE];

    fn encode(&self) -> Result<Vec<u8>, String> {
        Postcard::encode(&(self.group, &self.tags, self.code))
    }

    fn decode(name: &String, version: u8, bytes: &[u8]) -> Result<Self, String> {
        expect_version(1, version)?;
        let (group, tags, code) = Postcard::decode(bytes)?;
        Ok(Self {
            name: name.clone(),
            group,
            tags,
            code,
        })
    }
}

impl PrimaryKeyed for Item {
    fn primary_key_fields(&self) -> String {
        self.name.clone()
    }
}

/// An item without tags and code.
pub fn item(name: &str, group: u8) -> Item {
    Item {
        name: name.into(),
        group,
        tags: Vec::new(),
        code: None,
    }
}

/// Returns how many keys of the store begin with a namespace's prefix.
pub fn entries(storage: &dyn Storage, namespace: &'static [u8]) -> usize {
    let prefix = Namespace::new(namespace).prefix();
    let end = cw_orm::successor(&prefix);
    storage
        .range(
            Some(&prefix),
            end.as_deref(),
            cosmwasm_std::Order::Ascending,
        )
        .count()
}

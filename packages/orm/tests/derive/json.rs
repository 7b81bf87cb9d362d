//! Rows stored as JSON, with names as serde's attributes make them.

use cosmwasm_std::{Storage, testing::MockStorage};
use cw_orm::Table;
use serde::{Deserialize, Serialize};

#[derive(Table, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[table(name = "profiles", ns = "profiles", codec = cw_orm::Json, key_rule = "raw_last")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Profile {
    #[pk]
    address: String,
    first_name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_seen: Option<u64>,
    #[serde(rename = "n", with = "text")]
    number: u64,
}

/// Numbers as text.
mod text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(number: &u64, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&number.to_string())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

#[test]
fn columns_keep_the_names_of_the_row() {
    let mut store = MockStorage::new();
    let row = Profile {
        address: "ann".into(),
        first_name: "Ann".into(),
        last_seen: None,
        number: 7,
    };
    Profile::TABLE.insert(&mut store, &row).unwrap();
    assert_eq!(
        store.get(b"\0\x08profilesann").unwrap(),
        br#"{"firstName":"Ann","n":"7"}"#
    );
    assert_eq!(
        Profile::TABLE.get(&store, &"ann".into()).unwrap(),
        Some(row.clone())
    );
    let seen = Profile {
        last_seen: Some(4),
        ..row.clone()
    };
    assert_eq!(
        Profile::TABLE.update(&mut store, seen.clone()).unwrap(),
        row
    );
    assert_eq!(
        store.get(b"\0\x08profilesann").unwrap(),
        br#"{"firstName":"Ann","lastSeen":4,"n":"7"}"#
    );
    assert_eq!(
        Profile::TABLE.get(&store, &"ann".into()).unwrap(),
        Some(seen)
    );
}

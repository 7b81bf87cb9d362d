//! What an error says, and the codes that stay.

use cw_orm::{GenesisError, KeyError, OrmError};

#[test]
fn codes_and_texts() {
    let (table, index, key) = ("t", "i", "0a".to_owned());
    let reason = "why".to_owned();
    let all = [
        (
            OrmError::NotFound {
                table,
                key: key.clone(),
            },
            "table `t`: no row with key 0a",
        ),
        (
            OrmError::AlreadyExists {
                table,
                key: key.clone(),
            },
            "table `t`: a row with key 0a exists already",
        ),
        (
            OrmError::UniqueViolation {
                table,
                index,
                key: key.clone(),
            },
            "table `t`: key 0a of unique index `i` is held by another row",
        ),
        (
            OrmError::Key {
                table,
                source: KeyError::Empty,
            },
            "table `t`: key is empty",
        ),
        (
            OrmError::PrimaryKeyChanged {
                table,
                from: key.clone(),
                to: "0b".into(),
            },
            "table `t`: the primary key cannot change from 0a to 0b",
        ),
        (
            OrmError::Invalid {
                table,
                reason: reason.clone(),
            },
            "table `t`: invalid row: why",
        ),
        (
            OrmError::Encode {
                table,
                reason: reason.clone(),
            },
            "table `t`: cannot encode row: why",
        ),
        (
            OrmError::Decode {
                table,
                key: key.clone(),
                reason: reason.clone(),
            },
            "table `t`: cannot decode row 0a: why",
        ),
        (
            OrmError::DanglingEntry {
                table,
                index,
                key: key.clone(),
            },
            "table `t`: index `i` names row 0a, which does not exist",
        ),
        (
            OrmError::MalformedEntry {
                table,
                index,
                entry: key,
            },
            "table `t`: malformed entry 0a in index `i`",
        ),
        (
            OrmError::IndexUnavailable { table, index },
            "table `t`: index `i` is not available",
        ),
        (
            OrmError::InvertedBounds { table },
            "table `t`: range ends before it starts",
        ),
        (
            OrmError::KeyAndOffset,
            "page request: key and offset exclude each other",
        ),
        (OrmError::MalformedCursor, "page request: malformed key"),
        (
            OrmError::ForeignCursor,
            "page request: the key belongs to another list, filter or direction",
        ),
        (
            OrmError::ScanBudget {
                what: "total",
                budget: 9,
            },
            "page request: total needs a scan of over 9 rows",
        ),
        (
            OrmError::SequenceExhausted { table },
            "sequence of table `t` is exhausted",
        ),
        (
            OrmError::SequenceInitialized { table },
            "sequence of table `t` is set already",
        ),
        (
            OrmError::MalformedSequence { table },
            "sequence of table `t` is malformed",
        ),
        (
            OrmError::IdAlreadySet { table, id: 7 },
            "table `t`: the row carries id 7, but ids are given by the table",
        ),
        (
            OrmError::Index {
                table,
                index,
                reason,
            },
            "table `t`: index `i`: why",
        ),
        (
            OrmError::ZeroLimit { table },
            "table `t`: a limit of 0 would do nothing",
        ),
        (
            OrmError::NotEmpty {
                table,
                what: "rows",
            },
            "table `t`: not empty, there are entries in `rows`",
        ),
        (
            OrmError::Genesis {
                table,
                source: GenesisError::AfterLast,
            },
            "genesis of table `t`: the page follows the last page",
        ),
    ];
    for (code, (error, text)) in (1..).zip(&all) {
        assert_eq!(
            (error.code(), error.to_string()),
            (code, (*text).to_owned())
        );
    }
}

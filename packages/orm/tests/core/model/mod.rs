//! Random operations and page walks, against plain maps. After each operation the whole store is compared with what the
//! model's rows encode to, put together here by hand: so no row, index entry or counter is missing, stale or left over.

mod auto_uint64;
mod docs;
mod families;
mod items;
mod notes;
mod primary_key;
mod walk;

use proptest::test_runner::Config;

pub(crate) fn cases(cases: u32) -> Config {
    Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    }
}

/// What an operation gave, without the details of errors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome<T> {
    Done(T),
    Exists,
    Missing,
    Taken,
    Invalid,
    KeyChanged,
    IdSet,
}

pub(crate) fn outcome<T>(answer: Result<T, cw_orm::OrmError>) -> Outcome<T> {
    use cw_orm::OrmError;
    match answer {
        Ok(answer) => Outcome::Done(answer),
        Err(OrmError::AlreadyExists { .. }) => Outcome::Exists,
        Err(OrmError::NotFound { .. }) => Outcome::Missing,
        Err(OrmError::UniqueViolation { .. }) => Outcome::Taken,
        Err(OrmError::Invalid { .. }) => Outcome::Invalid,
        Err(OrmError::PrimaryKeyChanged { .. }) => Outcome::KeyChanged,
        Err(OrmError::IdAlreadySet { .. }) => Outcome::IdSet,
        Err(error) => panic!("{error}"),
    }
}

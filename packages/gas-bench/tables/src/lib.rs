//! Twenty different tables of the ORM, to measure what each adds to a contract's size.
//!
//! Each has a key of its own, an index, a unique index and four more columns, and every operation of it is in use. Rows
//! are made of a number and a text rather than parsed from JSON, whose code would be the larger part.

use cosmwasm_std::{Binary, Deps, DepsMut, Order, Response, StdResult, Storage, to_json_binary};
use cw_orm::{PageRequest, Table};
use serde::{Deserialize, Serialize};

/// What to do with a row of a table.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ExecuteMsg {
    /// The table.
    pub table: u8,
    /// 0 inserts, 1 updates, 2 upserts, 3 deletes.
    pub verb: u8,
    /// What the row's numbers are made of.
    pub number: u64,
    /// What its texts are made of.
    pub text: String,
}

/// What to ask a table.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct QueryMsg {
    /// The table.
    pub table: u8,
    /// 0 reads by key, 1 by unique key, 2 counts a page, 3 counts a page of the index, 4 a page of its keys.
    pub verb: u8,
    /// What the key's numbers are made of.
    pub number: u64,
    /// What its texts are made of.
    pub text: String,
    /// The page wanted.
    pub page: PageRequest,
}

/// A value made of a number and a text.
trait Sample {
    fn sample(number: u64, text: &str) -> Self;
    fn sum(&self) -> u64;
}

macro_rules! numbers {
    ($($type:ty)*) => {$(
        impl Sample for $type {
            fn sample(number: u64, _: &str) -> Self {
                number as Self
            }

            fn sum(&self) -> u64 {
                *self as u64
            }
        }
    )*};
}

numbers!(u8 u16 u32 u64 i32 i64);

impl Sample for bool {
    fn sample(number: u64, _: &str) -> Self {
        number & 1 == 1
    }

    fn sum(&self) -> u64 {
        u64::from(*self)
    }
}

impl Sample for String {
    fn sample(_: u64, text: &str) -> Self {
        text.into()
    }

    fn sum(&self) -> u64 {
        self.len() as u64
    }
}

impl<const N: usize> Sample for [u8; N] {
    fn sample(number: u64, _: &str) -> Self {
        [number as u8; N]
    }

    fn sum(&self) -> u64 {
        self.iter().map(|byte| u64::from(*byte)).sum()
    }
}

impl<T: Sample> Sample for Option<T> {
    fn sample(number: u64, text: &str) -> Self {
        (number > 9).then(|| T::sample(number, text))
    }

    fn sum(&self) -> u64 {
        self.as_ref().map_or(0, Sample::sum)
    }
}

impl<T: Sample> Sample for Vec<T> {
    fn sample(number: u64, text: &str) -> Self {
        (0..number % 9).map(|_| T::sample(number, text)).collect()
    }

    fn sum(&self) -> u64 {
        self.iter().map(Sample::sum).sum()
    }
}

macro_rules! tables {
    ($($number:literal $module:ident $ns:literal: $key:ty, $index:ty, $unique:ty, $a:ty, $b:ty, $c:ty, $d:ty;)*) => {
        $(mod $module {
            use super::*;

            #[derive(Table, Clone, Debug, PartialEq)]
            #[table(name = $ns, ns = $ns)]
            pub(crate) struct Row {
                #[pk]
                key: $key,
                #[index(id = 1, name = by_index)]
                index: $index,
                #[unique(id = 2, name = by_unique)]
                unique: $unique,
                a: $a,
                b: $b,
                c: $c,
                d: $d,
            }

            pub(crate) fn execute(
                storage: &mut dyn Storage,
                verb: u8,
                number: u64,
                text: &str,
            ) -> StdResult<()> {
                let row = Row {
                    key: Sample::sample(number, text),
                    index: Sample::sample(number, text),
                    unique: Sample::sample(number, text),
                    a: Sample::sample(number, text),
                    b: Sample::sample(number, text),
                    c: Sample::sample(number, text),
                    d: Sample::sample(number, text),
                };
                match verb {
                    0 => Row::TABLE.insert(storage, &row)?,
                    1 => drop(Row::TABLE.update(storage, row)?),
                    2 => drop(Row::TABLE.upsert(storage, row)?),
                    _ => drop(Row::TABLE.delete(storage, &row.key)?),
                }
                Ok(())
            }

            fn sum(row: &Row) -> u64 {
                row.key.sum()
                    + row.index.sum()
                    + row.unique.sum()
                    + row.a.sum()
                    + row.b.sum()
                    + row.c.sum()
                    + row.d.sum()
            }

            pub(crate) fn query(storage: &dyn Storage, msg: &QueryMsg) -> StdResult<u64> {
                let key = Sample::sample(msg.number, &msg.text);
                let by_index = Row::TABLE.by(Row::BY_INDEX)?;
                let indexed = || by_index.key(&Sample::sample(msg.number, &msg.text));
                let rows = match msg.verb {
                    0 => Row::TABLE.get(storage, &key)?.into_iter().collect(),
                    1 => {
                        let unique = Sample::sample(msg.number, &msg.text);
                        let found = Row::TABLE.by(Row::BY_UNIQUE)?.get(storage, &unique)?;
                        found.into_iter().map(|(_, row)| row).collect()
                    }
                    2 => Row::TABLE.all().page(storage, &msg.page)?.items,
                    3 => indexed()?.page(storage, &msg.page)?.items,
                    4 => {
                        let ids = indexed()?.page_ids(storage, &msg.page)?.items;
                        return Ok(ids.iter().map(Sample::sum).sum());
                    }
                    _ => Row::TABLE.all().rows(storage, Order::Descending).read_all()?,
                };
                Ok(rows.iter().map(sum).sum())
            }
        })*

        /// Runs a message against the first `COUNT` tables.
        ///
        /// # Errors
        ///
        /// Those of the operation.
        pub fn execute<const COUNT: u8>(deps: DepsMut<'_>, msg: &ExecuteMsg) -> StdResult<Response> {
            match msg.table {
                $($number if $number <= COUNT => {
                    $module::execute(deps.storage, msg.verb, msg.number, &msg.text)?;
                })*
                _ => {}
            }
            Ok(Response::new())
        }

        /// Asks the first `COUNT` tables.
        ///
        /// # Errors
        ///
        /// Those of the operation.
        pub fn query<const COUNT: u8>(deps: Deps<'_>, msg: &QueryMsg) -> StdResult<Binary> {
            to_json_binary(&match msg.table {
                $($number if $number <= COUNT => $module::query(deps.storage, msg)?,)*
                _ => 0,
            })
        }
    };
}

tables! {
    1 t01 "a": u64, u32, [u8; 32], String, u16, bool, u64;
    2 t02 "b": u32, String, u64, u8, u64, Option<u32>, String;
    3 t03 "c": String, u64, u32, u64, bool, u16, Vec<u8>;
    4 t04 "d": [u8; 32], u16, String, u32, String, u8, u64;
    5 t05 "e": u16, [u8; 32], u32, bool, u64, String, Option<u64>;
    6 t06 "f": u64, bool, String, u64, Vec<u32>, u32, u16;
    7 t07 "g": [u8; 20], u32, u64, String, u8, u64, bool;
    8 t08 "h": u32, u64, [u8; 20], u16, String, Vec<u8>, u32;
    9 t09 "i": String, u8, u64, bool, u32, u64, String;
    10 t10 "j": i64, u32, String, u64, u16, Option<String>, u8;
    11 t11 "k": u64, String, u32, [u8; 32], bool, u64, u32;
    12 t12 "l": [u8; 32], u64, [u8; 20], String, u32, bool, u16;
    13 t13 "m": u16, u32, String, u64, Vec<u64>, u8, bool;
    14 t14 "n": i32, String, [u8; 32], u32, u64, u16, String;
    15 t15 "o": String, [u8; 20], u64, u8, String, u32, Option<bool>;
    16 t16 "p": u64, u16, u32, Vec<u8>, u64, String, bool;
    17 t17 "q": [u8; 20], String, String, u64, u8, u32, u64;
    18 t18 "r": u32, u32, [u8; 32], bool, String, u64, u16;
    19 t19 "s": u8, u64, String, u32, Option<u16>, String, u64;
    20 t20 "t": String, String, [u8; 32], u16, u32, Vec<u16>, bool;
}

/// Defines the entry points of a contract with the given number of tables.
#[macro_export]
macro_rules! contract {
    ($count:literal) => {
        /// The entry points.
        pub mod contract {
            use cosmwasm_std::{
                Binary, Deps, DepsMut, Empty, Env, MessageInfo, Response, StdResult, entry_point,
            };
            use $crate::{ExecuteMsg, QueryMsg};

            /// Does nothing.
            #[entry_point]
            pub fn instantiate(
                _: DepsMut,
                _: Env,
                _: MessageInfo,
                _: Empty,
            ) -> StdResult<Response> {
                Ok(Response::new())
            }

            /// Changes a table.
            #[entry_point]
            pub fn execute(
                deps: DepsMut,
                _: Env,
                _: MessageInfo,
                msg: ExecuteMsg,
            ) -> StdResult<Response> {
                $crate::execute::<$count>(deps, &msg)
            }

            /// Asks a table.
            #[entry_point]
            pub fn query(deps: Deps, _: Env, msg: QueryMsg) -> StdResult<Binary> {
                $crate::query::<$count>(deps, &msg)
            }
        }
    };
}

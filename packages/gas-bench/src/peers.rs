//! What the ORM's operations cost, beside an `IndexedMap` of cw-storage-plus and rows packed by hand.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bench_interface::{ExecuteMsg, Message, Peer, QueryMsg, State};
use cosmwasm_std::{StdResult, Storage, Uint64};
use serde_json::Value;

use crate::cost::{Call, Cost};
use crate::figure::{Figure, Measured};
use crate::machine::{CallError, Chain, Contract, LoadError};
use crate::storage::Entries;

/// The section of the figures.
pub const SECTION: &str = "orm";

/// The numbers of rows that are measured by default.
pub const ROWS: [u64; 3] = [10, 1_000, 100_000];

/// The number of rows that is measured on request.
pub const MANY_ROWS: u64 = 1_000_000;

const TIME: u64 = 1_800_000_000;
/// The sequence of the first row: all have as many digits, so that rows of JSON are equally long.
const FIRST: u64 = 1_000_000;
const SET: u32 = 4;

/// A contract that stores the same rows in its own way.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    /// Its name in the tables.
    pub name: &'static str,
    /// The wasm's name, without its ending.
    file: &'static str,
    /// Whether the columns that change are a family of their own.
    families: bool,
    /// Adds a row without the machine, by the contract's own code.
    insert: fn(&mut dyn Storage, Message) -> StdResult<()>,
}

/// The ORM, as derived.
pub const ORM: Subject = Subject {
    name: "cw-orm",
    file: "bench_orm",
    families: false,
    insert: bench_orm::Orm::<false>::insert,
};

/// The ORM with plain reads instead of scans of one key.
pub const ORM_GET: Subject = Subject {
    name: "cw-orm, plain gets",
    file: "bench_orm_get",
    families: false,
    insert: bench_orm::Orm::<true>::insert,
};

/// The ORM with two column families.
pub const ORM_FAMILIES: Subject = Subject {
    name: "cw-orm, two families",
    file: "bench_orm_families",
    families: true,
    insert: bench_orm_families::Orm::insert,
};

/// The peer from cw-storage-plus.
pub const INDEXED_MAP: Subject = Subject {
    name: "IndexedMap",
    file: "bench_indexed_map",
    families: false,
    insert: bench_indexed_map::Map::insert,
};

/// Rows packed by hand.
pub const FLOOR: Subject = Subject {
    name: "by hand",
    file: "bench_floor",
    families: false,
    insert: bench_floor::Floor::insert,
};

/// Rows packed by hand, in two parts.
pub const FLOOR_FAMILIES: Subject = Subject {
    name: "by hand, two parts",
    file: "bench_floor_families",
    families: true,
    insert: bench_floor_families::Floor::insert,
};

/// All that are measured.
pub const SUBJECTS: [Subject; 6] = [
    ORM,
    ORM_GET,
    ORM_FAMILIES,
    INDEXED_MAP,
    FLOOR,
    FLOOR_FAMILIES,
];

/// An operation that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Adds a row.
    Insert,
    /// Changes the guardian set of a row.
    UpdateIndexed,
    /// Changes the nonce of a row.
    UpdateOther,
    /// Writes a row as it is.
    UpdateNothing,
    /// Removes a row.
    Delete,
    /// Reads a row.
    Get,
    /// Reads a row by its transaction id.
    UniqueLookup,
    /// Lists a guardian set's rows.
    RowsByIndex {
        /// From the last on.
        reverse: bool,
    },
    /// Lists rows by key.
    RowsByKey {
        /// From the last on.
        reverse: bool,
    },
    /// Lists the small family of rows, by key.
    OneFamily {
        /// From the last on.
        reverse: bool,
    },
    /// Lists the keys of a guardian set's rows.
    IdsByIndex {
        /// From the last on.
        reverse: bool,
    },
}

/// All operations, in the order of the tables.
pub const OPERATIONS: [Operation; 15] = [
    Operation::Insert,
    Operation::UpdateIndexed,
    Operation::UpdateOther,
    Operation::UpdateNothing,
    Operation::Delete,
    Operation::Get,
    Operation::UniqueLookup,
    Operation::RowsByIndex { reverse: false },
    Operation::RowsByIndex { reverse: true },
    Operation::RowsByKey { reverse: false },
    Operation::RowsByKey { reverse: true },
    Operation::OneFamily { reverse: false },
    Operation::OneFamily { reverse: true },
    Operation::IdsByIndex { reverse: false },
    Operation::IdsByIndex { reverse: true },
];

impl Operation {
    /// Returns its name in the tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Insert => "insert",
            Self::UpdateIndexed => "update, indexed column",
            Self::UpdateOther => "update, other column",
            Self::UpdateNothing => "update, nothing changed",
            Self::Delete => "delete",
            Self::Get => "get by key",
            Self::UniqueLookup => "unique lookup",
            Self::RowsByIndex { reverse: false } => "page of 30 rows by index",
            Self::RowsByIndex { reverse: true } => "page of 30 rows by index, backward",
            Self::RowsByKey { reverse: false } => "page of 30 rows by key",
            Self::RowsByKey { reverse: true } => "page of 30 rows by key, backward",
            Self::OneFamily { reverse: false } => "page of 30, one small family",
            Self::OneFamily { reverse: true } => "page of 30, one small family, backward",
            Self::IdsByIndex { reverse: false } => "page of 30 ids by index",
            Self::IdsByIndex { reverse: true } => "page of 30 ids by index, backward",
        }
    }
}

/// Says why nothing was measured.
#[derive(Debug, thiserror::Error)]
pub enum PeerError {
    /// A contract is missing.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A call failed.
    #[error("{subject}, {operation}: {reason}")]
    Call {
        /// Whose call it was.
        subject: &'static str,
        /// What it was to do.
        operation: &'static str,
        /// What went wrong.
        reason: CallError,
    },
    /// Two contracts did not answer the same.
    #[error("{subject} answers {operation} unlike the others: {answer}")]
    Answer {
        /// The contract that answers otherwise.
        subject: &'static str,
        /// What was asked.
        operation: &'static str,
        /// What it answered.
        answer: Value,
    },
    /// A table could not be filled.
    #[error("{subject}: can not be filled: {reason}")]
    Fill {
        /// Whose table it is.
        subject: &'static str,
        /// What went wrong.
        reason: String,
    },
}

/// Returns where `scripts/gas.sh` puts the wasm of the benchmark's contracts.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("target/contracts")
}

impl Subject {
    /// Loads the wasm.
    ///
    /// # Errors
    ///
    /// It is missing, or a chain would refuse it.
    pub fn load(&self) -> Result<Contract, LoadError> {
        Contract::load(&folder().join(self.file).with_extension("wasm"))
    }

    /// Returns the storage of a table with this many rows.
    ///
    /// # Errors
    ///
    /// An insert was refused.
    pub fn fill(&self, rows: u64) -> Result<Entries, PeerError> {
        let mut entries = Entries::default();
        for number in 0..rows {
            (self.insert)(&mut entries, message(number)).map_err(|error| PeerError::Fill {
                subject: self.name,
                reason: error.to_string(),
            })?;
        }
        Ok(entries)
    }
}

/// Returns the row with this number: the values differ, their lengths do not.
pub fn message(number: u64) -> Message {
    let mixed = |salt: u64| {
        let mut state = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ salt;
        state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        state ^ (state >> 27)
    };
    let filled = |salt: u64, words: u64| -> Vec<u8> {
        let words = (0..words).map(|word| mixed(salt + word).to_be_bytes());
        words.flatten().collect()
    };
    Message {
        version: 1,
        guardian_set_index: SET - (number % 2) as u32,
        timestamp: 1_700_000_000 + (number % 1_000_000) as u32,
        // Ten digits in JSON, five bytes as a varint.
        nonce: 3_000_000_000 + (mixed(1) % 1_000_000_000) as u32,
        sequence: FIRST + number,
        emitter_chain: 2,
        emitter_address: vec![0xee; 32].into(),
        initiating_tx_id: filled(100, 4).into(),
        payload: filled(200, 25).into(),
    }
}

/// Measures every subject with each number of rows.
///
/// # Errors
///
/// A contract is missing, a call failed, or two contracts did not answer the same.
pub fn measure(rows: &[u64]) -> Result<Vec<Measured>, PeerError> {
    let mut contracts = Vec::new();
    for subject in SUBJECTS {
        contracts.push((subject, subject.load()?));
    }
    let mut measured = Vec::new();
    for &rows in rows {
        let mut answers: Vec<(Operation, Value)> = Vec::new();
        for (subject, contract) in &contracts {
            let chain = Chain::new(contract, Arc::new(subject.fill(rows)?), TIME);
            for operation in OPERATIONS {
                let Some(ran) = run(subject, &chain, rows, operation) else {
                    continue;
                };
                let (answer, cost, calls) = ran.map_err(|reason| PeerError::Call {
                    subject: subject.name,
                    operation: operation.name(),
                    reason,
                })?;
                match answers.iter().find(|(known, _)| *known == operation) {
                    Some((_, expected)) if *expected != answer => {
                        return Err(PeerError::Answer {
                            subject: subject.name,
                            operation: operation.name(),
                            answer,
                        });
                    }
                    Some(_) => {}
                    None => answers.push((operation, answer)),
                }
                measured.push(Measured {
                    figure: Figure {
                        section: SECTION.into(),
                        subject: subject.name.into(),
                        operation: operation.name().into(),
                        rows,
                        cost,
                    },
                    calls,
                });
            }
        }
    }
    Ok(measured)
}

/// What was answered, without what each contract words in its own way; what it cost; the storage calls.
type Ran = Result<(Value, Cost, Vec<Call>), CallError>;

fn run(subject: &Subject, chain: &Chain, rows: u64, operation: Operation) -> Option<Ran> {
    // Of the guardian set whose rows are listed.
    let row = message(rows / 2 / 2 * 2);
    let sequence = Uint64::new(row.sequence);
    let update = |change: fn(&mut Message)| {
        let mut row = row.clone();
        change(&mut row);
        if subject.families {
            ExecuteMsg::UpdateState(State {
                sequence: row.sequence,
                version: row.version,
                guardian_set_index: row.guardian_set_index,
                nonce: row.nonce,
            })
        } else {
            ExecuteMsg::Update(row)
        }
    };
    Some(match operation {
        Operation::Insert => execute(chain, &ExecuteMsg::Insert(message(rows))),
        Operation::UpdateIndexed => execute(chain, &update(|row| row.guardian_set_index += 1)),
        Operation::UpdateOther => execute(chain, &update(|row| row.nonce ^= 1)),
        Operation::UpdateNothing => execute(chain, &update(|_| {})),
        Operation::Delete => execute(chain, &ExecuteMsg::Delete { sequence }),
        Operation::Get => query(chain, &QueryMsg::Get { sequence }),
        Operation::UniqueLookup => {
            let tx = row.initiating_tx_id;
            query(chain, &QueryMsg::ByTx { tx })
        }
        Operation::RowsByIndex { reverse } => {
            query(chain, &QueryMsg::RowsBySet { set: SET, reverse })
        }
        Operation::RowsByKey { reverse } => query(chain, &QueryMsg::Rows { reverse }),
        Operation::OneFamily { .. } if !subject.families => return None,
        Operation::OneFamily { reverse } => query(chain, &QueryMsg::States { reverse }),
        Operation::IdsByIndex { reverse } => {
            query(chain, &QueryMsg::IdsBySet { set: SET, reverse })
        }
    })
}

fn execute(chain: &Chain, msg: &ExecuteMsg) -> Ran {
    let done = chain.try_execute(msg)?;
    Ok((Value::Null, done.cost, done.calls))
}

fn query(chain: &Chain, msg: &QueryMsg) -> Ran {
    let done = chain.query(msg)?;
    let mut answer = done.answer;
    if let Some(page) = answer.as_object_mut() {
        page.remove("next");
    }
    Ok((answer, done.cost, done.calls))
}

//! What the benchmark's contracts have in common, so that they differ in nothing but how they store the row: the row,
//! the messages and answers, and the entry points.

use cosmwasm_std::{
    Binary, Deps, DepsMut, Order, Response, StdError, StdResult, Storage, Uint64, to_json_binary,
};
use serde::{Deserialize, Serialize};

/// How many rows a page has.
pub const PAGE: usize = 30;

/// A message: nine columns. The key is the sequence; there is an index of the guardian set, and the transaction's id is
/// unique.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// The version of the message's format.
    pub version: u8,
    /// The guardian set that signed it.
    pub guardian_set_index: u32,
    /// The emitter's time, in Unix seconds.
    pub timestamp: u32,
    /// The emitter's nonce.
    pub nonce: u32,
    /// The emitter's sequence number.
    pub sequence: u64,
    /// The emitter's chain.
    pub emitter_chain: u16,
    /// The emitter's address, 32 bytes.
    pub emitter_address: Binary,
    /// The transaction that published it, 32 bytes.
    pub initiating_tx_id: Binary,
    /// The payload.
    pub payload: Binary,
}

/// Changes the table.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExecuteMsg {
    /// Adds a row; refused if its key or its transaction id is taken.
    Insert(Message),
    /// Changes the row with this key; refused if there is none, or if the transaction id is another's.
    Update(Message),
    /// Changes the small family of the row with this key.
    UpdateState(State),
    /// Removes a row; refused if there is none.
    Delete {
        /// The row's key.
        sequence: Uint64,
    },
}

/// Asks for rows. Pages are the first ones of their order.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QueryMsg {
    /// The row with this key.
    Get {
        /// The row's key.
        sequence: Uint64,
    },
    /// The row with this transaction id.
    ByTx {
        /// The id.
        tx: Binary,
    },
    /// A page of a guardian set's rows.
    RowsBySet {
        /// The set.
        set: u32,
        /// Whether the last come first.
        reverse: bool,
    },
    /// A page of the keys of a guardian set's rows.
    IdsBySet {
        /// The set.
        set: u32,
        /// Whether the last come first.
        reverse: bool,
    },
    /// A page of all rows, by key.
    Rows {
        /// Whether the last come first.
        reverse: bool,
    },
    /// A page of what the small family holds of all rows, by key.
    States {
        /// Whether the last come first.
        reverse: bool,
    },
}

/// The columns that change, which the contracts with column families keep in a family of their own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// The row's key.
    pub sequence: u64,
    /// The version of the message's format.
    pub version: u8,
    /// The guardian set that signed it.
    pub guardian_set_index: u32,
    /// The emitter's nonce.
    pub nonce: u32,
}

/// A page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page<T> {
    /// At most [`PAGE`] of them.
    pub items: Vec<T>,
    /// Where the next page starts; absent exactly when nothing is left.
    pub next: Option<Binary>,
}

/// A way to store the rows.
pub trait Peer {
    /// Adds a row.
    ///
    /// # Errors
    ///
    /// Its key or transaction id is taken.
    fn insert(storage: &mut dyn Storage, row: Message) -> StdResult<()>;

    /// Changes a row.
    ///
    /// # Errors
    ///
    /// There is none with its key, or its transaction id is another's.
    fn update(storage: &mut dyn Storage, row: Message) -> StdResult<()>;

    /// Changes the small family of a row.
    ///
    /// # Errors
    ///
    /// There are no families, or there is no row with its key.
    fn update_state(_storage: &mut dyn Storage, _state: State) -> StdResult<()> {
        Err(StdError::msg("no families"))
    }

    /// Removes a row.
    ///
    /// # Errors
    ///
    /// There is none with this key.
    fn delete(storage: &mut dyn Storage, sequence: u64) -> StdResult<()>;

    /// Returns a row.
    ///
    /// # Errors
    ///
    /// What is stored does not decode.
    fn get(storage: &dyn Storage, sequence: u64) -> StdResult<Option<Message>>;

    /// Returns the row with a transaction id.
    ///
    /// # Errors
    ///
    /// What is stored does not decode.
    fn by_tx(storage: &dyn Storage, tx: &[u8]) -> StdResult<Option<Message>>;

    /// Returns a page of a guardian set's rows.
    ///
    /// # Errors
    ///
    /// What is stored does not decode.
    fn rows_by_set(storage: &dyn Storage, set: u32, order: Order) -> StdResult<Page<Message>>;

    /// Returns a page of the keys of a guardian set's rows.
    ///
    /// # Errors
    ///
    /// What is stored does not decode.
    fn ids_by_set(storage: &dyn Storage, set: u32, order: Order) -> StdResult<Page<Uint64>>;

    /// Returns a page of all rows, by key.
    ///
    /// # Errors
    ///
    /// What is stored does not decode.
    fn rows(storage: &dyn Storage, order: Order) -> StdResult<Page<Message>>;

    /// Returns a page of what the small family holds.
    ///
    /// # Errors
    ///
    /// There are no families, or what is stored does not decode.
    fn states(_storage: &dyn Storage, _order: Order) -> StdResult<Page<State>> {
        Err(StdError::msg("no families"))
    }
}

/// Runs a message.
///
/// # Errors
///
/// Those of the operation.
pub fn execute<P: Peer>(deps: DepsMut<'_>, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Insert(row) => P::insert(deps.storage, row)?,
        ExecuteMsg::Update(row) => P::update(deps.storage, row)?,
        ExecuteMsg::UpdateState(state) => P::update_state(deps.storage, state)?,
        ExecuteMsg::Delete { sequence } => P::delete(deps.storage, sequence.u64())?,
    }
    Ok(Response::new())
}

/// Answers a query.
///
/// # Errors
///
/// Those of the operation.
pub fn query<P: Peer>(deps: Deps<'_>, msg: QueryMsg) -> StdResult<Binary> {
    let storage = deps.storage;
    match msg {
        QueryMsg::Get { sequence } => to_json_binary(&P::get(storage, sequence.u64())?),
        QueryMsg::ByTx { tx } => to_json_binary(&P::by_tx(storage, &tx)?),
        QueryMsg::RowsBySet { set, reverse } => {
            to_json_binary(&P::rows_by_set(storage, set, order(reverse))?)
        }
        QueryMsg::IdsBySet { set, reverse } => {
            to_json_binary(&P::ids_by_set(storage, set, order(reverse))?)
        }
        QueryMsg::Rows { reverse } => to_json_binary(&P::rows(storage, order(reverse))?),
        QueryMsg::States { reverse } => to_json_binary(&P::states(storage, order(reverse))?),
    }
}

const fn order(reverse: bool) -> Order {
    if reverse {
        Order::Descending
    } else {
        Order::Ascending
    }
}

/// Returns the 32 bytes of a column that has as many.
///
/// # Errors
///
/// There are fewer or more.
pub fn bytes32(column: &[u8]) -> StdResult<[u8; 32]> {
    <[u8; 32]>::try_from(column).map_err(|_| StdError::msg("expected 32 bytes"))
}

/// Defines the entry points of a contract that stores its rows as the given [`Peer`] does.
#[macro_export]
macro_rules! contract {
    ($peer:ty) => {
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

            /// Changes the table.
            #[entry_point]
            pub fn execute(
                deps: DepsMut,
                _: Env,
                _: MessageInfo,
                msg: ExecuteMsg,
            ) -> StdResult<Response> {
                $crate::execute::<$peer>(deps, msg)
            }

            /// Asks for rows.
            #[entry_point]
            pub fn query(deps: Deps, _: Env, msg: QueryMsg) -> StdResult<Binary> {
                $crate::query::<$peer>(deps, msg)
            }
        }
    };
}

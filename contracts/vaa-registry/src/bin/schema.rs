//! Writes the JSON schema of the contract's messages into `schema/`, below the folder it is run from.

use cosmwasm_schema::write_api;
use vaa_registry::msg::{ExecuteMsg, InstantiateMsg, MigrateMsg, QueryMsg};

#[allow(clippy::unwrap_used)] // inside the macro; a tool that cannot write its output has nothing better to do
fn main() {
    write_api! {
        instantiate: InstantiateMsg,
        execute: ExecuteMsg,
        query: QueryMsg,
        migrate: MigrateMsg,
    }
}

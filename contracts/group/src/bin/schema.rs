//! Writes the JSON schemas of this contract's messages, and of its accounts', into `schema/group/`, below the folder it is
//! run from.

use cosmwasm_schema::generate_api;
use group::msg::{ExecuteMsg, InstantiateMsg, MigrateMsg, QueryMsg};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let group = generate_api! {
        instantiate: InstantiateMsg,
        execute: ExecuteMsg,
        query: QueryMsg,
        migrate: MigrateMsg,
    };
    let account = generate_api! {
        name: "group-account",
        instantiate: group_account::msg::InstantiateMsg,
        execute: group_account::msg::ExecuteMsg,
        query: group_account::msg::QueryMsg,
    };
    std::fs::create_dir_all("schema/group")?;
    for (name, text) in [
        ("group", group.render().to_string()?),
        ("group-account", account.render().to_string()?),
    ] {
        std::fs::write(format!("schema/group/{name}.json"), text + "\n")?;
    }
    Ok(())
}

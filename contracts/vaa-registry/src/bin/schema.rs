//! Writes the JSON schema of the contract's messages into `schema/`, below the folder it is run from: the interface, and
//! in `schema/answers/` what the data of an execution holds, which the interface's format has no place for.

use std::path::Path;

use cosmwasm_schema::{export_schema, schema_for, write_api};
use vaa_registry::msg::{
    ExecuteMsg, InstantiateMsg, MigrateMsg, PruneResponse, PublishMessagesResponse, QueryMsg,
    SubmitObservationsResponse, SubmitVaasResponse,
};

#[allow(clippy::unwrap_used)] // inside the macro; a tool that cannot write its output has nothing better to do
fn main() {
    write_api! {
        instantiate: InstantiateMsg,
        execute: ExecuteMsg,
        query: QueryMsg,
        migrate: MigrateMsg,
    }
    let answers = Path::new("schema/answers");
    std::fs::create_dir_all(answers).unwrap();
    export_schema(&schema_for!(SubmitVaasResponse), answers);
    export_schema(&schema_for!(SubmitObservationsResponse), answers);
    export_schema(&schema_for!(PublishMessagesResponse), answers);
    export_schema(&schema_for!(PruneResponse), answers);
}

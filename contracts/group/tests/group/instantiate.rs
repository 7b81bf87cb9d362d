//! Creation and migration.

use cosmwasm_std::{Uint64, testing::MockStorage};
use cw_multi_test::Executor;
use group::msg::{ConfigResponse, MigrateMsg, QueryMsg};

use super::suite::{EXECUTION, Suite};

#[test]
fn config() {
    let suite = Suite::new();
    let config: ConfigResponse = suite.ask(&QueryMsg::Config {});
    assert_eq!(config.account_code_id, Uint64::new(suite.account_code));
    assert_eq!(config.max_execution_period, EXECUTION);
}

#[test]
fn migrate_keeps_everything() {
    let mut suite = Suite::new();
    suite.create_group(&[("ann", "1")]);
    let before = suite.dump();
    let (owner, contract) = (suite.addr("owner"), suite.contract.clone());
    let code = suite
        .app
        .wrap()
        .query_wasm_contract_info(&contract)
        .unwrap()
        .code_id;
    suite
        .app
        .migrate_contract(owner, contract, &MigrateMsg {}, code)
        .unwrap();
    assert_eq!(suite.dump(), before);
}

#[test]
fn migrate_from_another_contract_or_newer_code() {
    let migrate = |contract: &str, version: &str| {
        let mut deps = cosmwasm_std::testing::mock_dependencies();
        deps.storage = MockStorage::new();
        cw2::set_contract_version(&mut deps.storage, contract, version).unwrap();
        let env = cosmwasm_std::testing::mock_env();
        group::contract::migrate(deps.as_mut(), env, MigrateMsg {})
            .map_err(|error| error.to_string())
    };
    migrate("crates.io:cw-orm-group", "0.0.1").unwrap();
    for (contract, version) in [
        ("crates.io:cw4-group", "0.1.0"),
        ("crates.io:cw-orm-group", "99.0.0"),
    ] {
        assert!(migrate(contract, version).unwrap_err().contains("[E301]"));
    }
}

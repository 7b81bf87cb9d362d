//! A registry that begins with this code, and goes on with its own.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

use cosmwasm_std::{Addr, Binary, Timestamp};
use cw_multi_test::{App, ContractWrapper, Executor};
use cw_orm::GenesisPage;
use vaa_registry::contract as registry;
use vaa_registry::msg::{
    ExecuteMsg as RegistryMsg, GenesisTable, GuardianSetInit, ImportStatusResponse, InstantiateMsg,
    MigrateMsg, QueryMsg as RegistryQuery, VaaOutcome,
};
use vaa_registry_import::contract as importer;
use vaa_registry_import::msg::{ExecuteMsg, QueryMsg};
use wormhole_vaa::{Address, Body, SecretKey, Vaa};

fn key() -> SecretKey {
    SecretKey::from_bytes(&[1; 32]).unwrap()
}

fn vaa(sequence: u64) -> Binary {
    let body = Body {
        timestamp: 1_700_000_000,
        nonce: 7,
        emitter_chain: 2,
        emitter_address: Address([0xee; 32]),
        sequence,
        consistency_level: 32,
        payload: b"a".to_vec(),
    };
    let vaa = Vaa {
        guardian_set_index: 0,
        signatures: vec![key().sign(&body.digest(), 0)],
        body,
    };
    vaa.serialize().unwrap().into()
}

fn init(user: &Addr, import: bool) -> InstantiateMsg {
    InstantiateMsg {
        this_chain: 3104,
        guardian_sets: vec![GuardianSetInit {
            index: 0,
            addresses: vec![key().address().to_hex()],
            expires_at: None,
        }],
        governance: None,
        indexes: None,
        admin: Some(user.to_string()),
        limits: None,
        import,
    }
}

#[test]
fn a_registry_imports_with_this_code_and_goes_on_with_its_own() {
    let mut app = App::default();
    app.update_block(|block| block.time = Timestamp::from_seconds(1_800_000_000));
    let user = app.api().addr_make("user");
    let own = app.store_code(Box::new(
        ContractWrapper::new(registry::execute, registry::instantiate, registry::query)
            .with_migrate(registry::migrate),
    ));
    let code = app.store_code(Box::new(
        ContractWrapper::new(importer::execute, importer::instantiate, importer::query)
            .with_migrate(importer::migrate),
    ));
    let admin = Some(user.to_string());
    let msg = init(&user, false);
    let original = app
        .instantiate_contract(own, user.clone(), &msg, &[], "original", admin.clone())
        .unwrap();
    let submit = |vaas| RegistryMsg::SubmitVaas {
        vaas,
        on_invalid: None,
    };
    let msg = submit(vec![vaa(1), vaa(2)]);
    app.execute_contract(user.clone(), original.clone(), &msg, &[])
        .unwrap();

    let refused = app.instantiate_contract(code, user.clone(), &init(&user, false), &[], "c", None);
    assert!(format!("{:?}", refused.unwrap_err()).contains("[E409]"));
    let copy = app
        .instantiate_contract(code, user.clone(), &init(&user, true), &[], "copy", admin)
        .unwrap();
    for table in GenesisTable::ALL {
        let msg = RegistryQuery::Export {
            table,
            key: None,
            limit: None,
        };
        let page: GenesisPage = app.wrap().query_wasm_smart(&original, &msg).unwrap();
        let status: ImportStatusResponse = app
            .wrap()
            .query_wasm_smart(&copy, &QueryMsg::ImportStatus {})
            .unwrap();
        assert_eq!(status.next, Some(table));
        let early = app.execute_contract(user.clone(), copy.clone(), &ExecuteMsg::Seal {}, &[]);
        assert!(format!("{:?}", early.unwrap_err()).contains("[E311]"));
        let msg = ExecuteMsg::Import { page };
        app.execute_contract(user.clone(), copy.clone(), &msg, &[])
            .unwrap();
    }
    // Its own code stores nothing before the seal, and can be left again.
    app.migrate_contract(user.clone(), copy.clone(), &MigrateMsg {}, own)
        .unwrap();
    let early = app.execute_contract(user.clone(), copy.clone(), &submit(vec![vaa(3)]), &[]);
    assert!(format!("{:?}", early.unwrap_err()).contains("[E408]"));
    app.migrate_contract(user.clone(), copy.clone(), &MigrateMsg {}, code)
        .unwrap();
    app.execute_contract(user.clone(), copy.clone(), &ExecuteMsg::Seal {}, &[])
        .unwrap();
    app.migrate_contract(user.clone(), copy.clone(), &MigrateMsg {}, own)
        .unwrap();
    assert_eq!(app.dump_wasm_raw(&original), app.dump_wasm_raw(&copy));
    let msg = submit(vec![vaa(1), vaa(3)]);
    let done = app.execute_contract(user, copy, &msg, &[]).unwrap();
    let answer: vaa_registry::msg::SubmitVaasResponse =
        cosmwasm_std::from_json(done.data.unwrap()).unwrap();
    let outcome = |done: &VaaOutcome| done.outcome.as_str();
    assert_eq!(
        answer.outcomes.iter().map(outcome).collect::<Vec<_>>(),
        ["already_registered", "stored"]
    );
}

//! What a registry can be made of.

use cw_multi_test::{ContractWrapper, Executor};
use vaa_registry::{
    contract::{execute, instantiate, migrate, query},
    msg::{
        ConfigResponse, GovernanceEmitter, GuardianSetInit, IndexFlags, Limits, MigrateMsg,
        QueryMsg,
    },
};

use super::suite::{START, Suite, addresses, instantiate_msg, keys, set_init};

fn refused(sets: Vec<GuardianSetInit>) -> String {
    let error = Suite::create(&instantiate_msg(sets), START).err().unwrap();
    let at = error.find("[E").unwrap();
    error[at + 1..at + 5].to_owned()
}

fn one() -> Vec<String> {
    addresses(&keys(1..=1))
}

#[test]
fn sets_have_to_follow_each_other_and_expire() {
    let late = START + 86_401;
    assert_eq!(refused(vec![]), "E302");
    assert_eq!(
        refused(vec![
            set_init(0, one(), Some(START)),
            set_init(2, one(), None)
        ]),
        "E301"
    );
    assert_eq!(
        refused(vec![
            set_init(1, one(), Some(START)),
            set_init(0, one(), None)
        ]),
        "E301"
    );
    assert_eq!(
        refused(vec![
            set_init(u32::MAX, one(), Some(START)),
            set_init(0, one(), None)
        ]),
        "E301"
    );
    assert_eq!(
        refused(vec![set_init(0, one(), None), set_init(1, one(), None)]),
        "E305"
    );
    assert_eq!(
        refused(vec![
            set_init(0, one(), Some(late)),
            set_init(1, one(), None)
        ]),
        "E305"
    );
    assert_eq!(refused(vec![set_init(0, one(), Some(START))]), "E305");
    Suite::new(vec![
        set_init(3, one(), Some(late - 1)),
        set_init(4, one(), None),
    ]);
    Suite::new(vec![set_init(3, one(), Some(0)), set_init(4, one(), None)]);
    Suite::new(vec![set_init(u32::MAX, one(), None)]);
}

#[test]
fn guardians_have_to_be_addresses() {
    let good = one();
    let zero = vec!["00".repeat(20)];
    assert_eq!(refused(vec![set_init(0, vec![], None)]), "E303");
    assert_eq!(refused(vec![set_init(0, zero, None)]), "E303");
    assert_eq!(
        refused(vec![set_init(
            0,
            [good.clone(), good.clone()].concat(),
            None
        )]),
        "E303"
    );
    let many = (0..=255_u16)
        .map(|n| format!("{n:040x}"))
        .map(|a| a.replace("00000", "00001"))
        .collect();
    assert_eq!(refused(vec![set_init(0, many, None)]), "E303");
    for bad in [
        "",
        "0x",
        "12",
        "zz",
        &"ab".repeat(19),
        &"ab".repeat(21),
        &"gg".repeat(20),
    ] {
        assert_eq!(
            refused(vec![set_init(0, vec![bad.into()], None)]),
            "E304",
            "{bad}"
        );
    }
}

#[test]
fn limits_and_emitter_are_checked() {
    let with = |batch, payload, scan_budget| {
        let mut msg = instantiate_msg(vec![set_init(0, one(), None)]);
        msg.limits = Some(Limits {
            batch,
            payload,
            scan_budget,
        });
        Suite::create(&msg, START).err()
    };
    for (batch, payload, budget) in [
        (0, 1, 1),
        (1, 0, 1),
        (1, 1, 0),
        (u32::MAX, 1, 1),
        (1, u32::MAX, 1),
    ] {
        assert!(with(batch, payload, budget).unwrap().contains("[E306]"));
    }
    assert_eq!(with(1, 1, 1), None);
    let mut msg = instantiate_msg(vec![set_init(0, one(), None)]);
    msg.governance = Some(GovernanceEmitter {
        chain: 1,
        address: "04".into(),
    });
    assert!(Suite::create(&msg, START).err().unwrap().contains("[E204]"));
}

#[test]
fn the_configuration_is_answered() {
    let mut msg = instantiate_msg(vec![set_init(4, one(), None)]);
    msg.indexes = Some(IndexFlags {
        time: false,
        ..IndexFlags::ALL
    });
    let suite = Suite::create(&msg, START).unwrap();
    let config: ConfigResponse = suite.ask(&QueryMsg::Config {});
    assert_eq!(config.current_guardian_set, 4);
    assert_eq!(config.indexes, msg.indexes.unwrap());
    assert_eq!(config.limits, Limits::default());
    assert_eq!(config.governance.chain, 1);
    assert_eq!(config.governance.address, format!("{}04", "00".repeat(31)));
}

#[test]
fn migration_is_from_this_contract_and_not_from_newer_code() {
    let mut suite = Suite::new(vec![set_init(0, one(), None)]);
    let contract =
        || Box::new(ContractWrapper::new(execute, instantiate, query).with_migrate(migrate));
    let code = suite.app.store_code(contract());
    let before = suite.dump();
    suite
        .app
        .migrate_contract(
            suite.user.clone(),
            suite.registry.clone(),
            &MigrateMsg {},
            code,
        )
        .unwrap();
    assert_eq!(suite.dump(), before);
    for (name, version) in [
        ("crates.io:other", "0.0.1"),
        ("crates.io:vaa-registry", "99.0.0"),
        ("crates.io:vaa-registry", "x"),
    ] {
        let mut storage = suite.app.contract_storage_mut(&suite.registry);
        cw2::set_contract_version(storage.as_mut(), name, version).unwrap();
        drop(storage);
        let error = suite
            .app
            .migrate_contract(
                suite.user.clone(),
                suite.registry.clone(),
                &MigrateMsg {},
                code,
            )
            .unwrap_err();
        assert!(format!("{error:?}").contains("[E307]"), "{error:?}");
    }
}

//! A registry's state out in pages, and into another registry, where all that can be is verified again.

use cosmwasm_std::{Addr, Binary, Uint64};
use cw_orm::GenesisPage;
use vaa_registry::msg::{
    ConfigResponse, ExecuteMsg, GenesisTable, GuardianSetResponse, ImportStatusResponse,
    IndexFlags, IndexName, Limits, MessagesResponse, OnInvalid, PublishedMessage, PublisherScope,
    QueryMsg,
};
use wormhole_vaa::{Body, SecretKey};

use super::{
    data::{history, set},
    observed::code,
    suite::{
        START, Suite, addresses, body, governance, instantiate_msg, keys, quorum_sign, set_init,
        sign, upgrade,
    },
};

pub fn sets() -> [Vec<SecretKey>; 3] {
    [keys(1..=4), keys(11..=13), keys(21..=21)]
}

pub fn admin() -> Addr {
    cw_multi_test::App::default().api().addr_make("admin")
}

/// A registry in which there is something of everything.
pub fn full() -> Suite {
    let [first, second, third] = sets();
    let mut msg = instantiate_msg(vec![set_init(0, addresses(&first), None)]);
    msg.admin = Some(admin().to_string());
    let mut suite = Suite::create(&msg, START).unwrap();
    for (at, chain) in [2, 3, 2, 65_535].into_iter().enumerate() {
        let body = Body {
            emitter_chain: chain,
            ..body(u64::MAX - at as u64, b"message")
        };
        suite.stored(&quorum_sign(0, &first, &body));
    }
    suite.stored(&sign(0, &first, &[1, 2, 3], &body(1, b"")));
    // One that comes second, and an upgrade that does.
    assert_eq!(
        suite.verdict(&quorum_sign(0, &first, &body(1, b"second"))),
        "conflict"
    );
    suite.stored(&quorum_sign(0, &first, &governance(1, b"nothing")));
    let change = governance(1, &upgrade(1, &second));
    assert_eq!(suite.verdict(&quorum_sign(0, &first, &change)), "conflict");
    suite.set_time(START + 10);
    // Not applied, since another set is current now; and an applied one.
    suite.stored(&quorum_sign(0, &first, &governance(2, &upgrade(1, &third))));
    assert_eq!(
        suite.verdict(&quorum_sign(1, &second, &body(1, b""))),
        "resigned"
    );
    suite.stored(&quorum_sign(
        1,
        &second,
        &governance(3, &upgrade(2, &third)),
    ));
    assert_eq!(
        suite.verdict(&quorum_sign(2, &third, &body(1, b""))),
        "resigned"
    );

    // Pending, of two sets and of two bodies of one message; decided with claims.
    for guardian in [3, 0] {
        let key = first[usize::from(guardian)].clone();
        suite.observe(
            0,
            guardian,
            &key,
            &[&body(50, b"a"), &body(51, b"a"), &body(1, b"")],
        );
    }
    suite.observe(0, 1, &first[1].clone(), &[&body(50, b"b")]);
    suite.observe(1, 2, &second[2].clone(), &[&body(50, b"a")]);
    suite.observe_tx(2, 0, &third[0].clone(), &body(52, b"a"), &[7; 20]);
    suite.set_time(START + 20);
    suite.prune(1);

    let press = suite.app.api().addr_make("press");
    for (account, quota) in [("press", 5), ("other", 1)] {
        let register = ExecuteMsg::RegisterPublisher {
            publisher: suite.app.api().addr_make(account).to_string(),
            scope: PublisherScope {
                chain: 2,
                emitter: None,
            },
            quota,
        };
        suite.send_as(&admin(), &register).unwrap();
    }
    let messages = [60, 61].map(|at| PublishedMessage {
        body: Binary::new(body(at, b"published").serialize()),
        tx_id: None,
    });
    let publish = ExecuteMsg::PublishMessages {
        messages: messages.to_vec(),
        on_invalid: None,
    };
    suite.send_as(&press, &publish).unwrap();
    suite
}

pub fn export(suite: &Suite, limit: u32) -> Vec<GenesisPage> {
    let mut pages = Vec::new();
    for table in GenesisTable::ALL {
        let mut key = None;
        loop {
            let page: GenesisPage = suite.ask(&QueryMsg::Export {
                table,
                key: key.clone(),
                limit: Some(limit),
            });
            assert!(page.rows.len() <= limit as usize);
            key = page.next_key.clone();
            pages.push(page);
            if key.is_none() {
                break;
            }
        }
    }
    pages
}

/// A registry that imports, and trusts the first set.
pub fn importer() -> Suite {
    let mut msg = instantiate_msg(vec![set_init(0, addresses(&sets()[0]), None)]);
    msg.admin = Some(admin().to_string());
    msg.import = true;
    msg.indexes = Some(IndexFlags::NONE);
    Suite::create(&msg, START + 1_000_000).unwrap()
}

pub fn import(suite: &mut Suite, page: &GenesisPage) -> Result<(), String> {
    let msg = ExecuteMsg::Import { page: page.clone() };
    suite.send_as(&admin(), &msg).map(|_| ())
}

pub fn seal(suite: &mut Suite) -> Result<(), String> {
    suite.send_as(&admin(), &ExecuteMsg::Seal {}).map(|_| ())
}

fn status(suite: &Suite) -> ImportStatusResponse {
    suite.ask(&QueryMsg::ImportStatus {})
}

#[test]
fn an_imported_registry_stores_the_same_bytes() {
    let original = full();
    for limit in [1, 7, 30] {
        let mut copy = importer();
        for page in export(&original, limit) {
            let before = status(&copy);
            assert_eq!(
                before.next.map(GenesisTable::as_str),
                Some(page.table.as_str())
            );
            assert_eq!(before.rows, page.first);
            import(&mut copy, &page).unwrap();
        }
        assert_eq!((status(&copy).next, status(&copy).unproved), (None, vec![]));
        seal(&mut copy).unwrap();
        assert!(!status(&copy).importing);
        let (original, copy) = (original.dump(), copy.dump());
        assert_eq!(original.len(), copy.len());
        for (original, copy) in original.iter().zip(&copy) {
            assert_eq!(original, copy);
        }
    }
}

#[test]
fn a_sealed_registry_goes_on_as_the_original_does() {
    let mut original = full();
    let mut copy = importer();
    for page in export(&original, 30) {
        import(&mut copy, &page).unwrap();
    }
    seal(&mut copy).unwrap();
    original.set_time(START + 1_000_001);
    copy.set_time(START + 1_000_001);
    let third = &sets()[2];
    let vaas: Vec<_> = (0..3)
        .map(|at| {
            quorum_sign(
                2,
                third,
                &Body {
                    emitter_chain: 900 + at,
                    ..body(1, b"new")
                },
            )
        })
        .chain([
            quorum_sign(2, third, &body(1, b"third")),
            quorum_sign(2, third, &body(50, b"a")),
        ])
        .collect();
    assert_eq!(original.submit(&vaas), copy.submit(&vaas));
    assert_eq!(original.prune(100).removed, copy.prune(100).removed);
    assert_eq!(
        original
            .ask::<MessagesResponse>(&QueryMsg::Messages {
                page: None,
                families: None,
                filter: None
            })
            .messages
            .len(),
        copy.ask::<MessagesResponse>(&QueryMsg::Messages {
            page: None,
            families: None,
            filter: None
        })
        .messages
        .len(),
    );
    // What differs is the height: the other registry's chain is younger.
    assert_eq!(original.dump().len(), copy.dump().len());
    assert_eq!(
        code(&import(&mut copy, &export(&original, 30)[0]).unwrap_err()),
        "E409"
    );
    assert_eq!(code(&seal(&mut copy).unwrap_err()), "E409");
}

/// Mainnet's history, upgrades and all, by who trusts set 0 alone.
#[test]
fn mainnets_history_is_proved_from_set_0() {
    let mut msg = instantiate_msg(vec![set_init(0, set("mainnet:0"), None)]);
    msg.admin = Some(admin().to_string());
    let history = history();
    let mut original = Suite::create(&msg, history[0].1).unwrap();
    for (row, time) in &history {
        original.set_time((*time).max(original.now()));
        original.submit_one(&row.bytes());
    }
    let pages = export(&original, 30);
    msg.import = true;
    let mut copy = Suite::create(&msg, 1_900_000_000).unwrap();
    for page in &pages {
        import(&mut copy, page).unwrap();
    }
    seal(&mut copy).unwrap();
    assert_eq!(original.dump(), copy.dump());
    let current: GuardianSetResponse = copy.ask(&QueryMsg::GuardianSet { index: None });
    assert_eq!(current.index, 7);
}

#[test]
fn nothing_else_is_stored_until_the_seal() {
    let original = full();
    let mut copy = importer();
    let first = &sets()[0];
    let press = copy.app.api().addr_make("press");
    let vaa = Binary::new(quorum_sign(0, first, &body(9, b"")));
    let acts = |copy: &Suite| {
        let list = [super::observed::observation(&first[0], &body(9, b""), &[1])];
        vec![
            (
                press.clone(),
                ExecuteMsg::SubmitVaas {
                    vaas: vec![vaa.clone()],
                    on_invalid: Some(OnInvalid::Skip),
                },
            ),
            (press.clone(), copy.report(0, 0, &first[0], &list).msg(None)),
            (press.clone(), ExecuteMsg::Prune { limit: 1 }),
            (
                press.clone(),
                ExecuteMsg::PublishMessages {
                    messages: vec![],
                    on_invalid: None,
                },
            ),
            (
                admin(),
                ExecuteMsg::RegisterPublisher {
                    publisher: press.to_string(),
                    scope: PublisherScope {
                        chain: 2,
                        emitter: None,
                    },
                    quota: 1,
                },
            ),
            (
                admin(),
                ExecuteMsg::RevokePublisher {
                    publisher: press.to_string(),
                    limit: None,
                },
            ),
            (
                admin(),
                ExecuteMsg::SetLimits {
                    limits: Limits::default(),
                },
            ),
            (
                admin(),
                ExecuteMsg::BuildIndex {
                    index: IndexName::Time,
                    limit: 1,
                },
            ),
            (admin(), ExecuteMsg::Pause {}),
            (admin(), ExecuteMsg::RenounceAdmin {}),
        ]
    };
    for page in export(&original, 30) {
        let before = copy.dump();
        for (sender, msg) in acts(&copy) {
            assert_eq!(
                code(&copy.send_as(&sender, &msg).unwrap_err()),
                "E408",
                "{msg:?}"
            );
        }
        assert_eq!(copy.dump(), before);
        import(&mut copy, &page).unwrap();
    }
    let config: ConfigResponse = copy.ask(&QueryMsg::Config {});
    assert!(config.importing && config.current_guardian_set == 2);
    let exported = copy.query::<GenesisPage>(&QueryMsg::Export {
        table: GenesisTable::Config,
        key: None,
        limit: None,
    });
    assert_eq!(code(&exported.unwrap_err()), "E408");
}

#[test]
fn only_the_admin_imports_and_only_where_that_was_meant() {
    let original = full();
    let page = &export(&original, 30)[0];
    let mut copy = importer();
    let user = copy.user.clone();
    let stranger = copy.send_as(&user, &ExecuteMsg::Import { page: page.clone() });
    assert_eq!(code(&stranger.unwrap_err()), "E401");
    assert_eq!(
        code(&copy.send_as(&user, &ExecuteMsg::Seal {}).unwrap_err()),
        "E401"
    );
    let mut usual = full();
    assert_eq!(code(&import(&mut usual, page).unwrap_err()), "E409");
    let mut msg = instantiate_msg(vec![set_init(0, addresses(&sets()[0]), None)]);
    msg.import = true;
    assert_eq!(code(&Suite::create(&msg, START).err().unwrap()), "E308");
    let none = original.query::<GenesisPage>(&QueryMsg::Export {
        table: GenesisTable::Config,
        key: None,
        limit: Some(0),
    });
    assert_eq!(code(&none.unwrap_err()), "E213");
}

/// Pages come in order, each once, all of them.
#[test]
fn pages_out_of_order_are_refused() {
    let original = full();
    let pages = export(&original, 3);
    let mut copy = importer();
    assert_eq!(code(&import(&mut copy, &pages[1]).unwrap_err()), "E309");
    assert_eq!(code(&seal(&mut copy).unwrap_err()), "E311");
    let messages = pages
        .iter()
        .position(|page| page.table == "messages")
        .unwrap();
    for page in &pages[..messages] {
        import(&mut copy, page).unwrap();
    }
    let before = copy.dump();
    assert_eq!(
        code(&import(&mut copy, &pages[messages + 1]).unwrap_err()),
        "E312"
    );
    assert_eq!(code(&import(&mut copy, &pages[0]).unwrap_err()), "E309");
    assert_eq!(copy.dump(), before);
    import(&mut copy, &pages[messages]).unwrap();
    // A page that was given before changes nothing, so that one may ask again whose answer was lost.
    let after = copy.dump();
    import(&mut copy, &pages[messages]).unwrap();
    assert_eq!(copy.dump(), after);
    for page in &pages[messages + 1..] {
        assert_eq!(code(&seal(&mut copy).unwrap_err()), "E311");
        import(&mut copy, page).unwrap();
    }
    assert_eq!(
        code(&import(&mut copy, pages.last().unwrap()).unwrap_err()),
        "E309"
    );
    seal(&mut copy).unwrap();
    assert_eq!(copy.dump(), original.dump());
}

/// Imports pages that were changed, each with its digest put right, and returns the code of the first refusal.
fn tampered(original: &Suite, change: &dyn Fn(&mut Vec<GenesisPage>)) -> String {
    let mut pages = export(original, 30);
    change(&mut pages);
    let mut copy = importer();
    for page in &mut pages {
        page.digest = page.digest_after(Uint64::zero());
        let before = copy.dump();
        if let Err(error) = import(&mut copy, page) {
            assert_eq!(copy.dump(), before, "{error}");
            return code(&error);
        }
    }
    match seal(&mut copy) {
        Ok(()) => "imported".into(),
        Err(error) => format!("{} at the seal", code(&error)),
    }
}

/// Changes a byte of what a row's digest or signatures cover; `of` is the family.
fn flip(pages: &mut [GenesisPage], table: &str, row: usize, of: usize) {
    let page = pages.iter_mut().find(|page| page.table == table).unwrap();
    let value = page.rows[row].values[of].take().unwrap();
    let mut bytes = value.to_vec();
    // A pending body ends in its payload; elsewhere, the middle is of the signatures or of what they cover.
    let place = if table == "pending_bodies" {
        bytes.len() - 1
    } else {
        bytes.len() / 2
    };
    bytes[place] ^= 1;
    page.rows[row].values[of] = Some(bytes.into());
}

/// Takes a row out.
fn drop_row(pages: &mut [GenesisPage], table: &str, row: usize) {
    let page = pages.iter_mut().find(|page| page.table == table).unwrap();
    page.rows.remove(row);
    page.total = Some((page.rows.len() as u64).into());
}

fn rows(pages: &[GenesisPage], table: &str) -> usize {
    pages
        .iter()
        .find(|page| page.table == table)
        .unwrap()
        .rows
        .len()
}

#[test]
fn whatever_is_changed_is_refused() {
    let original = full();
    let pages = export(&original, 30);
    assert!(pages.len() == GenesisTable::ALL.len());
    for table in GenesisTable::ALL {
        assert!(rows(&pages, table.as_str()) > 0, "nothing in {table:?}");
    }
    // A byte of the signatures, or of what they sign.
    for table in [
        "messages",
        "superseded",
        "conflicts",
        "observations",
        "pending_bodies",
    ] {
        for row in 0..rows(&pages, table) {
            let families = if table == "messages" { 2 } else { 1 };
            for of in 0..families {
                let refused = tampered(&original, &|pages| flip(pages, table, row, of));
                assert!(
                    ["E310", "E904", "E908", "E906", "E312", "E313"].contains(&&refused[..4]),
                    "{table} {row} {of}: {refused}"
                );
            }
        }
    }
    // A row that others need.
    for (table, expected) in [
        ("guardian_sets", "E310"),
        ("emitters", "E310"),
        ("superseded", "E311 at the seal"),
        ("conflicts", "E311 at the seal"),
    ] {
        for row in 0..rows(&pages, table) {
            let refused = tampered(&original, &|pages| drop_row(pages, table, row));
            assert!(
                refused == expected || refused == "E311",
                "{table} {row}: {refused}"
            );
        }
    }
    // The messages that brought sets.
    let upgrades = |pages: &[GenesisPage]| {
        let page = pages.iter().find(|page| page.table == "messages").unwrap();
        let of = |row: &cw_orm::GenesisRow| row.key.as_slice() == [0, 3];
        page.rows.iter().position(of).unwrap()
    };
    let row = upgrades(&pages);
    assert_eq!(
        tampered(&original, &|pages| drop_row(pages, "messages", row)),
        "E311 at the seal"
    );
    // Settings of another registry.
    for byte in [2, 3] {
        let other = tampered(&original, &|pages| {
            let value = pages[0].rows[0].values[0].take().unwrap();
            let mut bytes = value.to_vec();
            bytes[byte - 1] ^= 1;
            pages[0].rows[0].values[0] = Some(bytes.into());
        });
        assert!(other.starts_with('E'), "{other}");
    }
}

/// An export waits for an index that is being built: the settings would not be whole.
#[test]
fn a_registry_that_builds_an_index_is_not_exported() {
    let mut msg = instantiate_msg(vec![set_init(0, addresses(&sets()[0]), None)]);
    msg.admin = Some(admin().to_string());
    msg.indexes = Some(IndexFlags::NONE);
    let mut suite = Suite::create(&msg, START).unwrap();
    for at in 0..3 {
        suite.stored(&quorum_sign(0, &sets()[0], &body(at, b"")));
    }
    let build = ExecuteMsg::BuildIndex {
        index: IndexName::Time,
        limit: 1,
    };
    suite.send_as(&admin(), &build).unwrap();
    let refused = suite.query::<GenesisPage>(&QueryMsg::Export {
        table: GenesisTable::Emitters,
        key: None,
        limit: None,
    });
    assert_eq!(code(&refused.unwrap_err()), "E223");
}

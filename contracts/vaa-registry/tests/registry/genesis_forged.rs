//! Imports of what no registry stored, by an admin who means ill: refused, or the registry would be worth no more than the
//! admin's word.

use cosmwasm_std::Uint64;
use cw_orm::{GenesisPage, PrimaryKeyTable, PrimaryKeyed};
use vaa_registry::{
    msg::{IndexFlags, MessageQueryResponse, MessagesResponse, QueryMsg},
    state::{
        Emitter, GuardianBits, GuardianSetEntry, GuardianSetPart, Observation, Publication,
        ShortAddress, TxClaim,
    },
};
use wormhole_vaa::SecretKey;

use super::{
    genesis::{admin, export, full, import, importer, seal, sets},
    observed::{code, tx},
    suite::{
        START, Suite, addresses, body, governance, instantiate_msg, keys, quorum_sign, set_init,
        upgrade,
    },
};

/// Imports an export that was changed, each page with its digest put right, and seals it. The refusal's code, if it is
/// refused, which then changed nothing.
fn forged(
    original: &Suite,
    copy: &mut Suite,
    change: impl FnOnce(&mut Vec<GenesisPage>),
) -> Result<(), String> {
    let mut pages = export(original, 30);
    change(&mut pages);
    for page in &mut pages {
        page.total = Some((page.rows.len() as u64).into());
        page.digest = page.digest_after(Uint64::zero());
        let before = copy.dump();
        if let Err(error) = import(copy, page) {
            assert_eq!(copy.dump(), before, "{error}");
            return Err(code(&error));
        }
    }
    seal(copy).map_err(|error| code(&error))
}

fn page_of<'p>(pages: &'p mut [GenesisPage], name: &str) -> &'p mut GenesisPage {
    pages.iter_mut().find(|page| page.table == name).unwrap()
}

/// Changes a row, which may get another key.
fn edit<R: PrimaryKeyed>(
    pages: &mut [GenesisPage],
    table: PrimaryKeyTable<R>,
    name: &str,
    which: impl Fn(&R) -> bool,
    change: impl FnOnce(&mut R),
) {
    let page = page_of(pages, name);
    let read = |row| table.read_genesis_row(row).unwrap();
    let at = page.rows.iter().position(|row| which(&read(row))).unwrap();
    let mut row = read(&page.rows[at]);
    change(&mut row);
    page.rows[at] = table.genesis_row(&row).unwrap();
    page.rows.sort_by(|a, b| a.key.cmp(&b.key));
}

fn guardians() -> Vec<SecretKey> {
    keys(1..=4)
}

/// A registry of one set of four, of whom one has signed a body.
fn pending() -> Suite {
    let mut msg = instantiate_msg(vec![set_init(0, addresses(&guardians()), None)]);
    msg.admin = Some(admin().to_string());
    let mut suite = Suite::create(&msg, START).unwrap();
    suite.observe(0, 0, &guardians()[0], &[&body(1, b"a")]);
    suite
}

/// A registry that imports, and trusts that set.
fn importer_of_pending() -> Suite {
    let mut msg = instantiate_msg(vec![set_init(0, addresses(&guardians()), None)]);
    msg.admin = Some(admin().to_string());
    msg.import = true;
    Suite::create(&msg, START + 100).unwrap()
}

/// Who signed before is told by the last signature, and a quorum is counted by it: an import that claims more signers than
/// there are signatures would have a message registered that no quorum signed.
#[test]
fn signers_without_signatures_are_refused() {
    let honest = GuardianBits::of(0);
    let mut two = honest.clone();
    two.insert(1);
    let change = |with: fn(&mut Observation)| {
        forged(&pending(), &mut importer_of_pending(), |pages| {
            edit(pages, Observation::TABLE, "observations", |_| true, with);
        })
    };
    assert_eq!(change(|_| {}), Ok(()));
    assert_eq!(two.count(), 2);
    let refused = Err("E310".to_owned());
    assert_eq!(change(|row| row.signers.insert(1)), refused);
    assert_eq!(change(|row| row.signers = GuardianBits::default()), refused);
    assert_eq!(change(|row| row.position = 1), refused);
    assert_eq!(change(|row| row.position = 255), refused);
    assert_eq!(change(|row| row.tx_id.clear()), refused);
    assert_eq!(change(|row| row.tx_id = vec![1; 129]), refused);
    // The same guardian a second time.
    let twice = forged(&pending(), &mut importer_of_pending(), |pages| {
        let page = page_of(pages, "observations");
        let mut again = Observation::TABLE.read_genesis_row(&page.rows[0]).unwrap();
        again.position = 1;
        page.rows
            .push(Observation::TABLE.genesis_row(&again).unwrap());
    });
    assert_eq!(twice, refused);
}

/// Were such rows in the store all the same, no quorum is made of them.
#[test]
fn a_quorum_is_made_of_signatures_that_are_there() {
    let mut suite = pending();
    {
        let mut storage = suite.app.contract_storage_mut(&suite.registry);
        let rows = Observation::TABLE.all();
        let mut row = rows.first(storage.as_ref()).unwrap().unwrap();
        row.signers.insert(1);
        Observation::TABLE.update(storage.as_mut(), row).unwrap();
    }
    let before = suite.dump();
    let list = [super::observed::observation(
        &guardians()[2],
        &body(1, b"a"),
        &tx(1),
    )];
    let report = suite.report(0, 2, &guardians()[2], &list);
    assert_eq!(code(&suite.send(&report).unwrap_err()), "E997");
    assert_eq!(suite.dump(), before);
    let found: MessageQueryResponse = suite.ask(&QueryMsg::Message {
        id: body(1, b"a").id().to_string(),
        families: None,
    });
    assert_eq!(found.message, None);
}

/// A replaced set counts for a day. An import that says otherwise would have keys sign that were retired long ago.
#[test]
fn a_replaced_set_is_not_kept_alive() {
    let change = |index: u32, with: fn(&mut vaa_registry::state::GuardianSetTimes)| {
        let mut copy = importer();
        let done = forged(&full(), &mut copy, |pages| {
            let which = |row: &GuardianSetEntry| (row.index, row.part) == (index, 0);
            edit(
                pages,
                GuardianSetEntry::TABLE,
                "guardian_sets",
                which,
                |row| {
                    if let GuardianSetPart::Times(times) = &mut row.content {
                        with(times);
                    }
                },
            );
        });
        (done, copy)
    };
    let (honest, mut copy) = change(0, |_| {});
    assert_eq!(honest, Ok(()));
    assert_eq!(
        copy.verdict(&quorum_sign(0, &sets()[0], &body(99, b""))),
        "E105"
    );
    let refused = Err("E310".to_owned());
    assert_eq!(
        change(0, |times| times.expires_at = Some(u64::MAX)).0,
        refused
    );
    assert_eq!(
        change(0, |times| times.expires_at =
            times.expires_at.map(|at| at + 1))
        .0,
        refused
    );
    assert_eq!(change(1, |times| times.applied_at = u64::MAX).0, refused);
    assert_eq!(
        change(2, |times| times.applied_at = START + 1_000_001).0,
        refused
    );
    assert_eq!(change(2, |times| times.applied_at = START - 1).0, refused);
    // A day after now is as long as any set can count.
    let (done, mut copy) = change(2, |times| times.applied_at = START + 1_000_000);
    assert_eq!(done, Ok(()));
    assert_eq!(
        copy.verdict(&quorum_sign(0, &sets()[0], &body(99, b""))),
        "E105"
    );
}

/// The next emitter gets the number after the last: one that is the last there can be would shut all others out.
#[test]
fn emitters_are_numbered_in_a_row_and_have_messages() {
    let with = |number: u64, change: fn(&mut Emitter, u64)| {
        let mut copy = importer();
        forged(&full(), &mut copy, |pages| {
            let last = |row: &Emitter| row.number == 3;
            edit(pages, Emitter::TABLE, "emitters", last, |row| {
                change(row, number)
            });
        })
    };
    assert_eq!(with(3, |row, number| row.number = number), Ok(()));
    for number in [4, u64::MAX - 1, u64::MAX] {
        assert_eq!(
            with(number, |row, number| row.number = number),
            Err("E311".into()),
            "{number}"
        );
    }
    let more = |number: u64| {
        forged(&full(), &mut importer(), |pages| {
            let page = page_of(pages, "emitters");
            let silent = Emitter {
                chain: 9,
                address: ShortAddress([9; 32]),
                number,
            };
            page.rows.push(Emitter::TABLE.genesis_row(&silent).unwrap());
            page.rows.sort_by(|a, b| a.key.cmp(&b.key));
        })
    };
    for number in [4, 5, u64::MAX] {
        assert_eq!(more(number), Err("E311".into()), "{number}");
    }
    // One in the middle.
    let swapped = forged(&full(), &mut importer(), |pages| {
        let page = page_of(pages, "messages");
        page.rows.retain(|row| row.key.as_slice()[0] != 2);
    });
    assert_eq!(swapped, Err("E310".into()));
}

/// A guardian claims once, and a set has as many claims as guardians: a row that says otherwise would leave no place for
/// the next, and keep the message out that it is about.
#[test]
fn claims_that_do_not_follow_each_other_are_refused() {
    let change = |with: fn(&mut TxClaim)| {
        forged(&full(), &mut importer(), |pages| {
            edit(pages, TxClaim::TABLE, "tx_claims", |_| true, with);
        })
    };
    assert_eq!(change(|_| {}), Ok(()));
    let refused = Err("E310".to_owned());
    assert_eq!(change(|row| row.position = 255), refused);
    assert_eq!(
        change(|row| row.claimants = GuardianBits::default()),
        refused
    );
    assert_eq!(
        change(|row| row.guardians = GuardianBits::default()),
        refused
    );
    assert_eq!(change(|row| row.tx_id = vec![]), refused);
    assert_eq!(change(|row| row.guardian_set_index = 7), refused);
    assert_eq!(
        change(|row| {
            row.guardians.insert(254);
            row.claimants.insert(254);
        }),
        refused
    );
}

/// Else the message that it is about, and every list that it is in, could not be asked about.
#[test]
fn a_publication_of_nobody_is_refused() {
    let nobody = forged(&full(), &mut importer(), |pages| {
        let any = |_: &Publication| true;
        edit(pages, Publication::TABLE, "publications", any, |row| {
            row.publisher = 99
        });
    });
    assert_eq!(nobody, Err("E310".into()));
}

/// What was imported is not proved before the seal, so nobody is told of it as verified.
#[test]
fn nothing_is_told_before_the_seal() {
    let mut copy = importer();
    let original = full();
    let id = body(1, b"").id().to_string();
    let message = QueryMsg::Message { id, families: None };
    let list = QueryMsg::Messages {
        page: None,
        families: None,
        filter: None,
    };
    for page in export(&original, 30) {
        import(&mut copy, &page).unwrap();
        let one = copy.query::<MessageQueryResponse>(&message);
        assert_eq!(code(&one.unwrap_err()), "E408");
        let all = copy.query::<MessagesResponse>(&list);
        assert_eq!(code(&all.unwrap_err()), "E408");
    }
    seal(&mut copy).unwrap();
    assert!(copy.ask::<MessageQueryResponse>(&message).message.is_some());
    assert_eq!(copy.ask::<MessagesResponse>(&list).messages.len(), 9);
}

/// Settings that name an index which this code does not know: it would not be there when code comes that does.
#[test]
fn an_index_that_is_unknown_is_refused() {
    let mut copy = importer();
    let unknown = forged(&full(), &mut copy, |pages| {
        let table = vaa_registry::state::Config::TABLE;
        edit(
            pages,
            table,
            "config",
            |_| true,
            |row| {
                // All bits there are, and one more.
                assert_eq!(row.indexes.flags(), IndexFlags::ALL);
                row.indexes = serde_json::from_value(2_047.into()).unwrap();
            },
        );
    });
    assert_eq!(unknown, Err("E310".into()));
}

/// An upgrade that a replaced set's name had kept out, and that was applied when the current set's came, is proved by the
/// signatures of the set that it followed.
#[test]
fn an_upgrade_that_was_decided_again_is_imported() {
    let first = guardians();
    let second = [keys(1..=3), keys(11..=11)].concat();
    let mut original = pending();
    for (set, keys, change) in [
        (0, &first, governance(1, &upgrade(1, &second))),
        (0, &first, governance(2, &upgrade(2, &first))),
        (1, &second, governance(2, &upgrade(2, &first))),
        (2, &first, governance(2, &upgrade(2, &first))),
    ] {
        original.submit_one(&quorum_sign(set, keys, &change));
    }
    let mut copy = importer_of_pending();
    assert_eq!(forged(&original, &mut copy, |_| {}), Ok(()));
    assert_eq!(copy.dump(), original.dump());
    // Without the signatures of set 1 it proves nothing.
    let superseded = forged(&original, &mut importer_of_pending(), |pages| {
        page_of(pages, "superseded").rows.remove(1);
    });
    assert_eq!(superseded, Err("E311".into()));
}

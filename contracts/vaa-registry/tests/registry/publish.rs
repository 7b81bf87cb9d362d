//! Publications that no guardian attested, and who may make them.

use cosmwasm_std::{Addr, Binary, from_json};
use vaa_registry::msg::{
    ExecuteMsg, MessageQueryResponse, MessagesResponse, OnInvalid, PublicationOutcomeKind,
    PublicationsResponse, PublishMessagesResponse, PublishedMessage, PublisherScope,
    PublishersResponse, QueryMsg,
};
use wormhole_vaa::{Address, Body};

use super::{
    observed::{code, tx},
    suite::{START, Suite, addresses, body, instantiate_msg, keys, quorum_sign, set_init},
};

pub fn administered() -> (Suite, Addr) {
    let mut msg = instantiate_msg(vec![set_init(0, addresses(&keys(1..=3)), None)]);
    let admin = cw_multi_test::App::default().api().addr_make("admin");
    msg.admin = Some(admin.to_string());
    (Suite::create(&msg, START).unwrap(), admin)
}

fn message(body: &Body, tx_id: Option<&[u8]>) -> PublishedMessage {
    PublishedMessage {
        body: Binary::new(body.serialize()),
        tx_id: tx_id.map(Binary::from),
    }
}

struct Press {
    suite: Suite,
    admin: Addr,
    publisher: Addr,
}

impl Press {
    fn new(scope: PublisherScope, quota: u32) -> Self {
        let (suite, admin) = administered();
        let publisher = suite.app.api().addr_make("publisher");
        let mut press = Self {
            suite,
            admin,
            publisher,
        };
        press.register(scope, quota);
        press
    }

    fn register(&mut self, scope: PublisherScope, quota: u32) {
        let msg = ExecuteMsg::RegisterPublisher {
            publisher: self.publisher.to_string(),
            scope,
            quota,
        };
        self.suite.send_as(&self.admin, &msg).unwrap();
    }

    fn publish(
        &mut self,
        messages: Vec<PublishedMessage>,
        on_invalid: OnInvalid,
    ) -> Result<Vec<String>, String> {
        let msg = ExecuteMsg::PublishMessages {
            messages,
            on_invalid: Some(on_invalid),
        };
        let response = self.suite.send_as(&self.publisher, &msg)?;
        let answer: PublishMessagesResponse = from_json(response.data.unwrap()).unwrap();
        Ok(answer
            .outcomes
            .into_iter()
            .map(|done| {
                done.error
                    .map_or(done.outcome.as_str().to_owned(), |error| error.code)
            })
            .collect())
    }

    fn one(&mut self, body: &Body) -> String {
        self.publish(vec![message(body, None)], OnInvalid::Skip)
            .unwrap()
            .remove(0)
    }

    fn listed(&self) -> PublicationsResponse {
        self.suite.ask(&QueryMsg::Publications {
            id: None,
            chain: None,
            emitter: None,
            page: None,
        })
    }

    fn publishers(&self) -> PublishersResponse {
        self.suite.ask(&QueryMsg::Publishers { page: None })
    }
}

fn chain(chain: u16) -> PublisherScope {
    PublisherScope {
        chain,
        emitter: None,
    }
}

#[test]
fn a_publisher_says_what_was_published() {
    let mut press = Press::new(chain(2), 10);
    let (first, changed) = (body(1, b"a"), body(1, b"b"));
    assert_eq!(
        press
            .publish(vec![message(&first, Some(&tx(1)))], OnInvalid::Abort)
            .unwrap(),
        ["published"]
    );
    let before = press.suite.dump();
    press.suite.set_time(START + 9);
    assert_eq!(
        press
            .publish(vec![message(&first, Some(&tx(1)))], OnInvalid::Abort)
            .unwrap(),
        ["unchanged"]
    );
    assert_eq!(press.suite.dump(), before);
    let found = press.listed().publications.remove(0);
    assert_eq!(
        (found.id, found.digest),
        (first.id().to_string(), first.digest().to_string())
    );
    assert_eq!(found.publisher, press.publisher.to_string());
    assert_eq!(found.body.as_slice(), first.serialize());
    assert_eq!(found.tx_id.unwrap().as_slice(), tx(1));
    assert_eq!((found.time.u64(), found.revoked), (START, false));
    assert_eq!(press.one(&changed), "replaced");
    let found = press.listed().publications;
    assert_eq!((found.len(), found[0].tx_id.as_ref()), (1, None));
    assert_eq!(found[0].digest, changed.digest().to_string());
    assert_eq!(press.publishers().publishers[0].rows, 1);
}

#[test]
fn publications_touch_nothing_else() {
    let keys = keys(1..=3);
    let mut press = Press::new(chain(2), 10);
    let (said, signed) = (body(1, b"said"), body(1, b"signed"));
    assert_eq!(press.one(&said), "published");
    let id = said.id().to_string();
    let known: MessageQueryResponse = press.suite.ask(&QueryMsg::Message {
        id: id.clone(),
        families: None,
    });
    assert_eq!(known.message, None);
    let all: MessagesResponse = press.suite.ask(&QueryMsg::Messages {
        page: None,
        families: None,
        filter: None,
    });
    assert!(all.messages.is_empty());
    // They do not block the id, and are no conflict with what a quorum signs.
    let kept = press.listed();
    press.suite.stored(&quorum_sign(0, &keys, &signed));
    let known: MessageQueryResponse = press.suite.ask(&QueryMsg::Message { id, families: None });
    assert!(!known.message.unwrap().status.unwrap().conflict);
    assert_eq!(press.listed(), kept);
    assert_eq!(press.one(&signed), "already_registered");
    // And observations gather without them.
    assert_eq!(
        press.suite.observe(0, 0, &keys[0], &[&said]),
        ["pending 1/3"]
    );
    assert_eq!(press.one(&said), "unchanged");
}

#[test]
fn a_scope_is_a_chain_or_one_emitter_of_it() {
    let mut press = Press::new(chain(2), 10);
    let foreign = Body {
        emitter_chain: 3,
        ..body(1, b"a")
    };
    let other = Body {
        emitter_address: Address([1; 32]),
        ..body(1, b"a")
    };
    assert_eq!(press.one(&foreign), "E405");
    assert_eq!(press.one(&other), "published");
    press.register(
        PublisherScope {
            chain: 2,
            emitter: Some(format!("0x{}", "EE".repeat(32))),
        },
        10,
    );
    assert_eq!(press.one(&body(1, b"a")), "published");
    assert_eq!(press.one(&other), "E405");
    let shown = press.publishers().publishers.remove(0);
    assert_eq!(shown.scope.emitter.unwrap(), "ee".repeat(32));
    assert_eq!((shown.quota, shown.rows), (10, 2));
    // Lists by what is asked for.
    let count = |id: Option<&Body>, chain, emitter: Option<&str>| {
        let found: PublicationsResponse = press.suite.ask(&QueryMsg::Publications {
            id: id.map(|body| body.id().to_string()),
            chain,
            emitter: emitter.map(Into::into),
            page: None,
        });
        found.publications.len()
    };
    assert_eq!(count(None, Some(2), None), 2);
    assert_eq!(count(None, Some(3), None), 0);
    assert_eq!(count(None, Some(2), Some(&"ee".repeat(32))), 1);
    assert_eq!(count(Some(&other), None, None), 1);
    for (id, chain, emitter, wrong) in [
        (None, None, Some("ee"), "E209"),
        (Some("2/ee/1"), Some(2), None, "E219"),
        (Some("2/ee"), None, None, "E203"),
    ] {
        let query = QueryMsg::Publications {
            id: id.map(Into::into),
            chain,
            emitter: emitter.map(Into::into),
            page: None,
        };
        let error = press
            .suite
            .query::<PublicationsResponse>(&query)
            .unwrap_err();
        assert_eq!(code(&error), wrong);
    }
}

#[test]
fn a_quota_is_of_rows() {
    let mut press = Press::new(chain(2), 2);
    let list = |sequences: &[u64]| {
        sequences
            .iter()
            .map(|sequence| message(&body(*sequence, b""), None))
            .collect::<Vec<_>>()
    };
    let before = press.suite.dump();
    let error = press
        .publish(list(&[1, 2, 3]), OnInvalid::Abort)
        .unwrap_err();
    assert!(
        error.contains("publication 2 of the batch") && code(&error) == "E406",
        "{error}"
    );
    assert_eq!(press.suite.dump(), before);
    assert_eq!(
        press.publish(list(&[1, 2, 3, 1]), OnInvalid::Skip).unwrap(),
        ["published", "published", "E406", "unchanged"]
    );
    press.register(chain(2), 3);
    assert_eq!(
        press.publish(list(&[3, 4]), OnInvalid::Skip).unwrap(),
        ["published", "E406"]
    );
    // Less than there are: those stay.
    press.register(chain(2), 0);
    assert_eq!(
        press.publish(list(&[1, 5]), OnInvalid::Skip).unwrap(),
        ["unchanged", "E406"]
    );
    assert_eq!(press.listed().publications.len(), 3);
}

#[test]
fn malformed_publications_are_refused() {
    let mut press = Press::new(chain(2), 10);
    let good = message(&body(1, b""), None);
    let with = |tx_id: &[u8]| message(&body(1, b""), Some(tx_id));
    let short = PublishedMessage {
        body: Binary::new(vec![0; 50]),
        tx_id: None,
    };
    let large = message(&body(1, &[0; 65_537]), None);
    let before = press.suite.dump();
    let done = press
        .publish(
            vec![short, large, with(&[]), with(&[0; 129])],
            OnInvalid::Skip,
        )
        .unwrap();
    assert_eq!(done, ["E101", "E103", "E113", "E113"]);
    assert_eq!(
        code(&press.publish(vec![], OnInvalid::Skip).unwrap_err()),
        "E201"
    );
    assert_eq!(
        code(&press.publish(vec![good; 51], OnInvalid::Skip).unwrap_err()),
        "E202"
    );
    assert_eq!(press.suite.dump(), before);
}

#[test]
fn revoking_takes_the_rows_along_in_steps() {
    let mut press = Press::new(chain(2), 100);
    let list: Vec<_> = (0..25)
        .map(|sequence| message(&body(sequence, b""), None))
        .collect();
    press.publish(list, OnInvalid::Abort).unwrap();
    let empty = administered().0.dump();
    let revoke = |publisher: &Addr, limit| ExecuteMsg::RevokePublisher {
        publisher: publisher.to_string(),
        limit,
    };
    let stranger = press.suite.user.clone();
    let publisher = press.publisher.clone();
    for sender in [&stranger, &publisher] {
        let error = press
            .suite
            .send_as(sender, &revoke(&publisher, None))
            .unwrap_err();
        assert_eq!(code(&error), "E401");
    }
    let admin = press.admin.clone();
    let error = press
        .suite
        .send_as(&admin, &revoke(&stranger, None))
        .unwrap_err();
    assert_eq!(code(&error), "E215");
    press
        .suite
        .send_as(&admin, &revoke(&publisher, Some(10)))
        .unwrap();
    let left = press.publishers().publishers.remove(0);
    assert_eq!((left.revoked, left.rows), (true, 15));
    assert!(press.listed().publications.iter().all(|row| row.revoked));
    let error = press
        .publish(vec![message(&body(99, b""), None)], OnInvalid::Skip)
        .unwrap_err();
    assert_eq!(code(&error), "E404");
    // Registered again meanwhile it starts with nothing, and keeps what it publishes from now on.
    press.register(chain(2), 5);
    assert_eq!(press.one(&body(3, b"again")), "published");
    let done = press.suite.prune(10);
    assert_eq!((done.removed, done.finished), (10, false));
    let done = press.suite.prune(10);
    assert_eq!((done.removed, done.finished), (5, true));
    let shown = press.publishers().publishers;
    assert_eq!(
        (shown.len(), shown[0].revoked, shown[0].rows),
        (1, false, 1)
    );
    assert_eq!(
        press.listed().publications[0].digest,
        body(3, b"again").digest().to_string()
    );
    press
        .suite
        .send_as(&admin, &revoke(&publisher, None))
        .unwrap();
    // Nothing is left but the sequence of numbers.
    let left: Vec<_> = press
        .suite
        .dump()
        .into_iter()
        .filter(|entry| !empty.contains(entry))
        .collect();
    assert_eq!(left.len(), 1);
}

#[test]
fn only_registered_publishers_publish_and_only_the_admin_registers() {
    let (mut suite, admin) = administered();
    let user = suite.user.clone();
    let publish = ExecuteMsg::PublishMessages {
        messages: vec![message(&body(1, b""), None)],
        on_invalid: None,
    };
    for sender in [&user, &admin] {
        assert_eq!(code(&suite.send_as(sender, &publish).unwrap_err()), "E404");
    }
    let register = |publisher: &str, emitter: Option<&str>| ExecuteMsg::RegisterPublisher {
        publisher: publisher.into(),
        scope: PublisherScope {
            chain: 2,
            emitter: emitter.map(Into::into),
        },
        quota: 1,
    };
    assert_eq!(
        code(
            &suite
                .send_as(&user, &register(user.as_str(), None))
                .unwrap_err()
        ),
        "E401"
    );
    assert_eq!(
        code(
            &suite
                .send_as(&admin, &register("nobody", None))
                .unwrap_err()
        ),
        "E216"
    );
    assert_eq!(
        code(
            &suite
                .send_as(&admin, &register(user.as_str(), Some("04")))
                .unwrap_err()
        ),
        "E204"
    );
    suite
        .send_as(&admin, &register(user.as_str(), None))
        .unwrap();
    let response = suite.send_as(&user, &publish).unwrap();
    let answer: PublishMessagesResponse = from_json(response.data.unwrap()).unwrap();
    assert_eq!(
        answer.outcomes[0].outcome,
        PublicationOutcomeKind::Published
    );
}

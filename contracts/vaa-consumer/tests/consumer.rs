//! The consumer beside a registry: it acts once, on what is verified, and on nothing else.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::panic,
    missing_docs
)]

use cosmwasm_std::{Addr, Binary, Empty, Timestamp, to_json_binary};
use cw_multi_test::{App, ContractWrapper, Executor};
use vaa_consumer::contract as consumer;
use vaa_consumer::msg::{ActResponse, ExecuteMsg, InstantiateMsg, QueryMsg};
use vaa_registry::contract as registry;
use vaa_registry::helper::{NotVerified, VaaRegistry};
use vaa_registry::msg::{
    ExecuteMsg as RegistryMsg, GuardianSetInit, InstantiateMsg as RegistryInit, OnInvalid,
};
use wormhole_vaa::{Address, Body, GuardianSet, GuardianSetUpgrade, SecretKey, Vaa, is_governance};

const NOW: u64 = 1_800_000_000;

fn key(seed: u8) -> SecretKey {
    SecretKey::from_bytes(&[seed; 32]).unwrap()
}

fn body(sequence: u64, payload: &[u8]) -> Body {
    Body {
        timestamp: 1_700_000_000,
        nonce: 7,
        emitter_chain: 2,
        emitter_address: Address([0xee; 32]),
        sequence,
        consistency_level: 32,
        payload: payload.to_vec(),
    }
}

fn vaa(set: u32, seed: u8, body: &Body) -> Vec<u8> {
    let vaa = Vaa {
        guardian_set_index: set,
        signatures: vec![key(seed).sign(&body.digest(), 0)],
        body: body.clone(),
    };
    vaa.serialize().unwrap()
}

struct World {
    app: App,
    user: Addr,
    registry: Addr,
    consumer: Addr,
}

impl World {
    /// A registry with one guardian, and a consumer of emitter 2/ee…ee.
    fn new(require_live: bool) -> Self {
        let mut app = App::default();
        app.update_block(|block| block.time = Timestamp::from_seconds(NOW));
        let user = app.api().addr_make("user");
        let code = app.store_code(Box::new(ContractWrapper::new(
            registry::execute,
            registry::instantiate,
            registry::query,
        )));
        let init = RegistryInit {
            this_chain: 3104,
            guardian_sets: vec![GuardianSetInit {
                index: 0,
                addresses: vec![key(1).address().to_hex()],
                expires_at: None,
            }],
            governance: None,
            indexes: None,
            admin: None,
            limits: None,
            import: false,
        };
        let registry = app
            .instantiate_contract(code, user.clone(), &init, &[], "registry", None)
            .unwrap();
        let consumer = Self::consumer(&mut app, &user, &registry, require_live);
        Self {
            app,
            user,
            registry,
            consumer,
        }
    }

    fn consumer(app: &mut App, user: &Addr, registry: &Addr, require_live: bool) -> Addr {
        let wrapper =
            ContractWrapper::new(consumer::execute, consumer::instantiate, consumer::query);
        let code = app.store_code(Box::new(wrapper.with_reply(consumer::reply)));
        let init = InstantiateMsg {
            registry: registry.to_string(),
            emitter_chain: 2,
            emitter_address: "ee".repeat(32),
            require_live,
        };
        app.instantiate_contract(code, user.clone(), &init, &[], "consumer", None)
            .unwrap()
    }

    fn submit(&mut self, vaa: Vec<u8>) {
        let msg = RegistryMsg::SubmitVaas {
            vaas: vec![Binary::new(vaa)],
            on_invalid: Some(OnInvalid::Abort),
        };
        let (user, registry) = (self.user.clone(), self.registry.clone());
        self.app
            .execute_contract(user, registry, &msg, &[])
            .unwrap();
    }

    /// Acts, and returns the code of the error if it is refused.
    fn act(&mut self, id: &str) -> Result<(), String> {
        let msg = ExecuteMsg::Act { id: id.into() };
        let (user, consumer) = (self.user.clone(), self.consumer.clone());
        match self.app.execute_contract(user, consumer, &msg, &[]) {
            Ok(_) => Ok(()),
            Err(error) => {
                let text = format!("{error:?}");
                let at = text.find("[E").unwrap_or_else(|| panic!("{text}"));
                Err(text[at + 1..at + 5].to_owned())
            }
        }
    }

    fn acted_on(&self, body: &Body) -> Option<Binary> {
        let msg = QueryMsg::Act {
            digest: body.digest().to_string(),
        };
        let answer: ActResponse = self
            .app
            .wrap()
            .query_wasm_smart(&self.consumer, &msg)
            .unwrap();
        answer.payload
    }

    fn upgrade(&mut self) {
        let upgrade = GuardianSetUpgrade {
            new_index: 1,
            guardian_set: GuardianSet::new(vec![key(2).address()]).unwrap(),
        };
        let governance = Body {
            emitter_chain: wormhole_vaa::GOVERNANCE_CHAIN,
            emitter_address: wormhole_vaa::GOVERNANCE_EMITTER,
            ..body(1, &upgrade.serialize(0).unwrap())
        };
        assert!(is_governance(&governance.id()));
        self.submit(vaa(0, 1, &governance));
    }
}

fn refused(code: &str) -> Result<(), String> {
    Err(code.to_owned())
}

#[test]
fn it_acts_once_on_a_verified_message() {
    let mut world = World::new(false);
    let message = body(7, b"pay");
    let id = message.id().to_string();
    assert_eq!(world.act(&id), refused("E101"));
    world.submit(vaa(0, 1, &message));
    assert_eq!(world.acted_on(&message), None);
    assert_eq!(world.act(&id), Ok(()));
    assert_eq!(world.acted_on(&message), Some(Binary::from(b"pay")));
    // However the id is written, and whoever signs it again.
    assert_eq!(world.act(&id), refused("E103"));
    assert_eq!(
        world.act(&id.replace('/', ":").to_uppercase()),
        refused("E103")
    );
    world.upgrade();
    world.submit(vaa(1, 2, &message));
    assert_eq!(world.act(&id), refused("E103"));
}

#[test]
fn it_listens_to_one_emitter() {
    let mut world = World::new(false);
    let others = [
        Body {
            emitter_chain: 3,
            ..body(7, b"pay")
        },
        Body {
            emitter_address: Address([0xef; 32]),
            ..body(7, b"pay")
        },
    ];
    for other in others {
        world.submit(vaa(0, 1, &other));
        assert_eq!(world.act(&other.id().to_string()), refused("E102"));
        assert_eq!(world.acted_on(&other), None);
    }
    assert_eq!(world.act("2/ee"), refused("E201"));
}

#[test]
fn a_contradicted_message_is_not_acted_on() {
    let mut world = World::new(false);
    let (first, second) = (body(7, b"pay alice"), body(7, b"pay bob"));
    world.submit(vaa(0, 1, &first));
    world.submit(vaa(0, 1, &second));
    assert_eq!(world.act(&first.id().to_string()), refused("E101"));
    let ask = VaaRegistry(world.registry.clone());
    for message in [&first, &second] {
        let found = ask.verified_digest(&world.app.wrap(), &message.digest());
        assert!(matches!(found, Err(NotVerified::Conflict(_))), "{found:?}");
    }
}

#[test]
fn an_expired_set_is_told_apart() {
    for require_live in [false, true] {
        let mut world = World::new(require_live);
        let messages = [body(7, b"a"), body(8, b"b"), body(9, b"c")];
        for message in &messages {
            world.submit(vaa(0, 1, message));
        }
        world.upgrade();
        let at = |seconds| {
            move |block: &mut cosmwasm_std::BlockInfo| block.time = Timestamp::from_seconds(seconds)
        };
        world.app.update_block(at(NOW + 86_400));
        assert_eq!(world.act(&messages[0].id().to_string()), Ok(()));
        world.app.update_block(at(NOW + 86_401));
        let late = world.act(&messages[1].id().to_string());
        assert_eq!(
            late,
            if require_live {
                refused("E104")
            } else {
                Ok(())
            }
        );
        let found = VaaRegistry(world.registry.clone())
            .verified(&world.app.wrap(), &messages[2].id())
            .unwrap();
        assert!(found.expired_now);
        assert_eq!(
            (found.digest, &found.body),
            (messages[2].digest(), &messages[2])
        );
        assert_eq!((found.guardian_set_index, found.time), (0, NOW));
        // Signed again by the set that is, it counts again.
        world.submit(vaa(1, 2, &messages[2]));
        assert_eq!(world.act(&messages[2].id().to_string()), Ok(()));
    }
}

#[test]
fn whether_a_vaa_verifies_now_is_asked_without_registering_it() {
    let world = World::new(false);
    let (ask, querier) = (VaaRegistry(world.registry.clone()), world.app.wrap());
    let good = vaa(0, 1, &body(7, b"a"));
    assert!(ask.is_valid_now(&querier, &good).unwrap());
    for bad in [
        vaa(0, 2, &body(7, b"a")),
        vaa(1, 1, &body(7, b"a")),
        b"none".to_vec(),
    ] {
        assert!(!ask.is_valid_now(&querier, &bad).unwrap());
    }
}

/// What answers in a registry's place, with what it is told to.
fn liar(app: &mut App, user: &Addr, answer: serde_json::Value) -> Addr {
    fn instantiate(
        deps: cosmwasm_std::DepsMut,
        _: cosmwasm_std::Env,
        _: cosmwasm_std::MessageInfo,
        msg: Binary,
    ) -> cosmwasm_std::StdResult<cosmwasm_std::Response> {
        deps.storage.set(b"answer", &msg);
        Ok(cosmwasm_std::Response::new())
    }
    fn execute(
        _: cosmwasm_std::DepsMut,
        _: cosmwasm_std::Env,
        _: cosmwasm_std::MessageInfo,
        _: Empty,
    ) -> cosmwasm_std::StdResult<cosmwasm_std::Response> {
        Ok(cosmwasm_std::Response::new())
    }
    fn query(
        deps: cosmwasm_std::Deps,
        _: cosmwasm_std::Env,
        _: serde_json::Value,
    ) -> cosmwasm_std::StdResult<Binary> {
        Ok(Binary::new(deps.storage.get(b"answer").unwrap()))
    }
    let code = app.store_code(Box::new(ContractWrapper::new(execute, instantiate, query)));
    let answer = to_json_binary(&answer).unwrap();
    app.instantiate_contract(code, user.clone(), &answer, &[], "liar", None)
        .unwrap()
}

/// An answer in which anything is not as a registry says it is no verified message.
#[test]
fn a_wrong_answer_is_no_verified_message() {
    let mut world = World::new(false);
    let message = body(7, b"pay");
    let id = message.id();
    world.submit(vaa(0, 1, &message));
    let query = vaa_registry::msg::QueryMsg::Message {
        id: id.to_string(),
        families: None,
    };
    let good: serde_json::Value = world
        .app
        .wrap()
        .query_wasm_smart(&world.registry, &query)
        .unwrap();
    let changed = |path: &str, value: serde_json::Value| {
        let mut answer = good.clone();
        *answer.pointer_mut(path).unwrap() = value;
        answer
    };
    let null = serde_json::Value::Null;
    let answers = [
        serde_json::json!({}),
        null.clone(),
        changed("/message", null.clone()),
        changed("/message/message_publication", null.clone()),
        changed("/message/quorum_state", null.clone()),
        changed("/message/status", null),
        changed("/message/status/conflict", true.into()),
        changed("/message/status/verifications", serde_json::json!([])),
        changed("/message/quorum_state/guardian_set_index", 1.into()),
        changed("/message/message_publication/payload", "cGF5IQ==".into()),
        changed("/message/message_publication/version", 2.into()),
        changed("/message/id", body(8, b"pay").id().to_string().into()),
    ];
    let user = world.user.clone();
    for answer in answers {
        let liar = liar(&mut world.app, &user, answer.clone());
        let found = VaaRegistry(liar.clone()).verified(&world.app.wrap(), &id);
        assert!(found.is_err(), "{answer}");
        world.consumer = World::consumer(&mut world.app, &user, &liar, false);
        assert_eq!(world.act(&id.to_string()), refused("E101"), "{answer}");
    }
    // The answer itself is right.
    let honest = liar(&mut world.app, &user, good);
    assert!(VaaRegistry(honest).verified(&world.app.wrap(), &id).is_ok());
    // Nobody there is no answer.
    let nobody = VaaRegistry(world.app.api().addr_make("nobody"));
    assert!(matches!(
        nobody.verified(&world.app.wrap(), &id),
        Err(NotVerified::Query(_))
    ));
}

/// An error that a calling contract catches leaves nothing of the batch in the registry.
#[test]
fn a_caught_error_leaves_nothing_behind() {
    let mut world = World::new(false);
    let upgrade = GuardianSetUpgrade {
        new_index: 1,
        guardian_set: GuardianSet::new(vec![key(2).address()]).unwrap(),
    };
    let governance = Body {
        emitter_chain: wormhole_vaa::GOVERNANCE_CHAIN,
        emitter_address: wormhole_vaa::GOVERNANCE_EMITTER,
        ..body(1, &upgrade.serialize(0).unwrap())
    };
    let good = vec![
        vaa(0, 1, &body(7, b"a")),
        vaa(0, 1, &body(7, b"b")),
        vaa(0, 1, &governance),
    ];
    let bad = [vec![vaa(0, 9, &body(8, b"a"))], vec![b"none".to_vec()]];
    let before = world.app.dump_wasm_raw(&world.registry);
    let relay = |world: &mut World, vaas: Vec<Vec<u8>>| {
        let msg = ExecuteMsg::Relay {
            vaas: vaas.into_iter().map(Binary::new).collect(),
        };
        let (user, consumer) = (world.user.clone(), world.consumer.clone());
        let response = world
            .app
            .execute_contract(user, consumer, &msg, &[])
            .unwrap();
        let refused = |attribute: &cosmwasm_std::Attribute| attribute.key == "relayed";
        response
            .events
            .iter()
            .any(|event| event.attributes.iter().any(refused))
    };
    for bad in bad {
        assert!(relay(&mut world, [good.clone(), bad].concat()));
        assert_eq!(world.app.dump_wasm_raw(&world.registry), before);
    }
    assert!(!relay(&mut world, good));
    assert_ne!(world.app.dump_wasm_raw(&world.registry), before);
}

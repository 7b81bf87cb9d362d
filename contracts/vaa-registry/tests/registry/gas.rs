//! What the registry's calls cost on a chain, counted here without one: each access to the store as the Cosmos SDK charges
//! it, and the host's price for recovering a key. Compute is not counted, so each target is met with an allowance for it.

use std::cell::Cell;

use cosmwasm_std::{
    Binary, DepsMut, Env, Order, Record, Storage, Timestamp, from_json,
    testing::{MockApi, MockQuerier, MockStorage, message_info, mock_env},
};
use cw_orm::PageRequest;
use vaa_registry::{
    contract::{execute, instantiate, query},
    msg::{ExecuteMsg, IndexFlags, QueryMsg, SubmitVaasResponse},
};
use wormhole_vaa::{Address, Body, SecretKey, Vaa};

use super::{
    data::{Row, rows, set},
    suite::{START, addresses, body, instantiate_msg, keys, quorum_sign, set_init},
};

/// A chain's price for one recovered key.
const RECOVERY: u64 = 1_386;
/// What is allowed for compute, and for a response of some 500 bytes.
const COMPUTE: u64 = 1_500;
/// A contract's keys stand behind a byte and its address of 32 on the chain.
const PREFIX: usize = 33;

/// A store that counts what the chain would charge for it.
#[derive(Default)]
struct Metered {
    inner: MockStorage,
    gas: Cell<u64>,
}

impl Metered {
    fn charge(&self, flat: u64, byte: u64, bytes: usize) {
        let bytes = u64::try_from(PREFIX + bytes).unwrap();
        self.gas.set(self.gas.get() + flat + byte * bytes);
    }
}

impl Storage for Metered {
    fn get(&self, key: &[u8]) -> Option<Vec<u8>> {
        let value = self.inner.get(key);
        let len = value.as_ref().map_or(0, Vec::len);
        self.charge(1_000, 3, key.len() + len);
        value
    }

    fn set(&mut self, key: &[u8], value: &[u8]) {
        self.charge(2_000, 30, key.len() + value.len());
        self.inner.set(key, value);
    }

    fn remove(&mut self, key: &[u8]) {
        self.gas.set(self.gas.get() + 1_000);
        self.inner.remove(key);
    }

    /// An iterator charges the entry it stands at when it is opened, and again when it leaves it.
    fn range<'a>(
        &'a self,
        start: Option<&[u8]>,
        end: Option<&[u8]>,
        order: Order,
    ) -> Box<dyn Iterator<Item = Record> + 'a> {
        let mut entries = self.inner.range(start, end, order).peekable();
        match entries.peek() {
            Some((key, value)) => self.charge(30, 3, key.len() + value.len()),
            None => self.gas.set(self.gas.get() + 30),
        }
        Box::new(std::iter::from_fn(move || {
            let (key, value) = entries.next()?;
            self.charge(30, 3, key.len() + value.len());
            Some((key, value))
        }))
    }
}

struct Chain {
    store: Metered,
    api: MockApi,
    env: Env,
}

impl Chain {
    /// A registry whose only set is the one given.
    fn new(index: u32, addresses: Vec<String>, indexes: IndexFlags) -> Self {
        let mut chain = Self {
            store: Metered::default(),
            api: MockApi::default(),
            env: mock_env(),
        };
        // A height as chains have it: it is stored, in as many bytes as it needs.
        chain.env.block.height = 20_000_000;
        chain.env.block.time = Timestamp::from_seconds(START);
        let mut msg = instantiate_msg(vec![set_init(index, addresses, None)]);
        msg.indexes = Some(indexes);
        let info = message_info(&chain.api.addr_make("creator"), &[]);
        let env = chain.env.clone();
        instantiate(chain.deps(), env, info, msg).unwrap();
        chain
    }

    fn deps(&mut self) -> DepsMut<'_> {
        let querier = Box::leak(Box::new(MockQuerier::default()));
        DepsMut {
            storage: &mut self.store,
            api: &self.api,
            querier: cosmwasm_std::QuerierWrapper::new(querier),
        }
    }

    /// Submits VAAs and returns the gas of storage of one of them.
    fn submit(&mut self, vaas: &[Vec<u8>], outcome: &str) -> u64 {
        self.store.gas.set(0);
        let info = message_info(&self.api.addr_make("relayer"), &[]);
        let msg = ExecuteMsg::SubmitVaas {
            vaas: vaas.iter().map(|vaa| Binary::new(vaa.clone())).collect(),
            on_invalid: None,
        };
        let env = self.env.clone();
        let response = execute(self.deps(), env, info, msg).unwrap();
        let done: SubmitVaasResponse = from_json(response.data.unwrap()).unwrap();
        for done in done.outcomes {
            assert_eq!(done.outcome.as_str(), outcome);
        }
        self.store.gas.get().div_ceil(vaas.len() as u64)
    }

    fn ask(&mut self, msg: QueryMsg) -> u64 {
        self.store.gas.set(0);
        let env = self.env.clone();
        query(self.deps().as_ref(), env, msg).unwrap();
        self.store.gas.get()
    }
}

/// The five indexes that the costs are quoted with, the digest's among them.
const FIVE: IndexFlags = IndexFlags {
    chain_time: true,
    emitter_time: true,
    guardian_set: true,
    recipient: true,
    ..IndexFlags::NONE
};

/// A token transfer of 1,048 bytes by 13 guardians of mainnet's set 3, and one that its emitter sent before.
fn transfers() -> [Vec<u8>; 2] {
    let rows = rows("mainnet.jsonl");
    let of = |name: &str| {
        rows.iter()
            .find(|row| row.name == name)
            .map(Row::bytes)
            .unwrap()
    };
    [of("mgs3-1-b3a4f5-276772"), of("mgs3-1-b3a4f5-610687")]
}

/// A transfer as that one, with a sequence of its own, signed by 13 of 19.
fn transfer(keys: &[SecretKey], sequence: u64) -> Vec<u8> {
    let model = Vaa::parse(&transfers()[1]).unwrap().body;
    let body = Body {
        timestamp: model.timestamp + sequence as u32,
        sequence: model.sequence + sequence,
        ..model
    };
    let vaa = quorum_sign(0, keys, &body);
    assert_eq!(vaa.len(), 1_048);
    vaa
}

/// The gas of storage that the README tells for a call.
fn documented(call: &str) -> u64 {
    let row = |line: &str| {
        let (what, gas) = line
            .strip_prefix("| ")?
            .strip_suffix(" |")?
            .split_once(" | ")?;
        (what == call).then(|| gas.replace(',', "").parse().unwrap())
    };
    let found = include_str!("../../README.md").lines().find_map(row);
    found.unwrap_or_else(|| panic!("the README tells nothing of {call:?}"))
}

/// Asserts that a call's storage costs what the README says, to 1 %, and that the call as a whole is within its target.
fn costs(call: &str, storage: u64, recoveries: u64, target: u64) {
    let told = documented(call);
    assert!(
        storage.abs_diff(told) * 100 <= told,
        "{call}: storage costs {storage}, the README says {told}"
    );
    let total = storage + recoveries * RECOVERY + COMPUTE;
    assert!(total <= target, "{call}: {total} is over {target}");
}

const FIVE_INDEXES: &str =
    "submitted, with the indexes digest, chain and time, emitter and time, guardian set, recipient";

#[test]
fn a_vaa_costs_no_more_than_its_target() {
    let [earlier, vaa] = transfers();
    let mut chain = Chain::new(3, set("mainnet:3"), FIVE);
    let first = chain.submit(&[earlier], "stored");
    costs("submitted as its emitter's first", first, 13, 84_000);
    let dry = chain.ask(QueryMsg::Verify {
        vaa: Binary::new(vaa.clone()),
    });
    // A query pays for no response, so that 500 are left for compute.
    costs("verified by query", dry, 13, 21_500 - 500 + COMPUTE);
    let stored = chain.submit(std::slice::from_ref(&vaa), "stored");
    costs(FIVE_INDEXES, stored, 13, 82_000);
    let again = chain.submit(&[vaa], "already_registered");
    costs("submitted again", again, 0, 7_000);

    let [earlier, vaa] = transfers();
    let mut chain = Chain::new(3, set("mainnet:3"), IndexFlags::NONE);
    chain.submit(&[earlier], "stored");
    let stored = chain.submit(&[vaa], "stored");
    costs(
        "submitted, with no index but the digest's",
        stored,
        13,
        66_000,
    );
}

/// A page costs by what it shows, not by what there is: of 40 messages of 20 emitters, or of 240 of 120.
#[test]
fn a_page_costs_the_same_however_many_rows_there_are() {
    let keys = keys(1..=1);
    let page = |emitters: u8, reverse| {
        let mut chain = Chain::new(0, addresses(&keys), IndexFlags::NONE);
        for sequence in 0..2 {
            let of = |emitter| {
                let mut address = [7; 32];
                address[31] = emitter;
                let emitter_address = Address(address);
                quorum_sign(
                    0,
                    &keys,
                    &Body {
                        emitter_address,
                        ..body(sequence, b"a")
                    },
                )
            };
            let vaas: Vec<_> = (0..emitters).map(of).collect();
            for batch in vaas.chunks(50) {
                chain.submit(batch, "stored");
            }
        }
        chain.ask(QueryMsg::MessagesByChain {
            chain: 2,
            page: Some(PageRequest {
                reverse,
                ..PageRequest::first(10)
            }),
            families: None,
            filter: None,
        })
    };
    for reverse in [false, true] {
        assert_eq!(page(20, reverse), page(120, reverse));
    }
}

#[test]
fn a_batch_costs_less_a_vaa() {
    let keys = keys(1..=19);
    let mut chain = Chain::new(0, addresses(&keys), FIVE);
    chain.submit(&[transfer(&keys, 0)], "stored");
    let ten: Vec<_> = (1..=10).map(|n| transfer(&keys, n)).collect();
    let each = chain.submit(&ten, "stored");
    costs("submitted in batches of 10, each", each, 13, 79_000);
    let thirty: Vec<_> = (11..=40).map(|n| transfer(&keys, n)).collect();
    let each = chain.submit(&thirty, "stored");
    costs("submitted in batches of 30, each", each, 13, 77_000);
}

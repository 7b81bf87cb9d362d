//! How much a guardian can have stored, and what one more report costs.

use cosmwasm_std::{
    MessageInfo, OwnedDeps,
    testing::{MockApi, MockQuerier, message_info, mock_env},
};
use vaa_registry::{
    contract::{execute, instantiate},
    msg::{ExecuteMsg, IndexFlags, SubmitVaasResponse},
    observations_digest,
    state::{MAX_UNDECIDED, Observation, PendingBody, TxClaim, Undecided},
};
use wormhole_vaa::{Body, SecretKey};

use super::{
    metered::Metered,
    observed::{observation, signature, tx},
    suite::{Suite, addresses, body, instantiate_msg, key, keys, quorum_sign, set_init},
};

#[test]
fn a_guardian_has_two_undecided_digests_of_a_message() {
    let keys = keys(1..=4);
    let mut suite = Suite::of_keys(&keys);
    let bodies = [body(7, b"a"), body(7, b"b"), body(7, b"c"), body(7, b"d")];
    let [a, b, c, d] = &bodies;
    let done = suite.observe(0, 0, &keys[0], &[a, b, c, a, b]);
    assert_eq!(
        done,
        [
            "pending 1/3",
            "pending 1/3",
            "E115",
            "pending 1/3",
            "pending 1/3"
        ]
    );
    // Another guardian has two of its own, also others, and another message is another matter.
    assert_eq!(
        suite.observe(0, 1, &keys[1], &[c, d, a]),
        ["pending 1/3", "pending 1/3", "E115"]
    );
    assert_eq!(
        suite.observe(0, 0, &keys[0], &[&body(8, b"a")]),
        ["pending 1/3"]
    );
    // The signature that decides a digest is not held back, and a decided one does not count any more.
    suite.observe(0, 2, &keys[2], &[c]);
    assert_eq!(suite.observe(0, 0, &keys[0], &[d, c]), ["E115", "stored"]);
    assert_eq!(suite.observe(0, 1, &keys[1], &[a]), ["pending 2/3"]);
    assert_eq!(suite.observe(0, 1, &keys[1], &[b]), ["E115"]);
    // The others still can make a quorum, which is a conflict.
    suite.stored(&quorum_sign(0, &keys, &body(9, b"")));
    assert_eq!(suite.observe(0, 3, &keys[3], &[a]), ["conflict"]);
    assert_eq!(suite.observe(0, 0, &keys[0], &[d]), ["pending 2/3"]);
}

#[test]
fn the_first_digest_of_a_message_counts_also_when_it_comes_back() {
    let keys = keys(1..=4);
    let mut suite = Suite::of_keys(&keys);
    let (a, b, c) = (body(7, b"a"), body(7, b"b"), body(7, b"c"));
    suite.observe(0, 0, &keys[0], &[&a]);
    suite.observe(0, 1, &keys[1], &[&b]);
    // Submitted as a VAA the first is gone, and the second remains one that was not the first.
    suite.stored(&quorum_sign(0, &keys, &a));
    assert_eq!(suite.observe(0, 1, &keys[1], &[&c]), ["pending 1/3"]);
    assert_eq!(suite.observe(0, 1, &keys[1], &[&body(7, b"d")]), ["E115"]);
    assert_eq!(
        suite.observe(0, 0, &keys[0], &[&b, &c, &body(7, b"d")]),
        ["pending 2/3", "pending 2/3", "E115"]
    );
}

#[test]
fn a_guardian_has_1024_undecided_digests_in_all() {
    let keys = keys(1..=4);
    let mut suite = Suite::of_keys(&keys);
    let bodies: Vec<Body> = (0..u64::from(MAX_UNDECIDED) + 1)
        .map(|sequence| body(sequence, b""))
        .collect();
    let (last, allowed) = bodies.split_last().unwrap();
    for batch in allowed.chunks(50) {
        let done = suite.observe(0, 0, &keys[0], &batch.iter().collect::<Vec<_>>());
        assert!(done.iter().all(|done| done == "pending 1/3"));
    }
    let before = suite.dump();
    assert_eq!(suite.observe(0, 0, &keys[0], &[last]), ["E114"]);
    assert_eq!(
        suite.observe(0, 0, &keys[0], &[&allowed[3], last]),
        ["pending 1/3", "E114"]
    );
    assert_eq!(suite.dump(), before);
    // The others are not concerned, and neither is a signature that decides.
    assert_eq!(
        suite.observe(0, 1, &keys[1], &[last, &allowed[0]]),
        ["pending 1/3", "pending 2/3"]
    );
    assert_eq!(suite.observe(0, 2, &keys[2], &[last]), ["pending 2/3"]);
    assert_eq!(suite.observe(0, 0, &keys[0], &[last]), ["stored"]);
    // A digest that is decided, by whom it may, makes room for one.
    suite.stored(&quorum_sign(0, &keys, &allowed[1]));
    let (more, further) = (body(5_000, b""), body(5_001, b""));
    assert_eq!(
        suite.observe(0, 0, &keys[0], &[&more, &further]),
        ["pending 1/3", "E114"]
    );
}

/// A registry on a store that meters, without a chain around it.
struct Bench {
    deps: OwnedDeps<Metered, MockApi, MockQuerier>,
    info: MessageInfo,
    keys: Vec<SecretKey>,
}

impl Bench {
    fn new(guardians: u8) -> Self {
        let api = MockApi::default();
        let info = message_info(&api.addr_make("user"), &[]);
        let keys: Vec<SecretKey> = (1..=guardians).map(key).collect();
        let mut deps = OwnedDeps {
            storage: Metered::default(),
            api,
            querier: MockQuerier::default(),
            custom_query_type: core::marker::PhantomData,
        };
        let mut msg = instantiate_msg(vec![set_init(0, addresses(&keys), None)]);
        msg.indexes = Some(IndexFlags {
            tx_id: false,
            ..IndexFlags::ALL
        });
        let mut env = mock_env();
        env.contract.address = api.addr_make("registry");
        instantiate(deps.as_mut(), env, info.clone(), msg).unwrap();
        deps.storage.longest = 0;
        Self { deps, info, keys }
    }

    fn run(&mut self, msg: ExecuteMsg) -> (u64, cosmwasm_std::Response) {
        let mut env = mock_env();
        env.contract.address = self.deps.api.addr_make("registry");
        self.deps.storage.reset();
        let response = execute(self.deps.as_mut(), env, self.info.clone(), msg).unwrap();
        (self.deps.storage.gas(), response)
    }

    /// Brings one batch; returns the storage gas.
    fn observe(&mut self, guardian: u8, bodies: &[Body]) -> u64 {
        use cosmwasm_std::Api;
        let key = &self.keys[usize::from(guardian)];
        let list: Vec<_> = bodies
            .iter()
            .map(|body| observation(key, body, &tx(1)))
            .collect();
        let observations = cosmwasm_std::to_json_vec(&list).unwrap();
        let contract = self.deps.api.addr_make("registry");
        let contract = self.deps.api.addr_canonicalize(contract.as_str()).unwrap();
        let chain = mock_env().block.chain_id;
        let digest = observations_digest(&chain, &contract, 0, guardian, &observations).unwrap();
        let msg = ExecuteMsg::SubmitObservations {
            guardian_set_index: 0,
            guardian_index: guardian,
            observations: observations.into(),
            signature: signature(key, &digest),
            on_invalid: Some(vaa_registry::msg::OnInvalid::Abort),
        };
        self.run(msg).0
    }

    fn submit(&mut self, body: &Body) -> u64 {
        let msg = ExecuteMsg::SubmitVaas {
            vaas: vec![quorum_sign(0, &self.keys, body).into()],
            on_invalid: None,
        };
        let (gas, response) = self.run(msg);
        let answer: SubmitVaasResponse = cosmwasm_std::from_json(response.data.unwrap()).unwrap();
        assert_eq!(answer.outcomes[0].outcome.as_str(), "stored");
        gas
    }
}

/// A body with a payload of the size of a transfer with a message.
fn transfer(sequence: u64) -> Body {
    body(sequence, &[7; 133])
}

#[test]
fn an_observation_costs_little_and_the_last_one_not_much_more() {
    let mut bench = Bench::new(19);
    let bodies: Vec<Body> = (0..10).map(transfer).collect();
    let first = bench.observe(0, &bodies) / 10;
    let costs: Vec<u64> = (1..12)
        .map(|guardian| bench.observe(guardian, &bodies) / 10)
        .collect();
    // The emitter's first message costs more: it is not the one that is measured.
    bench.observe(12, &bodies[..1]);
    let deciding = bench.observe(12, &bodies[1..2]);
    (13..15).for_each(|guardian| {
        bench.observe(guardian, &bodies[2..]);
    });
    bench.observe(12, &bodies[2..]);
    let late = bench.observe(15, &bodies) / 10;
    let replay = bench.observe(15, &bodies) / 10;
    let vaa = bench.submit(&transfer(99));
    let text = format!(
        "first {first}, further {costs:?}, deciding {deciding}, late {late}, replay {replay}, VAA {vaa}"
    );
    // Beside these, an observation costs two recoveries (one of them for the batch), 1,386 each, and compute.
    assert!(costs.iter().all(|cost| *cost <= 11_000), "{text}");
    assert!(
        costs.iter().max().unwrap() - costs.iter().min().unwrap() < 100,
        "{text}"
    );
    assert!(deciding <= vaa + 35_000, "{text}");
    assert!(late <= 10_000 && replay <= 3_500, "{text}");
}

#[test]
fn f30_one_more_report_costs_the_same_after_200_differing_ones() {
    // 100 of 255 guardians report two bodies each for one id, no two of them the same.
    let mut bench = Bench::new(255);
    let report = |guardian: u8, place: u8| body(7, &[guardian, place]);
    let mut costs = Vec::new();
    for guardian in 0..100 {
        costs.push(bench.observe(guardian, &[report(guardian, 0)]));
        costs.push(bench.observe(guardian, &[report(guardian, 1)]));
    }
    // The first is cheaper, as there is no other body of the message, and none of the guardian's to count.
    let (least, most) = (
        costs[2..].iter().min().unwrap(),
        costs.iter().max().unwrap(),
    );
    assert!(most - least < 9_000, "{costs:?}");
    let (early, late) = (&costs[2..12], &costs[190..]);
    let growth = late.iter().sum::<u64>() / 10 - early.iter().sum::<u64>() / 10;
    // 30 gas a byte, and each guardian who has anything undecided adds one to the count of its set.
    assert!(growth < 4_500, "{costs:?}");
    // Agreeing with the first of them costs no more.
    let agreeing = bench.observe(200, &[report(0, 0)]);
    assert!(agreeing < *most, "{agreeing} {costs:?}");

    let storage = &bench.deps.storage;
    let order = cosmwasm_std::Order::Ascending;
    let rows = Observation::TABLE
        .all()
        .rows(storage, order)
        .read_all()
        .unwrap();
    assert_eq!(rows.len(), 201);
    assert_eq!(
        PendingBody::TABLE
            .all()
            .ids(storage, order)
            .read_all()
            .unwrap()
            .len(),
        200
    );
    assert_eq!(
        Undecided::TABLE
            .all()
            .ids(storage, order)
            .read_all()
            .unwrap()
            .len(),
        1
    );
    assert!(TxClaim::TABLE.all().is_empty(storage).unwrap());
    assert!(storage.longest < 600);
}

//! Random sequences of all that anybody can send about messages, against the plain model of the rules.

use std::collections::{BTreeMap, BTreeSet};

use cosmwasm_std::{Order, Storage};
use proptest::{
    collection::vec,
    prelude::{Just, Strategy, any, prop_oneof},
    test_runner::{Config as Cases, TestCaseError, TestRunner},
};
use vaa_registry::{
    msg::{MessageQueryResponse, OutcomeKind, QueryMsg, SignedVaaResponse},
    state::{
        FurtherDigest, Message, MessagePublication, Observation, PendingBody, TxClaim, TxMessage,
        Undecided,
    },
};
use wormhole_vaa::{Body, GuardianSet, K256Recover, SecretKey, Vaa, quorum, verify_signatures};

use super::{
    model::{BodyNo, Effect, Forgery, Guardian, Model, ModelSet, Set, Tx},
    observed::{code, name, observation, tx},
    suite::{START, Suite, addresses, body, governance, instantiate_msg, set_init, sign, upgrade},
};

#[derive(Clone, Debug)]
enum Op {
    /// Some guardians in a row report the same bodies.
    Observe {
        set: Set,
        first: Guardian,
        guardians: usize,
        bodies: Vec<BodyNo>,
        tx: Tx,
        forgery: Forgery,
    },
    Submit {
        set: Set,
        first: Guardian,
        body: BodyNo,
        short: bool,
        forged: bool,
    },
    Wait(u64),
    Prune(u32),
}

/// Bodies 0 to 2 claim one id; 3 another; 4 and 5 are the upgrades to sets 1 and 2; 6 is governance that changes nothing.
const BODIES: usize = 7;

fn op(size: usize) -> impl Strategy<Value = Op> {
    let set = prop_oneof![5 => 0..3_u32, 1 => Just(3)];
    let place = 0..(size + 1).min(255);
    let guardians = prop_oneof![3 => Just(1), 2 => 1..=quorum(size), 1 => Just(size)];
    let forgery =
        prop_oneof![8 => Just(Forgery::None), 1 => Just(Forgery::Inner), 1 => Just(Forgery::Outer)];
    prop_oneof![
        10 => (set.clone(), place.clone(), guardians, vec(0..BODIES, 1..4), 0..3_u8, forgery).prop_map(
            |(set, first, guardians, bodies, tx, forgery)| Op::Observe { set, first: first as u8, guardians, bodies, tx, forgery }
        ),
        4 => (set, place, 0..BODIES, 0..8_u8, 0..8_u8).prop_map(|(set, first, body, short, forged)| Op::Submit {
            set, first: first as u8, body, short: short == 0, forged: forged == 0,
        }),
        1 => prop_oneof![Just(1_u64), Just(86_400), Just(86_401)].prop_map(Op::Wait),
        2 => (1..12_u32).prop_map(Op::Prune),
    ]
}

/// A guardian's key: any two sets share half of them.
fn guardian(set: Set, place: usize) -> SecretKey {
    let mut secret = [9; 32];
    secret[30] = if place.is_multiple_of(2) {
        0
    } else {
        set as u8
    };
    secret[31] = place as u8;
    SecretKey::from_bytes(&secret).unwrap()
}

struct World {
    suite: Suite,
    model: Model,
    keys: Vec<Vec<SecretKey>>,
}

impl World {
    fn new(sizes: [usize; 3]) -> Self {
        let keys: Vec<Vec<SecretKey>> = (0..3)
            .map(|set| {
                (0..sizes[set as usize])
                    .map(|place| guardian(set, place))
                    .collect()
            })
            .collect();
        let bodies = vec![
            body(7, b"a"),
            body(7, b"b"),
            body(7, b"c"),
            body(8, b"a"),
            governance(1, &upgrade(1, &keys[1])),
            governance(2, &upgrade(2, &keys[2])),
            governance(3, b"of no meaning"),
        ];
        let mut effects = vec![Effect::None; BODIES];
        effects[4..].copy_from_slice(&[Effect::Upgrade(1), Effect::Upgrade(2), Effect::Nothing]);
        let msg = instantiate_msg(vec![set_init(0, addresses(&keys[0]), None)]);
        let model = Model {
            now: START,
            sets: vec![ModelSet {
                guardians: sizes[0],
                expires_at: None,
            }],
            current: 0,
            bodies,
            effects,
            sizes: sizes.to_vec(),
            registered: BTreeMap::new(),
            conflicts: BTreeSet::new(),
            pending: BTreeMap::new(),
            claims: BTreeMap::new(),
        };
        Self {
            suite: Suite::create(&msg, START).unwrap(),
            model,
            keys,
        }
    }

    /// The key of a place; one that is in no set, where there is no such set or place.
    fn key(&self, set: Set, place: Guardian) -> SecretKey {
        let set = self.keys.get(set as usize);
        let key = set.and_then(|keys| keys.get(usize::from(place))).cloned();
        key.unwrap_or_else(|| SecretKey::from_bytes(&[3; 32]).unwrap())
    }

    fn body(&self, body: BodyNo) -> Body {
        self.model.bodies[body].clone()
    }

    fn run(&mut self, op: &Op) {
        match op {
            Op::Observe {
                set,
                first,
                guardians,
                bodies,
                tx,
                forgery,
            } => {
                let size = self.keys.get(*set as usize).map_or(1, Vec::len).max(1);
                for step in 0..(*guardians).min(size) {
                    // Now and then the place one past the set's last.
                    let place = (usize::from(*first) + step) % (size + 1).min(256);
                    self.observe(*set, place as u8, bodies, *tx, *forgery);
                }
            }
            Op::Submit {
                set,
                first,
                body,
                short,
                forged,
            } => self.submit(*set, *first, *body, *short, *forged),
            Op::Wait(seconds) => {
                self.model.now += seconds;
                self.suite.set_time(self.model.now);
            }
            Op::Prune(limit) => {
                // Any number of steps that any limit makes of it comes to the same.
                let most = self.suite.dump().len();
                let mut steps = 0;
                loop {
                    let done = self.suite.prune(*limit);
                    assert!(done.removed <= *limit, "{done:?}");
                    if done.finished {
                        break;
                    }
                    steps += 1;
                    assert!(steps <= most, "pruning does not end");
                }
                self.model.prune();
                let before = self.suite.dump();
                assert_eq!(self.suite.prune(1_000).removed, 0);
                assert_eq!(self.suite.dump(), before);
            }
        }
    }

    fn observe(
        &mut self,
        set: Set,
        place: Guardian,
        bodies: &[BodyNo],
        tx_no: Tx,
        forgery: Forgery,
    ) {
        let own = self.key(set, place);
        let other = SecretKey::from_bytes(&[4; 32]).unwrap();
        let inner = if forgery == Forgery::Inner {
            &other
        } else {
            &own
        };
        let outer = if forgery == Forgery::Outer {
            &other
        } else {
            &own
        };
        let list: Vec<_> = bodies
            .iter()
            .map(|body| observation(inner, &self.body(*body), &tx(tx_no)))
            .collect();
        let report = self.suite.report(set, place, outer, &list);
        let before = self.suite.dump();
        let known = (
            self.model.pending.clone(),
            self.model.claims.clone(),
            self.model.registered.clone(),
        );
        let expected = self.model.observe(set, place, bodies, tx_no, forgery);
        let done = self.suite.send(&report);
        match (&expected, &done) {
            (Ok(expected), Ok(done)) => {
                let found: Vec<_> = done.iter().map(name).collect();
                assert_eq!(&found, expected, "set {set} guardian {place}");
            }
            (Err(expected), Err(error)) => assert_eq!(&code(error), expected),
            _ => panic!("{expected:?} {done:?}"),
        }
        // What changed nothing by the rules has written nothing; and a replay never does.
        if known
            == (
                self.model.pending.clone(),
                self.model.claims.clone(),
                self.model.registered.clone(),
            )
        {
            assert_eq!(self.suite.dump(), before, "{expected:?}");
        } else if forgery == Forgery::None && bodies.len() == 1 {
            let after = self.suite.dump();
            // Unless its set's own successor made it too old, which a day does.
            self.suite.send(&report).unwrap();
            assert_eq!(self.suite.dump(), after);
        }
    }

    fn submit(&mut self, set: Set, first: Guardian, body: BodyNo, short: bool, forged: bool) {
        let keys = match self.keys.get(set as usize) {
            Some(keys) if !forged => keys.clone(),
            Some(keys) => vec![SecretKey::from_bytes(&[4; 32]).unwrap(); keys.len()],
            None => vec![self.key(set, 0)],
        };
        let count = quorum(keys.len()) - usize::from(short);
        let mut signers: Vec<u8> = (0..count)
            .map(|step| ((usize::from(first) + step) % keys.len()) as u8)
            .collect();
        signers.sort_unstable();
        let vaa = sign(set, &keys, &signers, &self.body(body));
        let before = self.suite.dump();
        let known = self.model.registered.clone();
        let conflicts = self.model.conflicts.len();
        let expected = self.model.submit(set, body, count, forged);
        let done = self.suite.submit_one(&vaa);
        let found = done
            .error
            .map_or(done.outcome.as_str().to_owned(), |error| error.code);
        assert_eq!(found, expected);
        if known == self.model.registered && conflicts == self.model.conflicts.len() {
            assert_ne!(done.outcome, OutcomeKind::Stored);
            assert_eq!(self.suite.dump(), before);
        }
    }

    /// Everything stored is what the model says, and nothing else.
    fn check(&mut self) {
        let bodies = self.model.bodies.clone();
        let number = |digest: &[u8; 32]| {
            bodies
                .iter()
                .position(|body| body.digest().0 == *digest)
                .unwrap()
        };
        let storage = self.suite.app.contract_storage_mut(&self.suite.registry);
        let storage: &dyn Storage = storage.as_ref();
        let rows = Observation::TABLE
            .all()
            .rows(storage, Order::Ascending)
            .read_all()
            .unwrap();
        let mut pending: BTreeMap<(BodyNo, Set), Vec<Guardian>> = BTreeMap::new();
        let mut claims: BTreeMap<(BodyNo, Set, Guardian), Tx> = BTreeMap::new();
        let mut counts: BTreeMap<Set, Vec<u16>> = BTreeMap::new();
        for row in &rows {
            let (body, set) = (number(&row.digest), row.guardian_set_index);
            let signers = pending.entry((body, set)).or_default();
            assert_eq!(usize::from(row.position), signers.len());
            signers.push(row.guardian);
            let mut sorted = signers.clone();
            sorted.sort_unstable();
            assert_eq!(row.signers.iter().collect::<Vec<_>>(), sorted);
            assert!(
                claims
                    .insert((body, set, row.guardian), row.tx_id[0])
                    .is_none()
            );
            let of_set = counts.entry(set).or_default();
            let place = usize::from(row.guardian);
            of_set.resize(of_set.len().max(place + 1), 0);
            of_set[place] += 1;
        }
        assert_eq!(pending, self.model.pending);
        let counted = Undecided::TABLE
            .all()
            .rows(storage, Order::Ascending)
            .read_all()
            .unwrap();
        let counted: BTreeMap<_, _> = counted
            .into_iter()
            .map(|row| (row.guardian_set_index, row.counts))
            .collect();
        assert_eq!(counted, counts);

        let further = FurtherDigest::TABLE
            .all()
            .rows(storage, Order::Ascending)
            .read_all()
            .unwrap();
        let mut marked: Vec<_> = further
            .iter()
            .map(|row| (row.digest, row.guardian_set_index, row.guardian))
            .collect();
        let mut expected: Vec<_> = rows
            .iter()
            .filter(|row| row.further)
            .map(|row| (row.digest, row.guardian_set_index, row.guardian))
            .collect();
        marked.sort_unstable();
        expected.sort_unstable();
        assert_eq!(marked, expected);
        let stored = PendingBody::TABLE
            .all()
            .rows(storage, Order::Ascending)
            .read_all()
            .unwrap();
        let mut firsts: BTreeMap<String, BTreeSet<[u8; 32]>> = BTreeMap::new();
        for row in &stored {
            assert_eq!(row.body(), bodies[number(&row.digest)]);
            firsts
                .entry(row.id().to_string())
                .or_default()
                .insert(row.first.unwrap_or(row.digest));
            let further = rows.iter().filter(|observed| observed.digest == row.digest);
            further.for_each(|observed| assert_eq!(observed.further, row.first.is_some()));
        }
        assert!(firsts.values().all(|first| first.len() == 1));
        let stored: BTreeSet<_> = stored.iter().map(|row| number(&row.digest)).collect();
        assert_eq!(
            stored,
            self.model.pending.keys().map(|(body, _)| *body).collect()
        );

        let kept = TxClaim::TABLE
            .all()
            .rows(storage, Order::Ascending)
            .read_all()
            .unwrap();
        for row in &kept {
            assert_eq!(row.guardians.without(&row.claimants).count(), 0);
            for guardian in row.guardians.iter() {
                let key = (number(&row.digest), row.guardian_set_index, guardian);
                assert!(
                    claims.insert(key, row.tx_id[0]).is_none(),
                    "{key:?} claimed twice"
                );
            }
        }
        assert_eq!(claims, self.model.claims);
        let indexed = TxMessage::TABLE
            .all()
            .rows(storage, Order::Ascending)
            .read_all()
            .unwrap();
        let indexed: BTreeSet<_> = indexed
            .iter()
            .map(|row| (number(&row.digest), row.tx_id[0]))
            .collect();
        let decided = claims
            .iter()
            .filter(|((body, _, _), _)| self.model.is_decided(*body));
        assert_eq!(
            indexed,
            decided.map(|((body, _, _), tx)| (*body, *tx)).collect()
        );
        let registered = Message::TABLE
            .family::<MessagePublication>()
            .all()
            .ids(storage, Order::Ascending)
            .read_all()
            .unwrap();
        assert_eq!(registered.len(), self.model.registered.len());
    }

    /// Every message that stands is a good VAA, of the set that last signed it.
    fn check_messages(&self) {
        for (id, (body, sets)) in &self.model.registered {
            let found: MessageQueryResponse = self.suite.ask(&QueryMsg::Message {
                id: id.clone(),
                families: None,
            });
            let message = found.message.unwrap();
            let verified: Vec<_> = message
                .status
                .unwrap()
                .verifications
                .iter()
                .map(|done| done.guardian_set_index)
                .collect();
            assert_eq!(&verified, sets);
            let signed: SignedVaaResponse = self.suite.ask(&QueryMsg::SignedVaa {
                id: id.clone(),
                guardian_set: None,
            });
            let vaa = Vaa::parse(&signed.vaa).unwrap();
            assert_eq!(vaa.body, self.model.bodies[*body]);
            let keys = &self.keys[vaa.guardian_set_index as usize];
            let set = GuardianSet::new(keys.iter().map(SecretKey::address).collect()).unwrap();
            assert_eq!(vaa.signatures.len(), set.quorum());
            verify_signatures(&K256Recover, &set, &vaa.digest(), &vaa.signatures).unwrap();
        }
    }
}

/// Runs random sequences in which the sets have these sizes.
fn sequences(sizes: [usize; 3], cases: u32, ops: usize) {
    let mut runner = TestRunner::new(Cases {
        cases,
        failure_persistence: None,
        ..Cases::default()
    });
    let strategy = (any::<bool>(), vec(op(sizes[0]), 1..ops));
    runner
        .run(&strategy, |(often, ops)| {
            let mut world = World::new(sizes);
            for op in &ops {
                world.run(op);
                if often {
                    world.check();
                }
            }
            world.check();
            world.check_messages();
            Ok::<_, TestCaseError>(())
        })
        .unwrap();
}

#[test]
fn small_sets() {
    sequences([1, 2, 3], 24, 24);
    sequences([2, 1, 4], 24, 24);
    sequences([3, 4, 7], 24, 24);
}

#[test]
fn four_guardians() {
    sequences([4, 4, 4], 64, 32);
}

#[test]
fn usual_sets() {
    sequences([7, 4, 13], 12, 20);
    sequences([13, 19, 7], 8, 16);
    sequences([19, 19, 19], 8, 16);
}

#[test]
fn large_sets() {
    sequences([40, 19, 40], 3, 10);
    sequences([255, 40, 19], 2, 6);
}

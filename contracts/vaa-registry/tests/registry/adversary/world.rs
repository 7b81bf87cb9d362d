//! A registry and the model of it, to which the same happens.

use std::collections::{BTreeMap, BTreeSet};

use vaa_registry::msg::OutcomeKind;
use wormhole_vaa::{Body, SecretKey, quorum};

use super::{
    super::{
        model::{BodyNo, Effect, Forgery, Guardian, Model, ModelSet, Set, Tx},
        observed::{code, name, observation, tx},
        suite::{
            START, Suite, addresses, body, governance, instantiate_msg, set_init, sign, upgrade,
        },
    },
    BODIES, Op, Which,
};

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

pub struct World {
    pub suite: Suite,
    pub model: Model,
    pub keys: Vec<Vec<SecretKey>>,
}

impl World {
    pub fn new(sizes: [usize; 3]) -> Self {
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
            late: BTreeSet::new(),
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

    fn set(&self, which: Which) -> Set {
        let current = self.model.current;
        match which {
            Which::Current => current,
            Which::Previous => current.saturating_sub(1),
            Which::First => 0,
            Which::Next => current + 1,
        }
    }

    fn body(&self, body: BodyNo) -> Body {
        self.model.bodies[body].clone()
    }

    pub fn run(&mut self, op: &Op) {
        match op {
            Op::Observe {
                set,
                first,
                guardians,
                bodies,
                tx,
                forgery,
            } => {
                let set = self.set(*set);
                let size = self.keys.get(set as usize).map_or(1, Vec::len);
                for step in 0..(*guardians).min(size) {
                    // Now and then the place one past the set's last.
                    let place = (usize::from(*first) + step) % (size + 1).min(256);
                    self.observe(set, place as u8, bodies, *tx, *forgery);
                }
            }
            Op::Submit {
                set,
                first,
                body,
                short,
                forged,
            } => self.submit(self.set(*set), *first, *body, *short, *forged),
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
}

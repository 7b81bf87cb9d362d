//! Random sequences of all that anybody can send about messages, against the plain model of the rules.

mod check;
mod world;

use proptest::{
    collection::vec,
    prelude::{Just, Strategy, any, prop_oneof},
    test_runner::{Config as Cases, TestCaseError, TestRunner},
};
use wormhole_vaa::quorum;

use self::world::World;
use super::model::{BodyNo, Forgery, Guardian, Tx};

/// Which guardian set, seen from the current one.
#[derive(Clone, Copy, Debug)]
enum Which {
    Current,
    Previous,
    First,
    Next,
}

#[derive(Clone, Debug)]
enum Op {
    /// Some guardians in a row report the same bodies.
    Observe {
        set: Which,
        first: Guardian,
        guardians: usize,
        bodies: Vec<BodyNo>,
        tx: Tx,
        forgery: Forgery,
    },
    Submit {
        set: Which,
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
    prop_oneof![
        10 => observe(size),
        4 => submit(size),
        1 => prop_oneof![Just(1_u64), Just(86_400), Just(86_401)].prop_map(Op::Wait),
        2 => (1..12_u32).prop_map(Op::Prune),
    ]
}

fn which() -> impl Strategy<Value = Which> {
    prop_oneof![
        8 => Just(Which::Current),
        3 => Just(Which::Previous),
        1 => Just(Which::First),
        1 => Just(Which::Next),
    ]
}

fn observe(size: usize) -> impl Strategy<Value = Op> {
    let guardians = prop_oneof![3 => Just(1), 2 => 1..=quorum(size), 1 => Just(size)];
    let forgery = prop_oneof![
        8 => Just(Forgery::None),
        1 => Just(Forgery::Inner),
        1 => Just(Forgery::Outer),
    ];
    let place = 0..=size.min(254) as u8;
    (
        which(),
        place,
        guardians,
        vec(0..BODIES, 1..4),
        0..3_u8,
        forgery,
    )
        .prop_map(|(set, first, guardians, bodies, tx, forgery)| Op::Observe {
            set,
            first,
            guardians,
            bodies,
            tx,
            forgery,
        })
}

fn submit(size: usize) -> impl Strategy<Value = Op> {
    let place = 0..=size.min(254) as u8;
    (which(), place, 0..BODIES, 0..8_u8, 0..8_u8).prop_map(|(set, first, body, short, forged)| {
        Op::Submit {
            set,
            first,
            body,
            short: short == 0,
            forged: forged == 0,
        }
    })
}

/// Runs random sequences in which the sets have these sizes.
///
/// `cases` are as many as there are with the 256 cases that are usual; `PROPTEST_CASES` makes them more or less.
fn sequences(sizes: [usize; 3], cases: u32, ops: usize) {
    let usual = Cases::default();
    let mut runner = TestRunner::new(Cases {
        cases: (usual.cases * cases / 256).max(1),
        failure_persistence: None,
        ..usual
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
    sequences([1, 2, 3], 8, 24);
    sequences([2, 1, 4], 8, 24);
    sequences([3, 4, 7], 8, 24);
}

#[test]
fn four_guardians() {
    sequences([4, 4, 4], 24, 32);
}

#[test]
fn usual_sets() {
    sequences([7, 4, 13], 5, 20);
    sequences([13, 19, 7], 3, 16);
    sequences([19, 19, 19], 3, 16);
}

#[test]
fn large_sets() {
    sequences([40, 19, 40], 2, 8);
    sequences([255, 40, 19], 1, 5);
}

//! No call grows with what is stored: the accesses to the store are counted at two sizes, of 100 rows and of
//! `SCALE_ROWS` (1,500 unless set; the long run of CI sets 100,000).

use std::collections::BTreeMap;

use cosmwasm_std::{
    Binary, OwnedDeps, Uint64, from_json,
    testing::{MockApi, MockQuerier, message_info, mock_env},
};
use cw_orm::PageRequest;
use vaa_registry::{
    contract::{execute, instantiate, query},
    msg::{
        ExecuteMsg, FamilySelection, IndexFlags, ListedPhase, MessageFilter, OnInvalid, QueryMsg,
        SubmitVaasResponse,
    },
    observations_digest,
};
use wormhole_vaa::{Address, Body, GOVERNANCE_EMITTER, SecretKey};

use super::{
    metered::Metered,
    observed::{observation, signature},
    suite::{addresses, instantiate_msg, keys, quorum_sign, set_init},
};

struct Registry {
    deps: OwnedDeps<Metered, MockApi, MockQuerier>,
    keys: Vec<SecretKey>,
}

/// The rows that are the same at every size: the middle of what a page or a look-up is asked for.
const FIRST: u64 = 1_000_000;

impl Registry {
    /// A registry of two guardians, one of whom is enough for nothing.
    fn new() -> Self {
        let keys = keys(1..=2);
        let mut deps = OwnedDeps {
            storage: Metered::default(),
            api: MockApi::default(),
            querier: MockQuerier::default(),
            custom_query_type: core::marker::PhantomData,
        };
        let mut msg = instantiate_msg(vec![set_init(0, addresses(&keys), None)]);
        msg.indexes = Some(IndexFlags::ALL);
        msg.admin = Some(deps.api.addr_make("admin").to_string());
        let info = message_info(&deps.api.addr_make("admin"), &[]);
        instantiate(deps.as_mut(), mock_env(), info, msg).unwrap();
        Self { deps, keys }
    }

    /// A registry with `rows` decided messages, and half as many of which one guardian has told.
    fn of(rows: u64) -> Self {
        let mut registry = Self::new();
        let all: Vec<_> = (0..rows).map(transfer).collect();
        for bodies in all.chunks(50) {
            registry.submit(bodies);
        }
        for first in (0..rows.min(1_000) / 2).step_by(25) {
            let bodies: Vec<_> = (first..first + 25).map(|at| pending(rows + at)).collect();
            registry.observe(0, &bodies);
        }
        registry
    }

    fn submit(&mut self, bodies: &[Body]) -> u64 {
        let vaas = bodies
            .iter()
            .map(|body| Binary::new(quorum_sign(0, &self.keys, body)))
            .collect();
        let msg = ExecuteMsg::SubmitVaas {
            vaas,
            on_invalid: Some(OnInvalid::Abort),
        };
        self.run("relayer", msg)
    }

    fn observe(&mut self, guardian: u8, bodies: &[Body]) -> u64 {
        let key = &self.keys[usize::from(guardian)];
        let list: Vec<_> = bodies
            .iter()
            .map(|body| observation(key, body, &[7; 32]))
            .collect();
        let observations = cosmwasm_std::to_json_vec(&list).unwrap();
        let env = mock_env();
        let contract = env.contract.address.as_str();
        let contract = cosmwasm_std::Api::addr_canonicalize(&self.deps.api, contract);
        let signed = observations_digest(
            &env.block.chain_id,
            contract.unwrap().as_slice(),
            0,
            guardian,
            &observations,
        );
        let msg = ExecuteMsg::SubmitObservations {
            guardian_set_index: 0,
            guardian_index: guardian,
            observations: Binary::new(observations),
            signature: signature(key, &signed.unwrap()),
            on_invalid: Some(OnInvalid::Abort),
        };
        self.run("guardian", msg)
    }

    /// Executes a message and returns how often it went to the store.
    fn run(&mut self, sender: &str, msg: ExecuteMsg) -> u64 {
        self.deps.storage.reset();
        let info = message_info(&self.deps.api.addr_make(sender), &[]);
        let response = execute(self.deps.as_mut(), mock_env(), info, msg).unwrap();
        if let Some(done) = response
            .data
            .and_then(|data| from_json::<SubmitVaasResponse>(data).ok())
        {
            assert!(done.outcomes.iter().all(|done| done.error.is_none()));
        }
        self.deps.storage.accesses()
    }

    fn ask(&self, msg: QueryMsg) -> u64 {
        self.deps.storage.reset();
        query(self.deps.as_ref(), mock_env(), msg).unwrap();
        self.deps.storage.accesses()
    }
}

fn emitter(at: u64) -> Address {
    let mut address = [7; 32];
    address[31] = (at % 5) as u8;
    Address(address)
}

/// A token transfer: every index has an entry of it.
fn transfer(at: u64) -> Body {
    let mut payload = vec![0; 133];
    payload[0] = 1;
    payload[98] = 2;
    payload[100] = 5;
    Body {
        // A day has ten messages, so that there are ever more days.
        timestamp: 1_500_000_000 + (at * 8_640) as u32 % 1_000_000_000,
        nonce: (at / 5 % 2) as u32,
        emitter_chain: 2 + (at % 5) as u16,
        emitter_address: emitter(at),
        sequence: FIRST + at * 2,
        consistency_level: 1,
        payload,
    }
}

fn pending(at: u64) -> Body {
    Body {
        nonce: 77,
        emitter_chain: 60,
        ..transfer(at)
    }
}

/// How often each kind of call goes to the store.
fn accesses(rows: u64) -> BTreeMap<String, u64> {
    let mut registry = Registry::of(rows);
    let middle = transfer(rows / 2);
    let id = |body: &Body| {
        let emitter = body.emitter_address.to_hex();
        format!("{}/{emitter}/{}", body.emitter_chain, body.sequence)
    };
    let digest = |body: &Body| body.digest().to_string();
    let mut found = BTreeMap::new();

    let filter = MessageFilter {
        nonce: Some(1),
        ..MessageFilter::default()
    };
    for reverse in [false, true] {
        for families in [
            None,
            Some(FamilySelection {
                message_publication: false,
                quorum_state: true,
                status: true,
            }),
        ] {
            let page = || {
                Some(PageRequest {
                    reverse,
                    ..PageRequest::first(5)
                })
            };
            let (chain, emitter) = (middle.emitter_chain, middle.emitter_address.to_hex());
            let lists = [
                (
                    "all",
                    QueryMsg::Messages {
                        page: page(),
                        families,
                        filter: None,
                    },
                ),
                (
                    "of a chain",
                    QueryMsg::MessagesByChain {
                        chain,
                        page: page(),
                        families,
                        filter: None,
                    },
                ),
                (
                    "of an emitter",
                    QueryMsg::MessagesByEmitter {
                        chain,
                        emitter: emitter.clone(),
                        page: page(),
                        families,
                        filter: None,
                    },
                ),
                (
                    "by time",
                    QueryMsg::MessagesByTime {
                        chain: None,
                        emitter: None,
                        from: None,
                        to: None,
                        page: page(),
                        families,
                        filter: None,
                    },
                ),
                (
                    "of a chain by time",
                    QueryMsg::MessagesByTime {
                        chain: Some(chain),
                        emitter: None,
                        from: None,
                        to: None,
                        page: page(),
                        families,
                        filter: None,
                    },
                ),
                (
                    "of an emitter by time",
                    QueryMsg::MessagesByTime {
                        chain: Some(chain),
                        emitter: Some(emitter.clone()),
                        from: None,
                        to: None,
                        page: page(),
                        families,
                        filter: None,
                    },
                ),
                (
                    "of a guardian set",
                    QueryMsg::MessagesByGuardianSet {
                        index: 0,
                        page: page(),
                        families,
                        filter: None,
                    },
                ),
                (
                    "to a chain",
                    QueryMsg::MessagesByRecipient {
                        chain: 5,
                        address: None,
                        page: page(),
                        families,
                        filter: None,
                    },
                ),
                (
                    "filtered",
                    QueryMsg::Messages {
                        page: page(),
                        families,
                        filter: Some(filter.clone()),
                    },
                ),
            ];
            for (name, msg) in lists {
                let name = format!(
                    "{name}, reverse {reverse}, {} families",
                    if families.is_some() { 1 } else { 2 }
                );
                found.insert(name, registry.ask(msg));
            }
        }
        let page = || {
            Some(PageRequest {
                reverse,
                ..PageRequest::first(5)
            })
        };
        let lists = [
            (
                "pending",
                QueryMsg::PendingMessages {
                    id: None,
                    page: page(),
                },
            ),
            (
                "observed",
                QueryMsg::MessagesByPhase {
                    phase: ListedPhase::Observed,
                    chain: None,
                    emitter: None,
                    page: page(),
                },
            ),
            (
                "quorum",
                QueryMsg::MessagesByPhase {
                    phase: ListedPhase::Quorum,
                    chain: None,
                    emitter: None,
                    page: page(),
                },
            ),
            (
                "published",
                QueryMsg::MessagesByPhase {
                    phase: ListedPhase::Published,
                    chain: None,
                    emitter: None,
                    page: page(),
                },
            ),
            (
                "totals of chains",
                QueryMsg::TotalsByChain {
                    chain: None,
                    page: page(),
                },
            ),
            (
                "totals of emitters",
                QueryMsg::TotalsByEmitter {
                    chain: None,
                    emitter: None,
                    page: page(),
                },
            ),
            (
                "totals of days",
                QueryMsg::TotalsByDay {
                    from: None,
                    to: None,
                    page: page(),
                },
            ),
            (
                "missing",
                QueryMsg::MissingSequences {
                    chain: middle.emitter_chain,
                    emitter: middle.emitter_address.to_hex(),
                    from: Some(Uint64::zero()),
                    to: Some(Uint64::MAX),
                    page: page(),
                },
            ),
            (
                "governance",
                QueryMsg::MessagesByGovernanceModule {
                    module: "Core".into(),
                    action: None,
                    page: page(),
                    families: None,
                    filter: None,
                },
            ),
            (
                "conflicts",
                QueryMsg::Conflicts {
                    id: None,
                    page: page(),
                },
            ),
        ];
        for (name, msg) in lists {
            found.insert(format!("{name}, reverse {reverse}"), registry.ask(msg));
        }
    }
    let waiting = pending(rows);
    let single = [
        (
            "message",
            QueryMsg::Message {
                id: id(&middle),
                families: None,
            },
        ),
        (
            "message by digest",
            QueryMsg::MessageByDigest {
                digest: digest(&middle),
                families: None,
            },
        ),
        (
            "signed vaa",
            QueryMsg::SignedVaa {
                id: id(&middle),
                guardian_set: None,
            },
        ),
        (
            "verify",
            QueryMsg::Verify {
                vaa: Binary::new(quorum_sign(0, &registry.keys, &transfer(rows + 1))),
            },
        ),
        ("status", QueryMsg::MessageStatus { id: id(&middle) }),
        (
            "status of a pending one",
            QueryMsg::MessageStatus { id: id(&waiting) },
        ),
        (
            "batch status",
            QueryMsg::BatchStatus {
                ids: (0..30).map(|at| id(&transfer(at))).collect(),
            },
        ),
        (
            "signers",
            QueryMsg::Signers {
                id: id(&middle),
                digest: None,
                guardian_set: None,
            },
        ),
        (
            "repair",
            QueryMsg::Repair {
                id: id(&middle),
                digest: None,
                guardian_set: None,
            },
        ),
        (
            "observations",
            QueryMsg::Observations {
                digest: digest(&waiting),
                page: None,
            },
        ),
        (
            "claims",
            QueryMsg::TxIds {
                id: id(&middle),
                digest: None,
            },
        ),
        ("guardian set", QueryMsg::GuardianSet { index: None }),
    ];
    for (name, msg) in single {
        found.insert(name.into(), registry.ask(msg));
    }
    found.insert("submit".into(), registry.submit(&[transfer(rows + 10)]));
    found.insert(
        "submit again".into(),
        registry.submit(&[transfer(rows + 10)]),
    );
    let second = Body {
        nonce: 99,
        ..transfer(rows + 10)
    };
    found.insert(
        "submit one that comes second".into(),
        registry.submit(&[second]),
    );
    found.insert(
        "observe".into(),
        registry.observe(1, &[pending(rows + 5_000)]),
    );
    found.insert(
        "decide".into(),
        registry.observe(0, &[pending(rows + 5_000)]),
    );
    found.insert("claim".into(), registry.observe(0, &[transfer(rows + 10)]));
    let governance = Body {
        emitter_chain: 1,
        emitter_address: GOVERNANCE_EMITTER,
        ..transfer(1)
    };
    found.insert("govern".into(), registry.submit(&[governance]));
    found.insert(
        "prune".into(),
        registry.run("anybody", ExecuteMsg::Prune { limit: 10 }),
    );
    found
}

#[test]
fn no_call_goes_to_the_store_more_often_where_there_is_more() {
    let rows = std::env::var("SCALE_ROWS").map_or(1_500, |rows| rows.parse().unwrap());
    assert_eq!(accesses(100), accesses(rows));
}

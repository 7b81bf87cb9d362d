//! Every published verdict, with storage unchanged on refusal and the dry run agreeing beforehand.

use cosmwasm_std::Binary;
use serde_json::json;
use vaa_registry::msg::{Governance, OutcomeKind, QueryMsg, VerifyResponse};

use super::{
    data::{Verdict, set, verdicts},
    suite::{START, Suite, instantiate_msg, set_init},
};

/// The code of each rule that a verdict may name.
const CODES: [(&str, &str); 11] = [
    ("TooShort", "E101"),
    ("UnsupportedVersion", "E102"),
    ("PayloadTooLarge", "E103"),
    ("UnknownGuardianSet", "E104"),
    ("GuardianSetExpired", "E105"),
    ("SignaturesNotAscending", "E106"),
    ("GuardianIndexOutOfRange", "E107"),
    ("NoQuorum", "E108"),
    ("InvalidRecoveryId", "E109"),
    ("InvalidSignature", "E110"),
    ("SignatureMismatch", "E111"),
];

pub fn start(verdict: &Verdict) -> Suite {
    let sets: Vec<(u32, Vec<String>)> = match &verdict.start.guardian_sets {
        serde_json::Value::String(range) => {
            let (first, last) = range
                .strip_prefix("mainnet ")
                .unwrap()
                .split_once("..")
                .unwrap();
            let range = first.parse::<u32>().unwrap()..=last.parse().unwrap();
            range
                .map(|index| (index, set(&format!("mainnet:{index}"))))
                .collect()
        }
        inline => {
            let sets: std::collections::BTreeMap<String, Vec<String>> =
                serde_json::from_value(inline.clone()).unwrap();
            let mut sets: Vec<_> = sets
                .into_iter()
                .map(|(index, set)| (index.parse().unwrap(), set))
                .collect();
            sets.sort();
            sets
        }
    };
    assert_eq!(sets.last().unwrap().0, verdict.start.current);
    let init = |(index, addresses)| {
        let expiry = if verdict.start.live.contains(&index) {
            START
        } else {
            START - 1
        };
        set_init(
            index,
            addresses,
            (index != verdict.start.current).then_some(expiry),
        )
    };
    let mut msg = instantiate_msg(sets.into_iter().map(init).collect());
    msg.this_chain = verdict.start.this_chain;
    Suite::create(&msg, START).unwrap()
}

fn governance(decided: Option<Governance>) -> Option<serde_json::Value> {
    decided.map(|decided| match decided {
        Governance::Applied(index) => json!({"applied": index}),
        Governance::NotApplied(reason) => json!({"not_applied": reason}),
    })
}

#[test]
fn every_verdict_is_given() {
    let all = verdicts();
    assert!(all.len() >= 55);
    for verdict in &all {
        let name = &verdict.name;
        let mut suite = start(verdict);
        for before in &verdict.before {
            let row = all.iter().find(|row| row.name == *before).unwrap();
            suite.stored(&hex::decode(&row.vaa_hex).unwrap());
        }
        let bytes = hex::decode(&verdict.vaa_hex).unwrap();
        let before = suite.dump();
        let dry: VerifyResponse = suite.ask(&QueryMsg::Verify {
            vaa: Binary::new(bytes.clone()),
        });
        let done = suite.submit_one(&bytes);

        assert_eq!(dry.outcome, done.outcome, "{name}");
        assert_eq!(dry.valid, done.outcome != OutcomeKind::Refused, "{name}");
        assert_eq!(
            governance(dry.governance),
            governance(done.governance.clone()),
            "{name}"
        );
        match &done.error {
            Some(error) => {
                assert!(verdict.outcome.contains("refused"), "{name}: {error:?}");
                let allowed: Vec<&str> = CODES
                    .iter()
                    .filter(|(rule, _)| verdict.codes.iter().any(|c| c == rule))
                    .map(|(_, c)| *c)
                    .collect();
                assert!(allowed.contains(&error.code.as_str()), "{name}: {error:?}");
                assert!(
                    error.message.ends_with(&format!("[{}]", error.code)),
                    "{name}: {error:?}"
                );
                assert_eq!(dry.errors.first(), Some(error), "{name}");
                assert_eq!(suite.dump(), before, "{name}");
            }
            None => {
                assert!(
                    verdict.outcome.contains(done.outcome.as_str()),
                    "{name}: {done:?}"
                );
                assert_eq!(done.id, verdict.id, "{name}");
                assert_eq!(done.digest, verdict.digest, "{name}");
                assert_ne!(suite.dump(), before, "{name}");
            }
        }
        assert_eq!(governance(done.governance), verdict.governance, "{name}");
    }
}

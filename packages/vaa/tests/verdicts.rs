//! Every verdict that does not depend on what a registry holds.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::Value;
use wormhole_vaa::{
    GuardianSet, GuardianSetUpgrade, K256Recover, NotApplied, UpgradeContext, VaaRef, decode_hex,
    examine_signatures, is_governance, verify_signatures,
};

use crate::support::{guardian_set, json_lines, sets};

#[derive(Deserialize)]
struct Verdict {
    name: String,
    vaa_hex: String,
    start: Start,
    outcome: String,
    codes: Vec<String>,
    governance: Option<Value>,
    digest: Option<String>,
    id: Option<String>,
}

#[derive(Deserialize)]
struct Start {
    guardian_sets: Sets,
    current: u32,
    live: Vec<u32>,
    this_chain: u16,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Sets {
    Named(String),
    Inline(BTreeMap<String, Vec<String>>),
}

impl Sets {
    fn resolve(&self) -> BTreeMap<u32, GuardianSet> {
        match self {
            Self::Inline(sets) => sets
                .iter()
                .map(|(index, addresses)| (index.parse().unwrap(), guardian_set(addresses)))
                .collect(),
            Self::Named(range) => {
                let last: u32 = range.strip_prefix("mainnet 0..").unwrap().parse().unwrap();
                let all = sets();
                (0..=last)
                    .map(|index| (index, all[&format!("mainnet:{index}")].clone()))
                    .collect()
            }
        }
    }
}

/// What the rules of this crate say, with the two rules that need a registry's sets beside them.
fn rule_broken(row: &Verdict, bytes: &[u8]) -> Option<&'static str> {
    let vaa = match VaaRef::parse(bytes) {
        Ok(vaa) => vaa,
        Err(error) => {
            assert_eq!((&row.digest, &row.id), (&None, &None), "{}", row.name);
            return Some(error.rule());
        }
    };
    let digest = vaa.digest();
    assert_eq!(row.digest, Some(digest.to_hex()), "{}", row.name);
    assert_eq!(row.id, Some(vaa.id().to_string()), "{}", row.name);

    let sets = row.start.guardian_sets.resolve();
    let Some(set) = sets.get(&vaa.guardian_set_index) else {
        return Some("UnknownGuardianSet");
    };
    let signatures = vaa.signatures();
    let verdict = verify_signatures(&K256Recover, set, &digest, &signatures);
    let reasons = examine_signatures(&K256Recover, set, &digest, &signatures);
    assert_eq!(verdict.err(), reasons.first().copied(), "{}", row.name);
    if let Err(error) = verdict {
        return Some(error.rule());
    }
    let live = row.start.live.contains(&vaa.guardian_set_index);
    (!live).then_some("GuardianSetExpired")
}

fn governance(row: &Verdict, bytes: &[u8]) -> Option<Result<u32, NotApplied>> {
    let vaa = VaaRef::parse(bytes).unwrap();
    let context = UpgradeContext {
        this_chain: row.start.this_chain,
        signed_by_current: vaa.guardian_set_index == row.start.current,
        current_index: row.start.current,
    };
    is_governance(&vaa.id()).then(|| {
        GuardianSetUpgrade::decide(vaa.body.payload, &context).map(|upgrade| upgrade.new_index)
    })
}

#[test]
fn every_row_gets_its_verdict() {
    let rows: Vec<Verdict> = json_lines("verdicts.jsonl");
    assert_eq!(rows.len(), 55);
    let mut rules = BTreeSet::new();
    let mut reasons = BTreeSet::new();
    for row in rows {
        let name = &row.name;
        let bytes = decode_hex("vaa", &row.vaa_hex).unwrap();
        let broken = rule_broken(&row, &bytes);
        match row.outcome.as_str() {
            "refused" => {
                let rule = broken.unwrap_or_else(|| panic!("{name} is accepted"));
                assert!(row.codes.iter().any(|code| code == rule), "{name}: {rule}");
                rules.insert(rule);
                continue;
            }
            // Its key is taken, or its payload may be too long: its signatures hold all the same.
            "stored" | "conflict" | "stored or refused" => assert_eq!(broken, None, "{name}"),
            other => panic!("{name}: unknown outcome {other}"),
        }
        let expected = row.governance.as_ref().map(|decision| {
            if let Some(applied) = decision.get("applied") {
                return Ok(u32::try_from(applied.as_u64().unwrap()).unwrap());
            }
            let reason = decision["not_applied"].as_str().unwrap();
            reasons.insert(reason.to_owned());
            Err(NotApplied::from_name(reason).unwrap())
        });
        assert_eq!(governance(&row, &bytes), expected, "{name}");
    }
    // The data holds every rule but that of a payload's length.
    assert_eq!(rules.len(), 10, "{rules:?}");
    assert_eq!(reasons.len(), 8, "{reasons:?}");
}

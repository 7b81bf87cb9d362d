use anyhow::Result;
use cw_orm::PageRequest;
use vaa_registry::msg::{GuardianSetResponse, GuardianSetsResponse, QueryMsg};

use super::Exit;
use crate::cli::{Global, Guardians};
use crate::output::{Output, table, utc};
use crate::registry;

pub(super) fn run(global: &Global, args: &Guardians, out: &mut Output) -> Result<Exit> {
    let backend = registry::connect(global)?;
    if let Some(index) = args.index {
        let msg = QueryMsg::GuardianSet { index: Some(index) };
        let set: GuardianSetResponse = registry::query(backend.as_ref(), &msg)?;
        if out.is_json() {
            out.json(&set)?;
        } else {
            print(std::slice::from_ref(&set), out)?;
            let mut guardians = table(["index", "guardian"]);
            for (index, address) in set.addresses.iter().enumerate() {
                guardians.add_row([index.to_string(), address.clone()]);
            }
            out.line(guardians)?;
        }
        return Ok(Exit::Done);
    }
    let mut sets = Vec::new();
    registry::pages(
        backend.as_ref(),
        PageRequest::default(),
        None,
        |page| QueryMsg::GuardianSets { page: Some(page) },
        |answer: GuardianSetsResponse| (answer.guardian_sets, answer.page),
        |set| {
            sets.push(set);
            Ok(())
        },
    )?;
    if out.is_json() {
        sets.iter().try_for_each(|set| out.json(set))?;
    } else {
        print(&sets, out)?;
    }
    Ok(Exit::Done)
}

fn print(sets: &[GuardianSetResponse], out: &mut Output) -> Result<()> {
    let mut table = table(["set", "guardians", "quorum", "applied", "expires", "state"]);
    for set in sets {
        let state = match (set.current, set.live) {
            (true, _) => "current",
            (false, true) => "live",
            (false, false) => "expired",
        };
        table.add_row([
            set.index.to_string(),
            set.addresses.len().to_string(),
            set.quorum.to_string(),
            utc(set.applied_at.u64()),
            set.expires_at
                .map(|time| utc(time.u64()))
                .unwrap_or_default(),
            state.to_owned(),
        ]);
    }
    out.line(table)?;
    Ok(())
}

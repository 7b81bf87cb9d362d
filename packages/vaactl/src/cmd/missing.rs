use anyhow::Result;
use cosmwasm_std::Uint64;
use vaa_registry::msg::{MissingSequencesResponse, QueryMsg, SequenceRange};

use super::{Exit, page_request, tell_more};
use crate::cli::{Global, Missing};
use crate::output::{Output, table};
use crate::registry;

pub(super) fn run(global: &Global, args: &Missing, out: &mut Output) -> Result<Exit> {
    let backend = registry::connect(global)?;
    let (request, most) = page_request(&args.page)?;
    let mut table = table(["first", "last", "sequences"]);
    let response = registry::pages(
        backend.as_ref(),
        request,
        most,
        |page| QueryMsg::MissingSequences {
            chain: args.chain,
            emitter: args.emitter.to_hex(),
            from: args.from.map(Uint64::new),
            to: args.to.map(Uint64::new),
            page: Some(page),
        },
        |answer: MissingSequencesResponse| (answer.ranges, answer.page),
        |range: SequenceRange| {
            if out.is_json() {
                out.json(&range)?;
            } else {
                let (first, last) = (u128::from(range.first.u64()), u128::from(range.last.u64()));
                let count = last.saturating_sub(first).saturating_add(1);
                table.add_row([first.to_string(), last.to_string(), count.to_string()]);
            }
            Ok(())
        },
    )?;
    if !out.is_json() {
        out.line(table)?;
    }
    out.flush()?;
    tell_more(&response);
    Ok(Exit::Done)
}

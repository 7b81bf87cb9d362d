use anyhow::Result;
use vaa_registry::msg::{ConflictResponse, ConflictsResponse, QueryMsg};

use super::{Exit, page_request, tell_more};
use crate::cli::{Conflicts, Global};
use crate::output::{Output, table, utc};
use crate::registry;

pub(super) fn run(global: &Global, args: &Conflicts, out: &mut Output) -> Result<Exit> {
    let backend = registry::connect(global)?;
    let (request, most) = page_request(&args.page)?;
    let id = args.id.map(|id| id.to_string());
    let mut table = table(["id", "stands", "conflicts", "set", "verified"]);
    let response = registry::pages(
        backend.as_ref(),
        request,
        most,
        |page| QueryMsg::Conflicts {
            id: id.clone(),
            page: Some(page),
        },
        |answer: ConflictsResponse| (answer.conflicts, answer.page),
        |conflict: ConflictResponse| {
            if out.is_json() {
                out.json(&conflict)?;
            } else {
                table.add_row([
                    conflict.id,
                    conflict.standing_digest,
                    conflict.digest,
                    conflict.guardian_set_index.to_string(),
                    utc(conflict.time.u64()),
                ]);
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

use anyhow::Result;
use vaa_registry::msg::{PendingMessageResponse, PendingMessagesResponse, QueryMsg};

use super::{Exit, page_request, tell_more};
use crate::cli::{Global, Pending};
use crate::output::{Output, table};
use crate::registry;

pub(super) fn run(global: &Global, args: &Pending, out: &mut Output) -> Result<Exit> {
    let backend = registry::open(&global.home, global.time)?;
    let (request, most) = page_request(&args.page)?;
    let id = args.id.map(|id| id.to_string());
    let mut table = table(["id", "digest", "set", "signatures", "guardians"]);
    let response = registry::pages(
        &backend,
        request,
        most,
        |page| QueryMsg::PendingMessages {
            id: id.clone(),
            page: Some(page),
        },
        |answer: PendingMessagesResponse| (answer.messages, answer.page),
        |message: PendingMessageResponse| {
            if out.is_json() {
                out.json(&message)?;
                return Ok(());
            }
            for set in message.signatures {
                let expired = if set.live { "" } else { " (expired)" };
                let guardians: Vec<String> = set.guardians.iter().map(u8::to_string).collect();
                table.add_row([
                    message.id.clone(),
                    message.digest.clone(),
                    format!("{}{expired}", set.guardian_set_index),
                    format!("{}/{}", set.guardians.len(), set.quorum),
                    guardians.join(" "),
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

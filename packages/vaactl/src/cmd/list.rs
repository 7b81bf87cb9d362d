use anyhow::Result;
use cosmwasm_std::Binary;
use cw_orm::PageRequest;
use vaa_registry::msg::{
    FamilySelection, MessageFilter, MessageResponse, MessagesResponse, QueryMsg,
};
use wormhole_vaa::Address;

use super::{Exit, page_request, tell_more};
use crate::cli::{Family, Global, List, Matching};
use crate::output::{Output, table, utc};
use crate::registry;

/// How many rows are laid out as one table; more follow as further tables.
const TABLE_ROWS: usize = 1_000;

pub(super) fn run(global: &Global, args: &List, out: &mut Output) -> Result<Exit> {
    let backend = registry::connect(global)?;
    let (request, most) = page_request(&args.page)?;
    let families = families(&args.families);
    let mut rows = Vec::new();
    let response = registry::pages(
        backend.as_ref(),
        request,
        most,
        |page| query(args, page, families),
        |answer: MessagesResponse| (answer.messages, answer.page),
        |message: MessageResponse| {
            if out.is_json() {
                out.json(&message)?;
                return Ok(());
            }
            rows.push(message);
            if rows.len() >= TABLE_ROWS {
                print(&std::mem::take(&mut rows), out)?;
            }
            Ok(())
        },
    )?;
    if !rows.is_empty() {
        print(&rows, out)?;
    }
    out.flush()?;
    tell_more(&response);
    Ok(Exit::Done)
}

fn families(names: &[Family]) -> Option<FamilySelection> {
    let wanted = |family| names.contains(&family);
    (!names.is_empty()).then(|| FamilySelection {
        message_publication: wanted(Family::Publication),
        quorum_state: wanted(Family::Quorum),
        status: wanted(Family::Status),
    })
}

fn query(args: &List, page: PageRequest, families: Option<FamilySelection>) -> QueryMsg {
    let (page, filter) = (Some(page), filter(&args.matching));
    if let Some(index) = args.guardian_set {
        return QueryMsg::MessagesByGuardianSet {
            index,
            page,
            families,
            filter,
        };
    }
    if let Some(module) = args.module.clone() {
        return QueryMsg::MessagesByGovernanceModule {
            module,
            action: args.action,
            page,
            families,
            filter,
        };
    }
    if let Some(recipient) = args.recipient {
        let address = recipient.address.as_ref().map(Address::to_hex);
        return QueryMsg::MessagesByRecipient {
            chain: recipient.chain,
            address,
            page,
            families,
            filter,
        };
    }
    let emitter = args.emitter.as_ref().map(Address::to_hex);
    if args.by_time || args.from.is_some() || args.to.is_some() {
        let (chain, from, to) = (args.chain, args.from, args.to);
        return QueryMsg::MessagesByTime {
            chain,
            emitter,
            from,
            to,
            page,
            families,
            filter,
        };
    }
    match (args.chain, emitter) {
        (Some(chain), Some(emitter)) => QueryMsg::MessagesByEmitter {
            chain,
            emitter,
            page,
            families,
            filter,
        },
        (Some(chain), None) => QueryMsg::MessagesByChain {
            chain,
            page,
            families,
            filter,
        },
        (None, _) => QueryMsg::Messages {
            page,
            families,
            filter,
        },
    }
}

fn filter(matching: &Matching) -> Option<MessageFilter> {
    let filter = MessageFilter {
        nonce: matching.nonce,
        consistency_level: matching.consistency_level,
        payload_prefix: matching
            .payload_prefix
            .as_ref()
            .map(|prefix| Binary::new(prefix.0.clone())),
        min_payload_length: matching.min_payload,
        max_payload_length: matching.max_payload,
    };
    (filter != MessageFilter::default()).then_some(filter)
}

fn print(messages: &[MessageResponse], out: &mut Output) -> Result<()> {
    let mut table = table(["id", "time", "payload", "set", "signatures", "notes"]);
    for message in messages {
        let publication = message.message_publication.as_ref();
        let quorum = message.quorum_state.as_ref();
        let status = message.status.as_ref();
        let mut notes = Vec::new();
        if status.is_some_and(|status| status.conflict) {
            notes.push("conflict".to_owned());
        }
        if let Some(decision) = status.and_then(|status| status.governance.as_ref()) {
            notes.push(super::get::decision(decision));
        }
        table.add_row([
            message.id.clone(),
            publication
                .map(|p| utc(u64::from(p.timestamp)))
                .unwrap_or_default(),
            publication
                .map(|p| format!("{} bytes", p.payload.len()))
                .unwrap_or_default(),
            quorum
                .map(|q| q.guardian_set_index.to_string())
                .unwrap_or_default(),
            quorum
                .map(|q| q.signers.len().to_string())
                .unwrap_or_default(),
            notes.join(", "),
        ]);
    }
    out.line(table)?;
    Ok(())
}

use anyhow::Result;
use comfy_table::Table;
use cw_orm::{PageRequest, PageResponse};
use serde::{Serialize, de::DeserializeOwned};
use vaa_registry::msg::{
    ChainTotal, ChainTotalsResponse, DayTotal, DayTotalsResponse, EmitterTotal,
    EmitterTotalsResponse, QueryMsg,
};
use wormhole_vaa::{Address, chain_name};

use super::{Exit, page_request, tell_more};
use crate::cli::{Global, Totals, TotalsBy};
use crate::output::{Output, table, utc};
use crate::registry;

pub(super) fn run(global: &Global, args: &Totals, out: &mut Output) -> Result<Exit> {
    let chain = args.chain;
    match args.by {
        TotalsBy::Chain => list(
            global,
            args,
            out,
            table(["chain", "name", "messages"]),
            &|page| QueryMsg::TotalsByChain { chain, page },
            |answer: ChainTotalsResponse| (answer.totals, answer.page),
            |total: &ChainTotal| {
                let name = chain_name(total.chain).unwrap_or_default().to_owned();
                [total.chain.to_string(), name, total.messages.to_string()]
            },
        ),
        TotalsBy::Emitter => list(
            global,
            args,
            out,
            table(["chain", "emitter", "messages"]),
            &|page| QueryMsg::TotalsByEmitter {
                chain,
                emitter: args.emitter.as_ref().map(Address::to_hex),
                page,
            },
            |answer: EmitterTotalsResponse| (answer.totals, answer.page),
            |total: &EmitterTotal| {
                let emitter = total.emitter.clone();
                [total.chain.to_string(), emitter, total.messages.to_string()]
            },
        ),
        TotalsBy::Day => list(
            global,
            args,
            out,
            table(["day", "seconds", "messages"]),
            &|page| QueryMsg::TotalsByDay {
                from: args.from,
                to: args.to,
                page,
            },
            |answer: DayTotalsResponse| (answer.totals, answer.page),
            |total: &DayTotal| {
                let day = utc(total.day.into());
                let date = day.split_once(' ').map_or("", |(date, _)| date);
                let (second, messages) = (total.day.to_string(), total.messages.to_string());
                [date.to_owned(), second, messages]
            },
        ),
    }
}

fn list<A: DeserializeOwned, T: Serialize>(
    global: &Global,
    args: &Totals,
    out: &mut Output,
    mut table: Table,
    query: &dyn Fn(Option<PageRequest>) -> QueryMsg,
    split: fn(A) -> (Vec<T>, PageResponse),
    row: fn(&T) -> [String; 3],
) -> Result<Exit> {
    let backend = registry::connect(global)?;
    let (request, most) = page_request(&args.page)?;
    let response = registry::pages(
        backend.as_ref(),
        request,
        most,
        |page| query(Some(page)),
        split,
        |total: T| {
            if out.is_json() {
                out.json(&total)?;
            } else {
                table.add_row(row(&total));
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

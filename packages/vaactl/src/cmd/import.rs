use std::fs::File;
use std::io::{self, BufRead, BufReader};

use anyhow::{Context, Result, bail};
use cw_orm::GenesisPage;
use serde_json::json;
use vaa_registry::msg::{ExecuteMsg, GenesisTable, ImportStatusResponse, QueryMsg};

use super::Exit;
use crate::backend::{Backend, BackendExt};
use crate::cli::{Global, Import};
use crate::output::Output;
use crate::registry;

/// Imports page after page, from where an earlier run ended.
pub(super) fn run(global: &Global, args: &Import, out: &mut Output) -> Result<Exit> {
    let name = &args.file;
    let input: Box<dyn BufRead> = match name.as_str() {
        "-" => Box::new(io::stdin().lock()),
        path => {
            let file = File::open(path).with_context(|| format!("cannot read `{path}`"))?;
            Box::new(BufReader::new(file))
        }
    };
    let mut backend = registry::connect_to_write(global)?;
    let mut status = status(backend.as_ref())?;
    if !status.importing {
        bail!("the registry imports nothing: it was not made with --import, or is sealed [E409]");
    }
    let (mut pages, mut rows): (u64, u64) = (0, 0);
    for (at, line) in input.lines().enumerate() {
        let line = line.with_context(|| format!("cannot read `{name}`"))?;
        if line.trim().is_empty() {
            continue;
        }
        let place = || format!("`{name}`, line {}", at.saturating_add(1));
        let page: GenesisPage = serde_json::from_str(&line)
            .with_context(|| format!("{} is no page of an export", place()))?;
        if is_imported(&page, &status) {
            continue;
        }
        let imported = page.rows.len() as u64;
        let msg = ExecuteMsg::Import { page };
        backend.execute_msg(&msg).with_context(place)?;
        (pages, rows) = (pages.saturating_add(1), rows.saturating_add(imported));
        status = self::status(backend.as_ref())?;
    }
    let whole = status.next.is_none();
    if args.seal {
        backend
            .execute_msg(&ExecuteMsg::Seal {})
            .context("the import cannot be sealed")?;
    }
    if out.is_json() {
        out.json(&json!({
            "pages": pages,
            "rows": rows,
            "next": status.next.map(GenesisTable::as_str),
            "sealed": args.seal,
        }))?;
    } else {
        let end = match (whole, args.seal) {
            (_, true) => "sealed".to_owned(),
            (true, false) => "all is there, to be sealed with --seal".to_owned(),
            (false, _) => format!(
                "table {} comes next",
                status.next.map_or("", GenesisTable::as_str)
            ),
        };
        out.line(format_args!("{rows} rows of {pages} pages imported; {end}"))?;
    }
    Ok(Exit::Done)
}

fn status(backend: &dyn Backend) -> Result<ImportStatusResponse> {
    registry::query(backend, &QueryMsg::ImportStatus {})
}

/// Whether a page went before what comes next.
fn is_imported(page: &GenesisPage, status: &ImportStatusResponse) -> bool {
    let place = |name: &str| {
        let mut all = GenesisTable::ALL.iter();
        all.position(|table| table.as_str() == name)
    };
    let next = status.next.map_or(GenesisTable::ALL.len(), |next| {
        place(next.as_str()).unwrap_or_default()
    });
    match place(&page.table) {
        None => false,
        Some(of) => of < next || (of == next && page.first < status.rows),
    }
}

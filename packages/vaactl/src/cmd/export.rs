use std::fs::File;
use std::io::{BufWriter, Write};

use anyhow::{Context, Result};
use cw_orm::GenesisPage;
use vaa_registry::msg::{GenesisTable, QueryMsg};

use super::Exit;
use crate::cli::{Export, Global};
use crate::output::Output;
use crate::registry;

/// Writes table after table, page after page.
pub(super) fn run(global: &Global, args: &Export, out: &mut Output) -> Result<Exit> {
    let backend = registry::connect(global)?;
    let mut file = match &args.out {
        None => None,
        Some(path) => {
            let made = File::create(path);
            let made = made.with_context(|| format!("cannot write `{}`", path.display()))?;
            Some(BufWriter::new(made))
        }
    };
    let mut rows: u64 = 0;
    for table in GenesisTable::ALL {
        let mut key = None;
        loop {
            let msg = QueryMsg::Export {
                table,
                key,
                limit: Some(args.rows),
            };
            let page: GenesisPage = registry::query(backend.as_ref(), &msg)?;
            rows = rows.saturating_add(page.rows.len() as u64);
            match &mut file {
                Some(file) => {
                    serde_json::to_writer(&mut *file, &page)?;
                    file.write_all(b"\n")?;
                }
                None => out.json(&page)?,
            }
            key = page.next_key;
            if key.is_none() {
                break;
            }
        }
    }
    if let Some(file) = file {
        let file = file
            .into_inner()
            .map_err(std::io::IntoInnerError::into_error)?;
        file.sync_all()?;
    }
    out.flush()?;
    eprintln!("{rows} rows of {} tables exported", GenesisTable::ALL.len());
    Ok(Exit::Done)
}

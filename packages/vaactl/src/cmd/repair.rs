use anyhow::Result;
use vaa_registry::msg::{QueryMsg, RepairResponse};
use wormhole_vaa::encode_hex;

use super::{Exit, status::guardians};
use crate::cli::{Global, Repair};
use crate::output::Output;
use crate::registry;

/// Writes the VAA, or says whose signatures are missing.
pub(super) fn run(global: &Global, args: &Repair, out: &mut Output) -> Result<Exit> {
    let backend = registry::connect(global)?;
    let msg = QueryMsg::Repair {
        id: args.id.to_string(),
        digest: args.digest.map(|digest| digest.to_string()),
        guardian_set: args.guardian_set,
    };
    let found: RepairResponse = registry::query(backend.as_ref(), &msg)?;
    let exit = match &found.vaa {
        Some(_) => Exit::Done,
        None => Exit::Refused,
    };
    if out.is_json() {
        out.json(&found)?;
        return Ok(exit);
    }
    let RepairResponse {
        guardian_set_index: set,
        quorum,
        usable,
        ..
    } = &found;
    match &found.vaa {
        Some(vaa) => {
            out.line(encode_hex(vaa))?;
            if !found.live {
                out.flush()?;
                eprintln!("guardian set {set} has expired: the VAA would not verify now");
            }
        }
        None => {
            out.line(format_args!(
                "guardian set {set} needs {quorum} signatures, of which {} are stored; missing:",
                usable.len()
            ))?;
            out.line(guardians(&found.missing))?;
        }
    }
    Ok(exit)
}

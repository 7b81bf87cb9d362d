use anyhow::Result;
use vaa_registry::msg::{QueryMsg, SignedVaaResponse};

use super::Exit;
use crate::cli::{Form, Global, VaaArgs};
use crate::output::Output;
use crate::registry;

pub(super) fn run(global: &Global, args: &VaaArgs, out: &mut Output) -> Result<Exit> {
    let backend = registry::connect(global)?;
    let msg = QueryMsg::SignedVaa {
        id: args.id.to_string(),
        guardian_set: args.guardian_set,
    };
    let answer: SignedVaaResponse = registry::query(backend.as_ref(), &msg)?;
    if out.is_json() {
        out.json(&answer)?;
    } else {
        match args.format.unwrap_or(Form::Hex) {
            Form::Hex => out.line(wormhole_vaa::encode_hex(&answer.vaa))?,
            Form::Base64 => out.line(answer.vaa.to_base64())?,
            Form::Binary => out.bytes(&answer.vaa)?,
        }
        out.flush()?;
        if answer.conflict {
            eprintln!(
                "warning: another message has this id; `vaactl conflicts {}` shows it",
                args.id
            );
        }
    }
    Ok(Exit::Done)
}

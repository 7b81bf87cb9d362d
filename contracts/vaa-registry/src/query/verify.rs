//! The dry run: what a VAA is worth now, with every reason against it.

use wormhole_vaa::{NotApplied, VaaRef, examine_signatures};

use super::Context;
use crate::{
    error::{ContractError, Refusal},
    execute::{Known, check, check_pause, decide, decide_again, find_known},
    msg::{Governance, ItemError, OutcomeKind, VerifyResponse},
    recover::HostRecover,
    state::{GuardianSetRow, QuorumState},
};

#[inline(never)]
pub(super) fn verify(context: &Context<'_>, bytes: &[u8]) -> Result<VerifyResponse, ContractError> {
    let vaa = match check(bytes, &context.config) {
        Ok(vaa) => vaa,
        Err(refusal) => return Ok(refused(bytes, &refusal)),
    };
    let digest = vaa.digest();
    let mut refusals = refusals(context, &vaa)?;
    let valid = refusals.is_empty();
    // A pause says nothing against the VAA itself.
    let paused = check_pause(&context.config, &vaa).err();
    let halted = paused.is_some();
    refusals.extend(paused);
    let storage = context.deps.storage;
    let known = find_known(storage, &vaa, &digest)?;
    let full = matches!(known, Known::Older(_, false));
    refusals.extend(full.then(|| Refusal::TooManySets { id: vaa.id() }));
    let standing = context.messages().family::<QuorumState>();
    // What is known already is not decided again, but for what only the current set's signatures were lacking to.
    let (config, payload) = (&context.config, vaa.body.payload);
    let decision = match &known {
        _ if !valid || halted => None,
        Known::Nothing => decide(config, &vaa.id(), payload, vaa.guardian_set_index),
        Known::Older(key, true) => {
            let before = standing.get_one(storage, key)?.governance;
            decide_again(config, before, &vaa.id(), payload, vaa.guardian_set_index)
        }
        _ => None,
    };
    let outcome = match known {
        _ if halted => OutcomeKind::Refused,
        Known::Registered => OutcomeKind::AlreadyRegistered,
        Known::Conflict => OutcomeKind::Conflict,
        Known::Older(_, false) => OutcomeKind::Refused,
        _ if !valid => OutcomeKind::Refused,
        Known::Older(_, true) => OutcomeKind::Resigned,
        Known::Nothing => match context.key_of(&vaa.id())? {
            Some(key) if standing.has(storage, &key)? => OutcomeKind::Conflict,
            _ => OutcomeKind::Stored,
        },
    };
    Ok(VerifyResponse {
        valid,
        id: Some(vaa.id().to_string()),
        digest: Some(digest.to_string()),
        guardian_set_index: Some(vaa.guardian_set_index),
        errors: refusals.iter().map(ItemError::from).collect(),
        outcome,
        governance: decision.map(|decision| match decision {
            Ok(upgrade) => Governance::Applied(upgrade.new_index),
            Err(reason) => Governance::NotApplied(NotApplied::as_str(reason).into()),
        }),
    })
}

fn refused(bytes: &[u8], refusal: &Refusal) -> VerifyResponse {
    let vaa = VaaRef::parse(bytes).ok();
    VerifyResponse {
        valid: false,
        id: vaa.map(|vaa| vaa.id().to_string()),
        digest: vaa.map(|vaa| vaa.digest().to_string()),
        guardian_set_index: vaa.map(|vaa| vaa.guardian_set_index),
        errors: vec![ItemError::from(refusal)],
        outcome: OutcomeKind::Refused,
        governance: None,
    }
}

/// Returns every reason against a well-formed VAA.
fn refusals(context: &Context<'_>, vaa: &VaaRef<'_>) -> Result<Vec<Refusal>, ContractError> {
    let index = vaa.guardian_set_index;
    let now = context.env.block.time.seconds();
    let Some(row) = GuardianSetRow::load(context.deps.storage, index)? else {
        return Ok(vec![Refusal::UnknownGuardianSet { index }]);
    };
    let set = row.guardian_set()?;
    let recover = HostRecover(context.deps.api);
    let errors = examine_signatures(&recover, &set, &vaa.digest(), &vaa.signatures());
    let mut refusals: Vec<Refusal> = errors.into_iter().map(Refusal::from).collect();
    if let Some(expired_at) = row.times.expires_at.filter(|last| *last < now) {
        refusals.push(Refusal::GuardianSetExpired {
            index,
            expired_at,
            now,
        });
    }
    Ok(refusals)
}

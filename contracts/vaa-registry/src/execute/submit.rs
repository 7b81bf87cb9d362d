//! Submitting VAAs: the batch, and the order of checks.
//!
//! batch and payload limits → structure → pause → digest look-up → set known → ascending, range, count → every signature →
//! expiry → store → governance. What is known already is answered before any signature is recovered, four times
//! cheaper for relayers who race.

use cosmwasm_std::{Binary, DepsMut, Env, Response, to_json_binary};
use wormhole_vaa::{Digest, HEADER_LEN, ParseError, SIGNATURE_LEN, VaaRef, verify_signatures};

use super::{Known, Registry, decide, find_known};
use crate::{
    error::{ContractError, Refusal},
    events,
    msg::{Governance, ItemError, OnInvalid, OutcomeKind, SubmitVaasResponse, VaaOutcome},
    state::Config,
};

pub(crate) fn submit_vaas(
    deps: DepsMut<'_>,
    env: &Env,
    vaas: &[Binary],
    on_invalid: OnInvalid,
) -> Result<Response, ContractError> {
    let config = Config::load_open(deps.storage)?;
    check_batch(vaas.len(), &config)?;
    let mut registry = Registry::new(deps.storage, deps.api, env, config);
    let mut response = Response::new();
    let mut outcomes = Vec::new();
    for (position, vaa) in vaas.iter().enumerate() {
        let done = match submit(&mut registry, vaa)? {
            Ok(done) => done,
            Err(refusal) if on_invalid == OnInvalid::Skip => Done::refused(vaa, &refusal),
            Err(refusal) => return Err(ContractError::Refused { position, refusal }),
        };
        response = response.add_event(events::vaa(
            position,
            &done.outcome,
            done.guardian_set_index,
        ));
        response = response.add_events(registry.take_events());
        outcomes.push(done.outcome);
    }
    registry.finish()?;
    Ok(response.set_data(to_json_binary(&SubmitVaasResponse { outcomes })?))
}

/// Refuses a batch of nothing, or of too much.
pub(super) fn check_batch(len: usize, config: &Config) -> Result<(), ContractError> {
    let limit = config.batch_limit;
    match u32::try_from(len) {
        Ok(0) => Err(ContractError::EmptyBatch),
        Ok(count) if count <= limit => Ok(()),
        _ => Err(ContractError::BatchTooLarge { len, limit }),
    }
}

/// An outcome, and the set that signed what was written, if anything was.
struct Done {
    outcome: VaaOutcome,
    guardian_set_index: Option<u32>,
}

impl Done {
    /// Nothing was written, as it is known.
    fn known(vaa: &VaaRef<'_>, digest: &Digest, outcome: OutcomeKind) -> Self {
        Self {
            outcome: VaaOutcome {
                id: Some(vaa.id().to_string()),
                digest: Some(digest.to_string()),
                outcome,
                governance: None,
                error: None,
            },
            guardian_set_index: None,
        }
    }

    fn written(
        vaa: &VaaRef<'_>,
        digest: &Digest,
        outcome: OutcomeKind,
        governance: Option<Governance>,
    ) -> Self {
        let mut done = Self::known(vaa, digest, outcome);
        done.outcome.governance = governance;
        done.guardian_set_index = Some(vaa.guardian_set_index);
        done
    }

    fn refused(bytes: &[u8], refusal: &Refusal) -> Self {
        let vaa = VaaRef::parse(bytes).ok();
        Self {
            outcome: VaaOutcome {
                id: vaa.map(|vaa| vaa.id().to_string()),
                digest: vaa.map(|vaa| vaa.digest().to_string()),
                outcome: OutcomeKind::Refused,
                governance: None,
                error: Some(ItemError::from(refusal)),
            },
            guardian_set_index: None,
        }
    }
}

/// Submits one VAA. The inner error is the VAA's own fault; nothing of it has then been written.
fn submit(
    registry: &mut Registry<'_>,
    bytes: &[u8],
) -> Result<Result<Done, Refusal>, ContractError> {
    let vaa = match check(bytes, registry.config()) {
        Ok(vaa) => vaa,
        Err(refusal) => return Ok(Err(refusal)),
    };
    if let Err(refusal) = check_pause(registry.config(), &vaa) {
        return Ok(Err(refusal));
    }
    let digest = vaa.digest();
    let known = find_known(registry.storage(), &vaa, &digest)?;
    let registered = match &known {
        Known::Registered => Some(OutcomeKind::AlreadyRegistered),
        Known::Conflict => Some(OutcomeKind::Conflict),
        Known::Nothing | Known::Older(..) => None,
    };
    if let Some(outcome) = registered {
        return Ok(Ok(Done::known(&vaa, &digest, outcome)));
    }
    if let Known::Older(_, false) = known {
        return Ok(Err(Refusal::TooManySets { id: vaa.id() }));
    }
    if let Err(refusal) = verify(registry, &vaa, &digest)? {
        return Ok(Err(refusal));
    }
    let (outcome, governance) = match known {
        Known::Older(key, _) => (OutcomeKind::Resigned, registry.resign(&key, &vaa)?),
        _ => {
            let stored = registry.store(&vaa, &digest)?;
            registry.settle(&vaa.id(), &digest)?;
            stored
        }
    };
    Ok(Ok(Done::written(&vaa, &digest, outcome, governance)))
}

/// Refuses, during a pause, everything but an upgrade that would be applied.
pub(crate) fn check_pause(config: &Config, vaa: &VaaRef<'_>) -> Result<(), Refusal> {
    if !config.paused {
        return Ok(());
    }
    let signed_by = vaa.guardian_set_index;
    match decide(config, &vaa.id(), vaa.body.payload, signed_by) {
        Some(Ok(_)) => Ok(()),
        _ => Err(Refusal::Paused),
    }
}

/// Checks what needs no look at the store: the payload's size and the structure.
pub(crate) fn check<'v>(bytes: &'v [u8], config: &Config) -> Result<VaaRef<'v>, Refusal> {
    // The limit comes first, so it cannot rely on the structure: it counts what follows the declared signatures.
    let signatures = bytes
        .get(HEADER_LEN.saturating_sub(1))
        .map_or(0, |count| usize::from(*count));
    let head = HEADER_LEN
        .saturating_add(signatures.saturating_mul(SIGNATURE_LEN))
        .saturating_add(wormhole_vaa::BODY_MIN_LEN);
    let len = bytes.len().saturating_sub(head);
    let limit = config.payload_limit;
    let parsed = VaaRef::parse(bytes);
    let within = u32::try_from(len).is_ok_and(|len| len <= limit);
    if within || (len <= MAX_UPGRADE_LEN && is_governance(&parsed, config)) {
        Ok(parsed?)
    } else {
        Err(Refusal::PayloadTooLarge { len, limit })
    }
}

/// The bytes of the largest upgrade. The admin's limit does not keep them out, or it would stop a registry from following
/// its guardians.
const MAX_UPGRADE_LEN: usize = 40 + 20 * wormhole_vaa::MAX_GUARDIANS;

fn is_governance(parsed: &Result<VaaRef<'_>, ParseError>, config: &Config) -> bool {
    parsed.as_ref().is_ok_and(|vaa| {
        let id = vaa.id();
        config.is_governance(id.chain, &id.emitter)
    })
}

/// Checks the signatures and the set.
fn verify(
    registry: &mut Registry<'_>,
    vaa: &VaaRef<'_>,
    digest: &Digest,
) -> Result<Result<(), Refusal>, ContractError> {
    let index = vaa.guardian_set_index;
    let (now, recover) = (registry.now(), registry.recover());
    let Some(set) = registry.guardian_set(index)? else {
        return Ok(Err(Refusal::UnknownGuardianSet { index }));
    };
    let checked = verify_signatures(&recover, &set.guardians, digest, &vaa.signatures());
    if let Err(error) = checked {
        return Ok(Err(error.into()));
    }
    match set.expires_at {
        Some(expired_at) if expired_at < now => Ok(Err(Refusal::GuardianSetExpired {
            index,
            expired_at,
            now,
        })),
        _ => Ok(Ok(())),
    }
}

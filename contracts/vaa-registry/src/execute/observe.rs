//! Submitting observations: a batch from one guardian, and the order of checks.
//!
//! The batch: limit → set known → set live → guardian in the set → the guardian's signature over the bytes received. Each
//! observation: payload limit → structure → pause → digest look-up → what is known already → limits → its signature →
//! store. What is known already is answered before its signature is recovered.

use cosmwasm_std::{Api, Binary, DepsMut, Env, Event, Response, from_json, to_json_binary};
use wormhole_vaa::{Digest, Signature, VaaRef, VerifyError, assemble, verify_signature};

use super::{Registry, check, check_batch, check_pause, claim::Claim, find_decided};
use crate::{
    error::{ContractError, Refusal},
    events,
    msg::{
        Governance, ItemError, Observation, ObservationOutcome, ObservationOutcomeKind, OnInvalid,
        OutcomeKind, SubmitObservationsResponse, VaaOutcome,
    },
    observation::observations_digest,
    state::{Config, MAX_TX_ID_LEN, signature_of},
};

/// A batch of observations as it came.
pub(crate) struct Batch<'a> {
    pub(crate) guardian_set_index: u32,
    pub(crate) guardian_index: u8,
    pub(crate) observations: &'a Binary,
    pub(crate) signature: &'a Binary,
}

pub(crate) fn submit_observations(
    deps: DepsMut<'_>,
    env: &Env,
    batch: &Batch<'_>,
    on_invalid: OnInvalid,
) -> Result<Response, ContractError> {
    let config = Config::load_open(deps.storage)?;
    let observations: Vec<Observation> =
        from_json(batch.observations).map_err(|error| ContractError::Observations {
            reason: error.to_string(),
        })?;
    check_batch(observations.len(), &config)?;
    let mut registry = Registry::new(deps.storage, deps.api, env, config);
    let signed = signed_by(deps.api, env, batch)?;
    authenticate(&mut registry, batch, &signed)?.map_err(ContractError::ObservationsRefused)?;
    let mut response = Response::new()
        .add_attribute("action", "submit_observations")
        .add_attribute("guardian_set_index", batch.guardian_set_index.to_string())
        .add_attribute("guardian_index", batch.guardian_index.to_string());
    let mut outcomes = Vec::new();
    for (position, observation) in observations.iter().enumerate() {
        let done = match observe(&mut registry, batch, observation)? {
            Ok(done) => done,
            Err(refusal) if on_invalid == OnInvalid::Skip => refused(batch, observation, &refusal),
            Err(refusal) => return Err(ContractError::ObservationRefused { position, refusal }),
        };
        response = response.add_event(done.event(position));
        response = response.add_events(registry.take_events());
        outcomes.push(done.outcome());
    }
    registry.finish()?;
    Ok(response.set_data(to_json_binary(&SubmitObservationsResponse { outcomes })?))
}

/// Returns what the guardian has to have signed.
fn signed_by(api: &dyn Api, env: &Env, batch: &Batch<'_>) -> Result<Digest, ContractError> {
    let contract = api.addr_canonicalize(env.contract.address.as_str())?;
    let chain_id = &env.block.chain_id;
    observations_digest(
        chain_id,
        contract.as_slice(),
        batch.guardian_set_index,
        batch.guardian_index,
        batch.observations,
    )
    .ok_or_else(|| ContractError::DomainTooLong {
        len: chain_id.len().max(contract.len()),
    })
}

/// Checks that a guardian of a live set signed the batch.
#[inline(never)]
fn authenticate(
    registry: &mut Registry<'_>,
    batch: &Batch<'_>,
    signed: &Digest,
) -> Result<Result<(), Refusal>, ContractError> {
    let index = batch.guardian_set_index;
    let (now, recover) = (registry.now(), registry.recover());
    let Some(set) = registry.guardian_set(index)? else {
        return Ok(Err(Refusal::UnknownGuardianSet { index }));
    };
    if let Some(expired_at) = set.expires_at.filter(|last| *last < now) {
        return Ok(Err(Refusal::GuardianSetExpired {
            index,
            expired_at,
            now,
        }));
    }
    let signature = match read_signature(batch, batch.signature) {
        Ok(signature) => signature,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let checked = verify_signature(&recover, &set.guardians, signed, &signature);
    Ok(checked.map_err(Refusal::from))
}

fn read_signature(batch: &Batch<'_>, bytes: &[u8]) -> Result<Signature, Refusal> {
    signature_of(batch.guardian_index, bytes).ok_or(Refusal::SignatureLength { len: bytes.len() })
}

/// What was done with an observation.
struct Done {
    /// As of a VAA; a pending observation's is not looked at but for id and digest.
    vaa: VaaOutcome,
    progress: Option<Progress>,
    guardian_set_index: Option<u32>,
}

/// How far a pending digest is.
#[derive(Clone, Copy)]
pub(crate) struct Progress {
    pub(crate) signatures: u32,
    pub(crate) quorum: u32,
}

impl Done {
    fn new(vaa: &VaaRef<'_>, digest: &Digest, outcome: OutcomeKind) -> Self {
        Self {
            vaa: VaaOutcome {
                id: Some(vaa.id().to_string()),
                digest: Some(digest.to_string()),
                outcome,
                governance: None,
                error: None,
            },
            progress: None,
            guardian_set_index: None,
        }
    }

    fn pending(vaa: &VaaRef<'_>, digest: &Digest, progress: Progress) -> Self {
        Self {
            progress: Some(progress),
            ..Self::new(vaa, digest, OutcomeKind::Stored)
        }
    }

    fn event(&self, position: usize) -> Event {
        match (&self.progress, &self.vaa.error) {
            (None, None) => events::vaa(position, &self.vaa, self.guardian_set_index),
            _ => events::observation(position, &self.vaa, self.progress),
        }
    }

    fn outcome(self) -> ObservationOutcome {
        let outcome = match self.progress {
            Some(_) => ObservationOutcomeKind::Pending,
            None => self.vaa.outcome.into(),
        };
        ObservationOutcome {
            id: self.vaa.id,
            digest: self.vaa.digest,
            outcome,
            signatures: self.progress.map(|progress| progress.signatures),
            quorum: self.progress.map(|progress| progress.quorum),
            governance: self.vaa.governance,
            error: self.vaa.error,
        }
    }
}

#[inline(never)]
fn refused(batch: &Batch<'_>, observation: &Observation, refusal: &Refusal) -> Done {
    let bytes = assemble(batch.guardian_set_index, &[], &observation.body).unwrap_or_default();
    let vaa = VaaRef::parse(&bytes).ok();
    Done {
        vaa: VaaOutcome {
            id: vaa.map(|vaa| vaa.id().to_string()),
            digest: vaa.map(|vaa| vaa.digest().to_string()),
            outcome: OutcomeKind::Refused,
            governance: None,
            error: Some(ItemError::from(refusal)),
        },
        progress: None,
        guardian_set_index: None,
    }
}

/// Submits one observation. The inner error is its own fault; nothing of it has then been written.
#[inline(never)]
fn observe(
    registry: &mut Registry<'_>,
    batch: &Batch<'_>,
    observation: &Observation,
) -> Result<Result<Done, Refusal>, ContractError> {
    let set = batch.guardian_set_index;
    // Looked at as a VAA without signatures, an observation is held to the same rules.
    let bytes = assemble(set, &[], &observation.body).map_err(|_| ContractError::Damaged {
        what: "body".into(),
    })?;
    let (vaa, signature) = match check_observation(registry.config(), batch, observation, &bytes) {
        Ok(checked) => checked,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let digest = vaa.digest();
    let claim = Claim {
        set,
        guardian: batch.guardian_index,
        tx_id: &observation.tx_id,
    };
    let Some(decided) = find_decided(registry.storage(), &digest)? else {
        return gather(registry, &vaa, &digest, &signature, &claim);
    };
    if !registry.has_claimed(&digest, set, claim.guardian)? {
        if let Err(error) = verify(registry, &digest, set, &signature)? {
            return Ok(Err(error.into()));
        }
        registry.claim(&vaa.id(), &digest, &claim)?;
    }
    Ok(Ok(Done::new(&vaa, &digest, decided)))
}

/// Checks what needs no look at the store.
fn check_observation<'v>(
    config: &Config,
    batch: &Batch<'_>,
    observation: &Observation,
    bytes: &'v [u8],
) -> Result<(VaaRef<'v>, Signature), Refusal> {
    let vaa = check(bytes, config)?;
    let len = observation.tx_id.len();
    if len == 0 || len > MAX_TX_ID_LEN {
        return Err(Refusal::TxIdLength { len });
    }
    let signature = read_signature(batch, &observation.signature)?;
    check_pause(config, &vaa)?;
    Ok((vaa, signature))
}

/// Adds a signature to those of an undecided digest; if that makes the quorum, decides it.
#[inline(never)]
fn gather(
    registry: &mut Registry<'_>,
    vaa: &VaaRef<'_>,
    digest: &Digest,
    signature: &Signature,
    claim: &Claim<'_>,
) -> Result<Result<Done, Refusal>, ContractError> {
    let set = claim.set;
    let Some(quorum) = registry
        .guardian_set(set)?
        .map(|set| set.guardians.quorum())
    else {
        return Ok(Err(Refusal::UnknownGuardianSet { index: set }));
    };
    let last = registry.last_observation(digest, set)?;
    let signers = last.as_ref().map_or(0, |last| last.signers.count());
    let progress = |signatures: usize| Progress {
        signatures: u32::try_from(signatures).unwrap_or(u32::MAX),
        quorum: u32::try_from(quorum).unwrap_or(u32::MAX),
    };
    if last
        .as_ref()
        .is_some_and(|last| last.signers.has(claim.guardian))
    {
        return Ok(Ok(Done::pending(vaa, digest, progress(signers))));
    }
    let signatures = signers.saturating_add(1);
    // The signature that decides a digest leaves nothing undecided, so no limit keeps it out.
    let decides = signatures >= quorum;
    let place = match decides {
        true => None,
        false => match registry.place(&vaa.id(), digest, last, claim)? {
            Ok(place) => Some(place),
            Err(refusal) => return Ok(Err(refusal)),
        },
    };
    if let Err(error) = verify(registry, digest, set, signature)? {
        return Ok(Err(error.into()));
    }
    if let Some(place) = place {
        registry.keep_observation(vaa, digest, signature, claim, place)?;
        return Ok(Ok(Done::pending(vaa, digest, progress(signatures))));
    }
    let (outcome, governance) = decide_gathered(registry, vaa, digest, signature, claim, quorum)?;
    let mut done = Done::new(vaa, digest, outcome);
    done.vaa.governance = governance;
    done.guardian_set_index = Some(set);
    Ok(Ok(done))
}

/// Makes the VAA of the signatures gathered and this one, and stores it as if it had been submitted.
#[inline(never)]
fn decide_gathered(
    registry: &mut Registry<'_>,
    vaa: &VaaRef<'_>,
    digest: &Digest,
    signature: &Signature,
    claim: &Claim<'_>,
    quorum: usize,
) -> Result<(OutcomeKind, Option<Governance>), ContractError> {
    let damaged = || ContractError::Damaged {
        what: format!("observations of {digest}"),
    };
    let gathered = registry.observations(digest, claim.set)?;
    // A quorum is counted by what the last row tells of those before it; here it is held against the rows themselves.
    if gathered.len().saturating_add(1) < quorum {
        return Err(damaged());
    }
    let mut signatures = vec![*signature];
    for row in &gathered {
        let signature = row.signature().ok_or_else(damaged)?;
        let place = signatures.partition_point(|before| before.index < signature.index);
        signatures.insert(place, signature);
    }
    let bytes = assemble(claim.set, &signatures, vaa.body.raw()).map_err(|_| damaged())?;
    let whole = VaaRef::parse(&bytes).map_err(|_| damaged())?;
    let stored = registry.store(&whole, digest)?;
    registry.settle_gathered(&whole.id(), digest, &gathered, Some(claim))?;
    Ok(stored)
}

/// Checks one signature under a set that is known to be live.
fn verify(
    registry: &mut Registry<'_>,
    digest: &Digest,
    index: u32,
    signature: &Signature,
) -> Result<Result<(), VerifyError>, ContractError> {
    let recover = registry.recover();
    let set = registry
        .guardian_set(index)?
        .ok_or(ContractError::UnknownGuardianSet { index })?;
    Ok(verify_signature(
        &recover,
        &set.guardians,
        digest,
        signature,
    ))
}

//! What the registry costs a message.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use cosmwasm_std::{Binary, Response, from_json, to_json_vec};
use serde_json::{Value, json};
use vaa_registry::msg::{
    ExecuteMsg, GuardianSetInit, IndexFlags, InstantiateMsg, Observation,
    ObservationDomainResponse, ObservationOutcomeKind, OutcomeKind, QueryMsg,
    SubmitObservationsResponse, SubmitVaasResponse,
};
use vaa_registry::observations_digest;
use wormhole_vaa::{Address, Body, Digest, SecretKey, Signature, Vaa};

use crate::figure::{Figure, Measured};
use crate::machine::{CallError, Chain, Contract, Done};
use crate::storage::Entries;

/// The section of the figures.
pub const SECTION: &str = "registry";

const TIME: u64 = 1_800_000_000;
const SET: u32 = 4;
const GUARDIANS: u8 = 19;
const SIGNERS: u8 = 13;

/// What Wormhole's own contract for CosmWasm takes to verify the same kind of VAA: its released wasm, measured with the
/// same charges. It keeps nothing but a digest.
pub const CORE_VERIFY: u64 = 190_007;

/// Names a registry's indexes, as its figures do.
const SETUPS: [(&str, IndexFlags); 2] = [
    (
        "five indexes",
        IndexFlags {
            chain_time: true,
            emitter_time: true,
            guardian_set: true,
            recipient: true,
            ..IndexFlags::NONE
        },
    ),
    ("digest only", IndexFlags::NONE),
];

/// Returns the wasm to measure: `VAA_REGISTRY_WASM`, else what `scripts/build-wasm.sh` wrote.
pub fn wasm() -> PathBuf {
    std::env::var_os("VAA_REGISTRY_WASM").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../artifacts/vaa_registry.wasm"),
        PathBuf::from,
    )
}

/// Measures the registry with each choice of indexes.
///
/// # Errors
///
/// A call failed, or had another outcome than the one to measure.
pub fn measure(contract: &Contract) -> Result<Vec<Measured>, CallError> {
    let guardians = Guardians::new();
    let mut measured = Vec::new();
    for (setup, indexes) in SETUPS {
        let mut registry = Registry::start(contract, &guardians, indexes)?;
        let mut report = |operation: &str, done: Done<Value>, count| {
            measured.push(Measured {
                figure: Figure {
                    section: SECTION.into(),
                    subject: setup.into(),
                    operation: operation.into(),
                    rows: 0,
                    cost: done.cost.per(count),
                },
                calls: done.calls,
            });
        };
        registry.measure(&mut report)?;
        registry.measure_observations(&mut report)?;
    }
    Ok(measured)
}

struct Guardians(Vec<SecretKey>);

impl Guardians {
    fn new() -> Self {
        let key = |seed: u8| {
            let mut secret = [7; 32];
            secret[31] = seed;
            SecretKey::from_bytes(&secret).expect("a number below the group's order")
        };
        Self((1..=GUARDIANS).map(key).collect())
    }

    fn set(&self) -> GuardianSetInit {
        GuardianSetInit {
            index: SET,
            addresses: self.0.iter().map(|key| key.address().to_hex()).collect(),
            expires_at: None,
        }
    }

    fn sign(&self, body: Body) -> Binary {
        let digest = body.digest();
        let sign = |(index, key): (u8, &SecretKey)| -> Signature { key.sign(&digest, index) };
        let vaa = Vaa {
            guardian_set_index: SET,
            signatures: (0..SIGNERS).zip(&self.0).map(sign).collect(),
            body,
        };
        Binary::new(vaa.serialize().expect("13 signatures fit"))
    }

    /// Returns a transfer of tokens, as it is most often seen: 13 signatures, 1,048 bytes.
    fn transfer(&self, emitter: u8, number: u32) -> Binary {
        self.sign(transfer(emitter, number))
    }
}

/// Returns the body of a transfer of tokens.
fn transfer(emitter: u8, number: u32) -> Body {
    let recipient = wormhole_vaa::keccak256(&number.to_be_bytes());
    let mut payload = vec![1];
    payload.extend([&[0; 24][..], &1_250_000_000_u64.to_be_bytes()].concat());
    payload.extend([0xaa; 32]);
    payload.extend(2_u16.to_be_bytes());
    payload.extend(recipient);
    payload.extend(1_u16.to_be_bytes());
    payload.extend([0; 32]);
    Body {
        timestamp: 1_700_000_000 + number,
        nonce: 0x9e37_79b9 ^ number,
        emitter_chain: 2,
        emitter_address: Address([emitter; 32]),
        sequence: 1_200_000 + u64::from(number),
        consistency_level: 15,
        payload,
    }
}

/// Returns a signature as observations carry it: without the guardian's index.
fn bare_signature(key: &SecretKey, digest: &Digest) -> Binary {
    Binary::new(key.sign(digest, 0).to_bytes()[1..].to_vec())
}

/// A registry that knows one message of emitter `ee…ee` already.
struct Registry<'g> {
    chain: Chain,
    guardians: &'g Guardians,
}

impl<'g> Registry<'g> {
    fn start(
        contract: &Contract,
        guardians: &'g Guardians,
        indexes: IndexFlags,
    ) -> Result<Self, CallError> {
        let mut chain = Chain::new(contract, Arc::new(Entries::default()), TIME);
        chain.instantiate(&InstantiateMsg {
            this_chain: 3104,
            guardian_sets: vec![guardians.set()],
            governance: None,
            indexes: Some(indexes),
            admin: None,
            limits: None,
            import: false,
        })?;
        let mut registry = Self { chain, guardians };
        let known = registry.submit(&[registry.known()], OutcomeKind::Stored)?;
        registry.chain.execute(&known.0)?;
        Ok(registry)
    }

    fn known(&self) -> Binary {
        self.guardians.transfer(0xee, 0)
    }

    fn transfers(&self, count: u32) -> Vec<Binary> {
        (1..=count)
            .map(|number| self.guardians.transfer(0xee, number))
            .collect()
    }

    fn measure(&self, report: &mut dyn FnMut(&str, Done<Value>, u64)) -> Result<(), CallError> {
        let one = self.transfers(1);
        let mut submit = |operation, vaas: &[Binary], outcome| {
            let (_, done) = self.submit(vaas, outcome)?;
            report(operation, erase(done), vaas.len() as u64);
            Ok::<_, CallError>(())
        };
        submit("submit one", &one, OutcomeKind::Stored)?;
        let stranger = self.guardians.transfer(0xdd, 1);
        submit(
            "submit the first of an emitter",
            &[stranger],
            OutcomeKind::Stored,
        )?;
        submit(
            "submit, each of 10",
            &self.transfers(10),
            OutcomeKind::Stored,
        )?;
        submit(
            "submit, each of 30",
            &self.transfers(30),
            OutcomeKind::Stored,
        )?;
        submit(
            "submit a known one",
            &[self.known()],
            OutcomeKind::AlreadyRegistered,
        )?;
        let vaa = one.into_iter().next().unwrap_or_default();
        let done = self.chain.query(&QueryMsg::Verify { vaa })?;
        let valid = done.answer["valid"] == json!(true);
        if !valid {
            return Err(CallError::Refused(format!("not verified: {}", done.answer)));
        }
        report("query verify", done, 1);
        Ok(())
    }

    /// Measures observations of transfers, guardian by guardian.
    fn measure_observations(
        &mut self,
        report: &mut dyn FnMut(&str, Done<Value>, u64),
    ) -> Result<(), CallError> {
        use ObservationOutcomeKind::{Pending, Stored};
        let bodies: Vec<_> = (1..=10).map(|number| transfer(0xee, number)).collect();
        let one = &bodies[..1];
        let mut observe = |operation: &str, guardian, bodies: &[Body], outcome| {
            let done = self.observe(guardian, bodies, outcome)?;
            if !operation.is_empty() {
                report(operation, erase(done), bodies.len() as u64);
            }
            Ok::<_, CallError>(())
        };
        observe("observe one, the first of its digest", 0, one, Pending)?;
        observe("observe, each of 10, the first", 0, &bodies[1..], Pending)?;
        observe("observe one", 1, one, Pending)?;
        observe("observe, each of 10", 2, &bodies, Pending)?;
        for guardian in (1..SIGNERS - 1).filter(|guardian| *guardian != 2) {
            observe("", guardian, &bodies, Pending)?;
        }
        observe(
            "observe, the one that makes quorum",
            SIGNERS - 1,
            one,
            Stored,
        )?;
        observe(
            "observe, each of 9 that make quorum",
            SIGNERS - 1,
            &bodies[1..],
            Stored,
        )
    }

    /// Brings what a guardian observed, each of which must have the given outcome.
    fn observe(
        &mut self,
        guardian: u8,
        bodies: &[Body],
        expected: ObservationOutcomeKind,
    ) -> Result<Done<Response>, CallError> {
        let failed = |what: String| CallError::Failed(what);
        let domain = self.chain.query(&QueryMsg::ObservationDomain {})?.answer;
        let domain: ObservationDomainResponse =
            serde_json::from_value(domain).map_err(|error| failed(error.to_string()))?;
        let key = &self.guardians.0[usize::from(guardian)];
        let observation = |body: &Body| Observation {
            body: Binary::new(body.serialize()),
            tx_id: Binary::new(wormhole_vaa::keccak256(&body.sequence.to_be_bytes()).to_vec()),
            signature: bare_signature(key, &body.digest()),
        };
        let observations: Vec<_> = bodies.iter().map(observation).collect();
        let observations = to_json_vec(&observations).map_err(|error| failed(error.to_string()))?;
        let digest = observations_digest(
            &domain.chain_id,
            &domain.contract,
            SET,
            guardian,
            &observations,
        );
        let digest = digest.ok_or_else(|| failed("a chain id that is too long".into()))?;
        let done = self.chain.execute(&ExecuteMsg::SubmitObservations {
            guardian_set_index: SET,
            guardian_index: guardian,
            observations: Binary::new(observations),
            signature: bare_signature(key, &digest),
            on_invalid: None,
        })?;
        let answer: SubmitObservationsResponse =
            from_json(done.answer.data.clone().unwrap_or_default())
                .map_err(|error| failed(error.to_string()))?;
        match answer
            .outcomes
            .iter()
            .find(|outcome| outcome.outcome != expected)
        {
            Some(other) => Err(CallError::Refused(format!("{other:?}"))),
            None => Ok(done),
        }
    }

    /// Submits VAAs, which must all have the given outcome, and forgets what that wrote.
    fn submit(
        &self,
        vaas: &[Binary],
        expected: OutcomeKind,
    ) -> Result<(ExecuteMsg, Done<Response>), CallError> {
        let message = ExecuteMsg::SubmitVaas {
            vaas: vaas.to_vec(),
            on_invalid: None,
        };
        let done = self.chain.try_execute(&message)?;
        let data = done.answer.data.clone().unwrap_or_default();
        let answer: SubmitVaasResponse =
            from_json(data).map_err(|error| CallError::Failed(error.to_string()))?;
        match answer
            .outcomes
            .iter()
            .find(|outcome| outcome.outcome != expected)
        {
            Some(other) => Err(CallError::Refused(format!("{other:?}"))),
            None => Ok((message, done)),
        }
    }
}

fn erase(done: Done<Response>) -> Done<Value> {
    Done {
        answer: Value::Null,
        cost: done.cost,
        calls: done.calls,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vaa_measured_is_the_one_described() {
        let guardians = Guardians::new();
        for number in [0, 1, 30] {
            assert_eq!(guardians.transfer(0xee, number).len(), 1_048);
        }
        assert_ne!(guardians.transfer(0xee, 1), guardians.transfer(0xee, 2));
    }
}

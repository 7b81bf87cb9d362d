//! Observations made on the spot, and how a guardian brings them.

use cosmwasm_std::{Api, Binary, from_json, to_json_vec};
use cw_multi_test::{AppResponse, Executor};
use serde::{Serialize, de::DeserializeOwned};
use vaa_registry::{
    msg::{
        ExecuteMsg, Observation, ObservationOutcome, OnInvalid, PruneResponse,
        SubmitObservationsResponse,
    },
    observations_digest,
};
use wormhole_vaa::{Body, Digest, SecretKey};

use super::suite::Suite;

/// A transaction id that depends on nothing but `seed`.
pub fn tx(seed: u8) -> Vec<u8> {
    vec![seed; 32]
}

/// A signature as observations carry it: without the guardian's index.
pub fn signature(key: &SecretKey, digest: &Digest) -> Binary {
    Binary::new(key.sign(digest, 0).to_bytes()[1..].to_vec())
}

pub fn observation(key: &SecretKey, body: &Body, tx_id: &[u8]) -> Observation {
    Observation {
        body: Binary::new(body.serialize()),
        tx_id: Binary::new(tx_id.to_vec()),
        signature: signature(key, &body.digest()),
    }
}

/// A batch, to be sent as it is or spoilt.
#[derive(Clone)]
pub struct Report {
    pub set: u32,
    pub guardian: u8,
    pub observations: Vec<u8>,
    pub signature: Binary,
}

impl Report {
    pub fn msg(&self, on_invalid: Option<OnInvalid>) -> ExecuteMsg {
        ExecuteMsg::SubmitObservations {
            guardian_set_index: self.set,
            guardian_index: self.guardian,
            observations: Binary::new(self.observations.clone()),
            signature: self.signature.clone(),
            on_invalid,
        }
    }
}

impl Suite {
    /// What a guardian signs over a batch for this registry.
    pub fn signed(&self, set: u32, guardian: u8, observations: &[u8]) -> Digest {
        let contract = self.app.api().addr_canonicalize(self.registry.as_str());
        observations_digest(
            &self.app.block_info().chain_id,
            contract.unwrap().as_slice(),
            set,
            guardian,
            observations,
        )
        .unwrap()
    }

    /// A batch of anything that is JSON, signed as a whole.
    pub fn report<T: Serialize>(
        &self,
        set: u32,
        guardian: u8,
        key: &SecretKey,
        what: &T,
    ) -> Report {
        let observations = to_json_vec(what).unwrap();
        let signature = signature(key, &self.signed(set, guardian, &observations));
        Report {
            set,
            guardian,
            observations,
            signature,
        }
    }

    pub fn send(&mut self, report: &Report) -> Result<Vec<ObservationOutcome>, String> {
        let answer: SubmitObservationsResponse = self.call(&report.msg(None))?;
        Ok(answer.outcomes)
    }

    /// Brings a guardian's observations of bodies, and returns each outcome's name, its progress if it is pending, or the
    /// code of its refusal.
    pub fn observe(
        &mut self,
        set: u32,
        guardian: u8,
        key: &SecretKey,
        bodies: &[&Body],
    ) -> Vec<String> {
        let list: Vec<_> = bodies
            .iter()
            .map(|body| observation(key, body, &tx(1)))
            .collect();
        let report = self.report(set, guardian, key, &list);
        self.send(&report).unwrap().iter().map(name).collect()
    }

    /// Brings one observation with a transaction id.
    pub fn observe_tx(
        &mut self,
        set: u32,
        guardian: u8,
        key: &SecretKey,
        body: &Body,
        tx_id: &[u8],
    ) -> String {
        let list = [observation(key, body, tx_id)];
        let report = self.report(set, guardian, key, &list);
        name(&self.send(&report).unwrap()[0])
    }

    pub fn prune(&mut self, limit: u32) -> PruneResponse {
        self.call(&ExecuteMsg::Prune { limit }).unwrap()
    }

    /// Executes a message as the user and reads its data.
    pub fn call<T: DeserializeOwned>(&mut self, msg: &ExecuteMsg) -> Result<T, String> {
        let sender = self.user.clone();
        let response = self.send_as(&sender, msg)?;
        Ok(from_json(response.data.unwrap()).unwrap())
    }

    pub fn send_as(
        &mut self,
        sender: &cosmwasm_std::Addr,
        msg: &ExecuteMsg,
    ) -> Result<AppResponse, String> {
        self.app
            .execute_contract(sender.clone(), self.registry.clone(), msg, &[])
            .map_err(|error| format!("{error:?}"))
    }
}

/// Says in a word what became of an observation.
pub fn name(outcome: &ObservationOutcome) -> String {
    match (&outcome.error, outcome.signatures, outcome.quorum) {
        (Some(error), _, _) => error.code.clone(),
        (None, Some(signatures), Some(quorum)) => {
            format!("{} {signatures}/{quorum}", outcome.outcome.as_str())
        }
        _ => outcome.outcome.as_str().into(),
    }
}

/// The code in an error's text.
pub fn code(error: &str) -> String {
    let at = error.find("[E").unwrap();
    error[at + 1..at + 5].to_owned()
}

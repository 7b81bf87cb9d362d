//! Events: one a VAA, and one a guardian set that changes. The chain puts `wasm-` before the types.
//!
//! | type | attributes |
//! | --- | --- |
//! | `vaa_stored`, `vaa_resigned`, `vaa_conflict` | `id`, `digest`, `guardian_set_index`; for governance messages also `governance`: `applied` or `not_applied:REASON` |
//! | `vaa_already_registered` | `id`, `digest` |
//! | `vaa_conflict_known` | `id`, `digest`: evidence that is kept already |
//! | `vaa_refused` | `position` in the batch, `code`; `id` and `digest` where the bytes are a VAA |
//! | `guardian_set_upgraded` | `index` of the new set, `previous_index`, `previous_expires_at` in Unix seconds |
//!
//! An id is `chain/emitter/sequence`, a digest lower-case hex.

use cosmwasm_std::Event;

use crate::msg::{Governance, OutcomeKind, VaaOutcome};

/// The type of an upgrade's event.
pub const GUARDIAN_SET_UPGRADED: &str = "guardian_set_upgraded";

/// Returns the event of a VAA; `guardian_set_index` is the set that signed what was written, if anything was.
#[must_use]
pub fn vaa(position: usize, outcome: &VaaOutcome, guardian_set_index: Option<u32>) -> Event {
    let known = if outcome.outcome == OutcomeKind::Conflict && guardian_set_index.is_none() {
        "_known"
    } else {
        ""
    };
    let mut event = Event::new(format!("vaa_{}{known}", outcome.outcome.as_str()));
    if let Some(error) = &outcome.error {
        event = event
            .add_attribute("position", position.to_string())
            .add_attribute("code", &error.code);
    }
    if let (Some(id), Some(digest)) = (&outcome.id, &outcome.digest) {
        event = event
            .add_attribute("id", id)
            .add_attribute("digest", digest);
    }
    if let Some(index) = guardian_set_index {
        event = event.add_attribute("guardian_set_index", index.to_string());
    }
    match &outcome.governance {
        Some(Governance::Applied(_)) => event.add_attribute("governance", "applied"),
        Some(Governance::NotApplied(reason)) => {
            event.add_attribute("governance", format!("not_applied:{reason}"))
        }
        None => event,
    }
}

/// Returns the event of a guardian set upgrade.
#[must_use]
pub fn guardian_set_upgraded(index: u32, previous_index: u32, previous_expires_at: u64) -> Event {
    Event::new(GUARDIAN_SET_UPGRADED)
        .add_attribute("index", index.to_string())
        .add_attribute("previous_index", previous_index.to_string())
        .add_attribute("previous_expires_at", previous_expires_at.to_string())
}

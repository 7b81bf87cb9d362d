//! Events: one a VAA, observation or publication, one a guardian set that changes, and one an act of the admin's. The chain puts `wasm-` before the types.
//!
//! | type | attributes |
//! | --- | --- |
//! | `vaa_stored`, `vaa_resigned`, `vaa_conflict` | `id`, `digest`, `guardian_set_index`; for governance messages also `governance`: `applied` or `not_applied:REASON` |
//! | `vaa_already_registered` | `id`, `digest` |
//! | `vaa_conflict_known` | `id`, `digest`: evidence that is kept already |
//! | `vaa_refused` | `position` in the batch, `code`; `id` and `digest` where the bytes are a VAA |
//! | `guardian_set_upgraded` | `index` of the new set, `previous_index`, `previous_expires_at` in Unix seconds |
//!
//! | `observation_pending` | `id`, `digest`, `signatures`, `quorum` |
//! | `observation_refused` | as `vaa_refused` |
//! | `pruned` | `removed` rows, `finished`: whether the end was reached |
//! | `publication_published`, `publication_replaced`, `publication_unchanged`, `publication_already_registered` | `id`, `digest` |
//! | `publication_refused` | as `vaa_refused` |
//! | `publisher_registered` | `publisher`, `chain`, `emitter` unless any, `quota` |
//! | `publisher_revoked` | `publisher` |
//! | `index_building`, `index_built` | `index`, `rows` taken in |
//! | `genesis_imported` | `table`, `rows` of the page, `complete`: whether it was the table's last |
//! | `genesis_sealed` | |
//! | `limits_set` | `batch`, `payload`, `scan_budget` |
//! | `paused`, `unpaused`, `admin_renounced` | |
//! | `admin_proposed` | `proposed`, empty if the proposal was withdrawn |
//! | `admin_changed` | `admin` |
//!
//! Of observations, the one that makes a quorum has `vaa_stored` or `vaa_conflict`, and those of decided messages have
//! `vaa_already_registered` or `vaa_conflict_known`. Guardian and set, and the publisher, are attributes of the message's
//! own event: `guardian_set_index` and `guardian_index`; `publisher`.
//!
//! An id is `chain/emitter/sequence`, a digest lower-case hex.

use cosmwasm_std::Event;

use wormhole_vaa::Address;

use crate::{
    execute::Progress,
    msg::{Governance, OutcomeKind, PublicationOutcome, VaaOutcome},
    state::Publisher,
};

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

/// Returns the event of an observation that decided nothing: pending, or refused.
#[must_use]
pub(crate) fn observation(
    position: usize,
    outcome: &VaaOutcome,
    progress: Option<Progress>,
) -> Event {
    let mut event = Event::new(if outcome.error.is_some() {
        "observation_refused"
    } else {
        "observation_pending"
    });
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
    match progress {
        Some(progress) => event
            .add_attribute("signatures", progress.signatures.to_string())
            .add_attribute("quorum", progress.quorum.to_string()),
        None => event,
    }
}

/// Returns the event of a publication.
#[must_use]
pub(crate) fn publication(position: usize, outcome: &PublicationOutcome) -> Event {
    let mut event = Event::new(format!("publication_{}", outcome.outcome.as_str()));
    if let Some(error) = &outcome.error {
        event = event
            .add_attribute("position", position.to_string())
            .add_attribute("code", &error.code);
    }
    match (&outcome.id, &outcome.digest) {
        (Some(id), Some(digest)) => event
            .add_attribute("id", id)
            .add_attribute("digest", digest),
        _ => event,
    }
}

/// Returns the event of a publisher that was registered.
#[must_use]
pub(crate) fn publisher_registered(publisher: &Publisher) -> Event {
    let mut event = Event::new("publisher_registered")
        .add_attribute("publisher", &publisher.address)
        .add_attribute("chain", publisher.emitter_chain.to_string());
    if let Some(emitter) = publisher.emitter_address {
        event = event.add_attribute("emitter", Address(emitter).to_hex());
    }
    event.add_attribute("quota", publisher.quota.to_string())
}

/// Returns the event of a pruning.
#[must_use]
pub(crate) fn pruned(removed: u32, finished: bool) -> Event {
    Event::new("pruned")
        .add_attribute("removed", removed.to_string())
        .add_attribute("finished", finished.to_string())
}

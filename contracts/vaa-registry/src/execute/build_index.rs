//! Adding an index to a registry that has messages, in bounded steps.

use core::ops::Bound;

use cosmwasm_std::{DepsMut, Event, MessageInfo, Order, Response, Storage, to_json_binary};
use cw_orm::{Built, IndexSet, Indexable, Key};
use wormhole_vaa::{Address, Digest, MessageId};

use super::{admin::check_admin, claim::index_tx_id, prune::MAX_PRUNED};
use crate::{
    error::ContractError,
    msg::{BuildIndexResponse, IndexName},
    state::{
        Config, Conflict, Emitter, IndexBits, IndexBuild, Message, MessagePublication, QuorumState,
        Registered, TxClaim,
    },
};

pub(crate) fn build_index(
    deps: DepsMut<'_>,
    info: &MessageInfo,
    index: IndexName,
    limit: u32,
) -> Result<Response, ContractError> {
    check_admin(deps.storage, info)?;
    let mut config = Config::load_open(deps.storage)?;
    let limit = match limit {
        0 => return Err(ContractError::NoRows),
        limit => limit.min(MAX_PRUNED),
    };
    let bit = IndexBits::of(index);
    let after = match config.building.take() {
        Some(build) if build.index == bit => build.after,
        Some(build) => {
            let index = build.index.name().map_or("unknown", IndexName::as_str);
            return Err(ContractError::IndexBeingBuilt { index });
        }
        None if config.indexes.contains(bit) => return answer(index, 0, true),
        None => Vec::new(),
    };
    let built = build(deps.storage, index, bit, &after, limit)?;
    if built.done {
        config.indexes = config.indexes.and(bit);
    } else {
        config.building = Some(IndexBuild {
            index: bit,
            after: built.last,
        });
    }
    Config::TABLE.update(deps.storage, config)?;
    answer(index, built.steps, built.done)
}

fn answer(index: IndexName, rows: u32, done: bool) -> Result<Response, ContractError> {
    let event = Event::new(if done {
        "index_built"
    } else {
        "index_building"
    });
    let event = event
        .add_attribute("index", index.as_str())
        .add_attribute("rows", rows.to_string());
    let data = to_json_binary(&BuildIndexResponse { rows, done })?;
    Ok(Response::new().add_event(event).set_data(data))
}

fn build(
    storage: &mut dyn Storage,
    name: IndexName,
    bit: IndexBits,
    after: &[u8],
    limit: u32,
) -> Result<Built, ContractError> {
    let index: &dyn Indexable<MessagePublication> = match name {
        IndexName::Time => &Message::BY_TIME,
        IndexName::ChainTime => &Message::BY_CHAIN_TIME,
        IndexName::EmitterTime => &Message::BY_EMITTER_TIME,
        IndexName::Recipient => &Message::BY_RECIPIENT,
        IndexName::GovernanceModule => &Message::BY_GOVERNANCE_MODULE,
        IndexName::ChainTotals => &Message::CHAIN_TOTALS,
        IndexName::EmitterTotals => &Message::EMITTER_TOTALS,
        IndexName::DayTotals => &Message::DAY_TOTALS,
        IndexName::GuardianSet => {
            let quorum = messages(bit.set()).family::<QuorumState>();
            return Ok(quorum.build_index(storage, &Message::BY_GUARDIAN_SET, after, limit)?);
        }
        IndexName::TxId => return build_tx_ids(storage, after, limit),
    };
    let publications = messages(bit.set()).family::<MessagePublication>();
    Ok(publications.build_index(storage, index, after, limit)?)
}

const fn messages(kept: IndexSet) -> cw_orm::FamilyTable<Message> {
    Message::TABLE.with_indexes(kept)
}

/// Has decided messages found by the claims about them, which are taken in the order of their digests.
fn build_tx_ids(
    storage: &mut dyn Storage,
    after: &[u8],
    limit: u32,
) -> Result<Built, ContractError> {
    type ClaimKey = ([u8; 32], u32, u8);
    let rule = cw_orm::KeyRule::Delimited;
    let start = match after {
        [] => Bound::Unbounded,
        after => Bound::Excluded(ClaimKey::decode(after, rule).map_err(|_| damaged())?),
    };
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    let mut claims = TxClaim::TABLE
        .range::<ClaimKey>((start, Bound::Unbounded))?
        .rows(storage, Order::Ascending)
        .limit(most.saturating_add(1))
        .read_all()?;
    let done = claims.len() <= most;
    claims.truncate(most);
    let mut built = Built {
        steps: u32::try_from(claims.len()).unwrap_or(limit),
        last: after.to_vec(),
        done,
    };
    for claim in &claims {
        let digest = Digest(claim.digest);
        if let Some(id) = decided(storage, &digest)? {
            index_tx_id(storage, &id, &digest, &claim.tx_id)?;
        }
        let key: ClaimKey = (claim.digest, claim.guardian_set_index, claim.position);
        built.last = key.encode(rule).map_err(|_| damaged())?;
    }
    Ok(built)
}

/// Finds the message of a digest that a quorum signed.
fn decided(storage: &dyn Storage, digest: &Digest) -> Result<Option<MessageId>, ContractError> {
    if let Some((number, sequence)) = Registered::find(storage, digest)? {
        let emitter = Emitter::of_number(storage, number.0)?;
        return Ok(Some(emitter.id(sequence.0)));
    }
    let conflicts = Conflict::TABLE.by(Conflict::BY_DIGEST)?;
    let found = conflicts.row_key(storage, &digest.0)?;
    Ok(found.map(|(chain, emitter, sequence, _)| MessageId {
        chain,
        emitter: Address(emitter),
        sequence,
    }))
}

fn damaged() -> ContractError {
    ContractError::Damaged {
        what: "place up to which an index is built".into(),
    }
}

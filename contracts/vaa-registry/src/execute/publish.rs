//! Publications that nobody attested: publishing them, and the publishers.

use cosmwasm_std::{DepsMut, Env, Event, MessageInfo, Order, Response, Storage, to_json_binary};
use wormhole_vaa::{Address, Digest, VaaRef, assemble};

use super::{admin::check_admin, check, check_batch, prune::Budget, valid_address};
use crate::{
    error::{ContractError, Refusal},
    events,
    msg::{
        ItemError, OnInvalid, PublicationOutcome, PublicationOutcomeKind, PublishMessagesResponse,
        PublishedMessage, PublisherScope,
    },
    state::{Config, MAX_TX_ID_LEN, Publication, Publisher, Registered},
};

/// How many rows revoking a publisher removes unless told otherwise.
const DEFAULT_PURGED: u32 = 100;

pub(crate) fn publish_messages(
    deps: DepsMut<'_>,
    env: &Env,
    info: &MessageInfo,
    messages: &[PublishedMessage],
    on_invalid: OnInvalid,
) -> Result<Response, ContractError> {
    let config = Config::load_open(deps.storage)?;
    if config.paused {
        return Err(ContractError::Paused);
    }
    check_batch(messages.len(), &config)?;
    let sender = info.sender.to_string();
    let Some((_, publisher)) = find_publisher(deps.storage, &sender)? else {
        return Err(ContractError::NotPublisher { sender });
    };
    let mut press = Press {
        storage: deps.storage,
        config,
        rows: publisher.rows,
        publisher,
        now: env.block.time.seconds(),
    };
    let mut response = Response::new()
        .add_attribute("action", "publish_messages")
        .add_attribute("publisher", sender);
    let mut outcomes = Vec::new();
    for (position, message) in messages.iter().enumerate() {
        let outcome = match press.publish(message)? {
            Ok(outcome) => outcome,
            Err(refusal) if on_invalid == OnInvalid::Skip => refused(message, &refusal),
            Err(refusal) => return Err(ContractError::PublicationRefused { position, refusal }),
        };
        response = response.add_event(events::publication(position, &outcome));
        outcomes.push(outcome);
    }
    press.finish()?;
    Ok(response.set_data(to_json_binary(&PublishMessagesResponse { outcomes })?))
}

/// One execution's publishing.
struct Press<'a> {
    storage: &'a mut dyn Storage,
    config: Config,
    publisher: Publisher,
    /// How many rows the publisher has by now.
    rows: u32,
    now: u64,
}

impl Press<'_> {
    #[inline(never)]
    fn publish(
        &mut self,
        message: &PublishedMessage,
    ) -> Result<Result<PublicationOutcome, Refusal>, ContractError> {
        // Looked at as a VAA without signatures, a publication is held to the same rules.
        let bytes = assemble(0, &[], &message.body).unwrap_or_default();
        let vaa = match self.check(message, &bytes) {
            Ok(vaa) => vaa,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let digest = vaa.digest();
        let done = |outcome| Ok(Ok(outcome_of(&vaa, &digest, outcome)));
        if Registered::find(self.storage, &digest)?.is_some() {
            return done(PublicationOutcomeKind::AlreadyRegistered);
        }
        let new = self.row(&vaa, message);
        let key = (
            new.emitter_chain,
            new.emitter_address,
            new.sequence,
            new.publisher,
        );
        match Publication::TABLE.get(self.storage, &key)? {
            Some(old)
                if Publication {
                    time: old.time,
                    ..new.clone()
                } == old =>
            {
                done(PublicationOutcomeKind::Unchanged)
            }
            Some(_) => {
                Publication::TABLE.update(self.storage, new)?;
                done(PublicationOutcomeKind::Replaced)
            }
            None if self.rows >= self.publisher.quota => Ok(Err(Refusal::QuotaExhausted {
                quota: self.publisher.quota,
            })),
            None => {
                Publication::TABLE.insert(self.storage, &new)?;
                self.rows = self.rows.saturating_add(1);
                done(PublicationOutcomeKind::Published)
            }
        }
    }

    /// Checks what needs no look at the store.
    fn check<'v>(
        &self,
        message: &PublishedMessage,
        bytes: &'v [u8],
    ) -> Result<VaaRef<'v>, Refusal> {
        let vaa = check(bytes, &self.config)?;
        if let Some(len) = message.tx_id.as_ref().map(|tx_id| tx_id.len())
            && (len == 0 || len > MAX_TX_ID_LEN)
        {
            return Err(Refusal::TxIdLength { len });
        }
        let (id, publisher) = (vaa.id(), &self.publisher);
        let emitter = publisher.emitter_address;
        if id.chain != publisher.emitter_chain || emitter.is_some_and(|only| only != id.emitter.0) {
            return Err(Refusal::OutOfScope { id });
        }
        Ok(vaa)
    }

    fn row(&self, vaa: &VaaRef<'_>, message: &PublishedMessage) -> Publication {
        let id = vaa.id();
        Publication {
            emitter_chain: id.chain,
            emitter_address: id.emitter.0,
            sequence: id.sequence,
            publisher: self.publisher.id,
            timestamp: vaa.body.timestamp,
            nonce: vaa.body.nonce,
            consistency_level: vaa.body.consistency_level,
            payload: vaa.body.payload.to_vec(),
            tx_id: message.tx_id.as_ref().map(|tx_id| tx_id.to_vec()),
            time: self.now,
        }
    }

    fn finish(self) -> Result<(), ContractError> {
        let publisher = Publisher {
            rows: self.rows,
            ..self.publisher
        };
        Publisher::TABLE.update(self.storage, publisher)?;
        Ok(())
    }
}

fn outcome_of(
    vaa: &VaaRef<'_>,
    digest: &Digest,
    outcome: PublicationOutcomeKind,
) -> PublicationOutcome {
    PublicationOutcome {
        id: Some(vaa.id().to_string()),
        digest: Some(digest.to_string()),
        outcome,
        error: None,
    }
}

fn refused(message: &PublishedMessage, refusal: &Refusal) -> PublicationOutcome {
    let bytes = assemble(0, &[], &message.body).unwrap_or_default();
    let vaa = VaaRef::parse(&bytes).ok();
    PublicationOutcome {
        id: vaa.map(|vaa| vaa.id().to_string()),
        digest: vaa.map(|vaa| vaa.digest().to_string()),
        outcome: PublicationOutcomeKind::Refused,
        error: Some(ItemError::from(refusal)),
    }
}

fn find_publisher(
    storage: &dyn Storage,
    address: &String,
) -> Result<Option<(u64, Publisher)>, ContractError> {
    let by_address = Publisher::TABLE.by(Publisher::BY_ADDRESS)?;
    Ok(by_address.get(storage, address)?)
}

pub(crate) fn register_publisher(
    deps: DepsMut<'_>,
    info: &MessageInfo,
    publisher: &str,
    scope: &PublisherScope,
    quota: u32,
) -> Result<Response, ContractError> {
    check_admin(deps.storage, info)?;
    Config::load_open(deps.storage)?;
    let address = valid_address(deps.api, publisher)?;
    let emitter = scope.emitter.as_deref().map(str::parse::<Address>);
    let emitter_address = emitter.transpose()?.map(|emitter| emitter.0);
    let known = find_publisher(deps.storage, &address)?;
    let mut row = Publisher {
        id: 0,
        address,
        emitter_chain: scope.chain,
        emitter_address,
        quota,
        rows: 0,
        revoked: false,
    };
    let event = events::publisher_registered(&row);
    match known {
        Some((id, known)) => {
            row.id = id;
            row.rows = known.rows;
            Publisher::TABLE.update(deps.storage, row)?;
        }
        None => {
            Publisher::TABLE.insert(deps.storage, &mut row)?;
        }
    }
    Ok(Response::new().add_event(event))
}

pub(crate) fn revoke_publisher(
    deps: DepsMut<'_>,
    info: &MessageInfo,
    publisher: &str,
    limit: Option<u32>,
) -> Result<Response, ContractError> {
    check_admin(deps.storage, info)?;
    Config::load_open(deps.storage)?;
    let mut budget = Budget::new(limit.unwrap_or(DEFAULT_PURGED))?;
    let address = valid_address(deps.api, publisher)?;
    let Some((_, row)) = find_publisher(deps.storage, &address)? else {
        return Err(ContractError::UnknownPublisher { publisher: address });
    };
    let revoked = Publisher {
        revoked: true,
        ..row
    };
    Publisher::TABLE.update(deps.storage, revoked.clone())?;
    purge(deps.storage, revoked, &mut budget)?;
    let event = Event::new("publisher_revoked").add_attribute("publisher", address);
    Ok(Response::new().add_event(event))
}

/// Removes what revoked publishers left; says whether the budget sufficed.
pub(super) fn purge_revoked(
    storage: &mut dyn Storage,
    budget: &mut Budget,
) -> Result<bool, ContractError> {
    let by_revoked = Publisher::TABLE.by(Publisher::BY_REVOKED)?;
    while let Some(publisher) = by_revoked.all().first(storage)? {
        if budget.left() == 0 || !purge(storage, publisher, budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Removes a revoked publisher's rows, and with the last of them the publisher; says whether the budget sufficed.
#[inline(never)]
fn purge(
    storage: &mut dyn Storage,
    publisher: Publisher,
    budget: &mut Budget,
) -> Result<bool, ContractError> {
    let by_publisher = Publication::TABLE.by(Publication::BY_PUBLISHER)?;
    let mut keys = by_publisher
        .key(&publisher.id)?
        .ids(storage, Order::Ascending)
        .limit(budget.left().saturating_add(1))
        .read_all()?;
    let whole = keys.len() <= budget.left();
    keys.truncate(budget.left());
    for key in &keys {
        Publication::TABLE.delete(storage, key)?;
    }
    budget.removed(keys.len());
    if whole {
        Publisher::TABLE.delete(storage, publisher.id)?;
        return Ok(true);
    }
    let removed = u32::try_from(keys.len()).unwrap_or(u32::MAX);
    let rows = publisher.rows.saturating_sub(removed);
    Publisher::TABLE.update(storage, Publisher { rows, ..publisher })?;
    Ok(false)
}

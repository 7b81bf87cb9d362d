//! Keeping verified messages: the registry as one execution sees it.

use cosmwasm_std::{Api, Env, Event, Storage};
use cw_orm::FamilyTable;
use wormhole_vaa::{Digest, GuardianSet, MessageId, VaaRef};

use super::{decide, governance::apply, undecided::UndecidedCounts};
use crate::{
    error::ContractError,
    events,
    msg::{Governance, OutcomeKind},
    recover::HostRecover,
    state::{
        Config, Conflict, Decision, GuardianSetRow, Message, MessageKey, MessagePublication,
        QuorumState, Status, Superseded, key_of,
    },
};

/// What the registry knows of a body, by its digest.
pub(crate) enum Known {
    /// Nothing.
    Nothing,
    /// It is the message that stands under its id.
    Message {
        /// The message's key.
        key: MessageKey,
        /// How it was verified so far.
        status: Status,
    },
    /// It came second to its id, and is kept as evidence.
    Conflict,
}

/// Looks a body up. Two probes if it is new, one probe and one read if it is registered.
pub(crate) fn find_known(
    storage: &dyn Storage,
    config: &Config,
    vaa: &VaaRef<'_>,
    digest: &Digest,
) -> Result<Known, ContractError> {
    let messages = Message::TABLE.with_indexes(config.indexes.set());
    let by_digest = messages.by::<MessagePublication, _>(Message::BY_DIGEST)?;
    if let Some(key) = by_digest.row_key(storage, &digest.0)? {
        let status = messages.family::<Status>().get_one(storage, &key)?;
        return Ok(Known::Message { key, status });
    }
    let (chain, emitter, sequence) = key_of(&vaa.id());
    if Conflict::TABLE.has(storage, &(chain, emitter, sequence, digest.0))? {
        return Ok(Known::Conflict);
    }
    Ok(Known::Nothing)
}

/// A guardian set, as read once an execution.
pub(crate) struct LoadedSet {
    index: u32,
    pub(crate) guardians: GuardianSet,
    pub(crate) expires_at: Option<u64>,
}

/// The registry within one execution: the settings and the last set read are kept, events are gathered.
pub(crate) struct Registry<'a> {
    storage: &'a mut dyn Storage,
    api: &'a dyn Api,
    env: &'a Env,
    config: Config,
    set: Option<LoadedSet>,
    undecided: UndecidedCounts,
    events: Vec<Event>,
}

impl<'a> Registry<'a> {
    pub(crate) fn new(
        storage: &'a mut dyn Storage,
        api: &'a dyn Api,
        env: &'a Env,
        config: Config,
    ) -> Self {
        Self {
            storage,
            api,
            env,
            config,
            set: None,
            undecided: UndecidedCounts::default(),
            events: Vec::new(),
        }
    }

    /// Returns the store, and the counts of undecided digests, which are written back by [`finish`](Self::finish).
    pub(super) fn pending(&mut self) -> (&mut dyn Storage, &mut UndecidedCounts) {
        (self.storage, &mut self.undecided)
    }

    /// Writes back what was only counted until now. The last thing that every execution with a registry does.
    pub(crate) fn finish(mut self) -> Result<(), ContractError> {
        self.undecided.write(self.storage)
    }

    /// Whether a message is registered under this id, whatever its digest. One probe.
    pub(super) fn is_registered(&self, id: &MessageId) -> Result<bool, ContractError> {
        Ok(self.messages().has(self.storage, &key_of(id))?)
    }

    pub(crate) fn storage(&self) -> &dyn Storage {
        self.storage
    }

    pub(crate) const fn config(&self) -> &Config {
        &self.config
    }

    pub(crate) fn now(&self) -> u64 {
        self.env.block.time.seconds()
    }

    pub(crate) fn recover(&self) -> HostRecover<'a> {
        HostRecover(self.api)
    }

    pub(crate) fn take_events(&mut self) -> Vec<Event> {
        core::mem::take(&mut self.events)
    }

    /// Returns a guardian set, reading it only if it is not the one read last.
    pub(crate) fn guardian_set(&mut self, index: u32) -> Result<Option<&LoadedSet>, ContractError> {
        if self.set.as_ref().is_none_or(|set| set.index != index) {
            self.set = match GuardianSetRow::load(self.storage, index)? {
                None => None,
                Some(row) => {
                    let guardians = row.guardian_set()?;
                    Some(LoadedSet {
                        index,
                        guardians,
                        expires_at: row.expires_at,
                    })
                }
            };
        }
        Ok(self.set.as_ref())
    }

    fn messages(&self) -> FamilyTable<Message> {
        Message::TABLE.with_indexes(self.config.indexes.set())
    }

    /// Keeps a verified VAA whose body is new: as the message of its id or, where another stands, as a conflict. Then
    /// decides about it, if it is governance.
    pub(crate) fn store(
        &mut self,
        vaa: &VaaRef<'_>,
        digest: &Digest,
    ) -> Result<(OutcomeKind, Option<Governance>), ContractError> {
        let key = key_of(&vaa.id());
        let decision = decide(
            &self.config,
            &vaa.id(),
            vaa.body.payload,
            vaa.guardian_set_index,
        );
        let governance = decision.as_ref().map(|decision| match decision {
            Ok(upgrade) => Decision::Applied(upgrade.new_index),
            Err(reason) => Decision::from(*reason),
        });
        let publication = MessagePublication {
            version: wormhole_vaa::VERSION,
            guardian_set_index: vaa.guardian_set_index,
            timestamp: vaa.body.timestamp,
            nonce: vaa.body.nonce,
            consistency_level: vaa.body.consistency_level,
            payload: vaa.body.payload.to_vec(),
        };
        let signatures = vaa.signature_bytes().to_vec();
        let (height, time) = (self.env.block.height, self.now());
        let status = Status {
            guardian_sets: vec![vaa.guardian_set_index],
            height,
            time,
            conflict: false,
            governance,
        };
        let outcome = if self.messages().has(self.storage, &key)? {
            self.keep_conflict(&key, digest, publication, signatures, &status)?;
            OutcomeKind::Conflict
        } else {
            let quorum = QuorumState {
                guardian_set_index: vaa.guardian_set_index,
                signatures,
            };
            let (emitter_chain, emitter_address, sequence) = key;
            let (publication, quorum, status) = (Some(publication), Some(quorum), Some(status));
            let message = Message {
                emitter_chain,
                emitter_address,
                sequence,
                publication,
                quorum,
                status,
            };
            self.messages().insert(self.storage, &message)?;
            OutcomeKind::Stored
        };
        if let Some(Ok(upgrade)) = decision {
            let previous = self.config.current_guardian_set;
            let expires_at = apply(self.storage, self.env, &self.config, &upgrade)?;
            self.config.current_guardian_set = upgrade.new_index;
            self.set = None;
            self.events.push(events::guardian_set_upgraded(
                upgrade.new_index,
                previous,
                expires_at,
            ));
        }
        Ok((outcome, governance.map(Governance::from)))
    }

    /// Keeps a message that came second to its id, and flags the one that stands.
    fn keep_conflict(
        &mut self,
        key: &MessageKey,
        digest: &Digest,
        publication: MessagePublication,
        signatures: Vec<u8>,
        status: &Status,
    ) -> Result<(), ContractError> {
        let (emitter_chain, emitter_address, sequence) = *key;
        Conflict::TABLE.insert(
            self.storage,
            &Conflict {
                emitter_chain,
                emitter_address,
                sequence,
                digest: digest.0,
                publication,
                signatures,
                height: status.height,
                time: status.time,
                governance: status.governance,
            },
        )?;
        self.messages()
            .family::<Status>()
            .modify(self.storage, key, |standing| {
                Ok::<_, ContractError>(Status {
                    conflict: true,
                    ..standing
                })
            })?;
        Ok(())
    }

    /// Replaces a message's signatures by those of a newer set, and keeps the older beside.
    pub(crate) fn resign(
        &mut self,
        key: &MessageKey,
        mut status: Status,
        vaa: &VaaRef<'_>,
    ) -> Result<(), ContractError> {
        let newer = QuorumState {
            guardian_set_index: vaa.guardian_set_index,
            signatures: vaa.signature_bytes().to_vec(),
        };
        let older = self
            .messages()
            .family::<QuorumState>()
            .update(self.storage, key, newer)?;
        let (emitter_chain, emitter_address, sequence) = *key;
        Superseded::TABLE.insert(
            self.storage,
            &Superseded {
                emitter_chain,
                emitter_address,
                sequence,
                guardian_set_index: older.guardian_set_index,
                signatures: older.signatures,
                height: status.height,
                time: status.time,
            },
        )?;
        status.guardian_sets.push(vaa.guardian_set_index);
        let (height, time) = (self.env.block.height, self.now());
        self.messages().family::<Status>().update(
            self.storage,
            key,
            Status {
                height,
                time,
                ..status
            },
        )?;
        Ok(())
    }
}

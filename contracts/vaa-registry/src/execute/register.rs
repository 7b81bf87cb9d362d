//! Keeping verified messages: the registry as one execution sees it.

use cosmwasm_std::{Api, Env, Event, Storage};
use cw_orm::{CompactUint64, OrmError};
use wormhole_vaa::{Digest, GuardianSet, GuardianSetUpgrade, MessageId, VaaRef};

use super::{decide, decide_again, governance::apply, undecided::UndecidedCounts};
use crate::{
    error::ContractError,
    events,
    msg::{Governance, OutcomeKind},
    recover::HostRecover,
    state::{
        Config, Conflict, Decision, Emitter, GuardianSetRow, MAX_SETS, Message, MessageKey,
        MessagePublication, PackedSignatures, QuorumState, Registered, Superseded,
    },
};

/// What the registry knows of a VAA's body, by its digest.
pub(crate) enum Known {
    /// Nothing.
    Nothing,
    /// It stands under its id, verified under the VAA's set or a newer one.
    Registered,
    /// It stands under its id, and the VAA names a set that is newer than all that verified it; the second says whether
    /// there is room for one more.
    Older(MessageKey, bool),
    /// It came second to its id, and is kept as evidence.
    Conflict,
}

/// Looks a body up. Two probes if it is new, one probe and one read if it is registered.
pub(crate) fn find_known(
    storage: &dyn Storage,
    vaa: &VaaRef<'_>,
    digest: &Digest,
) -> Result<Known, ContractError> {
    if let Some(key) = Registered::find(storage, digest)? {
        return Ok(match room_for_newer_set(storage, &key, vaa)? {
            Some(room) => Known::Older(key, room),
            None => Known::Registered,
        });
    }
    Ok(if is_conflict(storage, digest)? {
        Known::Conflict
    } else {
        Known::Nothing
    })
}

/// Returns what was made of a body, if a quorum signed it. Two probes if none did, else one.
pub(crate) fn find_decided(
    storage: &dyn Storage,
    digest: &Digest,
) -> Result<Option<OutcomeKind>, ContractError> {
    Ok(if Registered::find(storage, digest)?.is_some() {
        Some(OutcomeKind::AlreadyRegistered)
    } else {
        is_conflict(storage, digest)?.then_some(OutcomeKind::Conflict)
    })
}

fn is_conflict(storage: &dyn Storage, digest: &Digest) -> Result<bool, ContractError> {
    let conflicts = Conflict::TABLE.by(Conflict::BY_DIGEST)?;
    Ok(conflicts.row_key(storage, &digest.0)?.is_some())
}

/// Tells whether there is room for the signatures of a VAA, if it names a set that is newer than all that verified its
/// registered body.
fn room_for_newer_set(
    storage: &dyn Storage,
    key: &MessageKey,
    vaa: &VaaRef<'_>,
) -> Result<Option<bool>, ContractError> {
    let set = vaa.guardian_set_index;
    // The set that came first settles it for nearly all; where the payload is short, it is the cheaper to read.
    if vaa.body.payload.len() < vaa.signature_bytes().len() {
        let publication = Message::TABLE.family::<MessagePublication>();
        if set <= publication.get_one(storage, key)?.guardian_set_index {
            return Ok(None);
        }
    }
    let quorum = Message::TABLE.family::<QuorumState>();
    let quorum = quorum.get_one(storage, key)?;
    let room = quorum.guardian_sets().count() < MAX_SETS;
    Ok(quorum.is_older_than(set).then_some(room))
}

/// A guardian set, as read once an execution.
pub(crate) struct LoadedSet {
    index: u32,
    pub(crate) guardians: GuardianSet,
    pub(crate) expires_at: Option<u64>,
}

/// The registry within one execution: the settings, the last set and the last emitter read are kept, events are gathered.
pub(crate) struct Registry<'a> {
    storage: &'a mut dyn Storage,
    api: &'a dyn Api,
    env: &'a Env,
    config: Config,
    set: Option<LoadedSet>,
    emitter: Option<Emitter>,
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
            emitter: None,
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
        let Some(number) = Emitter::number_of(self.storage, id.chain, id.emitter)? else {
            return Ok(false);
        };
        let key = (CompactUint64(number), CompactUint64(id.sequence));
        Ok(self.config.messages().has(self.storage, &key)?)
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
                        expires_at: row.times.expires_at,
                    })
                }
            };
        }
        Ok(self.set.as_ref())
    }

    /// Returns the key of a message's row; its emitter is looked up only if it is not that of the message before.
    fn key_of(&mut self, id: &MessageId) -> Result<MessageKey, ContractError> {
        let sequence = CompactUint64(id.sequence);
        if let Some(emitter) = &self.emitter
            && emitter.id(id.sequence) == *id
        {
            return Ok((CompactUint64(emitter.number), sequence));
        }
        let number = Emitter::number(self.storage, &self.config, id.chain, id.emitter)?;
        self.emitter = Some(Emitter::new(id.chain, id.emitter, number));
        Ok((CompactUint64(number), sequence))
    }

    /// Keeps a verified VAA whose body is new: as the message of its id or, where another stands, as a conflict. Then
    /// decides about it, if it is governance.
    pub(crate) fn store(
        &mut self,
        vaa: &VaaRef<'_>,
        digest: &Digest,
    ) -> Result<(OutcomeKind, Option<Governance>), ContractError> {
        let decision = decide(
            &self.config,
            &vaa.id(),
            vaa.body.payload,
            vaa.guardian_set_index,
        );
        let governance = decision.as_ref().map(Decision::from);
        let key = self.key_of(&vaa.id())?;
        let message = self.message(&key, vaa, governance)?;
        // The insert looks for the row itself, so a look before it would be paid twice.
        let outcome = match self
            .config
            .messages_to_write(&key)?
            .insert(self.storage, &message)
        {
            Ok(()) => {
                Registered::TABLE.insert(self.storage, &Registered::new(digest, &key))?;
                OutcomeKind::Stored
            }
            Err(OrmError::AlreadyExists { .. }) => {
                self.keep_conflict(&vaa.id(), digest, message)?;
                OutcomeKind::Conflict
            }
            Err(error) => return Err(error.into()),
        };
        if let Some(Ok(upgrade)) = decision {
            self.upgrade(&upgrade)?;
        }
        Ok((outcome, governance.map(Governance::from)))
    }

    /// Makes a new guardian set the current one.
    #[inline(never)]
    fn upgrade(&mut self, upgrade: &GuardianSetUpgrade) -> Result<(), ContractError> {
        let previous = self.config.current_guardian_set;
        let expires_at = apply(self.storage, self.env, &self.config, upgrade)?;
        self.config.current_guardian_set = upgrade.new_index;
        self.set = None;
        self.events.push(events::guardian_set_upgraded(
            upgrade.new_index,
            previous,
            expires_at,
        ));
        Ok(())
    }

    /// Makes the row of a message that is verified now, for the first time.
    fn message(
        &self,
        key: &MessageKey,
        vaa: &VaaRef<'_>,
        governance: Option<Decision>,
    ) -> Result<Message, ContractError> {
        let (emitter, sequence) = *key;
        Ok(Message {
            emitter,
            sequence,
            publication: Some(MessagePublication {
                emitter_chain: vaa.body.emitter_chain,
                guardian_set_index: vaa.guardian_set_index,
                timestamp: vaa.body.timestamp,
                nonce: vaa.body.nonce,
                consistency_level: vaa.body.consistency_level,
                payload: vaa.body.payload.to_vec(),
            }),
            quorum: Some(QuorumState {
                guardian_set_index: vaa.guardian_set_index,
                older_sets: Vec::new(),
                height: self.env.block.height,
                time: self.now(),
                conflict: false,
                governance,
                signatures: pack(vaa)?,
            }),
        })
    }

    /// Keeps a message that came second to its id, and flags the one that stands.
    fn keep_conflict(
        &mut self,
        id: &MessageId,
        digest: &Digest,
        second: Message,
    ) -> Result<(), ContractError> {
        let key = (second.emitter, second.sequence);
        if let (Some(publication), Some(quorum)) = (second.publication, second.quorum) {
            Conflict::TABLE.insert(
                self.storage,
                &Conflict {
                    emitter_chain: id.chain,
                    emitter_address: id.emitter.0,
                    sequence: id.sequence,
                    digest: digest.0,
                    publication,
                    height: quorum.height,
                    time: quorum.time,
                    governance: quorum.governance,
                    signatures: quorum.signatures,
                },
            )?;
        }
        let standing = self.config.messages_to_write(&key)?.family::<QuorumState>();
        standing.modify(self.storage, &key, |standing| {
            Ok::<_, ContractError>(QuorumState {
                conflict: true,
                ..standing
            })
        })?;
        Ok(())
    }

    /// Replaces a message's signatures by those of a newer set, and keeps the older beside. Returns what was decided now, if
    /// it is governance that only the current set's signatures were lacking to.
    pub(crate) fn resign(
        &mut self,
        key: &MessageKey,
        vaa: &VaaRef<'_>,
    ) -> Result<Option<Governance>, ContractError> {
        let quorum = self.config.messages_to_write(key)?.family::<QuorumState>();
        let older = quorum.get_one(self.storage, key)?;
        let decision = decide_again(
            &self.config,
            older.governance,
            &vaa.id(),
            vaa.body.payload,
            vaa.guardian_set_index,
        );
        let governance = decision.as_ref().map(Decision::from);
        let mut newer = older.clone();
        newer.governance = governance.or(older.governance);
        newer.older_sets.push(older.guardian_set_index);
        newer.guardian_set_index = vaa.guardian_set_index;
        (newer.height, newer.time) = (self.env.block.height, self.now());
        newer.signatures = pack(vaa)?;
        quorum.update(self.storage, key, newer)?;
        let (emitter, sequence) = *key;
        Superseded::TABLE.insert(
            self.storage,
            &Superseded {
                emitter,
                sequence,
                guardian_set_index: older.guardian_set_index,
                height: older.height,
                time: older.time,
                signatures: older.signatures,
            },
        )?;
        if let Some(Ok(upgrade)) = decision {
            self.upgrade(&upgrade)?;
        }
        Ok(governance.map(Governance::from))
    }
}

/// Packs the signatures of a VAA. Those of a verified one always can be.
fn pack(vaa: &VaaRef<'_>) -> Result<PackedSignatures, ContractError> {
    PackedSignatures::pack(&vaa.signatures()).map_err(|error| {
        let reason = error.to_string();
        OrmError::Invalid {
            table: "messages",
            reason,
        }
        .into()
    })
}

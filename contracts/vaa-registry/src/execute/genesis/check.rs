//! What each imported row is held to, before it is stored.

mod pending;
mod sets;

use cosmwasm_std::{Api, Binary, Order, Storage};
use cw_orm::{CompactUint64, Families, GenesisPage, GenesisRow, OrmError};
use wormhole_vaa::{
    Address, Body, Digest, GuardianSetUpgrade, MessageId, Signature, UpgradeContext, encode_hex,
    verify_signatures,
};

use self::sets::SetEntry;
use crate::{
    error::ContractError,
    instantiate::check_limits,
    msg::GenesisTable,
    recover::HostRecover,
    state::{
        Config, Conflict, Decision, Emitter, GOVERNANCE_NUMBER, GuardianSetEntry, GuardianSetRow,
        IndexBits, MAX_SETS, Message, MessageKey, MessagePublication, Observation, Owed, OwedKind,
        PackedSignatures, PendingBody, Publication, QuorumState, Registered, Superseded, TxClaim,
    },
};

/// Takes the one row of settings over, of which some are this registry's own.
#[inline(never)]
pub(super) fn import_config(
    storage: &mut dyn Storage,
    own: &Config,
    page: &GenesisPage,
) -> Result<(), ContractError> {
    let table = GenesisTable::Config;
    let [row] = &page.rows[..] else {
        return Err(wrong(
            table,
            &Binary::default(),
            "there is one row of settings",
        ));
    };
    let refused = |reason: &str| Err(wrong(table, &row.key, reason));
    let theirs = Config::TABLE.read_genesis_row(row)?;
    if theirs.id != own.id {
        return refused("there is one row of settings");
    }
    if theirs.this_chain != own.this_chain {
        return refused("the registry stands for another chain");
    }
    if theirs.governance != own.governance {
        return refused("the registry follows another governance emitter");
    }
    if theirs.importing || theirs.building.is_some() {
        return refused("the registry was not whole when it was exported");
    }
    if IndexBits::from(&theirs.indexes.flags()) != theirs.indexes {
        return refused("it keeps an index that is unknown here");
    }
    check_limits(&theirs.limits())?;
    let config = Config {
        importing: true,
        ..theirs
    };
    Config::TABLE.update(storage, config)?;
    Ok(())
}

/// The import as one page sees it.
pub(super) struct Check<'a> {
    storage: &'a mut dyn Storage,
    api: &'a dyn Api,
    config: &'a Config,
    now: u64,
    // The rows of this page that others build on, since they are stored after all are checked.
    previous_set_entry: Option<SetEntry>,
    /// The number of the emitter.
    previous_message: Option<u64>,
    previous_observation: Option<Observation>,
    previous_claim: Option<TxClaim>,
}

impl<'a> Check<'a> {
    pub(super) fn new(
        storage: &'a mut dyn Storage,
        api: &'a dyn Api,
        config: &'a Config,
        now: u64,
    ) -> Self {
        Self {
            storage,
            api,
            config,
            now,
            previous_set_entry: None,
            previous_message: None,
            previous_observation: None,
            previous_claim: None,
        }
    }

    /// Checks a row, and notes what it owes or brings.
    #[inline(never)]
    pub(super) fn row(
        &mut self,
        table: GenesisTable,
        row: &GenesisRow,
    ) -> Result<(), ContractError> {
        let checked = match table {
            GenesisTable::GuardianSets => {
                self.guardian_set_entry(&GuardianSetEntry::TABLE.read_genesis_row(row)?)?
            }
            GenesisTable::Emitters => self.emitter(&Emitter::TABLE.read_genesis_row(row)?),
            GenesisTable::Messages => {
                self.message(self.config.messages().read_genesis_row(row)?)?
            }
            GenesisTable::Superseded => {
                self.superseded(&Superseded::TABLE.read_genesis_row(row)?)?
            }
            GenesisTable::Conflicts => self.conflict(&Conflict::TABLE.read_genesis_row(row)?)?,
            GenesisTable::PendingBodies => {
                let body = PendingBody::TABLE.read_genesis_row(row)?;
                same_digest(&body.body(), &body.digest)
            }
            GenesisTable::Observations => {
                self.observation(Observation::TABLE.read_genesis_row(row)?)?
            }
            GenesisTable::TxClaims => self.tx_claim(TxClaim::TABLE.read_genesis_row(row)?)?,
            GenesisTable::Publications => {
                self.publication(&Publication::TABLE.read_genesis_row(row)?)?
            }
            // Nothing in these can be verified; that they can be read is checked as they are imported.
            _ => Ok(()),
        };
        checked.map_err(|reason| wrong(table, &row.key, &reason))
    }

    fn emitter(&self, emitter: &Emitter) -> Result<(), String> {
        let address = Address(emitter.address.0);
        let governance = self.config.is_governance(emitter.chain, &address);
        match governance == (emitter.number == GOVERNANCE_NUMBER) {
            true => Ok(()),
            false => Err("the governance emitter has the number 0, and no other".into()),
        }
    }

    #[inline(never)]
    fn message(&mut self, message: Message) -> Checked {
        let key = (message.emitter, message.sequence);
        let (Some(publication), Some(quorum)) = (message.publication, message.quorum) else {
            return refuse("a message lacks a family");
        };
        let id = match self.id_of(&key, &publication)? {
            Ok(id) => id,
            Err(reason) => return Ok(Err(reason)),
        };
        if !self.follows(key.0.0)? {
            return refuse("an emitter before it has no message");
        }
        let rising = quorum
            .older_sets
            .iter()
            .zip(quorum.guardian_sets().skip(1))
            .all(|(before, after)| *before < after);
        if !rising || quorum.guardian_sets().count() > MAX_SETS {
            return refuse("the guardian sets that signed do not rise, or are too many");
        }
        if quorum.guardian_sets().next() != Some(publication.guardian_set_index) {
            return refuse("another guardian set signed first than the publication says");
        }
        let body = publication.body(&id);
        let digest = body.digest();
        let set = quorum.guardian_set_index;
        if let Err(reason) = self.verify(set, &digest, &quorum.signatures)? {
            return Ok(Err(reason));
        }
        let signed_by: Vec<u32> = quorum.guardian_sets().collect();
        if let Err(reason) = self.decision(&id, &body, &signed_by, quorum.governance)? {
            return Ok(Err(reason));
        }
        let number = (key.0.0, key.1.0);
        for older in &quorum.older_sets {
            let owed = Owed::of_message(OwedKind::Superseded, number, *older);
            Owed::TABLE.insert(self.storage, &owed)?;
        }
        if quorum.conflict {
            let owed = Owed::of_message(OwedKind::Conflict, number, 0);
            Owed::TABLE.insert(self.storage, &owed)?;
        }
        match Registered::TABLE.insert(self.storage, &Registered::new(&digest, &key)) {
            Err(OrmError::AlreadyExists { .. }) => refuse("two messages have one digest"),
            other => Ok(Ok(other?)),
        }
    }

    /// Whether a message's emitter follows that of the message before, so that each emitter has one: registries number an
    /// emitter with its first message.
    fn follows(&mut self, number: u64) -> Result<bool, ContractError> {
        let before = match self.previous_message.replace(number) {
            Some(before) => Some(before),
            None => last_message(self.storage)?,
        };
        Ok(match before {
            Some(before) => number == before || before.checked_add(1) == Some(number),
            None if number == GOVERNANCE_NUMBER => true,
            None => number == 1 && !Emitter::exists(self.storage, GOVERNANCE_NUMBER)?,
        })
    }

    /// Returns the id of a message that is being imported.
    fn id_of(
        &self,
        key: &MessageKey,
        publication: &MessagePublication,
    ) -> Result<Result<MessageId, String>, ContractError> {
        let emitter = match Emitter::of_number(self.storage, key.0.0) {
            Err(ContractError::Damaged { .. }) => {
                return Ok(Err("no emitter has its number".into()));
            }
            emitter => emitter?,
        };
        if emitter.chain != publication.emitter_chain {
            return Ok(Err("the emitter is of another chain".into()));
        }
        Ok(Ok(emitter.id(key.1.0)))
    }

    #[inline(never)]
    fn superseded(&mut self, row: &Superseded) -> Checked {
        let key = (row.emitter, row.sequence);
        let number = (key.0.0, key.1.0);
        let owed = Owed::of_message(OwedKind::Superseded, number, row.guardian_set_index);
        if !self.settle(&owed)? {
            return refuse("the message was not verified under this set before");
        }
        let message = self
            .config
            .messages()
            .get_one(self.storage, &key, Families::ALL)?;
        let Some(publication) = message.publication else {
            return refuse("the message lacks a family");
        };
        let id = match self.id_of(&key, &publication)? {
            Ok(id) => id,
            Err(reason) => return Ok(Err(reason)),
        };
        let digest = publication.digest(&id);
        self.verify(row.guardian_set_index, &digest, &row.signatures)
    }

    #[inline(never)]
    fn conflict(&mut self, row: &Conflict) -> Checked {
        let id = row.id();
        let body = row.publication.body(&id);
        if let Err(reason) = same_digest(&body, &row.digest) {
            return Ok(Err(reason));
        }
        let digest = Digest(row.digest);
        if row.publication.emitter_chain != id.chain {
            return refuse("the emitter is of another chain");
        }
        let number = Emitter::number_of(self.storage, id.chain, id.emitter)?;
        let key = number.map(|number| (CompactUint64(number), CompactUint64(id.sequence)));
        let messages = self.config.messages();
        let standing = match key {
            Some(key) => messages.get(self.storage, &key, Families::ALL)?,
            None => None,
        };
        let flagged = standing
            .as_ref()
            .and_then(|standing| standing.quorum.as_ref())
            .is_some_and(|quorum| quorum.conflict);
        if !flagged {
            return refuse("no message stands under its id, or one that is not flagged");
        }
        if Registered::find(self.storage, &digest)?.is_some() {
            return refuse("it is the message that stands");
        }
        let set = row.publication.guardian_set_index;
        if let Err(reason) = self.verify(set, &digest, &row.signatures)? {
            return Ok(Err(reason));
        }
        if let Err(reason) = self.decision(&id, &body, &[set], row.governance)? {
            return Ok(Err(reason));
        }
        if let Some(number) = number {
            let owed = Owed::of_message(OwedKind::Conflict, (number, id.sequence), 0);
            self.settle(&owed)?;
        }
        Ok(Ok(()))
    }

    /// Checks signatures as those of a VAA, but for the set's expiry.
    #[inline(never)]
    fn verify(&self, set: u32, digest: &Digest, packed: &PackedSignatures) -> Checked {
        let Some(row) = GuardianSetRow::load(self.storage, set)? else {
            return refuse("its guardian set is unknown");
        };
        let Some(signatures): Option<Vec<Signature>> = packed.unpack() else {
            return refuse("the signatures are not packed as they have to be");
        };
        let recover = HostRecover(self.api);
        let checked = verify_signatures(&recover, &row.guardian_set()?, digest, &signatures);
        Ok(checked.map_err(|reason| reason.to_string()))
    }

    /// Checks what was decided about a message: nothing, if it is not governance; that it was applied, as signed by the set
    /// before and against the set that it brought; else that the reason is one that there could be, whichever of the sets
    /// that signed it was the current one then.
    #[inline(never)]
    fn decision(
        &mut self,
        id: &MessageId,
        body: &Body,
        signed_by: &[u32],
        decision: Option<Decision>,
    ) -> Checked {
        let governance = self.config.is_governance(id.chain, &id.emitter);
        let decision = match (governance, decision) {
            (false, None) => return Ok(Ok(())),
            (true, Some(decision)) => decision,
            _ => return refuse("governance is decided, and nothing else is"),
        };
        let decide = |current_index, signed_by_current| {
            GuardianSetUpgrade::decide(
                &body.payload,
                &UpgradeContext {
                    this_chain: self.config.this_chain,
                    signed_by_current,
                    current_index,
                },
            )
        };
        let made_of = |set: &u32, current| Decision::from(&decide(*set, current)) == decision;
        let so = signed_by
            .iter()
            .any(|set| made_of(set, true) || made_of(set, false));
        match decision {
            Decision::NotApplied(_) if so => Ok(Ok(())),
            Decision::NotApplied(_) => refuse("the reason for which it was not applied is not so"),
            Decision::Applied(_) if !so => refuse("it is no upgrade that could be applied"),
            Decision::Applied(index) => {
                let brought = GuardianSetRow::load(self.storage, index)?;
                let upgrade = GuardianSetUpgrade::parse(&body.payload);
                let same = upgrade.ok().zip(brought).is_some_and(|(upgrade, brought)| {
                    brought.addresses == GuardianSetRow::pack(&upgrade.guardian_set)
                });
                if !same {
                    return refuse("it brought another guardian set");
                }
                // Nothing is owed for a set that is trusted.
                self.settle(&Owed::of_set(OwedKind::Upgrade, index))?;
                Ok(Ok(()))
            }
        }
    }

    /// Notes that what was owed is there; says whether it was owed.
    #[inline(never)]
    fn settle(&mut self, owed: &Owed) -> Result<bool, ContractError> {
        match Owed::TABLE.delete(self.storage, &key_of(owed)) {
            Ok(_) => Ok(true),
            Err(OrmError::NotFound { .. }) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}

/// Refuses emitters whose numbers leave a gap. Registries number them in a row; the next emitter gets the number after the
/// last, so there has to be one.
pub(super) fn end_of_emitters(storage: &dyn Storage, rows: u64) -> Result<(), ContractError> {
    let others = match Emitter::exists(storage, GOVERNANCE_NUMBER)? {
        true => rows.saturating_sub(1),
        false => rows,
    };
    match Emitter::last_number(storage)? == others {
        true => Ok(()),
        false => Err(lacks("an emitter: their numbers leave a gap")),
    }
}

/// Refuses messages that end before the last emitter.
pub(super) fn end_of_messages(storage: &dyn Storage) -> Result<(), ContractError> {
    let last = last_message(storage)?.unwrap_or(GOVERNANCE_NUMBER);
    match Emitter::last_number(storage)? == last {
        true => Ok(()),
        false => Err(lacks("a message of the last emitter")),
    }
}

/// Returns the emitter's number of the last message.
fn last_message(storage: &dyn Storage) -> Result<Option<u64>, ContractError> {
    let messages = Message::TABLE.family::<QuorumState>().all();
    let last = messages.ids(storage, Order::Descending).first()?;
    Ok(last.map(|(emitter, _)| emitter.0))
}

fn lacks(what: &str) -> ContractError {
    ContractError::ImportIncomplete { what: what.into() }
}

/// The inner error is the row's fault.
type Checked = Result<Result<(), String>, ContractError>;

fn refuse(reason: &str) -> Checked {
    Ok(Err(reason.into()))
}

fn same_digest(body: &Body, digest: &[u8; 32]) -> Result<(), String> {
    match body.digest().0 == *digest {
        true => Ok(()),
        false => Err("the digest is not the body's".into()),
    }
}

const fn key_of(owed: &Owed) -> (u8, u64, u64, u32) {
    (owed.kind, owed.emitter, owed.sequence, owed.set)
}

#[inline(never)]
fn wrong(table: GenesisTable, key: &Binary, reason: &str) -> ContractError {
    ContractError::ImportRow {
        table: table.as_str(),
        key: encode_hex(key),
        reason: reason.into(),
    }
}

//! What each imported row is held to, before it is stored.

use cosmwasm_std::{Api, Binary, Order, Storage};
use cw_orm::{CompactUint64, Families, GenesisPage, GenesisRow, OrmError};
use wormhole_vaa::{
    Address, Body, Digest, GuardianSetUpgrade, MessageId, NotApplied, Signature, UpgradeContext,
    encode_hex, verify_signature, verify_signatures,
};

use crate::{
    error::ContractError,
    instantiate::check_limits,
    msg::GenesisTable,
    recover::HostRecover,
    state::{
        Config, Conflict, Decision, Emitter, GOVERNANCE_NUMBER, GuardianSetEntry, GuardianSetPart,
        GuardianSetRow, MAX_SETS, Message, MessageKey, MessagePublication, Observation, Owed,
        OwedKind, PackedSignatures, PendingBody, Registered, Superseded,
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
    /// The guardian set entries of this page, which are stored after all are checked.
    previous_set_entry: Option<(u32, u8)>,
}

impl<'a> Check<'a> {
    pub(super) fn new(storage: &'a mut dyn Storage, api: &'a dyn Api, config: &'a Config) -> Self {
        Self {
            storage,
            api,
            config,
            previous_set_entry: None,
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
                self.observation(&Observation::TABLE.read_genesis_row(row)?)?
            }
            // Nothing in these can be verified; that they can be read is checked as they are imported.
            _ => Ok(()),
        };
        checked.map_err(|reason| wrong(table, &row.key, &reason))
    }

    #[inline(never)]
    fn guardian_set_entry(&mut self, entry: &GuardianSetEntry) -> Checked {
        let (index, part) = (entry.index, entry.part);
        let previous = match self.previous_set_entry {
            Some(previous) => Some(previous),
            None => {
                let entries = GuardianSetEntry::TABLE.all();
                entries.ids(self.storage, Order::Descending).first()?
            }
        };
        let follows = match (previous, part) {
            (None, 0) => true,
            (Some((before, 1)), 0) => before.checked_add(1) == Some(index),
            (Some((before, 0)), 1) => before == index,
            _ => false,
        };
        if !follows {
            return refuse("guardian sets do not follow each other, times before addresses");
        }
        self.previous_set_entry = Some((index, part));
        match &entry.content {
            GuardianSetPart::Times(times) if part == 0 => {
                let current = index == self.config.current_guardian_set;
                if current != times.expires_at.is_none() {
                    return refuse(
                        "the current guardian set has no expiry, and all others have one",
                    );
                }
                Ok(Ok(()))
            }
            GuardianSetPart::Addresses(addresses) if part == 1 => {
                self.guardian_addresses(index, addresses)
            }
            _ => refuse("a part of a guardian set in the place of the other"),
        }
    }

    #[inline(never)]
    fn guardian_addresses(&mut self, index: u32, addresses: &[u8]) -> Checked {
        let row = GuardianSetRow {
            index,
            times: Default::default(),
            addresses: addresses.to_vec(),
        };
        if row.guardian_set().is_err() {
            return refuse("not 1 to 255 guardians, none zero and none twice");
        }
        let trusted = Owed::of_set(OwedKind::TrustedSet, index);
        match Owed::TABLE.get(self.storage, &key_of(&trusted))? {
            Some(trusted) if trusted.addresses != addresses => {
                refuse("other guardians than those of the set that is trusted")
            }
            Some(trusted) => {
                Owed::TABLE.delete(self.storage, &key_of(&trusted))?;
                Ok(Ok(()))
            }
            None => {
                let upgrade = Owed::of_set(OwedKind::Upgrade, index);
                Owed::TABLE.insert(self.storage, &upgrade)?;
                Ok(Ok(()))
            }
        }
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
        let signed_by = publication.guardian_set_index;
        if let Err(reason) = self.decision(&id, &body, signed_by, quorum.governance)? {
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
        if let Err(reason) = self.decision(&id, &body, set, row.governance)? {
            return Ok(Err(reason));
        }
        if let Some(number) = number {
            let owed = Owed::of_message(OwedKind::Conflict, (number, id.sequence), 0);
            self.settle(&owed)?;
        }
        Ok(Ok(()))
    }

    #[inline(never)]
    fn observation(&self, row: &Observation) -> Checked {
        let Some(set) = GuardianSetRow::load(self.storage, row.guardian_set_index)? else {
            return refuse("its guardian set is unknown");
        };
        let Some(signature) = row.signature() else {
            return refuse("the signature is not of 65 bytes");
        };
        let (recover, digest) = (HostRecover(self.api), Digest(row.digest));
        let checked = verify_signature(&recover, &set.guardian_set()?, &digest, &signature);
        if let Err(reason) = checked {
            return Ok(Err(reason.to_string()));
        }
        match row.signers.has(row.guardian) {
            true => Ok(Ok(())),
            false => refuse("the guardian is not among those who signed"),
        }
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

    /// Checks what was decided about a message: nothing, if it is not governance; that it was applied, against the set
    /// that it brought; else that the reason is one that there could be.
    #[inline(never)]
    fn decision(
        &mut self,
        id: &MessageId,
        body: &Body,
        signed_by: u32,
        decision: Option<Decision>,
    ) -> Checked {
        let governance = self.config.is_governance(id.chain, &id.emitter);
        let decision = match (governance, decision) {
            (false, None) => return Ok(Ok(())),
            (true, Some(decision)) => decision,
            _ => return refuse("governance is decided, and nothing else is"),
        };
        let decide = |signed_by_current| {
            GuardianSetUpgrade::decide(
                &body.payload,
                &UpgradeContext {
                    this_chain: self.config.this_chain,
                    signed_by_current,
                    current_index: signed_by,
                },
            )
        };
        let (then, later) = (decide(true), decide(false));
        match decision {
            Decision::NotApplied(code) => {
                let reason = NotApplied::from_code(code);
                let possible = [then.err(), later.err()];
                match reason.is_some() && possible.contains(&reason) {
                    true => Ok(Ok(())),
                    false => refuse("the reason for which it was not applied is not so"),
                }
            }
            Decision::Applied(index) => {
                let Ok(upgrade) = then else {
                    return refuse("it is no upgrade that could be applied");
                };
                let brought = GuardianSetRow::load(self.storage, index)?;
                let same = brought.is_some_and(|row| {
                    row.addresses == GuardianSetRow::pack(&upgrade.guardian_set)
                });
                if upgrade.new_index != index || !same {
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

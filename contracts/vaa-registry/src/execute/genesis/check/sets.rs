//! Guardian sets: one after the other from a trusted one, each replaced when the next one was known.

use cosmwasm_std::Order;

use super::{Check, Checked, key_of, refuse};
use crate::{
    error::ContractError,
    state::{
        GRACE_SECONDS, GuardianSetEntry, GuardianSetPart, GuardianSetRow, GuardianSetTimes, Owed,
        OwedKind,
    },
};

/// The guardian set entry before the one that is checked.
#[derive(Clone, Copy)]
pub(super) struct SetEntry {
    index: u32,
    part: u8,
    /// The set's times.
    times: GuardianSetTimes,
}

impl Check<'_> {
    #[inline(never)]
    pub(super) fn guardian_set_entry(&mut self, entry: &GuardianSetEntry) -> Checked {
        let (index, part) = (entry.index, entry.part);
        let previous = match self.previous_set_entry {
            Some(previous) => Some(previous),
            None => self.last_set_entry()?,
        };
        let follows = match (previous.map(|entry| (entry.index, entry.part)), part) {
            (None, 0) => true,
            (Some((before, 1)), 0) => before.checked_add(1) == Some(index),
            (Some((before, 0)), 1) => before == index,
            _ => false,
        };
        if !follows {
            return refuse("guardian sets do not follow each other, times before addresses");
        }
        match &entry.content {
            GuardianSetPart::Times(times) if part == 0 => {
                let before = previous.map(|previous| previous.times);
                self.previous_set_entry = Some(SetEntry {
                    index,
                    part,
                    times: *times,
                });
                Ok(self.times(index, times, before.as_ref()))
            }
            GuardianSetPart::Addresses(addresses) if part == 1 => {
                self.previous_set_entry = previous.map(|times| SetEntry { part, ..times });
                self.guardian_addresses(index, addresses)
            }
            _ => refuse("a part of a guardian set in the place of the other"),
        }
    }

    /// Returns the last entry that an earlier page brought.
    fn last_set_entry(&self) -> Result<Option<SetEntry>, ContractError> {
        let entries = GuardianSetEntry::TABLE.all();
        let last = entries.ids(self.storage, Order::Descending).first()?;
        let Some((index, part)) = last else {
            return Ok(None);
        };
        let entry = GuardianSetEntry::TABLE.get_one(self.storage, &(index, 0))?;
        let times = match entry.content {
            GuardianSetPart::Times(times) => times,
            GuardianSetPart::Addresses(_) => GuardianSetTimes::default(),
        };
        Ok(Some(SetEntry { index, part, times }))
    }

    /// Holds a set's times against those of the set before: a replaced set counts for a day from when the next one was
    /// known, and no longer, whatever the other registry says. Else keys that were retired long ago could sign again.
    fn times(
        &self,
        index: u32,
        times: &GuardianSetTimes,
        before: Option<&GuardianSetTimes>,
    ) -> Result<(), String> {
        if (index == self.config.current_guardian_set) != times.expires_at.is_none() {
            return Err("the current guardian set has no expiry, and all others have one".into());
        }
        let (known, now) = (times.applied_at, self.now);
        if known > now {
            return Err(format!(
                "a guardian set of {known}, which is later than now, {now}"
            ));
        }
        let Some(before) = before else { return Ok(()) };
        if known < before.applied_at {
            return Err("a guardian set that is older than the one before it".into());
        }
        let latest = known.saturating_add(GRACE_SECONDS);
        match before.expires_at {
            Some(last) if last > latest => Err(format!(
                "the guardian set before it counts until {last}, longer than until {latest}, a day after it was replaced"
            )),
            _ => Ok(()),
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
}

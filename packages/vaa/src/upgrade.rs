//! Guardian set upgrades: when a governance message is applied, and why not.

use std::fmt;

use crate::address::GuardianAddress;
use crate::error::SerializeError;
use crate::governance::{CORE_MODULE, GovernanceHeader};
use crate::guardian_set::{GuardianSet, GuardianSetError};
use crate::reader::Reader;

/// The action of the `Core` module that names a new guardian set.
pub const GUARDIAN_SET_UPGRADE_ACTION: u8 = 2;

/// The bytes of one guardian's address.
const GUARDIAN_LEN: usize = 20;

/// An upgrade to the next guardian set.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GuardianSetUpgrade {
    /// The index of the new set.
    pub new_index: u32,
    /// The new set.
    pub guardian_set: GuardianSet,
}

/// What an upgrade is judged against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UpgradeContext {
    /// The chain that would apply it; a payload for chain 0 is for every chain.
    pub this_chain: u16,
    /// Whether the current set has signed the message, rather than an older one.
    pub signed_by_current: bool,
    /// The index of the current set.
    pub current_index: u32,
}

/// Why an authentic governance message changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NotApplied {
    /// The payload ends too early.
    TruncatedPayload,
    /// The payload is for another module than `Core`.
    OtherModule,
    /// The payload is another action than the upgrade of the guardian set.
    OtherAction,
    /// The payload is for another chain.
    OtherChain,
    /// An older guardian set has signed the message.
    NotCurrentSet,
    /// The new index does not follow the current one.
    WrongIndex,
    /// The new set has no guardians.
    EmptySet,
    /// The payload goes on after the last guardian.
    TrailingBytes,
    /// A guardian's address is zero.
    ZeroGuardian,
    /// A guardian's address stands twice.
    DuplicateGuardian,
}

impl NotApplied {
    /// Every reason.
    pub const ALL: [Self; 10] = [
        Self::TruncatedPayload,
        Self::OtherModule,
        Self::OtherAction,
        Self::OtherChain,
        Self::NotCurrentSet,
        Self::WrongIndex,
        Self::EmptySet,
        Self::TrailingBytes,
        Self::ZeroGuardian,
        Self::DuplicateGuardian,
    ];

    /// Returns the stable name of the reason, in snake case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::TruncatedPayload => "truncated_payload",
            Self::OtherModule => "other_module",
            Self::OtherAction => "other_action",
            Self::OtherChain => "other_chain",
            Self::NotCurrentSet => "not_current_set",
            Self::WrongIndex => "wrong_index",
            Self::EmptySet => "empty_set",
            Self::TrailingBytes => "trailing_bytes",
            Self::ZeroGuardian => "zero_guardian",
            Self::DuplicateGuardian => "duplicate_guardian",
        }
    }

    /// Returns the stable number of the reason, for stores.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::TruncatedPayload => 1,
            Self::OtherModule => 2,
            Self::OtherAction => 3,
            Self::OtherChain => 4,
            Self::NotCurrentSet => 5,
            Self::WrongIndex => 6,
            Self::EmptySet => 7,
            Self::TrailingBytes => 8,
            Self::ZeroGuardian => 9,
            Self::DuplicateGuardian => 10,
        }
    }

    /// Returns the reason that has the number `code`.
    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.code() == code)
    }

    /// Returns the reason that has `name`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == name)
    }
}

impl fmt::Display for NotApplied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl GuardianSetUpgrade {
    /// Decides whether the payload of an authentic message from the governance emitter is an
    /// upgrade to apply.
    ///
    /// # Errors
    ///
    /// [`NotApplied`]: the first reason that holds, checked in the order header, module, action,
    /// chain, signing set, index, number of guardians, length, addresses.
    pub fn decide(payload: &[u8], context: &UpgradeContext) -> Result<Self, NotApplied> {
        let (header, rest) = header(payload)?;
        if header.chain != 0 && header.chain != context.this_chain {
            return Err(NotApplied::OtherChain);
        }
        if !context.signed_by_current {
            return Err(NotApplied::NotCurrentSet);
        }
        let (new_index, count, addresses) = fields(rest)?;
        if context.current_index.checked_add(1) != Some(new_index) {
            return Err(NotApplied::WrongIndex);
        }
        let guardian_set = guardian_set(count, addresses)?;
        Ok(Self {
            new_index,
            guardian_set,
        })
    }

    /// Reads an upgrade payload on its own, whatever chain and index it is for.
    ///
    /// # Errors
    ///
    /// [`NotApplied`]: the first reason that holds whatever the context is.
    pub fn parse(payload: &[u8]) -> Result<Self, NotApplied> {
        let (_, rest) = header(payload)?;
        let (new_index, count, addresses) = fields(rest)?;
        let guardian_set = guardian_set(count, addresses)?;
        Ok(Self {
            new_index,
            guardian_set,
        })
    }

    /// Returns the payload that asks `chain` for this upgrade; 0 is every chain.
    ///
    /// # Errors
    ///
    /// [`SerializeError::TooManyGuardians`] above 255, which no [`GuardianSet`] has.
    pub fn serialize(&self, chain: u16) -> Result<Vec<u8>, SerializeError> {
        let addresses = self.guardian_set.addresses();
        let count = u8::try_from(addresses.len())
            .map_err(|_| SerializeError::TooManyGuardians(addresses.len()))?;
        let mut payload = Vec::new();
        payload.extend_from_slice(&CORE_MODULE);
        payload.push(GUARDIAN_SET_UPGRADE_ACTION);
        payload.extend_from_slice(&chain.to_be_bytes());
        payload.extend_from_slice(&self.new_index.to_be_bytes());
        payload.push(count);
        for address in addresses {
            payload.extend_from_slice(&address.0);
        }
        Ok(payload)
    }
}

/// Reads the header and checks that it is the upgrade's.
fn header(payload: &[u8]) -> Result<(GovernanceHeader, &[u8]), NotApplied> {
    let (header, rest) =
        GovernanceHeader::parse(payload).map_err(|_| NotApplied::TruncatedPayload)?;
    if header.module != CORE_MODULE {
        return Err(NotApplied::OtherModule);
    }
    if header.action != GUARDIAN_SET_UPGRADE_ACTION {
        return Err(NotApplied::OtherAction);
    }
    Ok((header, rest))
}

/// Reads the new index and the number of guardians, and returns them with the bytes after them.
fn fields(rest: &[u8]) -> Result<(u32, u8, &[u8]), NotApplied> {
    let mut reader = Reader::new("guardian set upgrade", rest);
    let truncated = |_| NotApplied::TruncatedPayload;
    let new_index = reader.u32().map_err(truncated)?;
    let count = reader.u8().map_err(truncated)?;
    Ok((new_index, count, reader.rest()))
}

/// Reads exactly `count` guardians.
fn guardian_set(count: u8, bytes: &[u8]) -> Result<GuardianSet, NotApplied> {
    if count == 0 {
        return Err(NotApplied::EmptySet);
    }
    let need = usize::from(count).saturating_mul(GUARDIAN_LEN);
    if bytes.len() < need {
        return Err(NotApplied::TruncatedPayload);
    }
    if bytes.len() > need {
        return Err(NotApplied::TrailingBytes);
    }
    let (addresses, _) = bytes.as_chunks::<GUARDIAN_LEN>();
    let addresses = addresses.iter().copied().map(GuardianAddress).collect();
    GuardianSet::new(addresses).map_err(|error| match error {
        GuardianSetError::Empty => NotApplied::EmptySet,
        GuardianSetError::TooMany(_) => NotApplied::TrailingBytes,
        GuardianSetError::ZeroGuardian { .. } => NotApplied::ZeroGuardian,
        GuardianSetError::DuplicateGuardian { .. } => NotApplied::DuplicateGuardian,
    })
}

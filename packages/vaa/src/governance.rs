//! Governance messages: who sends them, and how each begins.

use std::fmt;

use crate::address::Address;
use crate::error::ParseError;
use crate::hex::encode_hex;
use crate::id::MessageId;
use crate::reader::Reader;

/// The chain that Wormhole's governance messages come from.
pub const GOVERNANCE_CHAIN: u16 = 1;

/// The emitter of Wormhole's governance messages.
pub const GOVERNANCE_EMITTER: Address = Address([
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4,
]);

/// The module of the core contract: `Core`, padded on the left with zeros.
pub const CORE_MODULE: [u8; 32] = [
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, b'C', b'o',
    b'r', b'e',
];

/// Tells whether a message comes from Wormhole's governance emitter.
#[must_use]
pub fn is_governance(id: &MessageId) -> bool {
    id.chain == GOVERNANCE_CHAIN && id.emitter == GOVERNANCE_EMITTER
}

/// The fields that every governance payload begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GovernanceHeader {
    /// Which contract is meant: a name, padded on the left with zeros.
    pub module: [u8; 32],
    /// What it is to do.
    pub action: u8,
    /// On which chain; 0 is every chain.
    pub chain: u16,
}

impl GovernanceHeader {
    /// The bytes of the header.
    pub const LEN: usize = 35;

    /// Reads the header of a governance payload, and returns it with the bytes after it.
    ///
    /// # Errors
    ///
    /// [`ParseError::TooShort`] below 35 bytes.
    pub fn parse(payload: &[u8]) -> Result<(Self, &[u8]), ParseError> {
        const WHAT: &str = "governance header";
        if payload.len() < Self::LEN {
            return Err(ParseError::TooShort {
                what: WHAT,
                need: Self::LEN,
                got: payload.len(),
            });
        }
        let mut reader = Reader::new(WHAT, payload);
        let header = Self {
            module: *reader.array()?,
            action: reader.u8()?,
            chain: reader.u16()?,
        };
        Ok((header, reader.rest()))
    }

    /// Returns the module's name, if the module is zeros followed by printable ASCII.
    #[must_use]
    pub fn module_name(&self) -> Option<&str> {
        let start = self.module.iter().position(|byte| *byte != 0)?;
        let name = self.module.get(start..)?;
        name.iter()
            .all(u8::is_ascii_graphic)
            .then(|| std::str::from_utf8(name).ok())
            .flatten()
    }

    /// Returns the module's name, or its bytes in hex where it has none.
    #[must_use]
    pub fn module_text(&self) -> String {
        self.module_name()
            .map_or_else(|| encode_hex(&self.module), str::to_owned)
    }

    /// Returns the name of the action, for the modules of the core contract and its bridges.
    #[must_use]
    pub fn action_name(&self) -> Option<&'static str> {
        match (self.module_name()?, self.action) {
            ("Core", 1) => Some("ContractUpgrade"),
            ("Core", 2) => Some("GuardianSetUpgrade"),
            ("Core", 3) => Some("SetMessageFee"),
            ("Core", 4) => Some("TransferFees"),
            ("Core", 5) => Some("RecoverChainId"),
            ("TokenBridge" | "NFTBridge", 1) => Some("RegisterChain"),
            ("TokenBridge" | "NFTBridge", 2) => Some("ContractUpgrade"),
            ("TokenBridge" | "NFTBridge", 3) => Some("RecoverChainId"),
            _ => None,
        }
    }
}

impl fmt::Display for GovernanceHeader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} action {}", self.module_text(), self.action)?;
        match self.chain {
            0 => f.write_str(" for every chain"),
            chain => write!(f, " for chain {chain}"),
        }
    }
}

//! Errors of the wire format.

use thiserror::Error;

/// Bytes that are not a VAA, or not a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ParseError {
    /// The input ends before `what` does.
    #[error("{what}: at least {need} bytes of input are needed, {got} are present")]
    TooShort {
        /// The part that does not fit.
        what: &'static str,
        /// How long the whole input has to be at least.
        need: usize,
        /// How long it is.
        got: usize,
    },
    /// The first byte is not 1.
    #[error("vaa version {0} is not supported, only version 1 is")]
    UnsupportedVersion(u8),
}

impl ParseError {
    /// Returns the name of the rule that the input breaks.
    #[must_use]
    pub const fn rule(&self) -> &'static str {
        match self {
            Self::TooShort { .. } => "TooShort",
            Self::UnsupportedVersion(_) => "UnsupportedVersion",
        }
    }
}

/// A value that the wire format cannot express.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SerializeError {
    /// The number of signatures is one byte on the wire.
    #[error("vaa: {0} signatures, at most 255 can be written")]
    TooManySignatures(usize),
    /// The number of guardians in a set is one byte on the wire.
    #[error("guardian set upgrade: {0} guardians, at most 255 can be written")]
    TooManyGuardians(usize),
}

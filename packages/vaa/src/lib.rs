#![doc = include_str!("../README.md")]
#![deny(missing_docs)]

mod address;
mod body;
mod chain;
mod digest;
mod error;
mod governance;
mod guardian_set;
mod hex;
mod id;
mod reader;
mod recover;
mod signature;
mod transfer;
mod upgrade;
mod vaa;
mod verify;

pub use crate::address::{Address, GuardianAddress};
pub use crate::body::{BODY_MIN_LEN, Body, BodyRef};
pub use crate::chain::{ChainError, chain_name, chains, parse_chain};
pub use crate::digest::{Digest, digest, keccak256};
pub use crate::error::{ParseError, SerializeError};
pub use crate::governance::{
    CORE_MODULE, GOVERNANCE_CHAIN, GOVERNANCE_EMITTER, GovernanceHeader, is_governance,
};
pub use crate::guardian_set::{GuardianSet, GuardianSetError, MAX_GUARDIANS, quorum};
pub use crate::hex::{HexError, decode_hex, encode_hex};
pub use crate::id::{MessageId, MessageIdError};
#[cfg(feature = "k256")]
pub use crate::recover::native::{K256Recover, SecretKey, SecretKeyError};
pub use crate::recover::{PublicKey, Recover, RecoverError};
pub use crate::signature::{SECP256K1_ORDER, SIGNATURE_LEN, Signature};
pub use crate::transfer::{
    Amount, Transfer, TransferError, TransferPayload, TransferRecipient, TransferWithPayload,
};
pub use crate::upgrade::{
    GUARDIAN_SET_UPGRADE_ACTION, GuardianSetUpgrade, NotApplied, UpgradeContext,
};
pub use crate::vaa::{HEADER_LEN, VERSION, Vaa, VaaRef, assemble};
pub use crate::verify::{VerifyError, examine_signatures, verify_signature, verify_signatures};

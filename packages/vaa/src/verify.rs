//! Verification of signatures against a guardian set.

use thiserror::Error;

use crate::address::GuardianAddress;
use crate::digest::Digest;
use crate::guardian_set::GuardianSet;
use crate::recover::Recover;
use crate::signature::{SECP256K1_ORDER, Signature};

/// A rule that signatures break.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum VerifyError {
    /// The indexes do not rise strictly, so a guardian may be counted twice.
    #[error(
        "signature {position}: guardian index {index} follows {previous}, indexes must rise strictly"
    )]
    SignaturesNotAscending {
        /// The signature's place in the VAA.
        position: usize,
        /// The guardian index before it.
        previous: u8,
        /// Its guardian index.
        index: u8,
    },
    /// An index has no guardian.
    #[error("signature {position}: guardian index {index} is outside the set of {guardians}")]
    GuardianIndexOutOfRange {
        /// The signature's place in the VAA.
        position: usize,
        /// Its guardian index.
        index: u8,
        /// How many guardians the set has.
        guardians: usize,
    },
    /// Too few guardians signed.
    #[error("{signatures} signatures, {quorum} of the {guardians} guardians are needed")]
    NoQuorum {
        /// How many signatures there are.
        signatures: usize,
        /// How many are needed.
        quorum: usize,
        /// How many guardians the set has.
        guardians: usize,
    },
    /// The recovery id is neither 0 nor 1.
    #[error("signature of guardian {index}: recovery id {v} is neither 0 nor 1")]
    InvalidRecoveryId {
        /// The guardian index.
        index: u8,
        /// The recovery id.
        v: u8,
    },
    /// No key can have made the signature: r or s is out of range, or r is on no curve point.
    #[error("signature of guardian {index}: r and s are not a signature")]
    InvalidSignature {
        /// The guardian index.
        index: u8,
    },
    /// Another key signed, or this guardian signed something else.
    #[error(
        "signature of guardian {index}: recovers to {recovered}, the set has {expected} at this index"
    )]
    SignatureMismatch {
        /// The guardian index.
        index: u8,
        /// The guardian's address.
        expected: GuardianAddress,
        /// The address that the signature recovers to.
        recovered: GuardianAddress,
    },
}

impl VerifyError {
    /// Returns the name of the rule.
    #[must_use]
    pub const fn rule(&self) -> &'static str {
        match self {
            Self::SignaturesNotAscending { .. } => "SignaturesNotAscending",
            Self::GuardianIndexOutOfRange { .. } => "GuardianIndexOutOfRange",
            Self::NoQuorum { .. } => "NoQuorum",
            Self::InvalidRecoveryId { .. } => "InvalidRecoveryId",
            Self::InvalidSignature { .. } => "InvalidSignature",
            Self::SignatureMismatch { .. } => "SignatureMismatch",
        }
    }
}

/// Checks that `signatures` are those of a quorum of `set` over `digest`.
///
/// First the cheap rules over all of them (strictly ascending indexes, indexes within the set, a
/// quorum of signatures), then each signature in turn: every one has to hold, also those beyond
/// the quorum. A signature's high-s twin holds as the signature does.
///
/// # Errors
///
/// [`VerifyError`], the first rule that is broken.
pub fn verify_signatures<R: Recover + ?Sized>(
    recover: &R,
    set: &GuardianSet,
    digest: &Digest,
    signatures: &[Signature],
) -> Result<(), VerifyError> {
    let mut broken = ascending(signatures)
        .chain(in_range(set, signatures))
        .chain(count(set, signatures));
    if let Some(error) = broken.next() {
        return Err(error);
    }
    signatures
        .iter()
        .try_for_each(|signature| verify_signature(recover, set, digest, signature))
}

/// Checks one signature on its own, without a quorum: that of the guardian at its index.
///
/// # Errors
///
/// [`VerifyError`]: the index has no guardian (at position 0), or the signature does not hold.
pub fn verify_signature<R: Recover + ?Sized>(
    recover: &R,
    set: &GuardianSet,
    digest: &Digest,
    signature: &Signature,
) -> Result<(), VerifyError> {
    let guardian = set
        .get(signature.index)
        .ok_or(VerifyError::GuardianIndexOutOfRange {
            position: 0,
            index: signature.index,
            guardians: set.len(),
        })?;
    verify_by(recover, guardian, digest, signature)
}

/// Returns every rule that `signatures` break, in the order in which [`verify_signatures`] checks;
/// none means that it accepts them.
///
/// It recovers all of them, whatever the cheap rules say, so it is for dry runs.
#[must_use]
pub fn examine_signatures<R: Recover + ?Sized>(
    recover: &R,
    set: &GuardianSet,
    digest: &Digest,
    signatures: &[Signature],
) -> Vec<VerifyError> {
    ascending(signatures)
        .chain(in_range(set, signatures))
        .chain(count(set, signatures))
        .chain(
            signatures
                .iter()
                .filter_map(|signature| Some((signature, set.get(signature.index)?)))
                .filter_map(|(signature, guardian)| {
                    verify_by(recover, guardian, digest, signature).err()
                }),
        )
        .collect()
}

/// Yields each signature whose index does not exceed that of the one before it.
fn ascending(signatures: &[Signature]) -> impl Iterator<Item = VerifyError> {
    let following = signatures.iter().zip(1_usize..);
    let pairs = following.zip(signatures.iter().skip(1));
    pairs
        .filter(|((previous, _), signature)| signature.index <= previous.index)
        .map(
            |((previous, position), signature)| VerifyError::SignaturesNotAscending {
                position,
                previous: previous.index,
                index: signature.index,
            },
        )
}

/// Yields each signature whose index has no guardian.
fn in_range(set: &GuardianSet, signatures: &[Signature]) -> impl Iterator<Item = VerifyError> {
    let guardians = set.len();
    signatures
        .iter()
        .enumerate()
        .filter(move |(_, signature)| usize::from(signature.index) >= guardians)
        .map(
            move |(position, signature)| VerifyError::GuardianIndexOutOfRange {
                position,
                index: signature.index,
                guardians,
            },
        )
}

/// Yields the lack of a quorum, if there is one.
fn count(set: &GuardianSet, signatures: &[Signature]) -> Option<VerifyError> {
    (signatures.len() < set.quorum()).then(|| VerifyError::NoQuorum {
        signatures: signatures.len(),
        quorum: set.quorum(),
        guardians: set.len(),
    })
}

/// Checks that `signature` is that of the guardian with the address `expected`.
fn verify_by<R: Recover + ?Sized>(
    recover: &R,
    expected: GuardianAddress,
    digest: &Digest,
    signature: &Signature,
) -> Result<(), VerifyError> {
    let index = signature.index;
    if signature.v > 1 {
        return Err(VerifyError::InvalidRecoveryId {
            index,
            v: signature.v,
        });
    }
    // Decided here rather than by the recoverer, so that every platform gives the same verdict.
    if !is_scalar(&signature.r) || !is_scalar(&signature.s) {
        return Err(VerifyError::InvalidSignature { index });
    }
    let recovered = recover
        .recover(digest, &signature.rs(), signature.v)
        .map_err(|_| VerifyError::InvalidSignature { index })?
        .guardian_address();
    if recovered != expected {
        return Err(VerifyError::SignatureMismatch {
            index,
            expected,
            recovered,
        });
    }
    Ok(())
}

/// Tells whether `number` lies in `1..SECP256K1_ORDER`.
fn is_scalar(number: &[u8; 32]) -> bool {
    *number != [0; 32] && *number < SECP256K1_ORDER
}

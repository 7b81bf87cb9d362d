//! For other contracts: asking a registry, in types, and failing closed.
//!
//! ```
//! use cosmwasm_std::{Addr, QuerierWrapper};
//! use vaa_registry::helper::{NotVerified, VaaRegistry, VerifiedMessage};
//!
//! fn body_to_act_on(querier: &QuerierWrapper, registry: Addr, id: &str) -> Result<VerifiedMessage, NotVerified> {
//!     let id = id.parse()?;
//!     let message = VaaRegistry(registry).verified(querier, &id)?;
//!     Ok(message) // act once on `message.digest`, by `message.body`
//! }
//! ```
//!
//! Whatever is not a message that a quorum of guardians signed, alone under its id, is an error: unknown, in conflict,
//! answered by something that is no registry, or not answered. Whether the signatures would verify now is another
//! question, answered apart by [`VerifiedMessage::expired_now`]: what was verified once stays true.
//!
//! Who asks trusts the registry's address, and whoever may migrate it.

use cosmwasm_std::{Addr, CustomQuery, QuerierWrapper, StdError};
use thiserror::Error;
use wormhole_vaa::{Body, Digest, HexError, MessageId, MessageIdError};

use crate::msg::{
    FamilySelection, MessageQueryResponse, MessageResponse, QueryMsg, VerifyResponse,
};

/// A registry, by its address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VaaRegistry(pub Addr);

/// A message that a quorum of guardians signed, and that no other one contradicts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedMessage {
    /// Its id.
    pub id: MessageId,
    /// Its digest: what a contract notes, to act on it once.
    pub digest: Digest,
    /// What the guardians signed, the payload with it.
    pub body: Body,
    /// The newest guardian set that signed it.
    pub guardian_set_index: u32,
    /// The block at which it was verified under that set.
    pub height: u64,
    /// The time of that block, in Unix seconds.
    pub time: u64,
    /// Whether that set's signatures count no more, so that the VAA would not verify now. It was verified all the same.
    pub expired_now: bool,
}

/// Why a contract must not act on a message.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NotVerified {
    /// The registry has no such message.
    #[error("message {0} is not registered")]
    Unknown(String),
    /// Another message with quorum claims the id.
    #[error("message {0} is contradicted by another with its id")]
    Conflict(MessageId),
    /// The answer is not what a registry says of this message.
    #[error("the registry's answer about {about} is wrong: {what}")]
    Answer {
        /// What was asked about.
        about: String,
        /// What is wrong.
        what: &'static str,
    },
    /// Text that is no message id.
    #[error("{0}")]
    Id(#[from] MessageIdError),
    /// Text that is no digest.
    #[error("{0}")]
    Digest(#[from] HexError),
    /// The registry did not answer.
    #[error("the registry does not answer: {0}")]
    Query(#[from] StdError),
}

impl VaaRegistry {
    /// Returns a message by its id, if it is verified and stands alone.
    ///
    /// # Errors
    /// [`NotVerified`]: there is nothing to act on.
    pub fn verified<C: CustomQuery>(
        &self,
        querier: &QuerierWrapper<'_, C>,
        id: &MessageId,
    ) -> Result<VerifiedMessage, NotVerified> {
        let msg = QueryMsg::Message {
            id: id.to_string(),
            families: Some(FamilySelection::ALL),
        };
        let about = id.to_string();
        let found = self.ask(querier, &msg, about)?;
        match found.id == *id {
            true => Ok(found),
            false => Err(wrong(&found.id, "another id")),
        }
    }

    /// Returns a message by its digest, if it is verified and stands alone. The digest of a message that came second finds
    /// nothing to act on.
    ///
    /// # Errors
    /// [`NotVerified`]: there is nothing to act on.
    pub fn verified_digest<C: CustomQuery>(
        &self,
        querier: &QuerierWrapper<'_, C>,
        digest: &Digest,
    ) -> Result<VerifiedMessage, NotVerified> {
        let msg = QueryMsg::MessageByDigest {
            digest: digest.to_string(),
            families: Some(FamilySelection::ALL),
        };
        let found = self.ask(querier, &msg, digest.to_string())?;
        match found.digest == *digest {
            true => Ok(found),
            false => Err(wrong(&found.id, "another digest")),
        }
    }

    /// Whether a VAA would verify now, whether the registry has it or not: well formed, and signed by a quorum of a live
    /// guardian set. Costs 1,400 gas a signature; changes nothing, so that acting once is the caller's to see to.
    ///
    /// # Errors
    /// [`NotVerified::Query`].
    pub fn is_valid_now<C: CustomQuery>(
        &self,
        querier: &QuerierWrapper<'_, C>,
        vaa: &[u8],
    ) -> Result<bool, NotVerified> {
        let msg = QueryMsg::Verify { vaa: vaa.into() };
        let answer: VerifyResponse = querier.query_wasm_smart(&self.0, &msg)?;
        Ok(answer.valid && answer.errors.is_empty())
    }

    fn ask<C: CustomQuery>(
        &self,
        querier: &QuerierWrapper<'_, C>,
        msg: &QueryMsg,
        about: String,
    ) -> Result<VerifiedMessage, NotVerified> {
        let answer: MessageQueryResponse = querier.query_wasm_smart(&self.0, msg)?;
        match answer.message {
            Some(message) => read(message),
            None => Err(NotVerified::Unknown(about)),
        }
    }
}

/// Reads an answer, believing nothing that can be checked.
fn read(message: MessageResponse) -> Result<VerifiedMessage, NotVerified> {
    let id: MessageId = message.id.parse()?;
    let lacks = |what| wrong(&id, what);
    let publication = message
        .message_publication
        .ok_or_else(|| lacks("no publication"))?;
    let quorum = message.quorum_state.ok_or_else(|| lacks("no quorum"))?;
    let status = message.status.ok_or_else(|| lacks("no status"))?;
    if status.conflict {
        return Err(NotVerified::Conflict(id));
    }
    if publication.version != wormhole_vaa::VERSION {
        return Err(lacks("another version"));
    }
    let body = Body {
        timestamp: publication.timestamp,
        nonce: publication.nonce,
        emitter_chain: id.chain,
        emitter_address: id.emitter,
        sequence: id.sequence,
        consistency_level: publication.consistency_level,
        payload: publication.payload.into(),
    };
    let digest = body.digest();
    if publication.digest.parse::<Digest>()? != digest {
        return Err(lacks("a digest that is not the body's"));
    }
    let newest = status
        .verifications
        .last()
        .filter(|newest| newest.guardian_set_index == quorum.guardian_set_index)
        .ok_or_else(|| lacks("signatures that were not verified"))?;
    Ok(VerifiedMessage {
        id,
        digest,
        body,
        guardian_set_index: newest.guardian_set_index,
        height: newest.height.u64(),
        time: newest.time.u64(),
        expired_now: !newest.valid_now,
    })
}

fn wrong(id: &MessageId, what: &'static str) -> NotVerified {
    NotVerified::Answer {
        about: id.to_string(),
        what,
    }
}

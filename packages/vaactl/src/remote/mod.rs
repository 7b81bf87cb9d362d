//! Fetches VAAs from a server that others run: a Wormholescan, a guardian, or another registry's `serve`.
//!
//! A [`Client`] asks again with growing pauses while a server is down or busy. A [`Scan`] walks Wormholescan's
//! lists page by page, [`Guardian`] asks a guardian for one sequence after the other, and a [`Cursor`] keeps in a file
//! how far both came. What is fetched is only held against the id that it was fetched under: the registry verifies it.

mod backoff;
mod client;
mod cursor;
mod error;
mod guardian;
mod scan;

pub use client::{Client, Patience};
pub use cursor::{Cursor, GuardianPlace, ScanPlace};
pub use error::RemoteError;
pub use guardian::Guardian;
pub use scan::Scan;

use std::fmt;
use std::str::FromStr;

use wormhole_vaa::{Address, MessageId, VaaRef, parse_chain};

/// A VAA that was fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// The message's id.
    pub id: MessageId,
    /// The VAA's bytes, whose signatures nobody has looked at.
    pub vaa: Vec<u8>,
}

impl Fetched {
    /// Takes what a server gave under an id.
    ///
    /// # Errors
    /// [`RemoteError::NoVaa`], and [`RemoteError::OtherMessage`] for the VAA of another message.
    pub fn new(url: &str, id: MessageId, vaa: Vec<u8>) -> Result<Self, RemoteError> {
        let found = match VaaRef::parse(&vaa) {
            Ok(parsed) => parsed.body.id(),
            Err(error) => {
                return Err(RemoteError::NoVaa {
                    url: url.to_owned(),
                    id: id.to_string(),
                    reason: error.to_string(),
                });
            }
        };
        if found == id {
            Ok(Self { id, vaa })
        } else {
            Err(RemoteError::OtherMessage {
                url: url.to_owned(),
                id,
                found,
            })
        }
    }
}

/// Names an emitter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Emitter {
    /// Its chain.
    pub chain: u16,
    /// Its address.
    pub address: Address,
}

impl fmt::Display for Emitter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.chain, self.address)
    }
}

impl FromStr for Emitter {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (chain, address) = text
            .split_once(['/', ':'])
            .ok_or_else(|| format!("emitter {text:?} is not CHAIN/ADDRESS"))?;
        Ok(Self {
            chain: parse_chain(chain).map_err(|error| error.to_string())?,
            address: address
                .parse()
                .map_err(|error: wormhole_vaa::HexError| error.to_string())?,
        })
    }
}

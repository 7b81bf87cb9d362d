use serde::Deserialize;
use wormhole_vaa::MessageId;

use super::client::base64;
use super::{Client, Emitter, Fetched, GuardianPlace, RemoteError};

/// How many sequences without a VAA are passed before the end is assumed.
const LOOK_AHEAD: u64 = 16;
/// The most sequences without a VAA that are asked for again.
const MOST_MISSING: usize = 256;

/// Asks a guardian, which has no lists, for the VAAs of an emitter by sequence.
///
/// Emitters count from 0 or 1 without gaps, but for some, as that of governance: their messages are not found so.
#[derive(Debug)]
pub struct Guardian {
    emitter: Emitter,
    batch: usize,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    vaa_bytes: String,
}

impl Guardian {
    /// Asks for the VAAs of an emitter, and hands them on in batches.
    #[must_use]
    pub fn new(emitter: Emitter, batch: usize) -> Self {
        Self {
            emitter,
            batch: batch.max(1),
        }
    }

    /// Returns the emitter's name in a cursor.
    #[must_use]
    pub fn name(&self) -> String {
        self.emitter.to_string()
    }

    /// Asks for what was missing, then on until nothing is found any more. `take` is handed each batch with the place
    /// after it.
    ///
    /// # Errors
    /// [`RemoteError`] as `E`, and errors of `take`.
    pub fn round<E: From<RemoteError>>(
        &self,
        client: &Client,
        place: GuardianPlace,
        mut take: impl FnMut(Vec<Fetched>, &GuardianPlace) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut place = place;
        let mut batch = Vec::new();
        for sequence in place.missing.clone() {
            if let Some(found) = self.fetch(client, sequence)? {
                place.missing.retain(|missing| *missing != sequence);
                batch.push(found);
            }
            self.hand_on(&mut batch, &place, false, &mut take)?;
        }
        let mut sequence = place.next;
        while sequence.saturating_sub(place.next) < LOOK_AHEAD {
            if let Some(found) = self.fetch(client, sequence)? {
                place.missing.extend(place.next..sequence);
                let surplus = place.missing.len().saturating_sub(MOST_MISSING);
                place.missing.drain(..surplus);
                place.next = sequence.saturating_add(1);
                batch.push(found);
            }
            self.hand_on(&mut batch, &place, false, &mut take)?;
            match sequence.checked_add(1) {
                Some(next) => sequence = next,
                None => break,
            }
        }
        self.hand_on(&mut batch, &place, true, &mut take)
    }

    fn hand_on<E>(
        &self,
        batch: &mut Vec<Fetched>,
        place: &GuardianPlace,
        last: bool,
        take: &mut impl FnMut(Vec<Fetched>, &GuardianPlace) -> Result<(), E>,
    ) -> Result<(), E> {
        if batch.len() >= self.batch || (last && !batch.is_empty()) {
            take(std::mem::take(batch), place)?;
        }
        Ok(())
    }

    fn fetch(&self, client: &Client, sequence: u64) -> Result<Option<Fetched>, RemoteError> {
        let id = MessageId {
            chain: self.emitter.chain,
            emitter: self.emitter.address,
            sequence,
        };
        let (url, answer) = client.get::<Answer>(&format!("/v1/signed_vaa/{id}"))?;
        answer
            .map(|Answer { vaa_bytes }| {
                let vaa = base64(&url, &id.to_string(), &vaa_bytes)?;
                Fetched::new(&url, id, vaa)
            })
            .transpose()
    }
}

//! Rows as bytes, by hand.

use bench_interface::{Message, bytes32};
use cosmwasm_std::{StdError, StdResult};

/// Writes a number in as many bytes as it needs, seven bits in each, the lowest first.
pub fn put_varint(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Reads packed columns one after the other.
pub struct Unpack<'b>(pub &'b [u8]);

impl<'b> Unpack<'b> {
    /// Takes the next `N` bytes.
    ///
    /// # Errors
    ///
    /// There are fewer.
    pub fn take<const N: usize>(&mut self) -> StdResult<[u8; N]> {
        let Some((head, rest)) = self.0.split_first_chunk::<N>() else {
            return Err(StdError::msg("a row is too short"));
        };
        self.0 = rest;
        Ok(*head)
    }

    /// Takes what [`put_varint`] wrote.
    ///
    /// # Errors
    ///
    /// It is no such number.
    pub fn varint(&mut self) -> StdResult<u32> {
        let mut number = 0;
        for shift in (0..32).step_by(7) {
            let [byte] = self.take()?;
            number |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(StdError::msg("a number is too long"))
    }

    /// Takes all that is left.
    pub fn rest(self) -> &'b [u8] {
        self.0
    }
}

/// Packs all columns but the key.
///
/// # Errors
///
/// A column does not have its length.
pub fn pack(row: &Message) -> StdResult<Vec<u8>> {
    let mut out = Vec::with_capacity(80 + row.payload.len());
    out.push(row.version);
    put_varint(&mut out, row.guardian_set_index);
    out.extend(row.timestamp.to_be_bytes());
    out.extend(row.nonce.to_be_bytes());
    put_varint(&mut out, row.emitter_chain.into());
    out.extend(bytes32(&row.emitter_address)?);
    out.extend(bytes32(&row.initiating_tx_id)?);
    out.extend(row.payload.as_slice());
    Ok(out)
}

/// Unpacks what [`pack`] packed.
///
/// # Errors
///
/// It is too short, or no such row.
pub fn unpack(sequence: u64, bytes: &[u8]) -> StdResult<Message> {
    let mut columns = Unpack(bytes);
    let [version] = columns.take()?;
    Ok(Message {
        version,
        guardian_set_index: columns.varint()?,
        timestamp: u32::from_be_bytes(columns.take()?),
        nonce: u32::from_be_bytes(columns.take()?),
        sequence,
        emitter_chain: columns
            .varint()?
            .try_into()
            .map_err(|_| StdError::msg("no chain"))?,
        emitter_address: columns.take::<32>()?.into(),
        initiating_tx_id: columns.take::<32>()?.into(),
        payload: columns.rest().into(),
    })
}

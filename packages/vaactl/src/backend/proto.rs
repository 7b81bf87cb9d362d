//! Unwraps the protobuf messages that carry a contract's response data.

/// Returns field `number` of a protobuf message whose fields are all length-delimited.
///
/// `Ok(None)` is a field that is absent, which protobuf makes of an empty one. `MsgExecuteContractResponse`
/// and `MsgInstantiateContractResponse` have no other kind of field.
pub(crate) fn bytes_field(mut message: &[u8], number: u64) -> Result<Option<&[u8]>, Malformed> {
    const LENGTH_DELIMITED: u64 = 2;
    let mut found = None;
    while !message.is_empty() {
        let (tag, rest) = varint(message)?;
        let (len, rest) = varint(rest)?;
        let len = usize::try_from(len).map_err(|_| Malformed)?;
        let (field, rest) = rest.split_at_checked(len).ok_or(Malformed)?;
        if tag & 7 != LENGTH_DELIMITED {
            return Err(Malformed);
        }
        if tag >> 3 == number {
            found = Some(field);
        }
        message = rest;
    }
    Ok(found)
}

/// Marks bytes that are not such a message.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Malformed;

fn varint(bytes: &[u8]) -> Result<(u64, &[u8]), Malformed> {
    let mut value: u64 = 0;
    let mut shift: u32 = 0;
    let mut rest = bytes;
    loop {
        let (byte, tail) = rest.split_first().ok_or(Malformed)?;
        let part = u64::from(byte & 0x7f);
        let shifted = part.checked_shl(shift).ok_or(Malformed)?;
        if shifted >> shift != part {
            return Err(Malformed);
        }
        value |= shifted;
        rest = tail;
        if byte & 0x80 == 0 {
            return Ok((value, rest));
        }
        shift = shift.saturating_add(7);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_by_number() {
        let message = [0x0a, 2, b'h', b'i', 0x12, 1, b'x'];
        assert_eq!(bytes_field(&message, 1), Ok(Some(&b"hi"[..])));
        assert_eq!(bytes_field(&message, 2), Ok(Some(&b"x"[..])));
        assert_eq!(bytes_field(&message, 3), Ok(None));
        assert_eq!(bytes_field(&[], 1), Ok(None));
    }

    #[test]
    fn long_fields_have_long_lengths() {
        let mut message = vec![0x0a, 0xac, 0x02];
        message.extend([7; 300]);
        assert_eq!(bytes_field(&message, 1), Ok(Some(&[7; 300][..])));
    }

    #[test]
    fn malformed_messages_are_refused() {
        for bad in [
            &[0x0a][..],
            &[0x0a, 3, 1, 2],
            &[0x08, 1, 1],
            &[0x80],
            &[
                0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f,
            ],
        ] {
            assert_eq!(bytes_field(bad, 1), Err(Malformed), "{bad:?}");
        }
    }
}

//! Reads what paths name: chains, emitters, sequences, transactions.

use axum::extract::rejection::{BytesRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Path, Query};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use wormhole_vaa::{Address, MessageId, decode_hex, parse_chain};

use super::error::{ApiError, Code};

/// Says in whose words a malformed path is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// A guardian's.
    Guardian,
    /// Wormholescan's.
    Scan,
}

/// Takes the texts that a path names.
pub(super) struct Named<T>(pub(super) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Named<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let path: Result<Path<T>, PathRejection> = Path::from_request_parts(parts, state).await;
        path.map(|Path(names)| Self(names))
            .map_err(|error| ApiError::invalid("malformed path").because(error.body_text()))
    }
}

/// Takes a request's parameters.
pub(super) struct Asked<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let query: Result<Query<T>, QueryRejection> = Query::from_request_parts(parts, state).await;
        query
            .map(|Query(parameters)| Self(parameters))
            .map_err(|error| ApiError::invalid("malformed parameters").because(error.body_text()))
    }
}

/// Takes a request's body.
pub(super) struct Sent(pub(super) axum::body::Bytes);

impl<S: Send + Sync> FromRequest<S> for Sent {
    type Rejection = ApiError;

    async fn from_request(request: axum::extract::Request, state: &S) -> Result<Self, ApiError> {
        let body: Result<_, BytesRejection> = axum::body::Bytes::from_request(request, state).await;
        body.map(Self).map_err(|error| {
            let code = match error.status() {
                StatusCode::PAYLOAD_TOO_LARGE => Code::OutOfRange,
                _ => Code::InvalidArgument,
            };
            ApiError::new(code, error.body_text()).with_status(error.status())
        })
    }
}

/// Reads a chain: its id, its name, or its name in Wormhole's enumeration.
pub(super) fn chain(text: &str, style: Style) -> Result<u16, ApiError> {
    let name = text.strip_prefix("CHAIN_ID_").unwrap_or(text);
    parse_chain(name).map_err(|error| match style {
        Style::Guardian => ApiError::invalid(error.to_string()),
        Style::Scan => ApiError::invalid("WRONG CHAIN ID").because(error),
    })
}

/// Reads an emitter: hex of 1 to 32 bytes, padded on the left, or base58 on Solana.
pub(super) fn emitter(chain: u16, text: &str, style: Style) -> Result<Address, ApiError> {
    let refuse = |reason: String| match style {
        Style::Guardian => ApiError::invalid(format!("failed to decode address: {reason}")),
        Style::Scan => ApiError::invalid("MALFORMED EMITTER_ADDR").because(reason),
    };
    // Digits alone can be both; on Solana they are what its tools write.
    let base58 = (chain == 1)
        .then(|| bs58::decode(text).into_vec().ok())
        .flatten()
        .filter(|bytes| bytes.len() == 32);
    let bytes = match base58 {
        Some(bytes) => bytes,
        None => decode_hex("emitter", text).map_err(|error| refuse(error.to_string()))?,
    };
    let mut address = [0; 32];
    let padding = address.len().checked_sub(bytes.len());
    match padding.and_then(|padding| address.get_mut(padding..)) {
        Some(tail) => tail.copy_from_slice(&bytes),
        None if style == Style::Guardian => {
            return Err(ApiError::invalid("address must be 32 bytes"));
        }
        None => return Err(refuse("address must be 32 bytes".into())),
    }
    Ok(Address(address))
}

/// Reads a sequence number of 64 bits.
pub(super) fn sequence(text: &str, style: Style) -> Result<u64, ApiError> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.then(|| text.parse().ok()).flatten();
    number.ok_or_else(|| match style {
        Style::Guardian => ApiError::invalid("sequence is not a number of 64 bits"),
        Style::Scan => ApiError::invalid("MALFORMED SEQUENCE NUMBER"),
    })
}

/// Reads the three parts of a message's id.
pub(super) fn message(
    (of_chain, address, number): &(String, String, String),
    style: Style,
) -> Result<MessageId, ApiError> {
    let of_chain = chain(of_chain, style)?;
    Ok(MessageId {
        chain: of_chain,
        emitter: emitter(of_chain, address, style)?,
        sequence: sequence(number, style)?,
    })
}

/// Reads a transaction id in the form of any chain.
pub(super) fn tx_hash(text: &str) -> Result<Vec<u8>, ApiError> {
    let bytes = match text.len() {
        64..=66 => decode_hex("txHash", text)
            .ok()
            .filter(|bytes| bytes.len() == 32),
        87..=88 => bs58::decode(text)
            .into_vec()
            .ok()
            .filter(|bytes| bytes.len() == 64),
        43..=44 => bs58::decode(text)
            .into_vec()
            .ok()
            .filter(|bytes| bytes.len() == 32),
        52 => base32(text),
        _ => None,
    };
    bytes.ok_or_else(|| ApiError::invalid("MALFORMED TX HASH"))
}

/// Decodes 52 characters of base32 without padding, as Algorand writes its 32 bytes.
fn base32(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(33);
    let (mut bits, mut count) = (0_u32, 0_u32);
    for letter in text.bytes() {
        let value = match letter {
            b'A'..=b'Z' => letter.wrapping_sub(b'A'),
            b'2'..=b'7' => letter.wrapping_sub(b'2').wrapping_add(26),
            _ => return None,
        };
        bits = (bits << 5 | u32::from(value)) & 0xfff;
        count = count.wrapping_add(5);
        if count >= 8 {
            count = count.wrapping_sub(8);
            bytes.push(u8::try_from(bits >> count & 0xff).ok()?);
        }
    }
    // 260 bits are 32 bytes and 4 bits, which are zero.
    (bytes.len() == 32 && bits & 0xf == 0).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emitters_are_taken_in_every_form() {
        let address = |text: &str| emitter(1, text, Style::Scan).map(|address| address.to_hex());
        let padded = format!("{}04", "00".repeat(31));
        for text in [&padded, "04", "0x04", "0X04", &format!("0x{padded}")] {
            assert_eq!(address(text).as_deref(), Ok(padded.as_str()), "{text}");
        }
        let upper = emitter(2, "0xAbCd", Style::Guardian).unwrap().to_hex();
        assert!(upper.ends_with("00abcd"));
        let solana = "ec7372995d5cc8732397fb0ad35c0121e0eaa90d26f828a534cab54391b3a4f5";
        let base58 = bs58::encode(decode_hex("x", solana).unwrap()).into_string();
        assert_eq!(address(&base58).as_deref(), Ok(solana));
        assert!(emitter(2, &base58, Style::Scan).is_err());
        for bad in ["", "0x", "4", "0x4", "xy", &"00".repeat(33), "04 "] {
            let error = address(bad).unwrap_err();
            assert_eq!(error.message, "MALFORMED EMITTER_ADDR", "{bad}");
            let error = emitter(2, bad, Style::Guardian).unwrap_err();
            let text = error.message;
            assert!(
                text.starts_with("failed to decode address") || text == "address must be 32 bytes",
                "{text}"
            );
        }
    }

    #[test]
    fn numbers_are_decimal_and_fit() {
        assert_eq!(sequence("18446744073709551615", Style::Scan), Ok(u64::MAX));
        for bad in ["", "+1", "-1", "0x1", "18446744073709551616", "1.0", "1 "] {
            assert_eq!(
                sequence(bad, Style::Scan).unwrap_err().message,
                "MALFORMED SEQUENCE NUMBER",
                "{bad}"
            );
        }
        for (text, id) in [
            ("26", 26),
            ("CHAIN_ID_SOLANA", 1),
            ("pythnet", 26),
            ("65535", 65_535),
        ] {
            assert_eq!(chain(text, Style::Guardian), Ok(id));
        }
        for bad in ["65536", "-1", "", "CHAIN_ID_NOWHERE", "65562"] {
            assert_eq!(
                chain(bad, Style::Scan).unwrap_err().message,
                "WRONG CHAIN ID"
            );
        }
    }

    #[test]
    fn transactions_are_told_by_length() {
        let hex = "ab".repeat(32);
        assert_eq!(tx_hash(&hex), Ok(vec![0xab; 32]));
        assert_eq!(tx_hash(&format!("0x{hex}")), Ok(vec![0xab; 32]));
        for bytes in [vec![7; 64], vec![200; 64], vec![9; 32]] {
            assert_eq!(tx_hash(&bs58::encode(&bytes).into_string()), Ok(bytes));
        }
        // RFC 4648's alphabet: 52 letters, of which the last has 4 spare bits.
        assert_eq!(tx_hash(&"A".repeat(52)), Ok(vec![0; 32]));
        assert_eq!(tx_hash(&format!("{}Q", "7".repeat(51))), Ok(vec![0xff; 32]));
        for bad in [
            "",
            "0x",
            "xy",
            &"ab".repeat(20),
            &"g".repeat(64),
            &"A1".repeat(26),
            &"7".repeat(52),
        ] {
            assert_eq!(
                tx_hash(bad).unwrap_err().message,
                "MALFORMED TX HASH",
                "{bad}"
            );
        }
    }
}

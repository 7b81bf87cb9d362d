use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use wormhole_vaa::decode_hex;

const CONFIG: GeneralPurposeConfig =
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
const STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, CONFIG);
const URL_SAFE: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, CONFIG);

/// Tells whether a text is hex digits, after an optional `0x`.
pub(super) fn is_hex(text: &str) -> bool {
    let digits = digits(text);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit())
}

/// Tells whether a text has only characters of base64, of either alphabet.
pub(super) fn is_base64(text: &str) -> bool {
    let unpadded = text.trim_end_matches('=');
    !unpadded.is_empty()
        && unpadded
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'-' | b'_'))
}

fn digits(text: &str) -> &str {
    text.strip_prefix("0x")
        .or_else(|| text.strip_prefix("0X"))
        .unwrap_or(text)
}

/// Decodes a text that is hex, or else base64.
///
/// # Errors
/// What is wrong with it.
pub fn decode_text(text: &str) -> Result<Vec<u8>, String> {
    if is_hex(text) {
        return decode_hex("hex text", text).map_err(|error| error.to_string());
    }
    if !is_base64(text) {
        return Err("neither hex nor base64".into());
    }
    STANDARD
        .decode(text)
        .or_else(|_| URL_SAFE.decode(text))
        .map_err(|_| "base64 text: cut off or with a character too many".into())
}

/// Decodes the text of a `vaa_hex` field; an empty one has no bytes.
///
/// # Errors
/// What is wrong with it.
pub fn decode_vaa_hex(text: &str) -> Result<Vec<u8>, String> {
    if digits(text).is_empty() {
        return Ok(Vec::new());
    }
    decode_hex("`vaa_hex`", text).map_err(|error| error.to_string())
}

//! Payloads in parts, as far as their layout is known: token transfers.
//!
//! The layout alone makes a payload a transfer here, as in the registry's index by recipient; which
//! emitters are bridges, a registry does not know.

use serde::Serialize;
use wormhole_vaa::{Address, TransferPayload, encode_hex};

use super::native;

/// A transfer as Wormholescan's parser shows it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ParsedPayload {
    payload_type: u8,
    amount: String,
    token_address: String,
    token_chain: u16,
    to_address: String,
    to_chain: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    fee: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from_address: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    payload: Option<String>,
}

/// What transfers of any application have in common.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct StandardizedProperties {
    app_ids: [String; 0],
    from_chain: u16,
    from_address: String,
    to_chain: u16,
    to_address: String,
    token_chain: u16,
    token_address: String,
    amount: String,
    fee_address: String,
    fee_chain: u16,
    fee: String,
}

fn prefixed(address: &Address) -> String {
    format!("0x{address}")
}

fn native_or_hex(chain: u16, address: &Address) -> String {
    native::address(chain, address).unwrap_or_else(|| prefixed(address))
}

/// Returns a payload in parts, if it is laid out as a transfer.
pub(super) fn parsed(payload: &[u8]) -> Option<ParsedPayload> {
    let parsed = match TransferPayload::parse(payload).ok()? {
        TransferPayload::Transfer(transfer) => ParsedPayload {
            payload_type: 1,
            amount: transfer.amount.to_string(),
            token_address: prefixed(&transfer.token_address),
            token_chain: transfer.token_chain,
            to_address: prefixed(&transfer.recipient.address),
            to_chain: transfer.recipient.chain,
            fee: Some(transfer.fee.to_string()),
            from_address: None,
            payload: None,
        },
        TransferPayload::WithPayload(transfer) => ParsedPayload {
            payload_type: 3,
            amount: transfer.amount.to_string(),
            token_address: prefixed(&transfer.token_address),
            token_chain: transfer.token_chain,
            to_address: prefixed(&transfer.recipient.address),
            to_chain: transfer.recipient.chain,
            fee: None,
            from_address: Some(prefixed(&transfer.from_address)),
            payload: Some(encode_hex(transfer.payload)),
        },
    };
    Some(parsed)
}

/// Returns what a transfer from a chain has in common with others.
pub(super) fn properties(from_chain: u16, payload: &[u8]) -> Option<StandardizedProperties> {
    let (amount, token_chain, token, recipient, from, fee) =
        match TransferPayload::parse(payload).ok()? {
            TransferPayload::Transfer(t) => (
                t.amount,
                t.token_chain,
                t.token_address,
                t.recipient,
                None,
                Some(t.fee),
            ),
            TransferPayload::WithPayload(t) => (
                t.amount,
                t.token_chain,
                t.token_address,
                t.recipient,
                Some(t.from_address),
                None,
            ),
        };
    Some(StandardizedProperties {
        app_ids: [],
        from_chain,
        from_address: from
            .map(|address| native_or_hex(from_chain, &address))
            .unwrap_or_default(),
        to_chain: recipient.chain,
        to_address: native_or_hex(recipient.chain, &recipient.address),
        token_chain,
        token_address: native_or_hex(token_chain, &token),
        amount: amount.to_string(),
        fee_address: String::new(),
        fee_chain: if fee.is_some() { recipient.chain } else { 0 },
        fee: fee.map(|fee| fee.to_string()).unwrap_or_default(),
    })
}

/// Tells whether a payload is a transfer from or to an address.
pub(super) fn concerns(payload: &[u8], address: &Address) -> bool {
    match TransferPayload::parse(payload) {
        Ok(TransferPayload::Transfer(transfer)) => transfer.recipient.address == *address,
        Ok(TransferPayload::WithPayload(transfer)) => {
            transfer.recipient.address == *address || transfer.from_address == *address
        }
        Err(_) => false,
    }
}

//! Transfers are read exactly or not at all.

use wormhole_vaa::{
    Address, Amount, ParseError, TransferError, TransferPayload, TransferRecipient, Vaa,
};

use crate::support::rows;

#[test]
fn the_transfers_of_real_vaas_are_read() {
    let mut read = (0, 0);
    let mut others = Vec::new();
    for row in rows() {
        let vaa = Vaa::parse(&row.bytes()).unwrap();
        let payload = &vaa.body.payload;
        let parsed = TransferPayload::parse(payload);
        match row.kind.as_str() {
            "token-bridge/transfer" => {
                assert!(
                    matches!(parsed, Ok(TransferPayload::Transfer(_))),
                    "{}",
                    row.name
                );
                read.0 += 1;
            }
            "token-bridge/transfer-with-payload" => {
                let Ok(TransferPayload::WithPayload(transfer)) = parsed else {
                    panic!("{}: {parsed:?}", row.name);
                };
                assert_eq!(transfer.payload, &payload[133..]);
                read.1 += 1;
            }
            _ if parsed.is_ok() => others.push(row.name.clone()),
            _ => {}
        }
        assert_eq!(
            TransferRecipient::of(payload),
            parsed.ok().map(|transfer| transfer.recipient())
        );
    }
    assert_eq!(read, (10 + 3 + 24, 2 + 3 + 17));
    // The governance emitter once signed a transfer's bytes: the layout alone says nothing of who
    // sent it.
    assert_eq!(others, ["dgs0-1-000004-11817436337286722732"]);
}

fn laid_out(kind: u8, rest: &[u8]) -> Vec<u8> {
    let mut payload = vec![kind];
    payload.extend([0xa1; 32]);
    payload.extend([0xa2; 32]);
    payload.extend([0, 2]);
    payload.extend([0xa3; 32]);
    payload.extend([0xff, 0xfe]);
    payload.extend([0xa4; 32]);
    payload.extend(rest);
    payload
}

#[test]
fn each_field_is_at_its_place() {
    let recipient = TransferRecipient {
        chain: 0xfffe,
        address: Address([0xa3; 32]),
    };
    let bytes = laid_out(1, b"");
    let Ok(TransferPayload::Transfer(transfer)) = TransferPayload::parse(&bytes) else {
        panic!("not a transfer");
    };
    assert_eq!(transfer.amount, Amount([0xa1; 32]));
    assert_eq!(transfer.token_address, Address([0xa2; 32]));
    assert_eq!(transfer.token_chain, 2);
    assert_eq!(transfer.recipient, recipient);
    assert_eq!(transfer.fee, Amount([0xa4; 32]));

    for message in [&b""[..], b"message"] {
        let bytes = laid_out(3, message);
        let Ok(TransferPayload::WithPayload(transfer)) = TransferPayload::parse(&bytes) else {
            panic!("not a transfer with payload");
        };
        assert_eq!(transfer.amount, Amount([0xa1; 32]));
        assert_eq!(transfer.token_address, Address([0xa2; 32]));
        assert_eq!(transfer.token_chain, 2);
        assert_eq!(transfer.recipient, recipient);
        assert_eq!(transfer.from_address, Address([0xa4; 32]));
        assert_eq!(transfer.payload, message);
    }
}

#[test]
fn anything_else_is_a_named_error() {
    let refused = |bytes: &[u8]| {
        assert_eq!(TransferRecipient::of(bytes), None);
        TransferPayload::parse(bytes).unwrap_err()
    };
    assert_eq!(refused(b""), TransferError::Empty);
    for kind in [0, 2, 4, 255] {
        assert_eq!(
            refused(&laid_out(kind, b"")),
            TransferError::OtherType(kind)
        );
    }
    let need = 133;
    assert_eq!(
        refused(&laid_out(1, b"x")),
        TransferError::Length { need, got: 134 }
    );
    for len in 1..need {
        let cut = &laid_out(1, b"")[..len];
        assert_eq!(refused(cut), TransferError::Length { need, got: len });
        let what = "transfer with payload";
        let too_short = ParseError::TooShort {
            what,
            need,
            got: len,
        };
        assert_eq!(refused(&laid_out(3, b"")[..len]), too_short.into());
    }
}

#[test]
fn amounts_print_in_decimal() {
    let amount = |tail: &[u8]| {
        let mut bytes = [0; 32];
        bytes[32 - tail.len()..].copy_from_slice(tail);
        Amount(bytes)
    };
    assert_eq!(amount(&[]).to_string(), "0");
    assert_eq!(amount(&[1, 0]).to_string(), "256");
    assert_eq!(amount(&[0xff; 16]).to_u128(), Some(u128::MAX));
    assert_eq!(amount(&[0xff; 16]).to_string(), u128::MAX.to_string());
    let mut above = [0; 17];
    above[0] = 1;
    assert_eq!(amount(&above).to_u128(), None);
    assert_eq!(
        amount(&above).to_string(),
        "340282366920938463463374607431768211456"
    );
    assert_eq!(
        Amount([0xff; 32]).to_string(),
        "115792089237316195423570985008687907853269984665640564039457584007913129639935"
    );
}

//! Faults that users of comparable systems met, by their entry in the project's list.

use wormhole_vaa::{
    Address, Digest, GovernanceHeader, GuardianAddress, GuardianSet, GuardianSetError,
    GuardianSetUpgrade, HexError, K256Recover, MessageId, MessageIdError, NotApplied, ParseError,
    TransferError, TransferPayload, UpgradeContext, Vaa, VaaRef, VerifyError, chain_name, quorum,
    verify_signatures,
};

use crate::support::{body, rows, set_of, sign, signed};

const CONTEXT: UpgradeContext = UpgradeContext {
    this_chain: 3104,
    signed_by_current: true,
    current_index: 0,
};

/// F-01: one guardian's signature, repeated, is no quorum.
#[test]
fn f_01_repeated_signatures_are_refused() {
    let set = set_of(4);
    let digest = body(b"f-01").digest();
    let verify =
        |indexes: &[u8]| verify_signatures(&K256Recover, &set, &digest, &sign(&digest, indexes));
    let not_ascending = |position, previous, index| {
        Err(VerifyError::SignaturesNotAscending {
            position,
            previous,
            index,
        })
    };
    assert_eq!(verify(&[0, 0, 0]), not_ascending(1, 0, 0));
    assert_eq!(verify(&[0, 1, 1]), not_ascending(2, 1, 1));
    assert_eq!(verify(&[2, 1, 0]), not_ascending(1, 2, 1));
    assert_eq!(
        verify(&[0, 1, 4]),
        Err(VerifyError::GuardianIndexOutOfRange {
            position: 2,
            index: 4,
            guardians: 4
        })
    );
    assert_eq!(verify(&[0, 1, 2]), Ok(()));
}

/// F-07: bytes of any length give a named error.
#[test]
fn f_07_short_input_is_a_named_error() {
    let too_short = |what, need, got| Err(ParseError::TooShort { what, need, got });
    let parse = |bytes: &[u8]| {
        let read = Vaa::parse(bytes).map(|_| ());
        assert_eq!(VaaRef::parse(bytes).map(|_| ()), read);
        read
    };
    assert_eq!(parse(&[]), too_short("vaa header", 6, 0));
    assert_eq!(parse(&[1]), too_short("vaa header", 6, 1));
    assert_eq!(parse(&[1, 0, 0, 0, 0]), too_short("vaa header", 6, 5));

    let mut claims_255 = vec![1, 0, 0, 0, 0, 255];
    claims_255.extend([0; 66]);
    let need = 6 + 255 * 66;
    assert_eq!(parse(&claims_255), too_short("vaa signatures", need, 72));

    let mut unsigned = vec![1, 0, 0, 0, 0, 0];
    unsigned.extend([0; 50]);
    assert_eq!(parse(&unsigned), too_short("vaa body", 57, 56));
    unsigned.push(0);
    assert_eq!(parse(&unsigned), Ok(()));

    for version in [0, 2, 255] {
        let error = Err(ParseError::UnsupportedVersion(version));
        assert_eq!(parse(&[version]), error);
        unsigned[0] = version;
        assert_eq!(parse(&unsigned), error);
    }
}

/// F-07: governance payloads of any length and content give a named reason.
#[test]
fn f_07_malformed_governance_is_a_named_reason() {
    let decide = |payload: &[u8]| GuardianSetUpgrade::decide(payload, &CONTEXT).unwrap_err();
    let whole = GuardianSetUpgrade {
        new_index: 1,
        guardian_set: set_of(19),
    }
    .serialize(0)
    .unwrap();
    for len in [0, 34, 35] {
        assert_eq!(decide(&whole[..len]), NotApplied::TruncatedPayload);
        assert_eq!(GovernanceHeader::parse(&whole[..len]).is_ok(), len == 35);
    }
    let mut module_of_ff = whole.clone();
    module_of_ff[..32].fill(0xff);
    assert_eq!(decide(&module_of_ff), NotApplied::OtherModule);
    let (header, _) = GovernanceHeader::parse(&module_of_ff).unwrap();
    assert_eq!(header.module_text(), "ff".repeat(32));

    assert_eq!(decide(&whole[..40 + 18 * 20]), NotApplied::TruncatedPayload);
    let spare = [whole.as_slice(), &[0; 5]].concat();
    assert_eq!(decide(&spare), NotApplied::TrailingBytes);
}

/// F-11: the digest is that of the body alone, and reads back in either case.
#[test]
fn f_11_other_signers_make_no_other_message() {
    let set = set_of(19);
    let first: Vec<u8> = (0..13).collect();
    let second: Vec<u8> = (1..14).collect();
    let mut vaas = [first, second].map(|indexes| signed(body(b"f-11"), &indexes));
    vaas[1].guardian_set_index = 3;
    for vaa in &vaas {
        let verdict = verify_signatures(&K256Recover, &set, &vaa.digest(), &vaa.signatures);
        assert_eq!(verdict, Ok(()));
    }
    assert_ne!(vaas[0].serialize(), vaas[1].serialize());
    assert_eq!(vaas[0].digest(), vaas[1].digest());
    assert_eq!(vaas[0].id(), vaas[1].id());

    let row = &rows()[0];
    let digest = Vaa::parse(&row.bytes()).unwrap().digest();
    for text in [
        row.digest.clone(),
        row.digest.to_uppercase(),
        format!("0x{}", row.digest),
    ] {
        assert_eq!(text.parse::<Digest>(), Ok(digest));
    }
}

/// F-13: no set is empty or repeats a key, so no quorum is zero.
#[test]
fn f_13_empty_and_repeated_guardians_are_refused() {
    let mut empty = GuardianSetUpgrade {
        new_index: 1,
        guardian_set: set_of(2),
    }
    .serialize(0)
    .unwrap();
    let decide = |payload: &[u8]| GuardianSetUpgrade::decide(payload, &CONTEXT).unwrap_err();
    let mut twice = empty.clone();
    twice.copy_within(40..60, 60);
    assert_eq!(decide(&twice), NotApplied::DuplicateGuardian);
    let mut zero = empty.clone();
    zero[40..60].fill(0);
    assert_eq!(decide(&zero), NotApplied::ZeroGuardian);
    empty.truncate(40);
    empty[39] = 0;
    assert_eq!(decide(&empty), NotApplied::EmptySet);

    assert_eq!(GuardianSet::new(vec![]), Err(GuardianSetError::Empty));
    assert_eq!(quorum(0), 1);
    let unsigned = body(b"f-13").digest();
    assert_eq!(
        verify_signatures(&K256Recover, &set_of(1), &unsigned, &[]),
        Err(VerifyError::NoQuorum {
            signatures: 0,
            quorum: 1,
            guardians: 1
        })
    );
}

/// F-23: every well-formed text of an address is the same address, all others are named.
#[test]
fn f_23_one_address_has_many_texts() {
    let digits = "000000000000000000000000ec7372995d5cc8732397fb0ad35c0121e0eaa90d";
    let address: Address = digits.parse().unwrap();
    let mixed: String = digits
        .chars()
        .enumerate()
        .map(|(place, digit)| match place % 2 {
            0 => digit.to_ascii_uppercase(),
            _ => digit,
        })
        .collect();
    let texts = [
        digits.to_owned(),
        format!("0x{digits}"),
        digits.to_uppercase(),
        format!("0X{}", digits.to_uppercase()),
        mixed,
        digits[24..].to_owned(),
        format!("0x{}", digits[24..].to_uppercase()),
    ];
    for text in texts {
        assert_eq!(text.parse(), Ok(address), "{text}");
        for id in [format!("2/{text}/7"), format!("2:{text}:7")] {
            let id: MessageId = id.parse().unwrap();
            assert_eq!(id.to_string(), format!("2/{digits}/7"));
        }
    }

    let length = |digits| {
        Err(HexError::Length {
            what: "address",
            digits,
            expected: "64, or 40 for a 20-byte address",
        })
    };
    assert_eq!(digits[1..].parse::<Address>(), length(63));
    assert_eq!(format!("{digits}0").parse::<Address>(), length(65));
    assert_eq!(digits[2..].parse::<Address>(), length(62));
    let empty = Err(HexError::Empty { what: "address" });
    assert_eq!("".parse::<Address>(), empty);
    assert_eq!("0x".parse::<Address>(), empty);
    let with_g = digits.replacen("ec", "eg", 1);
    let bad_digit = HexError::Digit {
        what: "address",
        found: 'g',
        position: 25,
    };
    assert_eq!(with_g.parse::<Address>(), Err(bad_digit.clone()));
    assert_eq!(
        format!("2/{with_g}/7").parse::<MessageId>(),
        Err(MessageIdError::Emitter(bad_digit))
    );
    let short = "58cc3ae5c097b213ce3c81979e1b9f9570746aa";
    assert_eq!(
        short.parse::<GuardianAddress>(),
        Err(HexError::Length {
            what: "guardian address",
            digits: 39,
            expected: "40"
        })
    );
}

/// F-29: the payload is where it is whatever the number of signatures, the chain and the type.
#[test]
fn f_29_payload_follows_the_signatures() {
    let payload = [0xde, 0xad, 0xbe, 0xef, 1, 2, 3, 4];
    for signers in [0_u8, 1, 13] {
        let mut unknown_chain = body(&payload);
        unknown_chain.emitter_chain = 65535;
        let indexes: Vec<u8> = (0..signers).collect();
        let bytes = signed(unknown_chain, &indexes).serialize().unwrap();
        let vaa = VaaRef::parse(&bytes).unwrap();
        assert_eq!(vaa.body.payload, payload);
        let body_start = 6 + 66 * usize::from(signers);
        assert_eq!(vaa.body.raw(), &bytes[body_start..]);
        assert_eq!(&bytes[body_start + 51..], payload);
        if signers == 13 {
            assert_eq!((body_start, body_start + 51), (864, 915));
        }
        assert_eq!(vaa.body.emitter_chain, 65535);
        assert_eq!(chain_name(65535), None);
        assert_eq!(
            TransferPayload::parse(vaa.body.payload),
            Err(TransferError::OtherType(0xde))
        );
    }
}

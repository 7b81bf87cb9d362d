//! Text forms: what is accepted, what is printed, what an error says.

use wormhole_vaa::{
    Address, Digest, GuardianAddress, HexError, MessageId, MessageIdError, chain_name, chains,
    decode_hex, encode_hex, parse_chain,
};

#[test]
fn values_print_as_lower_case_hex_without_a_prefix() {
    assert_eq!(Address([0xab; 32]).to_string(), "ab".repeat(32));
    assert_eq!(Digest([0xcd; 32]).to_string(), "cd".repeat(32));
    assert_eq!(GuardianAddress([0xef; 20]).to_string(), "ef".repeat(20));
    assert_eq!(
        format!("{:?}", GuardianAddress([0xef; 20])),
        format!("GuardianAddress({})", "ef".repeat(20))
    );
    assert_eq!(format!("{:>66}", Digest([0; 32])).len(), 66);
    assert_eq!(encode_hex(&[0x00, 0x0f, 0xf0, 0xff]), "000ff0ff");
}

#[test]
fn short_addresses_are_padded_on_the_left() {
    let short = [7; 20];
    let address = Address::from_short(short);
    assert_eq!(address.as_bytes()[..12], [0; 12]);
    assert_eq!(address.as_bytes()[12..], short);
    assert_eq!(address.to_short(), Some(short));
    assert_eq!(Address([7; 32]).to_short(), None);
    let mut twelfth = address;
    twelfth.0[11] = 1;
    assert_eq!(twelfth.to_short(), None);
}

#[test]
fn hex_is_read_strictly() {
    assert_eq!(decode_hex("x", "0xAbCd").unwrap(), [0xab, 0xcd]);
    let digit = |found, position| {
        Err(HexError::Digit {
            what: "x",
            found,
            position,
        })
    };
    assert_eq!(decode_hex("x", "0x0x"), digit('x', 1));
    assert_eq!(decode_hex("x", " ab"), digit(' ', 0));
    assert_eq!(decode_hex("x", "abé0"), digit('é', 2));
    let odd = decode_hex("vaa", "abc").unwrap_err();
    assert_eq!(
        odd.to_string(),
        "vaa: 3 hex digits, expected an even number"
    );
}

#[test]
fn message_ids_read_both_forms_and_name_the_bad_part() {
    let emitter = "ab".repeat(32);
    let id = MessageId {
        chain: 10002,
        emitter: Address([0xab; 32]),
        sequence: u64::MAX,
    };
    assert_eq!(
        id.to_string(),
        format!("10002/{emitter}/18446744073709551615")
    );
    for separator in ["/", ":"] {
        let text = ["10002", &emitter, "18446744073709551615"].join(separator);
        assert_eq!(text.parse(), Ok(id));
    }
    let padded = format!("2/{emitter}/0000000000000007");
    assert_eq!(padded.parse::<MessageId>().unwrap().sequence, 7);

    let refused = |text: String| text.parse::<MessageId>().unwrap_err();
    assert_eq!(refused(String::new()), MessageIdError::Parts(1));
    assert_eq!(refused(format!("2/{emitter}")), MessageIdError::Parts(2));
    assert_eq!(refused(format!("2/{emitter}/7/")), MessageIdError::Parts(4));
    for chain in ["", "65536", "-1", "+2", " 2", "x"] {
        let error = refused(format!("{chain}/{emitter}/7"));
        assert_eq!(error, MessageIdError::Chain(chain.to_owned()));
    }
    for sequence in ["", "18446744073709551616", "-1", "+7", "7 ", "0x7"] {
        let error = refused(format!("2/{emitter}/{sequence}"));
        assert_eq!(error, MessageIdError::Sequence(sequence.to_owned()));
    }
    assert!(matches!(
        refused(format!("2/{emitter}:7/1")),
        MessageIdError::Emitter(_)
    ));
    let long = refused(format!("{}/{emitter}/7", "9".repeat(10_000)));
    assert!(long.to_string().len() < 120, "{long}");
}

#[test]
fn message_ids_order_by_number_not_by_text() {
    let id = |chain, byte, sequence| MessageId {
        chain,
        emitter: Address([byte; 32]),
        sequence,
    };
    let ordered = [
        id(1, 9, 9),
        id(2, 1, 9),
        id(2, 1, 10),
        id(2, 2, 0),
        id(10, 0, 0),
    ];
    assert!(ordered.is_sorted());
}

#[test]
fn chains_have_names_and_need_none() {
    assert_eq!(chain_name(1), Some("Solana"));
    assert_eq!(chain_name(3104), Some("Wormchain"));
    assert_eq!(chain_name(65000), Some("HyperCore"));
    assert_eq!(chain_name(27), None);
    assert_eq!(parse_chain("27"), Ok(27));
    assert_eq!(parse_chain("65535"), Ok(65535));
    assert_eq!(parse_chain("SOLANA"), Ok(1));
    assert_eq!(parse_chain("arbitrum_sepolia"), Ok(10003));
    for text in ["", "65536", "-1", "+1", "sola", "nowhere"] {
        let error = parse_chain(text).unwrap_err();
        assert!(error.to_string().contains(&format!("{text:?}")), "{error}");
    }
    assert!(chains().map(|(id, _)| id).is_sorted_by(|a, b| a < b));
    for (id, name) in chains() {
        assert_eq!(chain_name(id), Some(name));
        assert_eq!(parse_chain(name), Ok(id), "names are unique");
        assert_eq!(parse_chain(&name.to_lowercase()), Ok(id));
    }
}

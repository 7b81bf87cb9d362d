//! When a governance payload is applied, and the reasons in their order.

use wormhole_vaa::{
    Address, CORE_MODULE, GOVERNANCE_EMITTER, GovernanceHeader, GuardianSetUpgrade, MessageId,
    NotApplied, ParseError, UpgradeContext, is_governance,
};

use crate::support::set_of;

const CONTEXT: UpgradeContext = UpgradeContext {
    this_chain: 3104,
    signed_by_current: true,
    current_index: 4,
};

fn upgrade(guardians: usize) -> GuardianSetUpgrade {
    GuardianSetUpgrade {
        new_index: 5,
        guardian_set: set_of(guardians),
    }
}

fn payload() -> Vec<u8> {
    upgrade(3).serialize(0).unwrap()
}

#[test]
fn an_upgrade_for_every_chain_or_this_one_is_applied() {
    for chain in [0, 3104] {
        let payload = upgrade(19).serialize(chain).unwrap();
        assert_eq!(payload.len(), 40 + 19 * 20);
        assert_eq!(
            GuardianSetUpgrade::decide(&payload, &CONTEXT),
            Ok(upgrade(19))
        );
        assert_eq!(GuardianSetUpgrade::parse(&payload), Ok(upgrade(19)));
    }
}

type Flaw = fn(&mut Vec<u8>, &mut UpgradeContext);

/// Each flaw with its reason, the one that is checked last first.
fn flaws() -> Vec<(NotApplied, Flaw)> {
    vec![
        (NotApplied::DuplicateGuardian, |payload, _| {
            payload.copy_within(40..60, 80);
        }),
        (NotApplied::ZeroGuardian, |payload, _| {
            payload[60..80].fill(0)
        }),
        (NotApplied::TrailingBytes, |payload, _| payload.push(0)),
        (NotApplied::TruncatedPayload, |payload, _| {
            payload.truncate(99)
        }),
        (NotApplied::EmptySet, |payload, _| payload[39] = 0),
        (NotApplied::WrongIndex, |payload, _| payload[38] = 6),
        (NotApplied::TruncatedPayload, |payload, _| {
            payload.truncate(39)
        }),
        (NotApplied::NotCurrentSet, |_, context| {
            context.signed_by_current = false
        }),
        (NotApplied::OtherChain, |payload, _| {
            payload[33..35].copy_from_slice(&[0, 2])
        }),
        (NotApplied::OtherAction, |payload, _| payload[32] = 1),
        (NotApplied::OtherModule, |payload, _| payload[0] = 1),
        (NotApplied::TruncatedPayload, |payload, _| {
            payload.truncate(34)
        }),
    ]
}

#[test]
fn the_first_reason_in_order_is_given_whatever_else_is_wrong() {
    // From the last reason to the first: each new flaw takes precedence over those before it.
    let (mut bytes, mut context) = (payload(), CONTEXT);
    for (reason, flaw) in flaws() {
        flaw(&mut bytes, &mut context);
        let decided = GuardianSetUpgrade::decide(&bytes, &context);
        assert_eq!(decided, Err(reason), "together with the later ones");

        let (mut alone, mut context) = (payload(), CONTEXT);
        flaw(&mut alone, &mut context);
        let decided = GuardianSetUpgrade::decide(&alone, &context);
        assert_eq!(decided, Err(reason), "alone");
    }
}

#[test]
fn the_module_is_compared_byte_by_byte() {
    let mut right_padded = payload();
    right_padded[..32].fill(0);
    right_padded[..4].copy_from_slice(b"Core");
    let mut split = payload();
    split[27..32].copy_from_slice(b"Co\0re");
    let mut lower_case = payload();
    lower_case[28] = b'c';
    for bytes in [right_padded, split, lower_case] {
        let decided = GuardianSetUpgrade::decide(&bytes, &CONTEXT);
        assert_eq!(decided, Err(NotApplied::OtherModule));
    }
}

#[test]
fn no_index_follows_the_largest() {
    let context = UpgradeContext {
        current_index: u32::MAX,
        ..CONTEXT
    };
    for new_index in [0, u32::MAX] {
        let payload = GuardianSetUpgrade {
            new_index,
            ..upgrade(1)
        }
        .serialize(0)
        .unwrap();
        let decided = GuardianSetUpgrade::decide(&payload, &context);
        assert_eq!(decided, Err(NotApplied::WrongIndex));
    }
}

#[test]
fn every_prefix_of_an_upgrade_is_truncated() {
    let whole = payload();
    for len in 0..whole.len() {
        let decided = GuardianSetUpgrade::decide(&whole[..len], &CONTEXT);
        assert_eq!(decided, Err(NotApplied::TruncatedPayload), "{len}");
        let read = GuardianSetUpgrade::parse(&whole[..len]);
        assert_eq!(read, Err(NotApplied::TruncatedPayload), "{len}");
    }
}

#[test]
fn reasons_have_distinct_names_that_read_back() {
    for reason in NotApplied::ALL {
        assert_eq!(NotApplied::from_name(reason.as_str()), Some(reason));
        assert_eq!(reason.to_string(), reason.as_str());
    }
    assert_eq!(NotApplied::from_name("TruncatedPayload"), None);
    let names: std::collections::BTreeSet<_> = NotApplied::ALL.map(NotApplied::as_str).into();
    assert_eq!(names.len(), NotApplied::ALL.len());
}

#[test]
fn headers_show_names_only_where_there_are_some() {
    let bytes = payload();
    let (header, rest) = GovernanceHeader::parse(&bytes).unwrap();
    assert_eq!(header.module, CORE_MODULE);
    assert_eq!(rest.len(), 5 + 60);
    assert_eq!(header.module_name(), Some("Core"));
    assert_eq!(header.action_name(), Some("GuardianSetUpgrade"));
    assert_eq!(header.to_string(), "Core action 2 for every chain");

    let unnamed = |module: [u8; 32]| GovernanceHeader {
        module,
        action: 9,
        chain: 65535,
    };
    for module in [[0; 32], [0xff; 32], [b' '; 32]] {
        assert_eq!(unnamed(module).module_name(), None);
        assert_eq!(unnamed(module).action_name(), None);
    }
    assert_eq!(
        unnamed([0xff; 32]).to_string(),
        format!("{} action 9 for chain 65535", "ff".repeat(32))
    );
    assert_eq!(unnamed([b'm'; 32]).module_text(), "m".repeat(32));
    assert_eq!(
        GovernanceHeader::parse(&bytes[..34]),
        Err(ParseError::TooShort {
            what: "governance header",
            need: 35,
            got: 34
        })
    );
}

#[test]
fn only_the_governance_emitter_on_its_chain_governs() {
    let id = |chain, emitter| MessageId {
        chain,
        emitter,
        sequence: 1,
    };
    let mut other = GOVERNANCE_EMITTER;
    other.0[31] = 5;
    assert!(is_governance(&id(1, GOVERNANCE_EMITTER)));
    assert!(!is_governance(&id(2, GOVERNANCE_EMITTER)));
    assert!(!is_governance(&id(1, other)));
    assert!(!is_governance(&id(1, Address([0; 32]))));
}

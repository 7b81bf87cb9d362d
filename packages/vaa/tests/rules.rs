//! Quorum, guardian sets and the order in which signatures are checked.

use std::cell::Cell;

use wormhole_vaa::{
    Digest, GuardianAddress, GuardianSet, GuardianSetError, K256Recover, PublicKey, Recover,
    RecoverError, SECP256K1_ORDER, SecretKey, SecretKeyError, SerializeError, Signature,
    VerifyError, examine_signatures, quorum, verify_signature, verify_signatures,
};

use crate::support::{body, devnet_keys, high_s_twin, set_of, sign, signed};

/// Recovers natively and counts how often it is asked to.
#[derive(Default)]
struct Counting(Cell<usize>);

impl Recover for Counting {
    fn recover(&self, digest: &Digest, rs: &[u8; 64], v: u8) -> Result<PublicKey, RecoverError> {
        self.0.set(self.0.get() + 1);
        K256Recover.recover(digest, rs, v)
    }
}

fn verify(set: &GuardianSet, digest: &Digest, signatures: &[Signature]) -> Result<(), VerifyError> {
    let verdict = verify_signatures(&K256Recover, set, digest, signatures);
    // The dry run agrees: its first reason is the verdict.
    let reasons = examine_signatures(&K256Recover, set, digest, signatures);
    assert_eq!(verdict.err(), reasons.first().copied());
    verdict
}

#[test]
fn quorum_is_that_of_the_core_contract_and_never_zero() {
    for n in 1_usize..=255 {
        let core_contract = ((n * 10 / 3) * 2) / 10 + 1;
        assert_eq!(quorum(n), core_contract, "{n}");
        assert_eq!(quorum(n), 2 * n / 3 + 1, "{n}");
        assert!(quorum(n) <= n);
    }
    let published = [
        (0, 1),
        (1, 1),
        (2, 2),
        (3, 3),
        (4, 3),
        (7, 5),
        (13, 9),
        (18, 13),
        (19, 13),
    ];
    for (n, needed) in published {
        assert_eq!(quorum(n), needed, "{n}");
    }
    assert_eq!(quorum(100), 67);
    assert_eq!(quorum(usize::MAX), usize::MAX / 3 * 2 + 1);
}

#[test]
fn a_guardian_set_keeps_its_invariants() {
    let address = |n: u16| {
        let mut bytes = [1; 20];
        bytes[..2].copy_from_slice(&n.to_be_bytes());
        GuardianAddress(bytes)
    };
    let set = GuardianSet::new((0..255).map(address).collect()).unwrap();
    assert_eq!((set.len(), set.quorum()), (255, 171));
    assert_eq!(set.get(254), Some(address(254)));
    assert_eq!(set.get(255), None);
    assert_eq!(set.index_of(&address(254)), Some(254));
    assert_eq!(set.index_of(&address(255)), None);
    assert_eq!(set.clone().into_addresses(), set.addresses());

    let refused = |addresses: Vec<GuardianAddress>| GuardianSet::new(addresses).unwrap_err();
    assert_eq!(refused(vec![]), GuardianSetError::Empty);
    assert_eq!(
        refused((0..256).map(address).collect()),
        GuardianSetError::TooMany(256)
    );
    let zero = GuardianAddress([0; 20]);
    assert_eq!(
        refused(vec![address(1), zero, zero]),
        GuardianSetError::ZeroGuardian { index: 1 }
    );
    // The first to stand again is named, with the place where it first stood.
    assert_eq!(
        refused([9, 5, 7, 7, 5, 5].map(address).to_vec()),
        GuardianSetError::DuplicateGuardian {
            first: 2,
            second: 3
        }
    );
}

#[test]
fn cheap_rules_come_before_any_recovery() {
    let set = set_of(4);
    let digest = body(b"x").digest();
    let cases: [(&[u8], VerifyError); 5] = [
        (
            &[9, 2, 1],
            VerifyError::SignaturesNotAscending {
                position: 1,
                previous: 9,
                index: 2,
            },
        ),
        (
            &[0, 9],
            VerifyError::GuardianIndexOutOfRange {
                position: 1,
                index: 9,
                guardians: 4,
            },
        ),
        (
            &[0, 1],
            VerifyError::NoQuorum {
                signatures: 2,
                quorum: 3,
                guardians: 4,
            },
        ),
        (
            &[],
            VerifyError::NoQuorum {
                signatures: 0,
                quorum: 3,
                guardians: 4,
            },
        ),
        (
            &[0, 1, 2, 2],
            VerifyError::SignaturesNotAscending {
                position: 3,
                previous: 2,
                index: 2,
            },
        ),
    ];
    for (indexes, error) in cases {
        let counting = Counting::default();
        let signatures = sign(&digest, indexes);
        assert_eq!(
            verify_signatures(&counting, &set, &digest, &signatures),
            Err(error)
        );
        assert_eq!(counting.0.get(), 0, "{error}");
        assert_eq!(verify(&set, &digest, &signatures), Err(error));
    }
}

#[test]
fn every_signature_has_to_hold_also_beyond_the_quorum() {
    let set = set_of(4);
    let digest = body(b"x").digest();
    let good = sign(&digest, &[0, 1, 2, 3]);
    assert_eq!(verify(&set, &digest, &good), Ok(()));

    let mut last_is_wrong = good.clone();
    last_is_wrong[3] = Signature {
        index: 3,
        ..good[0]
    };
    let addresses = set.addresses();
    assert_eq!(
        verify(&set, &digest, &last_is_wrong),
        Err(VerifyError::SignatureMismatch {
            index: 3,
            expected: addresses[3],
            recovered: addresses[0],
        })
    );
    let other = body(b"y").digest();
    assert!(matches!(
        verify(&set, &other, &good),
        Err(VerifyError::SignatureMismatch { index: 0, .. })
    ));
}

#[test]
fn malformed_signatures_are_named_without_recovery() {
    let set = set_of(1);
    let digest = body(b"x").digest();
    let good = sign(&digest, &[0])[0];
    for v in [2, 3, 27, 28, 255] {
        let error = VerifyError::InvalidRecoveryId { index: 0, v };
        assert_eq!(
            verify(&set, &digest, &[Signature { v, ..good }]),
            Err(error)
        );
    }
    let mut above = SECP256K1_ORDER;
    above[31] += 1;
    for scalar in [[0; 32], SECP256K1_ORDER, above, [0xff; 32]] {
        for broken in [
            Signature { r: scalar, ..good },
            Signature { s: scalar, ..good },
        ] {
            let counting = Counting::default();
            assert_eq!(
                verify_signatures(&counting, &set, &digest, &[broken]),
                Err(VerifyError::InvalidSignature { index: 0 })
            );
            assert_eq!(counting.0.get(), 0);
        }
    }
    // In range, yet 5 is the x coordinate of no point.
    let mut r = [0; 32];
    r[31] = 5;
    let counting = Counting::default();
    assert_eq!(
        verify_signatures(&counting, &set, &digest, &[Signature { r, ..good }]),
        Err(VerifyError::InvalidSignature { index: 0 })
    );
    assert_eq!(counting.0.get(), 1);
    // The largest scalar is in range: it is judged by recovery.
    let mut s = SECP256K1_ORDER;
    s[31] -= 1;
    assert!(matches!(
        verify(&set, &digest, &[Signature { s, ..good }]),
        Err(VerifyError::SignatureMismatch { .. })
    ));
}

#[test]
fn a_high_s_twin_holds_and_leaves_the_digest_alone() {
    let set = set_of(4);
    let vaa = signed(body(b"x"), &[0, 1, 2]);
    let mut twin = vaa.clone();
    for signature in &mut twin.signatures {
        *signature = high_s_twin(signature);
        assert!(signature.s[0] >= 0x7f);
    }
    assert_ne!(twin.serialize(), vaa.serialize());
    assert_eq!(twin.digest(), vaa.digest());
    assert_eq!(verify(&set, &vaa.digest(), &twin.signatures), Ok(()));
    // Half a twin is no signature of this guardian.
    let half = Signature {
        v: vaa.signatures[0].v,
        ..twin.signatures[0]
    };
    assert!(matches!(
        verify(
            &set,
            &vaa.digest(),
            &[half, vaa.signatures[1], vaa.signatures[2]]
        ),
        Err(VerifyError::SignatureMismatch { index: 0, .. })
    ));
}

#[test]
fn one_signature_is_checked_on_its_own() {
    let set = set_of(4);
    let digest = body(b"x").digest();
    let verify = |signature: &Signature| verify_signature(&K256Recover, &set, &digest, signature);
    let signatures = sign(&digest, &[3, 4]);
    assert_eq!(verify(&signatures[0]), Ok(()));
    assert_eq!(
        verify(&signatures[1]),
        Err(VerifyError::GuardianIndexOutOfRange {
            position: 0,
            index: 4,
            guardians: 4
        })
    );
    let moved = Signature {
        index: 2,
        ..signatures[0]
    };
    assert!(matches!(
        verify(&moved),
        Err(VerifyError::SignatureMismatch { index: 2, .. })
    ));
}

#[test]
fn the_dry_run_names_every_reason() {
    let set = set_of(4);
    let digest = body(b"x").digest();
    let mut signatures = sign(&digest, &[1, 0, 9]);
    signatures[0].v = 27;
    signatures[1] = Signature {
        index: 0,
        ..sign(&digest, &[3])[0]
    };
    signatures.truncate(3);
    let rules: Vec<_> = examine_signatures(&K256Recover, &set, &digest, &signatures)
        .iter()
        .map(VerifyError::rule)
        .collect();
    assert_eq!(
        rules,
        [
            "SignaturesNotAscending",
            "GuardianIndexOutOfRange",
            "InvalidRecoveryId",
            "SignatureMismatch",
        ]
    );
}

#[test]
fn signatures_and_keys_have_one_form() {
    let digest = body(b"x").digest();
    let signatures = sign(&digest, &[0, 5, 18]);
    let bytes = Signature::write_all(&signatures);
    assert_eq!(bytes.len(), 3 * 66);
    assert_eq!((bytes[66], bytes[66 + 65]), (5, signatures[1].v));
    assert_eq!(Signature::read_all(&bytes).unwrap(), signatures);
    assert_eq!(Signature::read_all(&bytes[1..]), None);
    assert_eq!(Signature::read_all(&[]).unwrap(), []);

    for bytes in [[0; 32], SECP256K1_ORDER] {
        let refused = SecretKey::from_bytes(&bytes).unwrap_err();
        assert_eq!(refused, SecretKeyError::OutOfRange);
    }
    let key = &devnet_keys()[0];
    assert_eq!(
        format!("{key:?}"),
        "SecretKey(of befa429d57cd18b7f8a4d91a2da9ab4af05d0fbe)"
    );
    for bytes in [&[][..], &[4; 64], &[4; 66], &[2; 65]] {
        assert_eq!(PublicKey::from_sec1(bytes), Err(RecoverError));
    }
    assert_eq!(PublicKey::from_sec1(&[4; 65]), Ok(PublicKey([4; 64])));
}

#[test]
fn more_signatures_than_a_byte_counts_are_not_written() {
    let mut vaa = signed(body(b""), &[0]);
    vaa.signatures = vec![vaa.signatures[0]; 255];
    assert_eq!(vaa.serialize().unwrap().len(), 6 + 255 * 66 + 51);
    vaa.signatures.push(vaa.signatures[0]);
    assert_eq!(vaa.serialize(), Err(SerializeError::TooManySignatures(256)));
}

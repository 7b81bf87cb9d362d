//! The bytes of key parts.

use cw_orm::{Key, KeyError, KeyRule::Delimited, MAX_BYTES_PART};

#[test]
fn length_prefix_of_empty_bytes() {
    assert_eq!(Vec::new().encode(Delimited), Ok(vec![0]));
}

#[test]
fn length_prefix_of_bytes() {
    assert_eq!(vec![1_u8, 2].encode(Delimited), Ok(vec![2, 1, 2]));
}

#[test]
fn length_prefix_of_the_most_bytes() {
    let bytes = vec![7; MAX_BYTES_PART].encode(Delimited).unwrap();
    assert_eq!((bytes[0], bytes.len()), (255, 256));
}

/// The reference panics.
#[test]
fn length_prefix_of_too_many_bytes() {
    assert_eq!(
        vec![7; 256].encode(Delimited),
        Err(KeyError::PartTooLong { len: 256 })
    );
}

#[test]
fn null_terminated_empty_text() {
    assert_eq!(String::new().encode(Delimited), Ok(vec![0]));
}

#[test]
fn null_terminated_text() {
    assert_eq!(
        "hello".to_owned().encode(Delimited),
        Ok(b"hello\0".to_vec())
    );
}

#[test]
fn sequence_number() {
    assert_eq!(1_u64.encode(Delimited), Ok(vec![0, 0, 0, 0, 0, 0, 0, 1]));
    assert_eq!(u64::decode(&[0, 0, 0, 0, 0, 0, 1, 0], Delimited), Ok(256));
}

#[test]
fn parts_one_after_the_other() {
    let key = (vec![1_u8], "a".to_owned(), 2_u64);
    let bytes = [&[1, 1][..], b"a\0", &[0, 0, 0, 0, 0, 0, 0, 2]].concat();
    assert_eq!(key.encode(Delimited), Ok(bytes));
}

/// Names a table of the database that holds keys of the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The contract's own keys, as the contract writes them.
    Contract,
    /// All other keys of the chain, as cw-multi-test writes them.
    Chain,
}

/// Parts the chain's keys into those of the contract and all others.
///
/// cw-multi-test puts some ninety bytes, always the same, before every key of a contract. The
/// database has a table for the contract instead, so that a page of it holds three times the keys.
#[derive(Clone, Debug)]
pub(super) struct Keyspace {
    prefix: Vec<u8>,
    /// The first key after all that have the prefix.
    end: Vec<u8>,
}

/// A range of one part's own keys.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Segment {
    pub(super) part: Part,
    pub(super) start: Option<Vec<u8>>,
    pub(super) end: Option<Vec<u8>>,
}

impl Keyspace {
    /// Describes the chain of the contract at `address`.
    pub(super) fn new(address: &str) -> Self {
        let mut prefix = Vec::new();
        for namespace in ["wasm".to_owned(), format!("contract_data/{address}")] {
            let len = u16::try_from(namespace.len()).unwrap_or(u16::MAX);
            prefix.extend_from_slice(&len.to_be_bytes());
            prefix.extend_from_slice(namespace.as_bytes());
        }
        // The last byte is a letter of the address, so it has a successor.
        let mut end = prefix.clone();
        if let Some(last) = end.last_mut() {
            *last = last.saturating_add(1);
        }
        Self { prefix, end }
    }

    /// Returns what the database leaves out before a part's keys.
    pub(super) fn prefix_of(&self, part: Part) -> &[u8] {
        match part {
            Part::Contract => &self.prefix,
            Part::Chain => &[],
        }
    }

    /// Returns where a key is.
    pub(super) fn locate<'a>(&self, key: &'a [u8]) -> (Part, &'a [u8]) {
        match key.strip_prefix(self.prefix.as_slice()) {
            Some(own) => (Part::Contract, own),
            None => (Part::Chain, key),
        }
    }

    /// Returns the segments that make up a range, in ascending order.
    pub(super) fn segments(&self, start: Option<&[u8]>, end: Option<&[u8]>) -> Vec<Segment> {
        let (prefix, after) = (self.prefix.as_slice(), self.end.as_slice());
        let begins_before = |key: &[u8]| start.is_none_or(|start| start < key);
        let ends_after = |key: &[u8]| end.is_none_or(|end| end > key);
        let owned = |key: Option<&[u8]>| key.map(<[u8]>::to_vec);
        let mut segments = Vec::with_capacity(1);
        if begins_before(prefix) {
            let end = end.filter(|end| *end < prefix).unwrap_or(prefix);
            segments.push(Segment {
                part: Part::Chain,
                start: owned(start),
                end: owned(Some(end)),
            });
        }
        if begins_before(after) && ends_after(prefix) {
            // A bound with the prefix lies within; any other lies outside, on its own side.
            let own = |bound: Option<&[u8]>| owned(bound.and_then(|key| key.strip_prefix(prefix)));
            segments.push(Segment {
                part: Part::Contract,
                start: own(start),
                end: own(end),
            });
        }
        if ends_after(after) {
            let start = start.filter(|start| *start > after).unwrap_or(after);
            segments.push(Segment {
                part: Part::Chain,
                start: owned(Some(start)),
                end: owned(end),
            });
        }
        segments
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_within_the_contract_is_one_segment() {
        let keyspace = Keyspace::new("cosmwasm1abc");
        let key = |own: &[u8]| [keyspace.prefix.as_slice(), own].concat();
        let segment = |start: Option<&[u8]>, end: Option<&[u8]>| Segment {
            part: Part::Contract,
            start: start.map(<[u8]>::to_vec),
            end: end.map(<[u8]>::to_vec),
        };
        assert_eq!(
            keyspace.segments(Some(&key(b"a")), Some(&key(b"b"))),
            [segment(Some(b"a"), Some(b"b"))]
        );
        // The whole contract, as cw-multi-test asks for it.
        assert_eq!(
            keyspace.segments(Some(&key(b"")), Some(&keyspace.end)),
            [segment(Some(b""), None)]
        );
        assert_eq!(
            keyspace.segments(Some(&key(&[0xff])), Some(&keyspace.end)),
            [segment(Some(&[0xff]), None)]
        );
    }

    #[test]
    fn a_range_across_has_three_segments() {
        let keyspace = Keyspace::new("cosmwasm1abc");
        let parts = |start: Option<&[u8]>, end: Option<&[u8]>| -> Vec<Part> {
            keyspace
                .segments(start, end)
                .iter()
                .map(|s| s.part)
                .collect()
        };
        use Part::{Chain, Contract};
        assert_eq!(parts(None, None), [Chain, Contract, Chain]);
        assert_eq!(parts(Some(b"\0"), Some(b"\x01")), [Chain, Contract, Chain]);
        assert_eq!(parts(Some(b"zz"), None), [Chain]);
        assert_eq!(parts(None, Some(b"\0")), [Chain]);
        assert_eq!(parts(None, Some(&keyspace.prefix)), [Chain]);
        assert_eq!(parts(Some(&keyspace.end), None), [Chain]);
    }
}

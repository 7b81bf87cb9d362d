//! One guardian's signature as it stands in a VAA.

/// The bytes of one signature on the wire: index, r, s, recovery id.
pub const SIGNATURE_LEN: usize = 66;

/// The order of the secp256k1 group, big-endian; r and s lie in `1..SECP256K1_ORDER`.
pub const SECP256K1_ORDER: [u8; 32] = [
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe,
    0xba, 0xae, 0xdc, 0xe6, 0xaf, 0x48, 0xa0, 0x3b, 0xbf, 0xd2, 0x5e, 0x8c, 0xd0, 0x36, 0x41, 0x41,
];

/// One guardian's signature over a body's digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    /// The guardian's place in the set.
    pub index: u8,
    /// The x coordinate of the nonce point, big-endian.
    pub r: [u8; 32],
    /// The proof, big-endian; both it and its negation (with the other `v`) are accepted.
    pub s: [u8; 32],
    /// The recovery id, 0 or 1 (not 27 or 28).
    pub v: u8,
}

impl Signature {
    /// Reads a signature from its wire bytes. Any 66 bytes are one; verification judges them.
    #[must_use]
    pub fn from_bytes(bytes: &[u8; SIGNATURE_LEN]) -> Self {
        let [index, rest @ ..] = bytes;
        let [rs @ .., v] = rest;
        let (r, s) = halves(rs);
        Self {
            index: *index,
            r,
            s,
            v: *v,
        }
    }

    /// Returns the wire bytes.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; SIGNATURE_LEN] {
        let mut bytes = [0; SIGNATURE_LEN];
        let [index, rest @ ..] = &mut bytes;
        let [rs @ .., v] = rest;
        *index = self.index;
        *rs = self.rs();
        *v = self.v;
        bytes
    }

    /// Returns r and s in one piece, as recovery takes them.
    #[must_use]
    pub fn rs(&self) -> [u8; 64] {
        let mut bytes = [0; 64];
        let (r, s) = bytes.split_at_mut(32);
        r.copy_from_slice(&self.r);
        s.copy_from_slice(&self.s);
        bytes
    }

    /// Returns the signatures that stand one after the other in `bytes`, or `None` if the last
    /// is cut.
    #[must_use]
    pub fn read_all(bytes: &[u8]) -> Option<Vec<Self>> {
        let (signatures, cut) = bytes.as_chunks::<SIGNATURE_LEN>();
        cut.is_empty()
            .then(|| signatures.iter().map(Self::from_bytes).collect())
    }

    /// Returns `signatures` one after the other, as a VAA holds them.
    #[must_use]
    pub fn write_all(signatures: &[Self]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(signatures.len().saturating_mul(SIGNATURE_LEN));
        for signature in signatures {
            bytes.extend_from_slice(&signature.to_bytes());
        }
        bytes
    }
}

/// Splits 64 bytes in the middle.
fn halves(bytes: &[u8; 64]) -> ([u8; 32], [u8; 32]) {
    let mut first = [0; 32];
    let mut second = [0; 32];
    let (left, right) = bytes.split_at(32);
    first.copy_from_slice(left);
    second.copy_from_slice(right);
    (first, second)
}

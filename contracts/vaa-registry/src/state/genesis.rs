//! The import of a genesis: how far it is, and what later pages still have to bring.

use cw_orm::Table;

/// How far the import is. Gone when it is sealed.
#[derive(Table, Clone, Debug, PartialEq, Eq)]
#[table(name = "import", ns = "k")]
pub struct Import {
    /// Always 0: there is one row.
    #[pk]
    pub id: u8,
    /// How many tables are imported.
    pub tables: u8,
}

/// Something that a page promised, and a later page has to bring. Gone when it is brought, so that none is left when the
/// import is sealed.
#[derive(Table, Clone, Debug, PartialEq, Eq)]
#[table(name = "owed", ns = "l")]
pub struct Owed {
    /// What kind it is: see [`OwedKind`].
    #[pk]
    pub kind: u8,
    /// What it is about: an emitter's number, 0 where it is about a set alone.
    #[pk]
    pub emitter: u64,
    /// The sequence, 0 where it is about a set alone.
    #[pk]
    pub sequence: u64,
    /// The guardian set, 0 where it is about none.
    #[pk]
    pub set: u32,
    /// The addresses of a set that is trusted without proof, 20 bytes each; empty for all else.
    #[serde(with = "serde_bytes")]
    pub addresses: Vec<u8>,
}

/// What can be owed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwedKind {
    /// A guardian set that is trusted, to be among those imported.
    TrustedSet,
    /// The upgrade that brought a guardian set.
    Upgrade,
    /// The signatures of an older set.
    Superseded,
    /// The message that came second to a flagged one.
    Conflict,
}

impl Owed {
    /// Makes what is owed about a set.
    #[must_use]
    pub const fn of_set(kind: OwedKind, set: u32) -> Self {
        Self::of_message(kind, (0, 0), set)
    }

    /// Makes what is owed about a message, by its emitter's number and sequence.
    #[must_use]
    pub const fn of_message(kind: OwedKind, (emitter, sequence): (u64, u64), set: u32) -> Self {
        Self {
            kind: kind as u8,
            emitter,
            sequence,
            set,
            addresses: Vec::new(),
        }
    }

    /// Says what is owed, in words.
    #[must_use]
    pub fn what(&self) -> String {
        let (emitter, sequence, set) = (self.emitter, self.sequence, self.set);
        let message = format!("message {sequence} of emitter number {emitter}");
        match self.kind {
            0 => format!("the guardian set {set}, which is trusted"),
            1 => format!("the upgrade that brought guardian set {set}"),
            2 => format!("the signatures of guardian set {set} of {message}"),
            _ => format!("the message that conflicts with {message}"),
        }
    }
}

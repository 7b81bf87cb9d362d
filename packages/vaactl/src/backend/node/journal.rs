//! Keeps a note of the transaction on its way, so that a program that died while it waited sends nothing twice.
//!
//! An account's transactions carry its sequence: of two with the same sequence a chain takes one. So the note holds the
//! very bytes sent; handing those in again can never run a call a second time.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::{Deserialize, Serialize};

use super::NodeError;

/// A transaction that was, or was about to be, handed in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Note {
    /// The account's sequence that it uses.
    pub(super) sequence: u64,
    /// Its bytes.
    #[serde(with = "bytes")]
    pub(super) tx: Vec<u8>,
}

mod bytes {
    use super::{BASE64, Engine};
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&BASE64.encode(bytes))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(from)?;
        BASE64.decode(text).map_err(D::Error::custom)
    }
}

/// The file of the note: one for an account of a chain.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
}

impl Journal {
    /// Names the file, in a directory that is made when it is needed.
    pub(super) fn new(dir: &Path, chain_id: &str, address: &str) -> Self {
        let plain = |text: &str| -> String {
            text.chars()
                .map(|c| {
                    if c.is_ascii_alphanumeric() || c == '-' {
                        c
                    } else {
                        '_'
                    }
                })
                .collect()
        };
        let name = format!("{}.{}.pending.json", plain(chain_id), plain(address));
        Self {
            path: dir.join(name),
        }
    }

    /// Returns the note, if there is one.
    pub(super) fn read(&self) -> Result<Option<Note>, NodeError> {
        let json = match fs::read(&self.path) {
            Ok(json) => json,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.failed("read", &error)),
        };
        serde_json::from_slice(&json)
            .map(Some)
            .map_err(|error| self.failed("understand", &error))
    }

    /// Writes the note, durably, over any other.
    pub(super) fn write(&self, note: &Note) -> Result<(), NodeError> {
        let json = serde_json::to_vec(note).map_err(|error| self.failed("write", &error))?;
        let new = self.path.with_extension("new");
        let write = || {
            if let Some(dir) = self.path.parent() {
                fs::create_dir_all(dir)?;
            }
            let mut file = fs::File::create(&new)?;
            io::Write::write_all(&mut file, &json)?;
            file.sync_all()?;
            fs::rename(&new, &self.path)
        };
        write().map_err(|error| self.failed("write", &error))
    }

    /// Removes the note.
    pub(super) fn clear(&self) -> Result<(), NodeError> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(self.failed("remove", &error))
            }
            _ => Ok(()),
        }
    }

    fn failed(&self, action: &'static str, reason: &dyn std::fmt::Display) -> NodeError {
        NodeError::Journal {
            action,
            path: self.path.clone(),
            reason: reason.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_kept_until_it_is_cleared() {
        let dir = tempfile::tempdir().unwrap();
        let journal = Journal::new(&dir.path().join("node"), "chain-1", "wasm1abc");
        assert_eq!(journal.read().unwrap(), None);
        let note = Note {
            sequence: 7,
            tx: vec![0, 255, 3],
        };
        journal.write(&note).unwrap();
        assert_eq!(journal.read().unwrap(), Some(note));
        journal.clear().unwrap();
        journal.clear().unwrap();
        assert_eq!(journal.read().unwrap(), None);
    }

    #[test]
    fn a_damaged_note_is_told_by_its_file() {
        let dir = tempfile::tempdir().unwrap();
        let journal = Journal::new(dir.path(), "../chain/1", "wasm1abc");
        fs::write(&journal.path, b"{").unwrap();
        assert!(journal.path.starts_with(dir.path()));
        let error = journal.read().unwrap_err().to_string();
        assert!(error.contains("pending.json"), "{error}");
    }
}

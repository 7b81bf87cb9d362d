use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::RemoteError;

/// The form of the file.
const VERSION: u32 = 1;

/// Keeps how far a server's VAAs were fetched and handed on, in a file if one is named.
#[derive(Debug)]
pub struct Cursor {
    path: Option<PathBuf>,
    content: Content,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    version: u32,
    source: String,
    #[serde(default)]
    lists: BTreeMap<String, ScanPlace>,
    #[serde(default)]
    emitters: BTreeMap<String, GuardianPlace>,
}

/// Says how far a list was read from its start.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScanPlace {
    /// How many rows.
    pub rows: u64,
    /// The id of the last of them, by which it is known whether others have come before it since.
    pub last: Option<String>,
}

/// Says how far the sequences of an emitter were asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GuardianPlace {
    /// The first that no VAA was found for nor behind.
    #[serde(with = "text")]
    pub next: u64,
    /// Those before it that no VAA was found for.
    #[serde(with = "texts")]
    pub missing: Vec<u64>,
}

/// 64 bits as text, of which every program keeps all digits.
mod text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(number: &u64, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(number)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

/// As [`text`], for several.
mod texts {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(numbers: &[u64], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(numbers.iter().map(u64::to_string))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u64>, D::Error> {
        let texts = Vec::<String>::deserialize(from)?;
        let numbers = texts.iter().map(|text| text.parse());
        numbers.collect::<Result<_, _>>().map_err(D::Error::custom)
    }
}

impl Cursor {
    /// Opens the cursor for a server: what the file holds, or a new one.
    ///
    /// # Errors
    /// [`RemoteError::Cursor`], and [`RemoteError::OtherSource`] if the file is of another server.
    pub fn open(path: Option<&Path>, source: &str) -> Result<Self, RemoteError> {
        let new = || Content {
            version: VERSION,
            source: source.to_owned(),
            lists: BTreeMap::new(),
            emitters: BTreeMap::new(),
        };
        let Some(path) = path else {
            return Ok(Self {
                path: None,
                content: new(),
            });
        };
        let json = match fs::read(path) {
            Ok(json) => Some(json),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(failed(path, "read", &error)),
        };
        let content = match json {
            Some(json) => {
                serde_json::from_slice(&json).map_err(|error| failed(path, "understand", &error))?
            }
            None => new(),
        };
        if content.version != VERSION {
            let reason = format!("its version is {}, not {VERSION}", content.version);
            return Err(failed(path, "understand", &reason));
        }
        if content.source != source {
            return Err(RemoteError::OtherSource {
                path: path.to_owned(),
                found: content.source,
                url: source.to_owned(),
            });
        }
        Ok(Self {
            path: Some(path.to_owned()),
            content,
        })
    }

    /// Returns how far a list was read.
    #[must_use]
    pub fn list(&self, name: &str) -> ScanPlace {
        self.content.lists.get(name).cloned().unwrap_or_default()
    }

    /// Returns how far the sequences of an emitter were asked for.
    #[must_use]
    pub fn emitter(&self, name: &str) -> GuardianPlace {
        self.content.emitters.get(name).cloned().unwrap_or_default()
    }

    /// Keeps how far a list was read.
    ///
    /// # Errors
    /// [`RemoteError::Cursor`] if the file can not be written.
    pub fn set_list(&mut self, name: &str, place: ScanPlace) -> Result<(), RemoteError> {
        self.content.lists.insert(name.to_owned(), place);
        self.write()
    }

    /// Keeps how far the sequences of an emitter were asked for.
    ///
    /// # Errors
    /// [`RemoteError::Cursor`] if the file can not be written.
    pub fn set_emitter(&mut self, name: &str, place: GuardianPlace) -> Result<(), RemoteError> {
        self.content.emitters.insert(name.to_owned(), place);
        self.write()
    }

    /// Writes the file: a new one, durably, that then takes the name of the old.
    fn write(&self) -> Result<(), RemoteError> {
        let Some(path) = &self.path else {
            return Ok(());
        };
        let mut json =
            serde_json::to_vec(&self.content).map_err(|error| failed(path, "write", &error))?;
        json.push(b'\n');
        let mut name = path.clone().into_os_string();
        name.push(".new");
        let new = PathBuf::from(name);
        let write = || {
            let mut file = File::create(&new)?;
            file.write_all(&json)?;
            file.sync_all()?;
            fs::rename(&new, path)
        };
        write().map_err(|error| failed(path, "write", &error))
    }
}

fn failed(path: &Path, action: &'static str, reason: &dyn std::fmt::Display) -> RemoteError {
    RemoteError::Cursor {
        action,
        path: path.to_owned(),
        reason: reason.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_what_was_written_last() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("cursor");
        let mut cursor = Cursor::open(Some(&path), "http://a").unwrap();
        assert_eq!(cursor.list("all"), ScanPlace::default());
        assert!(!path.exists());
        let place = ScanPlace {
            rows: 5,
            last: Some("1/04/5".into()),
        };
        cursor.set_list("all", place.clone()).unwrap();
        let sequences = GuardianPlace {
            next: u64::MAX,
            missing: vec![1 << 53, (1 << 53) + 1],
        };
        cursor.set_emitter("1/04", sequences.clone()).unwrap();
        let again = Cursor::open(Some(&path), "http://a").unwrap();
        assert_eq!(again.list("all"), place);
        assert_eq!(again.emitter("1/04"), sequences);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
        let other = Cursor::open(Some(&path), "http://b").unwrap_err();
        assert!(matches!(other, RemoteError::OtherSource { .. }));
    }

    #[test]
    fn damaged_cursors_are_told_by_their_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("cursor");
        for bad in ["", "{", "[]", "{\"version\":2,\"source\":\"http://a\"}"] {
            fs::write(&path, bad).unwrap();
            let error = Cursor::open(Some(&path), "http://a").unwrap_err();
            assert!(error.to_string().contains("cannot understand"), "{error}");
        }
        assert!(Cursor::open(Some(dir.path()), "http://a").is_err());
    }
}

//! A file of keys, encrypted under a passphrase in the age format (`age --decrypt` reads it too).

use std::collections::BTreeMap;
use std::fs;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use age::secrecy::{ExposeSecret, SecretString};
use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};

/// The environment variable that holds the passphrase.
const PASSPHRASE_VARIABLE: &str = "VAACTL_PASSPHRASE";

/// What a keyring is encrypted under.
pub struct Passphrase(SecretString);

impl std::fmt::Debug for Passphrase {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Passphrase(…)")
    }
}

impl Passphrase {
    /// Takes the passphrase out of the environment or, if there is none, asks for it.
    ///
    /// # Errors
    /// That nobody can be asked.
    pub fn ask() -> Result<Self> {
        Self::from_environment_or("passphrase of the keyring: ")
    }

    /// As [`ask`](Self::ask), for a keyring that is yet to be: it is asked for twice.
    ///
    /// # Errors
    /// That nobody can be asked, or the answers differ.
    pub fn ask_new() -> Result<Self> {
        let first = Self::from_environment_or("new passphrase of the keyring: ")?;
        if std::env::var_os(PASSPHRASE_VARIABLE).is_none() {
            let second = Self::from_environment_or("once more: ")?;
            ensure!(
                first.0.expose_secret() == second.0.expose_secret(),
                "the passphrases differ"
            );
        }
        Ok(first)
    }

    fn from_environment_or(prompt: &str) -> Result<Self> {
        let text = match std::env::var(PASSPHRASE_VARIABLE) {
            Ok(text) => text,
            Err(std::env::VarError::NotUnicode(_)) => {
                bail!("{PASSPHRASE_VARIABLE} is not UTF-8 text")
            }
            Err(std::env::VarError::NotPresent) if std::io::stdin().is_terminal() => {
                rpassword::prompt_password(prompt).context("cannot ask for the passphrase")?
            }
            Err(std::env::VarError::NotPresent) => {
                bail!(
                    "the keyring needs its passphrase: set {PASSPHRASE_VARIABLE}, or run this in a terminal"
                )
            }
        };
        ensure!(!text.is_empty(), "the passphrase is empty");
        Ok(Self(SecretString::from(text)))
    }
}

/// A key of a keyring.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Its words.
    pub mnemonic: String,
    /// How it is derived from them.
    pub path: String,
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Entry")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

/// Keys by name.
#[derive(Debug)]
pub struct Keyring {
    file: PathBuf,
    keys: BTreeMap<String, Entry>,
}

impl Keyring {
    /// Decrypts a keyring.
    ///
    /// # Errors
    /// A file that can not be read or is no keyring, or a wrong passphrase.
    pub fn open(file: &Path, passphrase: &Passphrase) -> Result<Self> {
        let encrypted = fs::read(file)
            .with_context(|| format!("cannot read the keyring `{}`", file.display()))?;
        let identity = age::scrypt::Identity::new(passphrase.0.clone());
        let json = match age::decrypt(&identity, &encrypted) {
            Ok(json) => json,
            Err(age::DecryptError::DecryptionFailed | age::DecryptError::KeyDecryptionFailed) => {
                bail!(
                    "the passphrase is not that of the keyring `{}`",
                    file.display()
                )
            }
            Err(error) => bail!("`{}` is no keyring: {error}", file.display()),
        };
        let keys = serde_json::from_slice(&json)
            .ok()
            .with_context(|| format!("`{}` is no keyring of this program", file.display()))?;
        Ok(Self {
            file: file.to_owned(),
            keys,
        })
    }

    /// Makes an empty keyring, which is not yet on disk.
    #[must_use]
    pub fn empty(file: &Path) -> Self {
        Self {
            file: file.to_owned(),
            keys: BTreeMap::new(),
        }
    }

    /// Returns the names of its keys.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.keys.keys().map(String::as_str)
    }

    /// Returns a key.
    ///
    /// # Errors
    /// That there is none of this name.
    pub fn get(&self, name: &str) -> Result<&Entry> {
        self.keys
            .get(name)
            .with_context(|| format!("the keyring `{}` has no key `{name}`", self.file.display()))
    }

    /// Adds a key.
    ///
    /// # Errors
    /// That there is one of this name.
    pub fn add(&mut self, name: &str, entry: Entry) -> Result<()> {
        ensure!(
            !self.keys.contains_key(name),
            "the keyring `{}` has a key `{name}` already",
            self.file.display()
        );
        self.keys.insert(name.to_owned(), entry);
        Ok(())
    }

    /// Removes a key.
    ///
    /// # Errors
    /// That there is none of this name.
    pub fn remove(&mut self, name: &str) -> Result<()> {
        self.get(name)?;
        self.keys.remove(name);
        Ok(())
    }

    /// Encrypts it to its file, which its owner alone may read. The old file stays until the new one is whole.
    ///
    /// # Errors
    /// A file that can not be written.
    pub fn save(&self, passphrase: &Passphrase) -> Result<()> {
        let json = serde_json::to_vec(&self.keys)?;
        let recipient = age::scrypt::Recipient::new(passphrase.0.clone());
        let encrypted = age::encrypt(&recipient, &json).context("cannot encrypt the keyring")?;
        let new = self.file.with_extension("new");
        self.write(&new, &encrypted)
            .with_context(|| format!("cannot write the keyring `{}`", self.file.display()))
    }

    fn write(&self, new: &Path, encrypted: &[u8]) -> std::io::Result<()> {
        if let Some(dir) = self.file.parent().filter(|dir| !dir.as_os_str().is_empty()) {
            fs::create_dir_all(dir)?;
        }
        let mut options = fs::OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(new)?;
        file.write_all(encrypted)?;
        file.sync_all()?;
        fs::rename(new, &self.file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passphrase(text: &str) -> Passphrase {
        Passphrase(SecretString::from(text.to_owned()))
    }

    #[test]
    fn keys_come_back_under_the_passphrase_alone() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("keys/keyring.age");
        let mut keyring = Keyring::empty(&file);
        let entry = Entry {
            mnemonic: "some secret words".into(),
            path: "m/0".into(),
        };
        keyring.add("alice", entry.clone()).unwrap();
        assert!(keyring.add("alice", entry).is_err());
        keyring.save(&passphrase("right")).unwrap();

        let stored = fs::read(&file).unwrap();
        assert!(!stored.windows(6).any(|window| window == b"secret"));
        let again = Keyring::open(&file, &passphrase("right")).unwrap();
        assert_eq!(again.names().collect::<Vec<_>>(), ["alice"]);
        assert_eq!(again.get("alice").unwrap().mnemonic, "some secret words");
        assert!(
            again
                .get("bob")
                .unwrap_err()
                .to_string()
                .contains("no key `bob`")
        );

        let wrong = Keyring::open(&file, &passphrase("wrong")).unwrap_err();
        assert!(wrong.to_string().contains("passphrase"), "{wrong}");
        fs::write(&file, b"not a keyring").unwrap();
        let other = Keyring::open(&file, &passphrase("right")).unwrap_err();
        assert!(other.to_string().contains("no keyring"), "{other}");
    }

    #[cfg(unix)]
    #[test]
    fn its_owner_alone_may_read_it() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("keyring.age");
        Keyring::empty(&file).save(&passphrase("p")).unwrap();
        let mode = fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

//! Keys that sign transactions: from where they come, and how words become one.

mod keyring;

pub use keyring::{Entry, Keyring, Passphrase};

use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};
use bip39::{Language, Mnemonic};
use cosmrs::bip32::DerivationPath;
use cosmrs::crypto::secp256k1::SigningKey;

use crate::cli::NodeArgs;

/// The environment variable that holds a mnemonic.
pub const MNEMONIC_VARIABLE: &str = "VAACTL_MNEMONIC";
/// Where wallets of Cosmos chains derive their first account.
pub const DEFAULT_PATH: &str = "m/44'/118'/0'/0/0";

/// Reads the words of a mnemonic; never tells them in an error.
///
/// # Errors
/// Words that are none of a mnemonic.
pub fn parse_mnemonic(text: &str) -> Result<Mnemonic> {
    let words: Vec<&str> = text.split_whitespace().collect();
    Mnemonic::parse_in(Language::English, words.join(" ")).map_err(|error| match error {
        bip39::Error::BadWordCount(count) => {
            anyhow!("a mnemonic has 12, 15, 18, 21 or 24 words, not {count}")
        }
        bip39::Error::UnknownWord(place) => {
            anyhow!("word {} is none of a mnemonic's", place.saturating_add(1))
        }
        bip39::Error::InvalidChecksum => {
            anyhow!("the words are no mnemonic: their checksum is wrong")
        }
        other => anyhow!("the words are no mnemonic: {other}"),
    })
}

/// Makes new words.
///
/// # Errors
/// That the system gives no randomness.
pub fn new_mnemonic() -> Result<Mnemonic> {
    let mut entropy = [0; 32];
    getrandom::fill(&mut entropy)
        .map_err(|error| anyhow!("the system gives no randomness: {error}"))?;
    Ok(Mnemonic::from_entropy(&entropy)?)
}

/// Derives a key.
///
/// # Errors
/// A path that is none.
pub fn derive(mnemonic: &Mnemonic, path: &str) -> Result<SigningKey> {
    let path: DerivationPath = path
        .parse()
        .map_err(|error| anyhow!("`{path}` is no derivation path, as {DEFAULT_PATH}: {error}"))?;
    SigningKey::derive_from_path(mnemonic.to_seed(""), &path)
        .map_err(|error| anyhow!("no key can be derived: {error}"))
}

/// Returns the address of a key on a chain whose addresses begin with `prefix`.
///
/// # Errors
/// A prefix that is none.
pub fn address(key: &SigningKey, prefix: &str) -> Result<String> {
    key.public_key()
        .account_id(prefix)
        .map(|id| id.to_string())
        .map_err(|error| anyhow!("`{prefix}` begins no addresses: {error}"))
}

/// Finds the key that the options name; none if they name none.
///
/// # Errors
/// A keyring, file or mnemonic that is none.
pub fn find(home: &Path, args: &NodeArgs) -> Result<Option<SigningKey>> {
    if let Some(name) = &args.key {
        let keyring = Keyring::open(&args.keyring_path(home), &Passphrase::ask()?)?;
        let entry = keyring.get(name)?;
        return derive(&parse_mnemonic(&entry.mnemonic)?, &entry.path).map(Some);
    }
    given_mnemonic(args)?
        .map(|mnemonic| derive(&mnemonic, &args.hd_path))
        .transpose()
}

/// Returns the mnemonic in the file or the environment that the options name; none if they name none.
///
/// # Errors
/// A file that can not be read, or words that are no mnemonic.
pub fn given_mnemonic(args: &NodeArgs) -> Result<Option<Mnemonic>> {
    let mnemonic = if let Some(file) = &args.mnemonic_file {
        let text = std::fs::read_to_string(file)
            .with_context(|| format!("cannot read `{}`", file.display()))?;
        parse_mnemonic(&text).with_context(|| format!("in `{}`", file.display()))?
    } else if let Some(text) = std::env::var_os(MNEMONIC_VARIABLE) {
        let Some(text) = text.to_str() else {
            bail!("{MNEMONIC_VARIABLE} is not UTF-8 text");
        };
        ensure!(!text.trim().is_empty(), "{MNEMONIC_VARIABLE} is empty");
        parse_mnemonic(text).with_context(|| format!("in {MNEMONIC_VARIABLE}"))?
    } else {
        return Ok(None);
    };
    Ok(Some(mnemonic))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: &str = "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about";

    #[test]
    fn words_derive_the_account_that_wallets_derive() {
        let mnemonic = parse_mnemonic(&format!("  {}\n", WORDS.replace(' ', "\n "))).unwrap();
        let key = derive(&mnemonic, DEFAULT_PATH).unwrap();
        // The account that Cosmos wallets show for these well-known words.
        assert_eq!(
            address(&key, "cosmos").unwrap(),
            "cosmos19rl4cm2hmr8afy4kldpxz3fka4jguq0auqdal4"
        );
        let other = derive(&mnemonic, "m/44'/118'/0'/0/1").unwrap();
        assert_ne!(
            address(&other, "wasm").unwrap(),
            address(&key, "wasm").unwrap()
        );
    }

    #[test]
    fn errors_do_not_tell_the_words() {
        for (bad, why) in [
            ("", "not 0"),
            ("abandon", "not 1"),
            (&WORDS.replace("about", "secretword"), "word 12"),
            (&WORDS.replace("about", "abandon"), "checksum"),
        ] {
            let error = parse_mnemonic(bad).unwrap_err().to_string();
            assert!(
                error.contains(why) && !error.contains("secretword"),
                "{error}"
            );
        }
        assert!(derive(&parse_mnemonic(WORDS).unwrap(), "44/118").is_err());
    }

    #[test]
    fn new_words_are_a_mnemonic_each_time_another() {
        let (one, two) = (new_mnemonic().unwrap(), new_mnemonic().unwrap());
        assert_eq!(one.word_count(), 24);
        assert_ne!(one.to_string(), two.to_string());
        assert_eq!(parse_mnemonic(&one.to_string()).unwrap(), one);
    }
}

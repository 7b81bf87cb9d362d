use anyhow::{Result, bail};
use serde_json::json;

use super::Exit;
use crate::cli::{Global, Keys, KeysCommand};
use crate::keys::{self, Entry, Keyring, Passphrase};
use crate::output::{Output, table};

pub(super) fn run(global: &Global, args: Keys, out: &mut Output) -> Result<Exit> {
    match args.command {
        KeysCommand::Add { name, prefix } => add(global, &name, &prefix, out)?,
        KeysCommand::List { prefix } => list(global, &prefix, out)?,
        KeysCommand::Remove { name } => remove(global, &name)?,
    }
    Ok(Exit::Done)
}

fn add(global: &Global, name: &str, prefix: &str, out: &mut Output) -> Result<()> {
    let file = global.node.keyring_path(&global.home);
    let (given, words) = match (&global.node.key, keys::given_mnemonic(&global.node)?) {
        (Some(_), _) => bail!("--key names a key to sign with, which `keys add` does not do"),
        (None, Some(mnemonic)) => (true, mnemonic),
        (None, None) => (false, keys::new_mnemonic()?),
    };
    let path = global.node.hd_path.clone();
    let address = keys::address(&keys::derive(&words, &path)?, prefix)?;
    let (passphrase, mut keyring) = if file.exists() {
        let passphrase = Passphrase::ask()?;
        let keyring = Keyring::open(&file, &passphrase)?;
        (passphrase, keyring)
    } else {
        (Passphrase::ask_new()?, Keyring::empty(&file))
    };
    let mnemonic = words.to_string();
    let entry = Entry {
        mnemonic: mnemonic.clone(),
        path,
    };
    keyring.add(name, entry)?;
    keyring.save(&passphrase)?;
    // Words that were given are known to whoever gave them: only new ones are shown, this once.
    let shown = (!given).then_some(mnemonic);
    if out.is_json() {
        return Ok(out.json(&json!({"name": name, "address": address, "mnemonic": shown}))?);
    }
    out.line(format_args!("{name}: {address}"))?;
    if let Some(words) = shown {
        out.line("write these words down, they are not shown again:")?;
        out.line(words)?;
    }
    Ok(())
}

fn list(global: &Global, prefix: &str, out: &mut Output) -> Result<()> {
    let file = global.node.keyring_path(&global.home);
    let keyring = Keyring::open(&file, &Passphrase::ask()?)?;
    let mut table = table(["key", "address", "derivation path"]);
    for name in keyring.names() {
        let entry = keyring.get(name)?;
        let key = keys::derive(&keys::parse_mnemonic(&entry.mnemonic)?, &entry.path)?;
        let address = keys::address(&key, prefix)?;
        if out.is_json() {
            out.json(&json!({"name": name, "address": address, "path": entry.path}))?;
        } else {
            table.add_row([name, &address, &entry.path]);
        }
    }
    if !out.is_json() {
        out.line(table)?;
    }
    Ok(())
}

fn remove(global: &Global, name: &str) -> Result<()> {
    let file = global.node.keyring_path(&global.home);
    let passphrase = Passphrase::ask()?;
    let mut keyring = Keyring::open(&file, &passphrase)?;
    keyring.remove(name)?;
    keyring.save(&passphrase)
}

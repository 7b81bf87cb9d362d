//! The parts of READMEs that are generated.

use std::path::{Path, PathBuf};

const BEGIN: &str = "<!-- measured: scripts/gas.sh --write -->\n";
const END: &str = "<!-- end of measured -->\n";

/// The packages whose versions stand beside the figures.
const PACKAGES: [&str; 4] = ["cw-orm", "cw-storage-plus", "cosmwasm-std", "cosmwasm-vm"];

/// Returns where the README of the ORM is.
pub fn orm() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../orm/README.md")
}

/// Returns where the README of the registry is.
pub fn registry() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../contracts/vaa-registry/README.md")
}

/// A text without the marks of its generated part.
#[derive(Clone, Copy, Debug, thiserror::Error, PartialEq, Eq)]
#[error("no line {} with a line {} below it", BEGIN.trim_end(), END.trim_end())]
pub struct NoMarks;

/// Returns what stands between the marks.
///
/// # Errors
///
/// There are none.
pub fn measured(text: &str) -> Result<&str, NoMarks> {
    let (_, rest) = text.split_once(BEGIN).ok_or(NoMarks)?;
    Ok(rest.split_once(END).ok_or(NoMarks)?.0)
}

/// Puts `part` between the marks.
///
/// # Errors
///
/// There are none.
pub fn with_measured(text: &str, part: &str) -> Result<String, NoMarks> {
    let (before, rest) = text.split_once(BEGIN).ok_or(NoMarks)?;
    let (_, after) = rest.split_once(END).ok_or(NoMarks)?;
    Ok(format!("{before}{BEGIN}{part}{END}{after}"))
}

/// Returns a line with the date and the versions of what was measured, as the bench's lock file has them.
pub fn versions(date: &str) -> String {
    let lock = include_str!("../Cargo.lock");
    let packages = PACKAGES.iter().filter_map(|name| {
        let package = format!("name = \"{name}\"\nversion = \"");
        let (version, _) = lock.split_once(&package)?.1.split_once('"')?;
        Some(format!("{name} {version}"))
    });
    let toolchain = include_str!("../../../rust-toolchain.toml");
    let rust = toolchain
        .split_once("channel = \"")
        .and_then(|(_, rest)| rest.split_once('"'));
    let rust = rust.map(|(channel, _)| format!("Rust {channel}"));
    let all: Vec<String> = packages.chain(rust).collect();
    format!("Measured on {date} with {}.\n", all.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_between_the_marks_is_replaced() {
        let text = format!("a\n{BEGIN}old\n{END}b\n");
        assert_eq!(measured(&text), Ok("old\n"));
        let new = with_measured(&text, "new\n").unwrap();
        assert_eq!(new, format!("a\n{BEGIN}new\n{END}b\n"));
    }

    #[test]
    fn a_text_without_marks_is_refused() {
        assert_eq!(measured("a"), Err(NoMarks));
        assert_eq!(with_measured(&format!("a{END}{BEGIN}"), ""), Err(NoMarks));
    }

    #[test]
    fn every_version_is_found() {
        let line = versions("2026-12-01");
        assert!(
            PACKAGES
                .iter()
                .all(|name| line.contains(&format!("{name} "))),
            "{line}"
        );
        assert!(
            line.contains("cw-storage-plus 3.") && line.contains("Rust 1."),
            "{line}"
        );
    }
}

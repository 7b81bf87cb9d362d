//! Reads VAAs out of files, whatever form they are written in.
//!
//! The form is recognised by content, never by name, at the first line that is not blank:
//!
//! 1. it starts with `{`, `[` or `"`: JSON, one object a line, the VAA in `vaa_hex`;
//! 2. it is all hex digits, `0x` allowed: text, one VAA a line;
//! 3. it has a column that holds VAAs, by its heading or its content: CSV;
//! 4. it is all base64 characters: text, one VAA a line;
//! 5. anything else is the bytes of one VAA.
//!
//! In text, each line is read as hex if it is hex, else as base64. A VAA that `base64` or `xxd -p`
//! broke into lines of 76, 64 or 60 characters is put together again.

mod csv;
mod decode;
mod source;
#[cfg(test)]
mod tests;

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::sync::Arc;

pub use decode::{decode_text, decode_vaa_hex};
use source::Source;

/// Says where a VAA was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file, `-` for standard input.
    pub file: Arc<str>,
    /// The line, from 1; none where the whole file is one VAA.
    pub line: Option<u64>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.file)?;
        match self.line {
            Some(line) => write!(f, " line {line}"),
            None => Ok(()),
        }
    }
}

/// Holds what stands where a VAA should.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Where it stands.
    pub place: Place,
    /// Its bytes, or why the text in its place has none.
    pub bytes: Result<Vec<u8>, String>,
}

/// Says why a file can not be read on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// The file can not be opened.
    #[error("cannot open `{file}`: {source}")]
    Open {
        /// The file.
        file: Arc<str>,
        /// What the system said.
        source: io::Error,
    },
    /// Reading failed.
    #[error("cannot read {place}: {source}")]
    Read {
        /// Where.
        place: Place,
        /// What the system said.
        source: io::Error,
    },
    /// A line is not what the file began with.
    #[error("{place}: {reason}")]
    Line {
        /// Where.
        place: Place,
        /// What is wrong with it.
        reason: String,
    },
}

/// Yields the VAAs of several files, one after the other, reading no further than asked.
pub struct Inputs {
    waiting: std::vec::IntoIter<Source>,
    current: Option<Source>,
    finished_bytes: u64,
    total_bytes: Option<u64>,
    failed: bool,
}

impl Inputs {
    /// Opens all files, so that a missing one is noticed before anything is done; `-` is standard
    /// input.
    ///
    /// # Errors
    /// [`InputError::Open`], or [`InputError::Read`] for a directory.
    pub fn open(files: &[String]) -> Result<Self, InputError> {
        let mut sources = Vec::with_capacity(files.len());
        let mut total_bytes = Some(0_u64);
        for file in files {
            let name: Arc<str> = file.as_str().into();
            if file == "-" {
                total_bytes = None;
                sources.push(Source::new(name, Box::new(BufReader::new(io::stdin()))));
                continue;
            }
            let open = |path: &str| {
                let handle = File::open(path)?;
                let metadata = handle.metadata()?;
                if metadata.is_dir() {
                    return Err(io::ErrorKind::IsADirectory.into());
                }
                Ok((handle, metadata.is_file().then_some(metadata.len())))
            };
            let (handle, len) = open(file).map_err(|source| InputError::Open {
                file: name.clone(),
                source,
            })?;
            total_bytes = total_bytes
                .zip(len)
                .map(|(total, len)| total.saturating_add(len));
            sources.push(Source::new(
                name,
                Box::new(BufReader::with_capacity(1 << 16, handle)),
            ));
        }
        Ok(Self::of(sources, total_bytes))
    }

    /// Reads from memory, as if it were the file of that name.
    #[must_use]
    pub fn of_bytes(name: &str, content: impl AsRef<[u8]> + 'static) -> Self {
        let reader: Box<dyn Read> = Box::new(io::Cursor::new(content));
        Self::of(
            vec![Source::new(name.into(), Box::new(BufReader::new(reader)))],
            None,
        )
    }

    fn of(sources: Vec<Source>, total_bytes: Option<u64>) -> Self {
        Self {
            waiting: sources.into_iter(),
            current: None,
            finished_bytes: 0,
            total_bytes,
            failed: false,
        }
    }

    /// Returns how many bytes there are to read, if that is known.
    #[must_use]
    pub fn total_bytes(&self) -> Option<u64> {
        self.total_bytes
    }

    /// Returns how many bytes have been read.
    #[must_use]
    pub fn read_bytes(&self) -> u64 {
        let current = self.current.as_ref().map_or(0, Source::read_bytes);
        self.finished_bytes.saturating_add(current)
    }
}

impl Iterator for Inputs {
    type Item = Result<Item, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.failed {
            let Some(source) = &mut self.current else {
                self.current = Some(self.waiting.next()?);
                continue;
            };
            match source.next_item() {
                Ok(Some(item)) => return Some(Ok(item)),
                Ok(None) => {
                    self.finished_bytes = self.read_bytes();
                    self.current = None;
                }
                Err(error) => {
                    self.failed = true;
                    return Some(Err(error));
                }
            }
        }
        None
    }
}

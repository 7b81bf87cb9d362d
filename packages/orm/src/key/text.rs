//! Text: UTF-8 ended by NUL, so that it sorts as `str` does. Text with a NUL is refused.

use super::{Key, KeyError, KeyReader, KeyRule, KeyWriter};

impl KeyWriter {
    /// Writes text.
    ///
    /// # Errors
    /// [`KeyError::NulInText`]; under [`KeyRule::StoragePlus`], which allows a NUL, [`KeyError::ElementTooLong`].
    pub fn text(&mut self, text: &str) -> Result<(), KeyError> {
        if self.rule == KeyRule::StoragePlus {
            return self.element(text.as_bytes());
        }
        if let Some(at) = text.bytes().position(|byte| byte == 0) {
            return Err(KeyError::NulInText { at });
        }
        self.raw(text.as_bytes());
        if !self.raw_last() {
            self.raw(&[0]);
        }
        Ok(())
    }
}

impl KeyReader<'_> {
    /// Takes text.
    ///
    /// # Errors
    /// [`KeyError::Truncated`] without an end, [`KeyError::Malformed`] if it is not UTF-8, [`KeyError::NulInText`].
    pub fn text(&mut self) -> Result<String, KeyError> {
        let end = self.rest.iter().position(|byte| *byte == 0);
        let part = match (self.raw_last(), end) {
            _ if self.rule == KeyRule::StoragePlus => self.element()?,
            (true, None) => self.take(self.rest.len())?,
            (true, Some(at)) => return Err(KeyError::NulInText { at }),
            (false, None) => return Err(KeyError::Truncated),
            (false, Some(at)) => {
                let part = self.take(at)?;
                self.take(1)?;
                part
            }
        };
        match core::str::from_utf8(part) {
            Ok(text) => Ok(text.to_owned()),
            Err(_) => Err(KeyError::Malformed {
                expected: "UTF-8 text",
            }),
        }
    }
}

impl Key for String {
    const ORDERED: bool = true;

    fn describe() -> String {
        "text".to_owned()
    }

    fn write(&self, out: &mut KeyWriter) -> Result<(), KeyError> {
        out.text(self)
    }

    fn read(input: &mut KeyReader<'_>) -> Result<Self, KeyError> {
        input.text()
    }

    fn is_empty(&self) -> bool {
        self.as_str().is_empty()
    }
}

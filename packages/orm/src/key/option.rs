//! Optional parts: `00` for none, `01` and the part for some; none sorts first.

use super::{Key, KeyError, KeyReader, KeyWriter};

impl<K: Key> Key for Option<K> {
    const ORDERED: bool = K::ORDERED;

    fn describe() -> String {
        format!("option({})", K::describe())
    }

    fn write(&self, out: &mut KeyWriter) -> Result<(), KeyError> {
        match self {
            None => out.fixed(&[0]),
            Some(part) => {
                out.fixed(&[1]);
                part.write(out)?;
            }
        }
        Ok(())
    }

    fn read(input: &mut KeyReader<'_>) -> Result<Self, KeyError> {
        match input.fixed()? {
            [0] => Ok(None),
            [1] => K::read(input).map(Some),
            _ => Err(KeyError::Malformed {
                expected: "optional part",
            }),
        }
    }
}

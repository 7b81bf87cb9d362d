//! Addresses: as their text. What is read back was validated when it was written.

use cosmwasm_std::Addr;

use super::{Key, KeyError, KeyReader, KeyWriter};

impl Key for Addr {
    const ORDERED: bool = true;

    fn describe() -> String {
        String::describe()
    }

    fn write(&self, out: &mut KeyWriter) -> Result<(), KeyError> {
        out.text(self.as_str())
    }

    fn read(input: &mut KeyReader<'_>) -> Result<Self, KeyError> {
        input.text().map(Addr::unchecked)
    }

    fn is_empty(&self) -> bool {
        self.as_str().is_empty()
    }
}

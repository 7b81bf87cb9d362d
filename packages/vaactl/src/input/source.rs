use std::io::{self, BufRead, Cursor, Read};
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;

use super::csv::{self, Column};
use super::decode::{decode_text, decode_vaa_hex, is_base64, is_hex};
use super::{InputError, Item, Place};

/// The longest line, and the largest file of one VAA, that is read.
const MAX_BYTES: u64 = 16 << 20;
/// Lengths of the lines that common tools break text into.
const WRAPPED_AT: [usize; 3] = [60, 64, 76];

#[derive(Clone, Copy)]
enum Form {
    Json,
    Text,
    Csv(Column),
    Done,
}

/// Reads one file.
pub(super) struct Source {
    file: Arc<str>,
    reader: Box<dyn BufRead>,
    form: Option<Form>,
    line: u64,
    read_bytes: u64,
}

impl Source {
    pub(super) fn new(file: Arc<str>, reader: Box<dyn BufRead>) -> Self {
        Self {
            file,
            reader,
            form: None,
            line: 0,
            read_bytes: 0,
        }
    }

    pub(super) fn read_bytes(&self) -> u64 {
        self.read_bytes
    }

    /// Returns the next VAA of the file.
    pub(super) fn next_item(&mut self) -> Result<Option<Item>, InputError> {
        let Some(form) = self.form else {
            return self.first_item();
        };
        loop {
            if matches!(form, Form::Done) {
                return Ok(None);
            }
            let Some(line) = self.read_line()? else {
                self.form = Some(Form::Done);
                return Ok(None);
            };
            if !line.trim_ascii().is_empty() {
                return self.item(form, &line).map(Some);
            }
        }
    }

    /// Recognises the form by the first line that is not blank.
    fn first_item(&mut self) -> Result<Option<Item>, InputError> {
        let mut raw = Vec::new();
        let line = loop {
            let Some(line) = self.read_line()? else {
                self.form = Some(Form::Done);
                return Ok(None);
            };
            raw.extend_from_slice(&line);
            // Some editors mark UTF-8 so.
            let text = line
                .strip_prefix(b"\xef\xbb\xbf")
                .unwrap_or(&line)
                .trim_ascii();
            if !text.is_empty() {
                break text.to_vec();
            }
        };
        let text = std::str::from_utf8(&line).unwrap_or_default();
        let form = if matches!(line.first(), Some(b'{' | b'[')) {
            Form::Json
        } else if is_hex(text) {
            Form::Text
        } else if let Some(column) = csv::recognise(text) {
            Form::Csv(column)
        } else if line.first() == Some(&b'"') {
            Form::Json
        } else if is_base64(text) {
            Form::Text
        } else {
            return self.binary(raw).map(Some);
        };
        self.form = Some(form);
        match form {
            Form::Csv(Column { heading: true, .. }) => self.next_item(),
            Form::Text => match self.unwrapped(text)? {
                Some(item) => Ok(Some(item)),
                None => self.item(form, &line).map(Some),
            },
            _ => self.item(form, &line).map(Some),
        }
    }

    /// Takes the whole file as one VAA.
    fn binary(&mut self, mut bytes: Vec<u8>) -> Result<Item, InputError> {
        let read = (&mut self.reader)
            .take(MAX_BYTES)
            .read_to_end(&mut bytes)
            .map_err(|source| InputError::Read {
                place: self.whole(),
                source,
            })?;
        self.read_bytes = self.read_bytes.saturating_add(read as u64);
        if bytes.len() as u64 > MAX_BYTES {
            return Err(self.too_long(self.whole()));
        }
        self.form = Some(Form::Done);
        Ok(Item {
            place: self.whole(),
            bytes: Ok(bytes),
        })
    }

    /// Puts a VAA together that was broken into lines of one length; none if this is not one.
    fn unwrapped(&mut self, first: &str) -> Result<Option<Item>, InputError> {
        if !WRAPPED_AT.contains(&first.len()) {
            return Ok(None);
        }
        let mut rest = Vec::new();
        let read = (&mut self.reader)
            .take(MAX_BYTES)
            .read_to_end(&mut rest)
            .map_err(|source| InputError::Read {
                place: self.here(),
                source,
            })?;
        let joined = joined(first, &rest)
            .filter(|_| (read as u64) < MAX_BYTES)
            .and_then(|text| decode_text(&text).ok())
            .filter(|bytes| wormhole_vaa::VaaRef::parse(bytes).is_ok());
        if let Some(bytes) = joined {
            self.read_bytes = self.read_bytes.saturating_add(read as u64);
            self.form = Some(Form::Done);
            return Ok(Some(Item {
                place: self.whole(),
                bytes: Ok(bytes),
            }));
        }
        let reader = std::mem::replace(&mut self.reader, Box::new(io::empty()));
        self.reader = Box::new(Cursor::new(rest).chain(reader));
        Ok(None)
    }

    fn item(&self, form: Form, line: &[u8]) -> Result<Item, InputError> {
        let text = std::str::from_utf8(line)
            .map_err(|error| {
                self.wrong(format!("not UTF-8 text after byte {}", error.valid_up_to()))
            })?
            .trim_ascii();
        let bytes = match form {
            Form::Json => decode_vaa_hex(&self.vaa_hex(text)?),
            Form::Text | Form::Done => Ok(decode_text(text).map_err(|reason| self.wrong(reason))?),
            Form::Csv(column) => Ok(self.cell(text, column)?),
        };
        Ok(Item {
            place: self.here(),
            bytes,
        })
    }

    fn vaa_hex(&self, text: &str) -> Result<String, InputError> {
        #[derive(Deserialize)]
        struct Row {
            #[serde(default)]
            vaa_hex: Option<Value>,
        }
        // serde would also take a list of the fields' values.
        if !text.starts_with('{') {
            return Err(self.wrong("not a JSON object".into()));
        }
        let row: Row = serde_json::from_str(text).map_err(|error| {
            let what = if error.is_eof() {
                "JSON that ends too early"
            } else {
                "not a JSON object"
            };
            self.wrong(format!("{what}: {error}"))
        })?;
        match row.vaa_hex {
            Some(Value::String(text)) => Ok(text),
            Some(_) => Err(self.wrong("`vaa_hex` is not a text".into())),
            None => Err(self.wrong("a JSON object without `vaa_hex`".into())),
        }
    }

    fn cell(&self, text: &str, column: Column) -> Result<Vec<u8>, InputError> {
        let cells = csv::cells(text).ok_or_else(|| self.wrong("a quote is left open".into()))?;
        let number = column.index.saturating_add(1);
        let cell = cells
            .get(column.index)
            .ok_or_else(|| self.wrong(format!("no column {number}, which holds the VAAs")))?;
        decode_text(cell).map_err(|reason| self.wrong(format!("column {number}: {reason}")))
    }

    /// Reads a line with its end; none at the end of the file.
    fn read_line(&mut self) -> Result<Option<Vec<u8>>, InputError> {
        let mut line = Vec::new();
        self.line = self.line.saturating_add(1);
        let read = (&mut self.reader)
            .take(MAX_BYTES)
            .read_until(b'\n', &mut line)
            .map_err(|source| InputError::Read {
                place: self.here(),
                source,
            })?;
        self.read_bytes = self.read_bytes.saturating_add(read as u64);
        if read as u64 >= MAX_BYTES {
            return Err(self.too_long(self.here()));
        }
        Ok((read > 0).then_some(line))
    }

    fn here(&self) -> Place {
        Place {
            file: self.file.clone(),
            line: Some(self.line),
        }
    }

    fn whole(&self) -> Place {
        Place {
            file: self.file.clone(),
            line: None,
        }
    }

    fn wrong(&self, reason: String) -> InputError {
        InputError::Line {
            place: self.here(),
            reason,
        }
    }

    fn too_long(&self, place: Place) -> InputError {
        InputError::Line {
            place,
            reason: format!("longer than {MAX_BYTES} bytes"),
        }
    }
}

/// Joins lines of which all but the last are as long as the first.
fn joined(first: &str, rest: &[u8]) -> Option<String> {
    let rest = std::str::from_utf8(rest).ok()?;
    let mut joined = first.to_owned();
    let mut last = first.len();
    for line in rest
        .lines()
        .map(str::trim_ascii)
        .filter(|line| !line.is_empty())
    {
        if last != first.len() || line.len() > first.len() {
            return None;
        }
        joined.push_str(line);
        last = line.len();
    }
    (joined.len() > first.len()).then_some(joined)
}

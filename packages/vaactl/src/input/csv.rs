use super::decode::decode_text;

/// Headings of a column that holds VAAs.
const HEADINGS: [&str; 5] = ["vaa_hex", "vaa", "vaa_bytes", "vaabytes", "vaa_base64"];

/// Says where the VAAs of a CSV file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Column {
    /// Number of the column, from 0.
    pub(super) index: usize,
    /// Whether the first line is a heading.
    pub(super) heading: bool,
}

/// Finds the column that holds VAAs by the first line of a file.
pub(super) fn recognise(line: &str) -> Option<Column> {
    if !line.contains(',') {
        return None;
    }
    let cells = cells(line)?;
    let heading = cells.iter().position(|cell| {
        HEADINGS
            .iter()
            .any(|heading| cell.eq_ignore_ascii_case(heading))
    });
    if let Some(index) = heading {
        return Some(Column {
            index,
            heading: true,
        });
    }
    let index = cells.iter().position(|cell| {
        decode_text(cell).is_ok_and(|bytes| wormhole_vaa::VaaRef::parse(&bytes).is_ok())
    })?;
    Some(Column {
        index,
        heading: false,
    })
}

/// Splits a line into cells, which quotes may enclose; none if a quote is left open.
pub(super) fn cells(line: &str) -> Option<Vec<String>> {
    let mut cells = Vec::new();
    let mut rest = line;
    loop {
        let mut cell = String::new();
        let trimmed = rest.trim_start();
        if let Some(mut quoted) = trimmed.strip_prefix('"') {
            loop {
                let (text, after) = quoted.split_once('"')?;
                cell.push_str(text);
                match after.strip_prefix('"') {
                    Some(after) => {
                        cell.push('"');
                        quoted = after;
                    }
                    None => {
                        rest = after;
                        break;
                    }
                }
            }
        }
        let (tail, next) = match rest.split_once(',') {
            Some((tail, next)) => (tail, Some(next)),
            None => (rest, None),
        };
        cell.push_str(tail.trim());
        cells.push(cell);
        match next {
            Some(next) => rest = next,
            None => return Some(cells),
        }
    }
}

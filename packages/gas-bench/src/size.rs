//! How much wasm each further table of the ORM is.

use std::path::PathBuf;

use crate::machine::LoadError;
use crate::peers::folder;
use crate::report::grouped;

/// The bytes aimed at for a further table.
pub const TARGET: u64 = 4_000;

/// The bytes that a further table may add to a contract: 1 % above what it did when this was written.
pub const MAX_TABLE: u64 = 21_060;

/// The numbers of tables of the contracts that are weighed.
const TABLES: [u64; 3] = [1, 5, 20];

/// A contract's number of tables, and its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// The number of tables.
    pub tables: u64,
    /// The bytes of its wasm.
    pub bytes: u64,
}

/// Weighs the contracts.
///
/// # Errors
///
/// One is missing.
pub fn measure() -> Result<Vec<Size>, LoadError> {
    let size = |tables: u64| {
        let path: PathBuf = folder().join(format!("bench_tables_{tables}.wasm"));
        match std::fs::metadata(&path) {
            Ok(file) => Ok(Size {
                tables,
                bytes: file.len(),
            }),
            Err(reason) => Err(LoadError::Read { path, reason }),
        }
    };
    TABLES.into_iter().map(size).collect()
}

/// Returns what each table adds from one contract to another.
fn share(from: Size, to: Size) -> u64 {
    to.bytes.saturating_sub(from.bytes) / (to.tables - from.tables)
}

/// Returns the table of the sizes in Markdown.
pub fn table(sizes: &[Size]) -> String {
    let mut text = format!(
        "| tables | bytes of wasm | a further table, {} aimed at |\n|--:|--:|--:|\n",
        grouped(TARGET)
    );
    let mut before: Option<Size> = None;
    for &size in sizes {
        let share = before.map(|before| grouped(share(before, size)));
        let bytes = grouped(size.bytes);
        text += &format!(
            "| {} | {bytes} | {} |\n",
            size.tables,
            share.unwrap_or_default()
        );
        before = Some(size);
    }
    text
}

/// Returns the steps in which a further table is more than [`MAX_TABLE`].
pub fn too_large(sizes: &[Size]) -> Vec<String> {
    let steps = sizes.iter().zip(sizes.iter().skip(1));
    let shares = steps.map(|(&from, &to)| (share(from, to), from.tables, to.tables));
    let large = shares.filter(|(share, ..)| *share > MAX_TABLE);
    large
        .map(|(share, from, to)| {
            format!("from {from} to {to} tables, each adds {share} bytes, more than {MAX_TABLE}")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(bytes: [u64; 3]) -> Vec<Size> {
        let sizes = TABLES.into_iter().zip(bytes);
        sizes
            .map(|(tables, bytes)| Size { tables, bytes })
            .collect()
    }

    #[test]
    fn a_table_over_the_limit_is_told_with_its_bytes() {
        let five = 200_000 + 4 * MAX_TABLE;
        let twenty = five + 15 * MAX_TABLE;
        assert_eq!(
            too_large(&sizes([200_000, five, twenty])),
            Vec::<String>::new()
        );
        assert_eq!(
            too_large(&sizes([200_000, five + 4, twenty])),
            [format!(
                "from 1 to 5 tables, each adds {} bytes, more than {MAX_TABLE}",
                MAX_TABLE + 1
            )]
        );
    }

    #[test]
    fn the_table_tells_what_each_step_adds() {
        let table = table(&sizes([200_000, 208_000, 253_000]));
        assert!(
            table.ends_with(
                "| 1 | 200,000 |  |\n| 5 | 208,000 | 2,000 |\n| 20 | 253,000 | 3,000 |\n"
            )
        );
    }
}

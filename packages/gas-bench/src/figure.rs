//! What was measured, as a file keeps it: `gas.csv`.

use crate::cost::{Call, Cost};

/// The first line of the file.
const HEADER: &str = "section,subject,operation,rows,total,storage,compute,answer";

/// What an operation cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// The part of the program that measured it.
    pub section: String,
    /// Whose operation it is.
    pub subject: String,
    /// The operation.
    pub operation: String,
    /// How many rows there were before it; 0 where that plays no part.
    pub rows: u64,
    /// Its cost.
    pub cost: Cost,
}

/// A figure, and the storage calls behind it.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The figure.
    pub figure: Figure,
    /// Every call to the storage, in order; of the whole call where the figure is a share of it.
    pub calls: Vec<Call>,
}

/// A line that is not as [`to_csv`] writes it.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error("line {line} is no figure: {text}")]
pub struct FormatError {
    /// The line's number, from 1 on.
    pub line: usize,
    /// The line.
    pub text: String,
}

impl Figure {
    /// Tells whether both are of the same operation.
    pub fn is_same(&self, other: &Self) -> bool {
        let id = |figure: &Self| {
            (
                figure.section.clone(),
                figure.subject.clone(),
                figure.operation.clone(),
                figure.rows,
            )
        };
        id(self) == id(other)
    }

    /// Returns section, subject, operation and rows in words.
    pub fn name(&self) -> String {
        let rows = match self.rows {
            0 => String::new(),
            rows => format!(", {rows} rows"),
        };
        format!(
            "{}, {}: {}{rows}",
            self.section, self.subject, self.operation
        )
    }

    fn to_line(&self) -> String {
        let Cost {
            storage,
            compute,
            answer,
        } = self.cost;
        format!(
            "{},\"{}\",\"{}\",{},{},{storage},{compute},{answer}",
            self.section,
            self.subject,
            self.operation,
            self.rows,
            self.cost.total()
        )
    }

    fn from_line(line: &str) -> Option<Self> {
        let (section, rest) = line.split_once(",\"")?;
        let (subject, rest) = rest.split_once("\",\"")?;
        let (operation, rest) = rest.split_once("\",")?;
        let numbers: Vec<u64> = rest
            .split(',')
            .map(|number| number.parse().ok())
            .collect::<Option<_>>()?;
        let [rows, total, storage, compute, answer] = numbers.try_into().ok()?;
        let cost = Cost {
            storage,
            compute,
            answer,
        };
        (cost.total() == total).then(|| Self {
            section: section.into(),
            subject: subject.into(),
            operation: operation.into(),
            rows,
            cost,
        })
    }
}

/// Writes figures, a line each.
pub fn to_csv<'f>(figures: impl IntoIterator<Item = &'f Figure>) -> String {
    let lines = figures.into_iter().map(Figure::to_line);
    std::iter::once(HEADER.to_owned())
        .chain(lines)
        .map(|line| line + "\n")
        .collect()
}

/// Reads what [`to_csv`] wrote.
///
/// # Errors
///
/// Names the first line that is not of that form.
pub fn from_csv(text: &str) -> Result<Vec<Figure>, FormatError> {
    let mut lines = text.lines().enumerate();
    let error = |(position, text): (usize, &str)| FormatError {
        line: position + 1,
        text: text.into(),
    };
    match lines.next() {
        Some((_, HEADER)) => {}
        other => return Err(error(other.unwrap_or_default())),
    }
    lines
        .map(|line| Figure::from_line(line.1).ok_or_else(|| error(line)))
        .collect()
}

/// A figure that rose, or that is not known yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rise {
    /// What it is a figure of, in words.
    pub name: String,
    /// What the file says; absent for an operation that the file does not have.
    pub old: Option<u64>,
    /// What was measured; absent for an operation that was not measured any more.
    pub new: Option<u64>,
}

impl std::fmt::Display for Rise {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.old, self.new) {
            (Some(old), Some(new)) => {
                let more = (new as f64 / old as f64 - 1.0) * 100.0;
                write!(out, "{}: was {old}, is {new} ({more:+.1} %)", self.name)
            }
            (Some(old), None) => write!(out, "{}: was {old}, not measured now", self.name),
            (None, new) => {
                let new = new.unwrap_or_default();
                write!(out, "{}: is {new}, not in the file", self.name)
            }
        }
    }
}

/// Returns the totals that are more than 1 % above those kept, and the operations that only one side has.
pub fn rises(kept: &[Figure], measured: &[Figure]) -> Vec<Rise> {
    let total = |figure: &Figure| Some(figure.cost.total());
    let of = |figures: &[Figure], wanted: &Figure| {
        let found = figures.iter().find(|figure| figure.is_same(wanted));
        found.and_then(total)
    };
    let mut rises = Vec::new();
    for figure in measured {
        let (old, new) = (of(kept, figure), figure.cost.total());
        if old.is_none_or(|old| new * 100 > old * 101) {
            rises.push(Rise {
                name: figure.name(),
                old,
                new: Some(new),
            });
        }
    }
    for figure in kept {
        if of(measured, figure).is_none() {
            rises.push(Rise {
                name: figure.name(),
                old: total(figure),
                new: None,
            });
        }
    }
    rises
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(operation: &str, storage: u64) -> Figure {
        Figure {
            section: "orm".into(),
            subject: "cw-orm, derive".into(),
            operation: operation.into(),
            rows: 1_000,
            cost: Cost {
                storage,
                compute: 20,
                answer: 5,
            },
        }
    }

    #[test]
    fn files_are_read_as_written() {
        let figures = [figure("insert", 100), figure("page of 30, ids", 7)];
        assert_eq!(from_csv(&to_csv(&figures)).unwrap(), figures);
    }

    #[test]
    fn malformed_lines_are_named() {
        assert_eq!(from_csv("").unwrap_err().line, 1);
        let wrong_sum = to_csv([&figure("insert", 100)]).replace(",125,", ",126,");
        assert_eq!(from_csv(&wrong_sum).unwrap_err().line, 2);
    }

    #[test]
    fn a_rise_of_more_than_a_percent_is_told_with_both_figures() {
        let kept = [figure("insert", 9_975)];
        assert_eq!(rises(&kept, &[figure("insert", 10_075)]), []);
        let rise = rises(&kept, &[figure("insert", 10_076)]);
        assert_eq!(rise.len(), 1);
        assert_eq!(
            rise[0].to_string(),
            "orm, cw-orm, derive: insert, 1000 rows: was 10000, is 10101 (+1.0 %)"
        );
        assert_eq!(rises(&kept, &[figure("insert", 1)]), []);
    }

    #[test]
    fn an_operation_on_one_side_only_is_told() {
        let told = rises(&[figure("old", 1)], &[figure("new", 2)]);
        assert_eq!(told.len(), 2);
        assert_eq!((told[0].old, told[0].new), (None, Some(27)));
        assert_eq!((told[1].old, told[1].new), (Some(26), None));
    }
}

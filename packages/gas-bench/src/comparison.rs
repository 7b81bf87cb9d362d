//! The ORM's figures beside its peers', as Markdown.

use crate::cost::Cost;
use crate::figure::Figure;
use crate::peers::{FLOOR, FLOOR_FAMILIES, INDEXED_MAP, ORM, ORM_FAMILIES, ORM_GET};
use crate::peers::{OPERATIONS, Operation, ROWS, SECTION, Subject};
use crate::report::grouped;

/// How far above the rows packed by hand a total may be.
pub const FLOOR_RATIO: f64 = 1.03;

/// How far above the rows packed by hand compute may be.
pub const COMPUTE_RATIO: f64 = 1.5;

/// The number of rows that the ratios are of.
pub const COMPARED_ROWS: u64 = 1_000;

/// The number of rows at which nothing may cost over 1 % more or less.
const FLAT_ROWS: u64 = 100_000;

/// A line of the comparison: an operation, and what it may cost beside one of `IndexedMap`.
struct Line {
    operation: Operation,
    /// Whether the row has the columns that change in a family of their own.
    families: bool,
    /// What it is compared with, and the ratio aimed at.
    peer: Operation,
    target: f64,
}

const fn line(operation: Operation, target: f64) -> Line {
    Line {
        operation,
        families: false,
        peer: operation,
        target,
    }
}

const fn beside(operation: Operation, peer: Operation, target: f64) -> Line {
    Line {
        peer,
        ..line(operation, target)
    }
}

const fn small(operation: Operation, peer: Operation, target: f64) -> Line {
    Line {
        families: true,
        ..beside(operation, peer, target)
    }
}

use Operation::{
    Delete, Get, IdsByIndex, Insert, OneFamily, RowsByIndex, RowsByKey, UniqueLookup,
    UpdateIndexed, UpdateNothing, UpdateOther,
};

const INDEX_PAGE: [Operation; 2] = [
    RowsByIndex { reverse: false },
    RowsByIndex { reverse: true },
];

const LINES: [Line; 16] = [
    line(Insert, 0.43),
    line(UpdateIndexed, 0.35),
    line(UpdateOther, 0.26),
    small(UpdateOther, UpdateOther, 0.15),
    line(UpdateNothing, 0.05),
    line(Delete, 0.87),
    line(Get, 0.78),
    line(UniqueLookup, 0.93),
    line(INDEX_PAGE[0], 0.78),
    line(INDEX_PAGE[1], 0.78),
    beside(RowsByKey { reverse: false }, INDEX_PAGE[0], 0.50),
    beside(RowsByKey { reverse: true }, INDEX_PAGE[1], 0.50),
    small(OneFamily { reverse: false }, INDEX_PAGE[0], 0.45),
    small(OneFamily { reverse: true }, INDEX_PAGE[1], 0.45),
    line(IdsByIndex { reverse: false }, 0.07),
    line(IdsByIndex { reverse: true }, 0.07),
];

impl Line {
    fn ours(&self) -> (&'static Subject, &'static Subject) {
        if self.families {
            (&ORM_FAMILIES, &FLOOR_FAMILIES)
        } else {
            (&ORM, &FLOOR)
        }
    }

    fn name(&self) -> String {
        match self.operation {
            UpdateOther if self.families => "update, column in a small family".into(),
            operation => operation.name().into(),
        }
    }
}

fn cost(figures: &[Figure], subject: &Subject, operation: Operation, rows: u64) -> Option<Cost> {
    let found = figures.iter().find(|figure| {
        figure.section == SECTION
            && figure.subject == subject.name
            && figure.operation == operation.name()
            && figure.rows == rows
    });
    found.map(|figure| figure.cost)
}

fn ratio(one: u64, other: u64) -> f64 {
    one as f64 / other as f64
}

fn parts(cost: Cost) -> String {
    format!(
        "{} | {} + {} + {}",
        grouped(cost.total()),
        grouped(cost.storage),
        grouped(cost.compute),
        grouped(cost.answer)
    )
}

/// Returns the table of the operations beside their targets, at [`COMPARED_ROWS`].
pub fn ratios(figures: &[Figure]) -> String {
    let mut text = String::from(
        "| call | `cw-orm` | storage + compute + answer | `IndexedMap` | by hand | of `IndexedMap` | at most | of by hand | its compute |\n\
         |---|--:|--:|--:|--:|--:|---|--:|--:|\n",
    );
    for line in &LINES {
        let (orm, floor) = line.ours();
        let at = |subject, operation| cost(figures, subject, operation, COMPARED_ROWS);
        let (Some(orm), Some(peer), Some(floor)) = (
            at(orm, line.operation),
            at(&INDEXED_MAP, line.peer),
            at(floor, line.operation),
        ) else {
            continue;
        };
        let of_peer = ratio(orm.total(), peer.total());
        let of_floor = ratio(orm.total(), floor.total());
        let compute = ratio(orm.compute, floor.compute);
        let mark = |met: bool| if met { "" } else { ", not met" };
        text += &format!(
            "| {} | {} | {} | {} | {of_peer:.3} | {:.2}{} | {of_floor:.3}{} | {compute:.2}{} |\n",
            line.name(),
            parts(orm),
            grouped(peer.total()),
            grouped(floor.total()),
            line.target,
            mark(of_peer <= line.target),
            mark(of_floor <= FLOOR_RATIO),
            mark(compute <= COMPUTE_RATIO),
        );
    }
    text
}

/// Returns the table of every total, for each number of rows.
pub fn sizes(figures: &[Figure], rows: &[u64]) -> String {
    let subjects = [ORM, ORM_FAMILIES, INDEXED_MAP, FLOOR];
    let mut text = String::from("| call |");
    for subject in &subjects {
        let cells = rows
            .iter()
            .map(|rows| format!(" {}, {} |", subject.name, grouped(*rows)));
        text.extend(cells);
    }
    text += &format!("\n|---|{}\n", "--:|".repeat(subjects.len() * rows.len()));
    for operation in OPERATIONS {
        text += &format!("| {} |", operation.name());
        for subject in &subjects {
            for rows in rows {
                let total = cost(figures, subject, operation, *rows).map(|cost| cost.total());
                text += &format!(" {} |", total.map_or_else(String::new, grouped));
            }
        }
        text.push('\n');
    }
    text
}

/// Returns the table of what plain reads cost where the ORM scans one key.
pub fn plain_gets(figures: &[Figure]) -> String {
    let mut text = String::from("| call | scan of the key | plain read |\n|---|--:|--:|\n");
    for operation in OPERATIONS {
        let at = |subject| cost(figures, subject, operation, COMPARED_ROWS);
        if let (Some(scan), Some(get)) = (at(&ORM), at(&ORM_GET))
            && scan.storage != get.storage
        {
            text += &format!(
                "| {} | {} | {} |\n",
                operation.name(),
                grouped(scan.total()),
                grouped(get.total())
            );
        }
    }
    text
}

/// Returns the figures of the ORM that depend on how many rows there are: over 1 % between [`COMPARED_ROWS`] and a
/// hundred times as many.
pub fn uneven(figures: &[Figure]) -> Vec<String> {
    let mut found = Vec::new();
    for subject in [ORM, ORM_GET, ORM_FAMILIES] {
        for operation in OPERATIONS {
            let total = |rows| cost(figures, &subject, operation, rows).map(|cost| cost.total());
            if let (Some(few), Some(many)) = (total(COMPARED_ROWS), total(FLAT_ROWS))
                && few.abs_diff(many) * 100 > few
            {
                found.push(format!(
                    "{}, {}: {few} at {COMPARED_ROWS} rows, {many} at {FLAT_ROWS}",
                    subject.name,
                    operation.name()
                ));
            }
        }
    }
    found
}

/// Returns all tables, as they stand in the ORM's README.
pub fn tables(figures: &[Figure]) -> String {
    format!(
        "{}\nThe same calls with more and fewer rows:\n\n{}\nWith plain reads ([`Probe::Get`]) where a key is scanned:\n\n{}",
        ratios(figures),
        sizes(figures, &ROWS),
        plain_gets(figures)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(subject: &Subject, operation: Operation, rows: u64, storage: u64) -> Figure {
        Figure {
            section: SECTION.into(),
            subject: subject.name.into(),
            operation: operation.name().into(),
            rows,
            cost: Cost {
                storage,
                compute: 100,
                answer: 0,
            },
        }
    }

    #[test]
    fn a_ratio_is_met_up_to_its_target_and_else_said_not_to_be() {
        let table = |orm| {
            ratios(&[
                figure(&ORM, Insert, COMPARED_ROWS, orm),
                figure(&INDEXED_MAP, Insert, COMPARED_ROWS, 9_900),
                figure(&FLOOR, Insert, COMPARED_ROWS, 4_100),
            ])
        };
        let met = table(4_200);
        let line =
            "| insert | 4,300 | 4,200 + 100 + 0 | 10,000 | 4,200 | 0.430 | 0.43 | 1.024 | 1.00 |";
        assert!(met.contains(line), "{met}");
        let missed = table(4_300);
        let line = "| 0.440 | 0.43, not met | 1.048, not met | 1.00 |";
        assert!(missed.contains(line), "{missed}");
    }

    #[test]
    fn pages_by_key_are_beside_the_peers_page_by_index() {
        let key = RowsByKey { reverse: true };
        let table = ratios(&[
            figure(&ORM, key, COMPARED_ROWS, 900),
            figure(&FLOOR, key, COMPARED_ROWS, 900),
            figure(&INDEXED_MAP, key, COMPARED_ROWS, 1),
            figure(&INDEXED_MAP, INDEX_PAGE[1], COMPARED_ROWS, 1_900),
        ]);
        assert!(table.contains("| 0.500 | 0.50 |"), "{table}");
    }

    #[test]
    fn what_grows_with_the_rows_is_told() {
        let figures = |many| {
            [
                figure(&ORM, Get, COMPARED_ROWS, 9_900),
                figure(&ORM, Get, FLAT_ROWS, many),
            ]
        };
        assert_eq!(uneven(&figures(10_000)), Vec::<String>::new());
        assert_eq!(uneven(&figures(9_800)), Vec::<String>::new());
        assert_eq!(
            uneven(&figures(10_001)),
            ["cw-orm, get by key: 10000 at 1000 rows, 10101 at 100000"]
        );
    }
}

//! Tables for people.

use crate::cost::{Call, CallKind, PREFIX_LEN};
use crate::figure::{Figure, Measured};
use crate::registry::{CORE_VERIFY, SECTION};

/// Returns the registry's table in Markdown.
pub fn registry(figures: &[Figure]) -> String {
    let mut text = String::from(
        "| registry | call | total | storage | compute | answer |\n| --- | --- | --: | --: | --: | --: |\n",
    );
    for figure in figures.iter().filter(|figure| figure.section == SECTION) {
        let cost = figure.cost;
        text += &format!(
            "| {} | {} | {} | {} | {} | {} |\n",
            figure.subject,
            figure.operation,
            grouped(cost.total()),
            grouped(cost.storage),
            grouped(cost.compute),
            grouped(cost.answer)
        );
    }
    text += &format!(
        "| Wormhole core contract | verify, nothing stored | {} | | | |\n",
        grouped(CORE_VERIFY)
    );
    text
}

/// What is aimed at, and what rows packed by hand take with five indexes, keys of 42 bytes and VAAs kept whole: measured
/// once, with the same charges.
struct Aim {
    operation: &'static str,
    five_indexes: Option<u64>,
    digest_only: Option<u64>,
    by_hand: Option<u64>,
}

const fn aim(
    operation: &'static str,
    five_indexes: Option<u64>,
    digest_only: Option<u64>,
    by_hand: Option<u64>,
) -> Aim {
    Aim {
        operation,
        five_indexes,
        digest_only,
        by_hand,
    }
}

const AIMS: [Aim; 6] = [
    aim("submit one", Some(82_000), Some(66_000), Some(82_116)),
    aim("submit, each of 10", Some(79_000), None, None),
    aim("submit, each of 30", Some(77_000), None, Some(79_789)),
    aim("submit a known one", Some(7_000), Some(7_000), Some(6_000)),
    aim("query verify", Some(21_500), Some(21_500), Some(20_760)),
    aim("observe, each of 10", Some(15_000), Some(15_000), None),
];

/// Returns the totals of the registry's calls for its README, with what is aimed at.
pub fn registry_totals(figures: &[Figure]) -> String {
    let of = |setup: &str, operation: &str| {
        let wanted = |figure: &&Figure| figure.subject == setup && figure.operation == operation;
        let figure = figures.iter().find(wanted);
        figure.map(|figure| figure.cost.total())
    };
    let text = |number: Option<u64>| number.map_or_else(String::new, grouped);
    let mut table = String::from(
        "| call | five indexes | aimed at | digest only | aimed at | by hand, five indexes |\n|---|--:|--:|--:|--:|--:|\n",
    );
    let measured = figures.iter().filter(|figure| figure.section == SECTION);
    for figure in measured.filter(|figure| figure.subject == "five indexes") {
        let operation = figure.operation.as_str();
        let aim = AIMS.iter().find(|aim| aim.operation == operation);
        table += &format!(
            "| {operation} | {} | {} | {} | {} | {} |\n",
            grouped(figure.cost.total()),
            text(aim.and_then(|aim| aim.five_indexes)),
            text(of("digest only", operation)),
            text(aim.and_then(|aim| aim.digest_only)),
            text(aim.and_then(|aim| aim.by_hand)),
        );
    }
    table += &format!(
        "| Wormhole's core contract verifies, and stores nothing | {} | | | | |\n",
        grouped(CORE_VERIFY)
    );
    table
}

/// Lists the storage calls behind a figure.
pub fn calls(measured: &Measured) -> String {
    let mut text = format!("{}\n", measured.figure.name());
    for call in &measured.calls {
        text += &line(call);
    }
    text
}

fn line(call: &Call) -> String {
    let kind = match call.kind {
        CallKind::Get => "get",
        CallKind::Set => "set",
        CallKind::Remove => "remove",
        CallKind::Scan => "scan",
        CallKind::Next => "next",
    };
    let entry = call.entry.map_or_else(
        || "-".to_owned(),
        |entry| format!("{PREFIX_LEN}+{}+{}", entry.key, entry.value),
    );
    let key: String = call.key.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{:>8} {kind:<7} {entry:<12} {key}\n", call.gas())
}

/// Writes a number with commas.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        let cases = [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (1_234_567, "1,234,567"),
        ];
        for (number, text) in cases {
            assert_eq!(grouped(number), text);
        }
    }
}

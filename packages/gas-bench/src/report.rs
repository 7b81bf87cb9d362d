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

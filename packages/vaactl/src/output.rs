//! Writes answers: tables for people, JSON lines for programs.

use std::fmt::Display;
use std::io::{self, BufWriter, Stdout, Write};

use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{ContentArrangement, Table};
use serde::Serialize;

/// Writes to standard output.
#[derive(Debug)]
pub struct Output {
    json: bool,
    stdout: BufWriter<Stdout>,
}

impl Output {
    /// Opens standard output, for programs if `json`.
    #[must_use]
    pub fn new(json: bool) -> Self {
        Self {
            json,
            stdout: BufWriter::new(io::stdout()),
        }
    }

    /// Tells whether programs read this.
    #[must_use]
    pub fn is_json(&self) -> bool {
        self.json
    }

    /// Writes a line.
    ///
    /// # Errors
    /// A failure to write, such as a pipe whose reader has gone.
    pub fn line(&mut self, text: impl Display) -> io::Result<()> {
        writeln!(self.stdout, "{text}")
    }

    /// Writes a value as a line of JSON.
    ///
    /// # Errors
    /// A failure to write.
    pub fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.stdout, value)?;
        self.stdout.write_all(b"\n")
    }

    /// Writes bytes as they are.
    ///
    /// # Errors
    /// A failure to write.
    pub fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stdout.write_all(bytes)
    }

    /// Hands everything on.
    ///
    /// # Errors
    /// A failure to write.
    pub fn flush(&mut self) -> io::Result<()> {
        self.stdout.flush()
    }
}

/// Makes a table with a heading.
#[must_use]
pub fn table<const N: usize>(heading: [&str; N]) -> Table {
    let mut table = Table::new();
    table
        .load_style(UTF8_FULL_CONDENSED)
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(heading);
    table
}

/// Returns a time in Unix seconds as people write it, in UTC.
#[must_use]
pub fn utc(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Civil date from days, after Howard Hinnant: years begin in March, so that leap days end them.
    let shifted = days.saturating_add(719_468);
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = day_of_era
        .saturating_sub(day_of_era / 1_460)
        .saturating_add(day_of_era / 36_524)
        .saturating_sub(day_of_era / 146_096)
        / 365;
    let day_of_year = day_of_era.saturating_sub(
        year_of_era
            .saturating_mul(365)
            .saturating_add(year_of_era / 4)
            .saturating_sub(year_of_era / 100),
    );
    let march_month = day_of_year.saturating_mul(5).saturating_add(2) / 153;
    let day = day_of_year
        .saturating_sub(march_month.saturating_mul(153).saturating_add(2) / 5)
        .saturating_add(1);
    let month = if march_month < 10 {
        march_month.saturating_add(3)
    } else {
        march_month.saturating_sub(9)
    };
    let year = era
        .saturating_mul(400)
        .saturating_add(year_of_era)
        .saturating_add(u64::from(month <= 2));
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::utc;

    #[test]
    fn times_are_those_of_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01 00:00:00Z"),
            (951_782_399, "2000-02-28 23:59:59Z"),
            (951_782_400, "2000-02-29 00:00:00Z"),
            (951_868_800, "2000-03-01 00:00:00Z"),
            (1_628_094_930, "2021-08-04 16:35:30Z"),
            (1_783_669_263, "2026-07-10 07:41:03Z"),
            (4_107_542_399, "2100-02-28 23:59:59Z"),
            (4_107_542_400, "2100-03-01 00:00:00Z"),
            (u32::MAX as u64, "2106-02-07 06:28:15Z"),
        ] {
            assert_eq!(utc(seconds), text);
        }
        assert!(!utc(u64::MAX).is_empty());
    }
}

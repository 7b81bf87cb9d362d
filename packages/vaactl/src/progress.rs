//! Shows on the terminal how far long work has come.

use std::io::{IsTerminal, stderr};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work too short for a bar.
const TINY_VAAS: u64 = 50;
const TINY_BYTES: u64 = 50_000;

/// Says what a bar counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// VAAs, all of which are known.
    Vaas(u64),
    /// Bytes of input, all of which are known.
    Bytes(u64),
    /// VAAs, of an input whose end is not in sight.
    Unknown,
}

/// Shows a bar with rate and remaining time on standard error, if that is a terminal and the
/// work is not tiny.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    measure: Measure,
    vaas: u64,
}

impl Progress {
    /// Starts a bar.
    #[must_use]
    pub fn start(measure: Measure) -> Self {
        let tiny = match measure {
            Measure::Vaas(len) => len < TINY_VAAS,
            Measure::Bytes(len) => len < TINY_BYTES,
            Measure::Unknown => false,
        };
        let target = if stderr().is_terminal() && !tiny {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let (len, template) = match measure {
            Measure::Vaas(len) => (
                Some(len),
                "{bar:40} {pos}/{len} VAAs  {per_sec}  {eta} left {msg}",
            ),
            Measure::Bytes(len) => (
                Some(len),
                "{bar:40} {bytes}/{total_bytes}  {bytes_per_sec}  {eta} left  {msg}",
            ),
            Measure::Unknown => (None, "{spinner} {pos} VAAs  {per_sec}  {elapsed} {msg}"),
        };
        let style = ProgressStyle::with_template(template)
            .unwrap_or_else(|_| ProgressStyle::default_bar())
            .progress_chars("=> ");
        let bar = ProgressBar::with_draw_target(len, target).with_style(style);
        Self {
            bar,
            measure,
            vaas: 0,
        }
    }

    /// Counts VAAs that are done; `read_bytes` is how much of the input has been read.
    pub fn advance(&mut self, vaas: u64, read_bytes: u64) {
        self.vaas = self.vaas.saturating_add(vaas);
        match self.measure {
            Measure::Bytes(_) => {
                let seconds = self.bar.elapsed().as_secs_f64().max(0.001);
                let rate = self.vaas as f64 / seconds;
                self.bar
                    .set_message(format!("{} VAAs, {rate:.0}/s", self.vaas));
                self.bar.set_position(read_bytes);
            }
            Measure::Vaas(_) | Measure::Unknown => self.bar.set_position(self.vaas),
        }
    }

    /// Prints a line above the bar.
    pub fn note(&self, line: &str) {
        if self.bar.is_hidden() {
            eprintln!("{line}");
        } else {
            self.bar.println(line);
        }
    }

    /// Removes the bar.
    pub fn finish(self) {
        self.bar.finish_and_clear();
    }
}

//! The command: measures, prints, and keeps or checks the figures.

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use gas_bench::figure::{Figure, Measured, from_csv, rises, to_csv};
use gas_bench::machine::Contract;
use gas_bench::size::Size;
use gas_bench::{comparison, peers, readme, registry, report, size};

const USAGE: &str = "usage: gas-bench [SECTION...] [--write DATE | --check] [--million] [--calls OPERATION]

SECTION is orm or registry; both without any.
  --write DATE       puts the figures into gas.csv, and those of the ORM into its README with this date
  --check            fails if a figure is more than 1 % above the one in gas.csv, if the README has others than that, if
                     the ORM's figures depend on how many rows there are, or if a further table is too much wasm
  --million          measures the ORM and its peers with 1,000,000 rows too
  --calls OPERATION  lists the storage calls of the operations with this text in their names";

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/gas.csv");

#[derive(Default)]
struct Options {
    sections: Vec<String>,
    /// The date to write with.
    write: Option<String>,
    check: bool,
    million: bool,
    calls: Option<String>,
}

impl Options {
    fn wants(&self, section: &str) -> bool {
        self.sections.is_empty() || self.sections.iter().any(|name| name == section)
    }
}

fn main() -> ExitCode {
    let options = match parse(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(wrong) => {
            eprintln!("gas-bench: {wrong}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match run(&options) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("gas-bench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn parse(mut args: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options::default();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--write" => options.write = Some(args.next().ok_or("--write needs a date")?),
            "--check" => options.check = true,
            "--million" => options.million = true,
            "--calls" => options.calls = Some(args.next().ok_or("--calls needs an operation")?),
            peers::SECTION | registry::SECTION => options.sections.push(arg),
            _ => return Err(format!("unknown argument {arg}")),
        }
    }
    let kept = usize::from(options.write.is_some()) + usize::from(options.check);
    if kept + usize::from(options.million) > 1 {
        return Err("only one of --write, --check and --million".into());
    }
    Ok(options)
}

fn run(options: &Options) -> Result<ExitCode, Box<dyn Error>> {
    let mut measured: Vec<Measured> = Vec::new();
    let mut sizes: Vec<Size> = Vec::new();
    let mut rows = peers::ROWS.to_vec();
    rows.extend(options.million.then_some(peers::MANY_ROWS));
    if options.wants(peers::SECTION) {
        measured.extend(peers::measure(&rows)?);
        sizes = size::measure()?;
    }
    if options.wants(registry::SECTION) {
        measured.extend(registry::measure(&Contract::load(&registry::wasm())?)?);
    }
    let figures: Vec<Figure> = measured.iter().map(|done| done.figure.clone()).collect();
    if options.wants(peers::SECTION) {
        println!("{}", comparison::ratios(&figures));
        println!("{}", comparison::sizes(&figures, &rows));
        println!("{}", comparison::plain_gets(&figures));
        println!("{}", size::table(&sizes));
    }
    if options.wants(registry::SECTION) {
        println!("{}", report::registry(&figures));
    }
    if let Some(operation) = &options.calls {
        let matching = measured
            .iter()
            .filter(|done| done.figure.name().contains(operation.as_str()));
        matching.for_each(|done| println!("{}", report::calls(done)));
    }
    if let Some(date) = &options.write {
        write(options, date, &figures, &sizes)?;
    }
    if options.check {
        let wrong = check(options, &figures, &sizes)?;
        if !wrong.is_empty() {
            wrong
                .iter()
                .for_each(|wrong| eprintln!("gas-bench: {wrong}"));
            return Ok(ExitCode::FAILURE);
        }
        println!(
            "{} figures, none more than 1 % above those kept",
            figures.len()
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the figures that are kept: those of the sections wanted, and the others.
fn kept(options: &Options) -> Result<(Vec<Figure>, Vec<Figure>), Box<dyn Error>> {
    let kept = match std::fs::read_to_string(FILE) {
        Ok(text) => from_csv(&text)?,
        Err(_) if !Path::new(FILE).exists() => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    let wanted = |figure: &Figure| options.wants(&figure.section);
    Ok(kept.into_iter().partition(wanted))
}

fn write(
    options: &Options,
    date: &str,
    figures: &[Figure],
    sizes: &[Size],
) -> Result<(), Box<dyn Error>> {
    let (_, others) = kept(options)?;
    std::fs::write(FILE, to_csv(figures.iter().chain(&others)))?;
    if options.wants(peers::SECTION) {
        let part = format!(
            "{}\n{}\n{}",
            readme::versions(date),
            comparison::tables(figures),
            size::table(sizes)
        );
        replace(&readme::orm(), &part)?;
    }
    if options.wants(registry::SECTION) {
        let totals = report::registry_totals(figures);
        let part = format!("{}\n{totals}", readme::versions(date));
        replace(&readme::registry(), &part)?;
    }
    Ok(())
}

fn replace(file: &Path, part: &str) -> Result<(), Box<dyn Error>> {
    let text = std::fs::read_to_string(file)?;
    std::fs::write(file, readme::with_measured(&text, part)?)?;
    Ok(())
}

fn check(
    options: &Options,
    figures: &[Figure],
    sizes: &[Size],
) -> Result<Vec<String>, Box<dyn Error>> {
    let (same, _) = kept(options)?;
    let mut wrong: Vec<String> = Vec::new();
    wrong.extend(rises(&same, figures).iter().map(ToString::to_string));
    if options.wants(peers::SECTION) {
        wrong.extend(comparison::uneven(figures));
        wrong.extend(size::too_large(sizes));
        wrong.extend(outdated(&readme::orm(), &comparison::tables(&same))?);
    }
    if options.wants(registry::SECTION) {
        wrong.extend(outdated(
            &readme::registry(),
            &report::registry_totals(&same),
        )?);
    }
    Ok(wrong)
}

/// Says if a README has not this table between its marks.
fn outdated(file: &Path, table: &str) -> Result<Option<String>, Box<dyn Error>> {
    let text = std::fs::read_to_string(file)?;
    let other = !readme::measured(&text)?.contains(table);
    Ok(other.then(|| {
        format!(
            "{} has other figures than gas.csv: run scripts/gas.sh --write",
            file.display()
        )
    }))
}

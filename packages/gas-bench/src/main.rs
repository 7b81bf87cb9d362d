//! The command: measures, prints, and keeps or checks the figures.

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use gas_bench::figure::{Figure, Measured, from_csv, rises, to_csv};
use gas_bench::machine::Contract;
use gas_bench::{registry, report};

const USAGE: &str = "usage: gas-bench [SECTION...] [--write | --check] [--calls OPERATION]

SECTION is registry; all of them without any.
  --write            puts the figures into gas.csv
  --check            fails if a figure is more than 1 % above the one in gas.csv
  --calls OPERATION  lists the storage calls of the operations with this text in their names";

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/gas.csv");
const SECTIONS: [&str; 1] = ["registry"];

#[derive(Default)]
struct Options {
    sections: Vec<String>,
    write: bool,
    check: bool,
    calls: Option<String>,
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
            "--write" => options.write = true,
            "--check" => options.check = true,
            "--calls" => options.calls = Some(args.next().ok_or("--calls needs an operation")?),
            section if SECTIONS.contains(&section) => options.sections.push(arg),
            _ => return Err(format!("unknown argument {arg}")),
        }
    }
    if options.write && options.check {
        return Err("--write and --check exclude each other".into());
    }
    Ok(options)
}

fn run(options: &Options) -> Result<ExitCode, Box<dyn Error>> {
    let wanted = |section: &str| {
        options.sections.is_empty() || options.sections.iter().any(|name| name == section)
    };
    let mut measured: Vec<Measured> = Vec::new();
    if wanted("registry") {
        measured.extend(registry::measure(&Contract::load(&registry::wasm())?)?);
    }
    let figures: Vec<Figure> = measured.iter().map(|done| done.figure.clone()).collect();
    if wanted("registry") {
        println!("{}", report::registry(&figures));
    }
    if let Some(operation) = &options.calls {
        let matching = measured
            .iter()
            .filter(|done| done.figure.name().contains(operation.as_str()));
        matching.for_each(|done| println!("{}", report::calls(done)));
    }
    let kept = match std::fs::read_to_string(FILE) {
        Ok(text) => from_csv(&text)?,
        Err(_) if !Path::new(FILE).exists() => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    let (same, others): (Vec<Figure>, Vec<Figure>) =
        kept.into_iter().partition(|figure| wanted(&figure.section));
    if options.write {
        std::fs::write(FILE, to_csv(others.iter().chain(&figures)))?;
    }
    if options.check {
        let rises = rises(&same, &figures);
        if !rises.is_empty() {
            eprintln!("gas-bench: more than 1 % above {FILE}, or not in it:");
            rises.iter().for_each(|rise| eprintln!("  {rise}"));
            return Ok(ExitCode::FAILURE);
        }
        println!(
            "{} figures, none more than 1 % above those kept",
            figures.len()
        );
    }
    Ok(ExitCode::SUCCESS)
}

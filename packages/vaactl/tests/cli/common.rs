use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// What a run of the binary left.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    /// The lines of standard output as JSON.
    pub(crate) fn json(&self) -> Vec<Value> {
        self.stdout
            .lines()
            .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
            .collect()
    }

    /// How often each outcome stands on standard output.
    pub(crate) fn count(&self, outcome: &str) -> usize {
        self.json()
            .iter()
            .filter(|line| line["outcome"] == outcome)
            .count()
    }

    /// Requires a failure that is told in one line, and returns it.
    pub(crate) fn failure(&self) -> &str {
        assert_eq!(self.code, 1, "{}{}", self.stdout, self.stderr);
        let line = self.stderr.lines().last().unwrap_or_default();
        assert!(line.starts_with("error: "), "{}", self.stderr);
        line
    }

    pub(crate) fn done(self) -> Self {
        assert_eq!(self.code, 0, "{}{}", self.stdout, self.stderr);
        self
    }
}

/// A home directory that does not exist yet.
pub(crate) struct Home {
    pub(crate) dir: TempDir,
}

impl Home {
    pub(crate) fn new() -> Self {
        Self {
            dir: tempfile::tempdir().unwrap(),
        }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.dir.path().join("home")
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        self.run_with(arguments, b"")
    }

    pub(crate) fn run_with(&self, arguments: &[&str], stdin: impl Into<Vec<u8>>) -> Ran {
        let output = Command::cargo_bin("vaactl")
            .unwrap()
            .env_remove("VAACTL_HOME")
            .arg("--home")
            .arg(self.path())
            .args(arguments)
            .write_stdin(stdin)
            .output()
            .unwrap();
        Ran {
            code: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// A file beside the home.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.dir.path().join(name);
        fs::write(&path, content).unwrap();
        path.display().to_string()
    }
}

/// A file of the VAAs that the project holds.
pub(crate) fn testdata(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../vaa/testdata")
        .join(name)
}

/// The rows of such a file.
pub(crate) fn rows(name: &str) -> Vec<Value> {
    fs::read_to_string(testdata(name))
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

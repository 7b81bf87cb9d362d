use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Says why the embedded registry's store can not be opened, read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The home directory does not exist.
    #[error("home `{}` does not exist; `vaactl init` creates one", home.display())]
    NoHome {
        /// The directory.
        home: PathBuf,
    },
    /// The home directory holds no registry.
    #[error("home `{}` holds no registry; `vaactl init` creates one", home.display())]
    NoRegistry {
        /// The directory.
        home: PathBuf,
    },
    /// The home directory holds a registry already.
    #[error("home `{}` already holds a registry", home.display())]
    Exists {
        /// The directory.
        home: PathBuf,
    },
    /// Another process works on the home directory.
    #[error("home `{}` is in use by another process{}", home.display(), pid_text(*pid))]
    InUse {
        /// The directory.
        home: PathBuf,
        /// The process, where it could be told.
        pid: Option<u32>,
    },
    /// A file operation failed.
    #[error("cannot {action} `{}`: {source}", path.display())]
    File {
        /// What was tried.
        action: &'static str,
        /// On which file or directory.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The database failed.
    #[error("cannot {action} the database `{}`: {source}", path.display())]
    Database {
        /// What was tried.
        action: &'static str,
        /// The database file.
        path: PathBuf,
        /// What the database said.
        #[source]
        source: Box<redb::Error>,
    },
    /// The file is not a database of this program.
    #[error("`{}` is not a registry database: {reason}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What gives it away.
        reason: String,
    },
    /// The database is of a layout that this program does not know.
    #[error("`{}` has store layout `{found}`, this program reads `{expected}`", path.display())]
    Layout {
        /// The file.
        path: PathBuf,
        /// The recorded layout.
        found: String,
        /// The layout of this program.
        expected: &'static str,
    },
    /// The recorded codes are not those of this program.
    #[error("the store runs code {id} as {recorded}, this program has {running}")]
    Codes {
        /// Number of the code.
        id: u64,
        /// Recorded name and version.
        recorded: String,
        /// Name and version in this program.
        running: String,
    },
    /// An error met within a call, which was rolled back.
    #[error(transparent)]
    Within(Arc<StoreError>),
    /// An earlier error made the handle unusable; nothing was written since.
    #[error("the store is closed after an earlier error: {first}")]
    Poisoned {
        /// The text of that error.
        first: String,
    },
}

fn pid_text(pid: Option<u32>) -> String {
    pid.map(|pid| format!(" (pid {pid})")).unwrap_or_default()
}

impl StoreError {
    /// Makes the error of a failed file operation.
    pub(crate) fn file(action: &'static str, path: &Path, source: io::Error) -> Self {
        Self::File {
            action,
            path: path.to_owned(),
            source,
        }
    }

    /// Makes the error of a failed database operation.
    pub(crate) fn database(
        action: &'static str,
        path: &Path,
        source: impl Into<redb::Error>,
    ) -> Self {
        Self::Database {
            action,
            path: path.to_owned(),
            source: Box::new(source.into()),
        }
    }
}

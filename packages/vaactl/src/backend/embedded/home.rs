use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

use super::StoreError;

/// Name of the database in a home directory.
pub const DATABASE: &str = "registry.redb";
/// Name of the database while it is being made.
const DATABASE_NEW: &str = "registry.redb.new";
/// Name of the file that keeps a second process out.
const LOCK: &str = "lock";

/// Holds a home directory for this process alone, until dropped.
#[derive(Debug)]
pub struct Home {
    path: PathBuf,
    _lock: File,
}

impl Home {
    /// Takes a directory that holds a registry.
    ///
    /// # Errors
    /// [`StoreError::NoHome`], [`StoreError::NoRegistry`], [`StoreError::InUse`], or a file error.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        if !path.is_dir() {
            return Err(StoreError::NoHome {
                home: path.to_owned(),
            });
        }
        // Before the lock, so that a wrong --home leaves nothing behind.
        if !path.join(DATABASE).exists() {
            return Err(StoreError::NoRegistry {
                home: path.to_owned(),
            });
        }
        Self::lock(path)
    }

    /// Takes a directory that holds no registry yet, and makes it where it is missing.
    ///
    /// # Errors
    /// [`StoreError::Exists`], [`StoreError::InUse`], or a file error.
    pub fn create(path: &Path) -> Result<Self, StoreError> {
        fs::create_dir_all(path).map_err(|e| StoreError::file("create", path, e))?;
        let home = Self::lock(path)?;
        if home.database().exists() {
            return Err(StoreError::Exists {
                home: path.to_owned(),
            });
        }
        let unfinished = home.new_database();
        if unfinished.exists() {
            fs::remove_file(&unfinished).map_err(|e| StoreError::file("remove", &unfinished, e))?;
        }
        Ok(home)
    }

    fn lock(path: &Path) -> Result<Self, StoreError> {
        let file = path.join(LOCK);
        let mut lock = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&file)
            .map_err(|e| StoreError::file("open", &file, e))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let pid = read_pid(&mut lock);
                return Err(StoreError::InUse {
                    home: path.to_owned(),
                    pid,
                });
            }
            Err(TryLockError::Error(e)) => return Err(StoreError::file("lock", &file, e)),
        }
        // The number only serves the other process's message; a full disk must not stop a reader.
        let _ = lock
            .set_len(0)
            .and_then(|()| lock.rewind())
            .and_then(|()| write!(lock, "{}", std::process::id()));
        Ok(Self {
            path: path.to_owned(),
            _lock: lock,
        })
    }

    /// Returns the directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the database file.
    #[must_use]
    pub fn database(&self) -> PathBuf {
        self.path.join(DATABASE)
    }

    /// Returns the file that becomes the database once it is complete.
    #[must_use]
    pub fn new_database(&self) -> PathBuf {
        self.path.join(DATABASE_NEW)
    }

    /// Makes the new database the home's own.
    ///
    /// # Errors
    /// A file error.
    pub fn finish(&self) -> Result<(), StoreError> {
        let (new, database) = (self.new_database(), self.database());
        fs::rename(&new, &database).map_err(|e| StoreError::file("rename", &new, e))?;
        // A rename is durable only once its directory is.
        #[cfg(unix)]
        File::open(&self.path)
            .and_then(|directory| directory.sync_all())
            .map_err(|e| StoreError::file("sync", &self.path, e))?;
        Ok(())
    }

    /// Removes the new database of a registry that could not be made.
    pub fn abandon(&self) {
        let _ = fs::remove_file(self.new_database());
    }
}

fn read_pid(lock: &mut File) -> Option<u32> {
    let mut text = String::new();
    lock.take(16).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

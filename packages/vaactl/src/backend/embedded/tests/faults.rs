//! Storages that fail: nothing is lost, nothing is half written, nothing panics.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use redb::StorageBackend;
use redb::backends::FileBackend;

use super::chain::dump;
use super::*;

/// Switches shared between a test and the storage below its chain.
#[derive(Clone, Debug)]
struct Switches {
    /// Bytes that may still be written.
    space: Arc<AtomicI64>,
    reads_fail: Arc<AtomicBool>,
}

impl Switches {
    fn new(space: i64) -> Self {
        Self {
            space: Arc::new(AtomicI64::new(space)),
            reads_fail: Arc::default(),
        }
    }
}

#[derive(Debug)]
struct Faulty {
    file: FileBackend,
    switches: Switches,
}

impl StorageBackend for Faulty {
    fn len(&self) -> io::Result<u64> {
        self.file.len()
    }
    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        if self.switches.reads_fail.load(Ordering::Relaxed) {
            return Err(io::Error::other("the disk is on fire"));
        }
        self.file.read(offset, out)
    }
    fn set_len(&self, len: u64) -> io::Result<()> {
        self.file.set_len(len)
    }
    fn sync_data(&self) -> io::Result<()> {
        self.file.sync_data()
    }
    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let len = data.len() as i64;
        if self.switches.space.fetch_sub(len, Ordering::Relaxed) < len {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.file.write(offset, data)
    }
}

fn file(path: &Path) -> File {
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .unwrap()
}

/// Makes a chain over a faulty file that is in place for a later, ordinary opening.
fn faulty(home: &Path, switches: &Switches) -> Result<Embedded, BackendError> {
    let path: PathBuf = home.join(DATABASE);
    let file = FileBackend::new(file(&path)).unwrap();
    let backend = Faulty {
        file,
        switches: switches.clone(),
    };
    let store = Store::create_with(&path, backend, CACHE_BYTES)?;
    Embedded::begin(store, vec![contract::code("1.0.0")], genesis(100))
}

/// More rows than the cache of a faulty chain holds, so that reads reach the file.
const ROWS: u64 = 20_000;
const CACHE_BYTES: usize = 256 << 10;

fn fill(chain: &mut Embedded) {
    for from in (0..ROWS).step_by(5_000) {
        chain
            .execute_msg(&json!({"fill": {"from": from, "count": 5_000}}))
            .unwrap();
    }
}

#[test]
fn a_full_disk_loses_nothing_at_whatever_byte_it_fills_up() {
    let mut refused = 0;
    let mut made = 0;
    for step in 0..50 {
        let dir = tempfile::tempdir().unwrap();
        let switches = Switches::new(i64::MAX);
        let mut chain = faulty(dir.path(), &switches).unwrap();
        set(&mut chain, "kept", "1").unwrap();
        let before = dump(&chain);
        let state = chain.state().clone();

        switches.space.store(step * step * 100, Ordering::Relaxed);
        let outcome = chain.execute_msg(&json!({"fill": {"from": 0, "count": 500}}));
        let committed = outcome.is_ok();
        if let Err(error) = outcome {
            refused += 1;
            let text = error.to_string();
            assert!(text.contains("cannot write the database"), "{text}");
            assert!(!text.contains('\n'), "{text}");
            let text = set(&mut chain, "later", "1").unwrap_err().to_string();
            assert!(
                text.contains("closed after an earlier error: cannot write"),
                "{text}"
            );
            get(&chain, "kept").unwrap_err();
        } else {
            made += 1;
        }
        drop(chain);

        let chain = open(dir.path());
        if committed {
            assert_eq!(chain.state().height, state.height + 1);
            let count: u64 = chain.query_msg(&json!({"count": {}})).unwrap();
            assert_eq!(count, 502);
        } else {
            assert_eq!(*chain.state(), state);
            assert_eq!(dump(&chain), before);
        }
    }
    assert!(refused > 10 && made > 0, "{refused} refused, {made} made");
}

#[test]
fn a_read_error_is_reported_not_taken_for_absence() {
    let dir = tempfile::tempdir().unwrap();
    let switches = Switches::new(i64::MAX);
    let mut chain = faulty(dir.path(), &switches).unwrap();
    fill(&mut chain);
    let state = chain.state().clone();
    switches.reads_fail.store(true, Ordering::Relaxed);

    let error = chain
        .execute_msg(&json!({"count_and_set": {"key": "wrong"}}))
        .unwrap_err();
    assert!(
        matches!(error, BackendError::Store(StoreError::Within(_))),
        "{error}"
    );
    assert!(
        error.to_string().contains("cannot read the database"),
        "{error}"
    );
    assert!(error.to_string().contains("the disk is on fire"), "{error}");
    switches.reads_fail.store(false, Ordering::Relaxed);
    let error = get(&chain, "made").unwrap_err();
    assert!(
        matches!(error, BackendError::Store(StoreError::Poisoned { .. })),
        "{error}"
    );
    assert!(chain.with_storage(|_| ()).is_err());
    drop(chain);

    let chain = open(dir.path());
    assert_eq!(*chain.state(), state);
    assert_eq!(get(&chain, "wrong").unwrap(), Value::Null);
    let count: u64 = chain.query_msg(&json!({"count": {}})).unwrap();
    assert_eq!(count, ROWS + 1);
    for reverse in [false, true] {
        let page: Vec<String> = chain
            .query_msg(&json!({"page": {"limit": 30, "reverse": reverse}}))
            .unwrap();
        assert_eq!(page.len(), 30);
        assert_eq!(
            page[0],
            if reverse {
                "row000019999"
            } else {
                "row000000000"
            }
        );
    }
}

#[test]
fn a_query_that_meets_a_read_error_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let switches = Switches::new(i64::MAX);
    let mut chain = faulty(dir.path(), &switches).unwrap();
    fill(&mut chain);
    switches.reads_fail.store(true, Ordering::Relaxed);
    let error = chain
        .query_msg::<_, u64>(&json!({"count": {}}))
        .unwrap_err();
    assert!(error.to_string().contains("the disk is on fire"), "{error}");
}

#[test]
fn a_disk_too_small_for_a_registry_is_one_line() {
    let dir = tempfile::tempdir().unwrap();
    let error = faulty(dir.path(), &Switches::new(1000))
        .err()
        .unwrap()
        .to_string();
    assert!(
        error.contains("registry.redb`: I/O error: no storage space"),
        "{error}"
    );
    assert!(!error.contains('\n'), "{error}");
}

#[test]
fn a_process_that_dies_between_calls_keeps_every_call() {
    let dir = tempfile::tempdir().unwrap();
    let mut chain = create(dir.path());
    set(&mut chain, "a", "1").unwrap();
    // What is only buffered is lost, which is all that a kill can lose.
    chain.app.storage_mut().set(b"unflushed", b"1");
    // The file as the kill leaves it: never closed.
    let copy = tempfile::tempdir().unwrap();
    std::fs::copy(dir.path().join(DATABASE), copy.path().join(DATABASE)).unwrap();
    let state = chain.state().clone();
    drop(chain);
    for home in [copy.path(), dir.path()] {
        let chain = open(home);
        assert_eq!(*chain.state(), state);
        assert_eq!(get(&chain, "a").unwrap(), "1");
        assert_eq!(chain.app.storage().get(b"unflushed"), None);
    }
}

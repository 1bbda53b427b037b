//! A disk that a test breaks: it counts what is written and synced, fails or tears the operation that it was told to, and
//! forgets what was never synced.
//!
//! It wraps a real directory. What is not synced is written there all the same, and taken back when the power is cut.

use std::{
    collections::BTreeMap,
    fs::{self, OpenOptions},
    io::{Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

/// What goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Plan {
    /// Nothing.
    Nothing,
    /// From operation `at` on, `times` operations fail; a write that fails has written its first half.
    Fail { at: u64, times: u64 },
    /// The power is cut in the middle of operation `at`.
    Cut { at: u64 },
}

/// What is left of everything that was written and not synced when the power is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Left {
    /// All of it.
    All,
    /// Nothing.
    Nothing,
    /// Any part of it, whatever came first.
    Some { seed: u64 },
}

/// What an operation may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It is carried out.
    Goes,
    /// It fails after its first half.
    Torn,
    /// It fails, and nothing happens.
    Fails,
}

/// A change of a file that may still be lost.
#[derive(Debug)]
struct Change {
    path: PathBuf,
    offset: u64,
    new: Option<Vec<u8>>,
    old: Vec<u8>,
    old_length: u64,
}

/// One disk.
#[derive(Debug)]
pub(crate) struct Disk {
    plan: Plan,
    operations: u64,
    dead: bool,
    unsynced: Vec<Change>,
}

/// Every disk, by its directory.
static DISKS: Mutex<BTreeMap<PathBuf, Arc<Mutex<Disk>>>> = Mutex::new(BTreeMap::new());

/// Makes a directory a disk.
pub(crate) fn insert(directory: &Path, plan: Plan) -> Arc<Mutex<Disk>> {
    let disk = Disk { plan, operations: 0, dead: false, unsynced: Vec::new() };
    let disk = Arc::new(Mutex::new(disk));
    DISKS.lock().unwrap().insert(directory.to_owned(), Arc::clone(&disk));
    disk
}

/// The directory is only a directory again.
pub(crate) fn eject(directory: &Path) {
    DISKS.lock().unwrap().remove(directory);
}

/// The disk that has this file.
pub(crate) fn of(path: &Path) -> Option<Arc<Mutex<Disk>>> {
    DISKS.lock().unwrap().get(path.parent()?).cloned()
}

impl Disk {
    /// Whether the power is cut.
    pub(crate) fn is_dead(&self) -> bool {
        self.dead
    }

    /// How much was written and synced.
    pub(crate) fn operations(&self) -> u64 {
        self.operations
    }

    /// Counts an operation.
    pub(crate) fn ask(&mut self) -> Verdict {
        if self.dead {
            return Verdict::Fails;
        }
        self.operations += 1;
        match self.plan {
            Plan::Cut { at } if self.operations >= at => {
                self.dead = true;
                Verdict::Torn
            }
            Plan::Fail { at, times } if (at..at + times).contains(&self.operations) => Verdict::Torn,
            _ => Verdict::Goes,
        }
    }

    /// Remembers what a write or a truncation replaces.
    pub(crate) fn changes(
        &mut self,
        path: &Path,
        offset: u64,
        new: Option<&[u8]>,
        old: Vec<u8>,
        old_length: u64,
    ) {
        let new = new.map(<[u8]>::to_vec);
        self.unsynced.push(Change { path: path.to_owned(), offset, new, old, old_length });
    }

    /// What was written to this file stays.
    pub(crate) fn synced(&mut self, path: &Path) {
        self.unsynced.retain(|change| change.path != path);
    }

    /// The power is back: the directory holds what the disk kept.
    pub(crate) fn recover(&mut self, left: Left) {
        let changes = std::mem::take(&mut self.unsynced);
        if left != Left::All {
            for change in changes.iter().rev() {
                change.undo();
            }
        }
        if let Left::Some { mut seed } = left {
            for change in &changes {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                if seed >> 60 < 8 {
                    change.redo();
                }
            }
        }
        self.dead = false;
        self.plan = Plan::Nothing;
    }
}

impl Change {
    fn undo(&self) {
        // One that was deleted since is gone.
        let Ok(mut file) = OpenOptions::new().write(true).open(&self.path) else { return };
        file.seek(SeekFrom::Start(self.offset)).unwrap();
        file.write_all(&self.old).unwrap();
        file.set_len(self.old_length).unwrap();
    }

    fn redo(&self) {
        let Ok(mut file) = OpenOptions::new().write(true).open(&self.path) else { return };
        match &self.new {
            Some(new) => {
                file.seek(SeekFrom::Start(self.offset)).unwrap();
                file.write_all(new).unwrap();
            }
            None => file.set_len(self.offset).unwrap(),
        }
    }
}

/// What is in a file behind an offset, at most so much, and how long the file is.
pub(crate) fn peek(path: &Path, offset: u64, most: u64) -> (Vec<u8>, u64) {
    let mut bytes = Vec::new();
    let Ok(mut file) = fs::File::open(path) else { return (bytes, 0) };
    let length = file.metadata().unwrap().len();
    file.seek(SeekFrom::Start(offset)).unwrap();
    file.take(most).read_to_end(&mut bytes).unwrap();
    (bytes, length)
}

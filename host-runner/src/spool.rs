//! The spool: facts on disk while the daemon cannot be reached. Hosts and hooks write, the daemon drains.
//!
//! One file is one fact, written whole or not at all. File names sort in the order in which the facts happened. Nothing
//! here deletes a fact: whoever committed it removes its file.

use crate::root::BoardRoot;
use board_protocol::{
    frame::{self, FrameReader, MAX_FRAME_BYTES},
    host::SpooledFact,
};
use std::{
    fs, io,
    io::Write,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    time::Duration,
};
use uuid::Uuid;

/// Most facts that wait at once: a day of a busy agent's events. A write over it is refused.
pub const MAX_FACTS: usize = 20_000;
/// Most bytes that wait at once, so that a daemon that never comes back cannot fill the disk.
pub const MAX_BYTES: u64 = 64 * 1024 * 1024;
/// Most facts of one [`drain`], so that a full spool does not fill the daemon's memory.
pub const MAX_DRAINED: usize = 1_000;
/// What a whole fact's file name ends in; anything else in the directory is not a fact.
const SUFFIX: &str = ".fact";
/// A file that is still being written.
const UNFINISHED: &str = ".part";
/// A writer needs milliseconds: an unfinished file of this age lost its writer.
const ABANDONED_AFTER: Duration = Duration::from_secs(3600);

/// Writes one fact, durable once this returns.
///
/// # Errors
/// The spool is full ([`io::ErrorKind::QuotaExceeded`]), or the disk says no.
pub fn write(root: &BoardRoot, fact: &SpooledFact) -> io::Result<()> {
    let directory = root.spool();
    let bytes = frame::encode(fact).map_err(io::Error::other)?;
    let (mut count, mut total) = (0, bytes.len() as u64);
    for entry in fs::read_dir(&directory)?.flatten() {
        count += 1;
        total = total.saturating_add(entry.metadata().map_or(0, |meta| meta.len()));
    }
    if count >= MAX_FACTS || total > MAX_BYTES {
        return Err(io::Error::new(
            io::ErrorKind::QuotaExceeded,
            format!("{} is full ({count} facts)", directory.display()),
        ));
    }
    let unique = Uuid::new_v4().simple().to_string();
    let seq = fact.seq.map_or(0, |seq| seq.0);
    let unfinished = directory.join(format!("{unique}{UNFINISHED}"));
    let finished = directory.join(format!("{:016}-{seq:012}-{unique}{SUFFIX}", fact.at_ms.0));
    let written = write_file(&unfinished, &bytes)
        .and_then(|()| fs::rename(&unfinished, &finished))
        // The name is data of the directory: without this a power cut leaves the file under the first one.
        .and_then(|()| fs::File::open(&directory)?.sync_all());
    if written.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    written
}

fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(bytes)?;
    file.sync_data()
}

/// The oldest waiting facts in order, at most [`MAX_DRAINED`]; a file that cannot be read says why. The files stay.
pub fn drain(root: &BoardRoot) -> Vec<(PathBuf, Result<SpooledFact, String>)> {
    let Ok(entries) = fs::read_dir(root.spool()) else { return Vec::new() };
    let mut paths = Vec::new();
    for entry in entries.flatten() {
        let path = entry.path();
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.ends_with(SUFFIX) {
            // Reading a pipe would wait for ever, a device would never end, and what cannot be removed like a file
            // would be found again and again.
            if entry.file_type().is_ok_and(|kind| kind.is_file()) {
                paths.push(path);
            }
        } else if name.ends_with(UNFINISHED) && is_abandoned(&entry) {
            let _ = fs::remove_file(path);
        }
    }
    paths.sort_unstable();
    paths.truncate(MAX_DRAINED);
    paths
        .into_iter()
        .map(|path| {
            let fact = read(&path);
            (path, fact)
        })
        .collect()
}

/// How much waits in the spool.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Waiting {
    /// Whole facts.
    pub(crate) facts: u64,
    /// The age of the oldest one.
    pub(crate) oldest: Duration,
}

/// Looks without touching anything.
pub(crate) fn waiting(root: &BoardRoot) -> Waiting {
    let mut waiting = Waiting::default();
    for entry in fs::read_dir(root.spool()).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().ends_with(SUFFIX) {
            waiting.facts += 1;
            let written = entry.metadata().and_then(|meta| meta.modified());
            let age = written.map(|at| at.elapsed().unwrap_or_default()).unwrap_or_default();
            waiting.oldest = waiting.oldest.max(age);
        }
    }
    waiting
}

fn is_abandoned(entry: &fs::DirEntry) -> bool {
    let age = entry.metadata().and_then(|meta| meta.modified()).map(|at| at.elapsed().unwrap_or_default());
    age.is_ok_and(|age| age > ABANDONED_AFTER)
}

fn read(path: &Path) -> Result<SpooledFact, String> {
    let size = fs::metadata(path).map_err(|error| error.to_string())?.len();
    if size > MAX_FRAME_BYTES as u64 {
        return Err(format!("{size} bytes are too many for one fact"));
    }
    let mut reader = FrameReader::new();
    reader.push(&fs::read(path).map_err(|error| error.to_string())?);
    reader
        .next_message()
        .map_err(|error| error.to_string())?
        .ok_or_else(|| "the file is cut short".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use board_protocol::{
        host::HostFact,
        ids::{FactSeq, Generation, SessionId, UnixMs},
    };

    fn fact(at: u64, seq: u64) -> SpooledFact {
        SpooledFact {
            session: SessionId("0123456789".into()),
            generation: Some(Generation("g".into())),
            seq: Some(FactSeq(seq)),
            at_ms: UnixMs(at),
            fact: HostFact::PersonTyped,
        }
    }

    #[test]
    fn facts_come_back_in_the_order_in_which_they_happened_and_stay() {
        let directory = tempfile::tempdir().unwrap();
        let root = BoardRoot::open(directory.path()).unwrap();
        for (at, seq) in [(20, 3), (9, 1), (20, 2)] {
            write(&root, &fact(at, seq)).unwrap();
        }
        for _ in 0..2 {
            let order: Vec<_> =
                drain(&root).into_iter().map(|(_, fact)| fact.unwrap().seq.unwrap().0).collect();
            assert_eq!(order, [1, 2, 3]);
        }
    }

    #[test]
    fn one_bad_file_costs_only_itself() {
        let directory = tempfile::tempdir().unwrap();
        let root = BoardRoot::open(directory.path()).unwrap();
        write(&root, &fact(5, 1)).unwrap();
        fs::write(root.spool().join("0000000000000001-bad.fact"), [9, 0, 0, 0, 1]).unwrap();
        fs::write(root.spool().join("half.part"), "x").unwrap();
        let drained = drain(&root);
        assert_eq!(drained.len(), 2);
        assert!(drained[0].1.as_ref().unwrap_err().contains("cut short"));
        assert_eq!(drained[1].1.as_ref().unwrap(), &fact(5, 1));
    }

    // A named pipe in the spool kept the daemon waiting for ever; a directory was found again at every look, and while
    // facts are found nobody looks for dead hosts.
    #[test]
    fn what_is_not_a_file_is_not_read() {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        let directory = tempfile::tempdir().unwrap();
        let root = BoardRoot::open(directory.path()).unwrap();
        write(&root, &fact(5, 1)).unwrap();
        mknodat(CWD, root.spool().join("1-pipe.fact"), FileType::Fifo, Mode::RUSR, 0).unwrap();
        std::os::unix::fs::symlink("/dev/zero", root.spool().join("2-endless.fact")).unwrap();
        fs::create_dir(root.spool().join("3-directory.fact")).unwrap();
        let (done, drained) = std::sync::mpsc::channel();
        std::thread::spawn(move || done.send(drain(&root)));
        let drained = drained.recv_timeout(Duration::from_secs(20)).expect("the spool is read to its end");
        assert_eq!(drained.len(), 1);
        assert_eq!(drained[0].1.as_ref().unwrap(), &fact(5, 1));
    }

    #[test]
    fn a_full_spool_refuses_and_keeps_what_it_has() {
        let directory = tempfile::tempdir().unwrap();
        let root = BoardRoot::open(directory.path()).unwrap();
        let big = root.spool().join("0-big.fact");
        fs::File::create(&big).unwrap().set_len(MAX_BYTES).unwrap();
        let refused = write(&root, &fact(1, 1)).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::QuotaExceeded);
        fs::remove_file(big).unwrap();
        write(&root, &fact(1, 1)).unwrap();
    }
}

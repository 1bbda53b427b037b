//! A host's own journal of the words that it was told to write: what makes writing them happen once (reference E.5).
//!
//! One file for each boot of a host. The host appends; the daemon reads it when the host is gone without a word, and
//! removes it. One line is one step, written whole and synced before anything follows from it; a torn last line is none.

use board_protocol::{host::DeliveryProgress, ids::QueueItemId};
use serde::{Deserialize, Serialize};
use std::{
    collections::VecDeque,
    fs::{self, File, OpenOptions},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

/// Most words whose fate is remembered, newest first (reference E.5). The daemon has one on its way at a time, so two would
/// do; the rest is for whoever looks for a fault.
const KEPT_ITEMS: usize = 256;
/// Lines after which the file is written anew without what is forgotten (reference E.5): two for each item kept.
const MAX_LINES: usize = 512;
/// Most bytes that are read of one file: many times what a full one has.
const MAX_BYTES: u64 = 1024 * 1024;

/// One line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Line {
    item: QueueItemId,
    progress: DeliveryProgress,
}

/// The journal of one host.
#[derive(Debug)]
pub(crate) struct Deliveries {
    path: PathBuf,
    file: Option<File>,
    lines: usize,
    entries: VecDeque<Line>,
}

impl Deliveries {
    /// An empty one; the file is made with the first line.
    pub(crate) fn new(path: PathBuf) -> Self {
        Self { path, file: None, lines: 0, entries: VecDeque::new() }
    }

    /// How far these words are, if they ever came.
    pub(crate) fn progress(&self, item: &QueueItemId) -> Option<&DeliveryProgress> {
        self.entries.iter().find(|line| line.item == *item).map(|line| &line.progress)
    }

    /// Writes down how far words are, durable once this returns.
    ///
    /// # Errors
    /// The disk says no; nothing is remembered.
    pub(crate) fn record(&mut self, item: &QueueItemId, progress: DeliveryProgress) -> io::Result<()> {
        let line = Line { item: item.clone(), progress };
        if self.lines >= MAX_LINES {
            self.compact()?;
        }
        append(self.open()?, std::slice::from_ref(&line))?;
        self.lines += 1;
        match self.entries.iter_mut().find(|entry| entry.item == line.item) {
            Some(entry) => *entry = line,
            None => self.entries.push_back(line),
        }
        if self.entries.len() > KEPT_ITEMS {
            self.entries.pop_front();
        }
        Ok(())
    }

    fn open(&mut self) -> io::Result<&mut File> {
        let file = match self.file.take() {
            Some(file) => file,
            None => create(&self.path)?,
        };
        Ok(self.file.insert(file))
    }

    /// Keeps one line for each item that is remembered.
    fn compact(&mut self) -> io::Result<()> {
        let unfinished = self.path.with_extension("part");
        let _ = fs::remove_file(&unfinished);
        let mut file = create(&unfinished)?;
        let lines: Vec<Line> = self.entries.iter().cloned().collect();
        append(&mut file, &lines)?;
        fs::rename(&unfinished, &self.path)?;
        sync_directory(&self.path)?;
        self.lines = lines.len();
        self.file = Some(file);
        Ok(())
    }
}

/// What a host wrote down, oldest first. A file that is not there says that it took nothing.
///
/// # Errors
/// The file is there and cannot be read.
pub(crate) fn read(path: &Path) -> io::Result<Vec<(QueueItemId, DeliveryProgress)>> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
        Ok(meta) if !meta.is_file() || meta.len() > MAX_BYTES => {
            return Err(io::Error::new(io::ErrorKind::InvalidData, board_text::host::foreign_journal()));
        }
        Ok(_) => {}
    }
    let text = fs::read(path)?;
    let lines = text.split(|byte| *byte == b'\n');
    let entries = lines.filter_map(|line| serde_json::from_slice::<Line>(line).ok());
    Ok(entries.map(|Line { item, progress }| (item, progress)).collect())
}

fn create(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().append(true).create(true).mode(0o600).open(path)?;
    // The name is data of the directory: without this a power cut leaves no file.
    sync_directory(path)?;
    Ok(file)
}

fn sync_directory(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(directory) => File::open(directory)?.sync_all(),
        None => Ok(()),
    }
}

fn append(file: &mut File, lines: &[Line]) -> io::Result<()> {
    let mut text = Vec::new();
    for line in lines {
        // In front: what a write that failed half-way left is a line of its own, and none that can be read.
        text.push(b'\n');
        serde_json::to_writer(&mut text, line)?;
    }
    text.push(b'\n');
    file.write_all(&text)?;
    file.sync_data()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(number: usize) -> QueueItemId {
        QueueItemId(format!("{number:010x}"))
    }

    #[test]
    fn what_is_written_down_is_read_by_whoever_comes_after_the_end() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("s.g.words");
        assert_eq!(read(&path).unwrap(), []);
        let mut journal = Deliveries::new(path.clone());
        assert_eq!(journal.progress(&item(1)), None);
        journal.record(&item(1), DeliveryProgress::Accepted).unwrap();
        journal.record(&item(1), DeliveryProgress::Applied).unwrap();
        journal.record(&item(2), DeliveryProgress::Accepted).unwrap();
        assert_eq!(journal.progress(&item(1)), Some(&DeliveryProgress::Applied));
        let expected = vec![
            (item(1), DeliveryProgress::Accepted),
            (item(1), DeliveryProgress::Applied),
            (item(2), DeliveryProgress::Accepted),
        ];
        assert_eq!(read(&path).unwrap(), expected);
        // A power cut in the middle of a line.
        let mut torn = fs::read(&path).unwrap();
        torn.truncate(torn.len() - 4);
        fs::write(&path, torn).unwrap();
        assert_eq!(read(&path).unwrap(), expected[..2]);
    }

    #[test]
    fn a_line_after_a_torn_one_is_read() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("s.g.words");
        fs::write(&path, br#"{"item":"aa","prog"#).unwrap();
        let mut journal = Deliveries::new(path.clone());
        journal.record(&item(1), DeliveryProgress::Accepted).unwrap();
        assert_eq!(read(&path).unwrap(), [(item(1), DeliveryProgress::Accepted)]);
    }

    #[test]
    fn the_journal_stays_small_and_keeps_whole_lives_of_the_newest() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("s.g.words");
        let mut journal = Deliveries::new(path.clone());
        for number in 0..2_000 {
            journal.record(&item(number), DeliveryProgress::Accepted).unwrap();
            journal.record(&item(number), DeliveryProgress::Applied).unwrap();
        }
        let entries = read(&path).unwrap();
        assert!(entries.len() <= MAX_LINES, "{}", entries.len());
        assert_eq!(journal.progress(&item(1_999 - KEPT_ITEMS + 1)), Some(&DeliveryProgress::Applied));
        assert_eq!(journal.progress(&item(0)), None);
        assert_eq!(entries.last(), Some(&(item(1_999), DeliveryProgress::Applied)));
    }

    #[test]
    fn what_is_no_file_is_not_read() {
        let directory = tempfile::tempdir().unwrap();
        assert!(read(directory.path()).is_err());
    }
}

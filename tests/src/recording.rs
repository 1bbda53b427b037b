//! What a program printed, byte for byte, and the sizes that its terminal had meanwhile: two files, `NAME.bin` and
//! `NAME.sizes`. Made by terminals that were asked for it, written by the program `recordings`, read by tests.

use board_protocol::ids::Size;
use std::{fs, io, path::Path};

/// One recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recording {
    /// Everything in order.
    pub bytes: Vec<u8>,
    /// From which byte on the terminal had which size; the first is at 0.
    pub sizes: Vec<(usize, Size)>,
}

impl Recording {
    /// An empty one of a terminal of this size.
    pub fn new(size: Size) -> Self {
        Self { bytes: Vec::new(), sizes: vec![(0, size)] }
    }

    /// The terminal changes its size here.
    pub fn resized(&mut self, size: Size) {
        self.sizes.push((self.bytes.len(), size));
    }

    /// Writes both files.
    ///
    /// # Errors
    /// One cannot be written.
    pub fn write(&self, directory: &Path, name: &str) -> io::Result<()> {
        fs::write(directory.join(format!("{name}.bin")), &self.bytes)?;
        let sizes = self.sizes.iter().map(|(at, size)| format!("{at} {} {}\n", size.cols, size.rows));
        fs::write(directory.join(format!("{name}.sizes")), sizes.collect::<String>())
    }

    /// Reads both files.
    ///
    /// # Errors
    /// One cannot be read, or the sizes are none.
    pub fn read(directory: &Path, name: &str) -> io::Result<Self> {
        let bytes = fs::read(directory.join(format!("{name}.bin")))?;
        let text = fs::read_to_string(directory.join(format!("{name}.sizes")))?;
        let sizes = text.lines().map(size).collect::<Option<Vec<_>>>();
        let sizes = sizes.filter(|sizes| !sizes.is_empty());
        Ok(Self { bytes, sizes: sizes.ok_or_else(|| io::Error::other(format!("{name}: no sizes")))? })
    }
}

fn size(line: &str) -> Option<(usize, Size)> {
    let mut numbers = line.split(' ');
    let at = numbers.next()?.parse().ok()?;
    let cols = numbers.next()?.parse().ok()?;
    let rows = numbers.next()?.parse().ok()?;
    Some((at, Size { cols, rows }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let directory = tempfile::tempdir().unwrap();
        let mut recording = Recording::new(Size { cols: 80, rows: 24 });
        recording.bytes.extend_from_slice(b"\x1b[31mred\xff");
        recording.resized(Size { cols: 60, rows: 30 });
        recording.write(directory.path(), "some.thing").unwrap();
        // A dot in a name (a version) is no extension.
        assert_eq!(Recording::read(directory.path(), "some.thing").unwrap(), recording);
        assert!(directory.path().join("some.thing.bin").exists());
    }
}

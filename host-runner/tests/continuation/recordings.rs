//! Invariant: a snapshot plus what follows equals the whole, for the output of real programs, cut at random. `make
//! recordings` makes them; a `.sizes` file says from which byte on the terminal had which size.

use crate::{
    DIRT, PROBE,
    judge::{HISTORY, Judge, JudgeSize, Picture},
    random::Random,
};
use board_protocol::ids::Size;
use host_runner::terminal::{History, OutputFilter, SessionTerminal};
use std::{fs, path::PathBuf};

/// Cuts of each recording, each on a clean and on a dirty terminal.
const CUTS: usize = 200;
/// Programs without which the recordings would say little.
const PROGRAMS: [&str; 14] = [
    "bash",
    "bash-resized",
    "bash-rows",
    "less",
    "vim",
    "vim-resized",
    "tmux",
    "htop",
    "pi-0.73.1",
    "pi-1.6.0",
    "claude-2.1.197",
    "claude-2.1.197-resized",
    "codex-0.63.0",
    "opencode-1.18.33",
];
/// Where a terminal that saw everything and was resized with the session shows something else: recording, on which
/// client, and why. A session sends every client a new snapshot at a change of size, so no client of ours sees this.
const DIFFERENCES: [(&str, &str, &str); 5] = [
    ("bash-resized", CLEAN, WRAPS_ANEW),
    ("bash-resized", DIRTY, WRAPS_ANEW),
    ("claude-2.1.197-resized", CLEAN, WRAPS_ANEW),
    ("claude-2.1.197-resized", DIRTY, WRAPS_ANEW),
    (
        "bash-rows",
        DIRTY,
        "rows that go off the top take a saved cursor with them; the judge leaves it where it was",
    ),
];
const WRAPS_ANEW: &str =
    "the judge wraps the lines on its screen anew for another width, xterm and we do not";
const CLEAN: &str = "clean";
const DIRTY: &str = "dirty, probed";

struct Recording {
    name: String,
    bytes: Vec<u8>,
    sizes: Vec<(usize, Size)>,
}

fn recordings() -> Vec<Recording> {
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/continuation/recordings");
    let mut found: Vec<Recording> = fs::read_dir(directory)
        .unwrap()
        .filter_map(|entry| {
            let path = entry.unwrap().path();
            (path.extension()? == "bin").then(|| {
                let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
                let sizes = fs::read_to_string(path.with_file_name(format!("{name}.sizes"))).unwrap();
                Recording { bytes: fs::read(&path).unwrap(), sizes: sizes.lines().map(size).collect(), name }
            })
        })
        .collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

fn size(line: &str) -> (usize, Size) {
    let numbers: Vec<usize> = line.split(' ').map(|word| word.parse().unwrap()).collect();
    (numbers[0], Size { cols: numbers[1] as u16, rows: numbers[2] as u16 })
}

fn judge(size: Size) -> Judge {
    let mut judge = Judge::new(judge_size(size));
    judge.is_strict = false;
    judge
}

fn judge_size(size: Size) -> JudgeSize {
    JudgeSize { cols: usize::from(size.cols), rows: usize::from(size.rows) }
}

/// From where to where a client is watched.
#[derive(Debug, Clone, Copy)]
struct Cut {
    at: usize,
    end: usize,
}

/// How two clients compare at every cut.
#[derive(Default)]
struct Score {
    equal: usize,
    first_fault: Option<String>,
}

impl Score {
    fn add(&mut self, cut: Cut, expected: &Picture, shown: &Picture) {
        if expected == shown {
            self.equal += 1;
        } else if self.first_fault.is_none() {
            let differences = expected.differences(shown).join("\n    ");
            self.first_fault = Some(format!("cut at {} of {}\n    {differences}", cut.at, cut.end));
        }
    }
}

impl Recording {
    /// Random cuts. An end lies before the next change of size, where every client gets a new snapshot.
    fn cuts(&self, random: &mut Random) -> Vec<Cut> {
        let mut cuts: Vec<Cut> = (0..CUTS)
            .map(|_| {
                let at = random.below(self.bytes.len() + 1);
                let next = self.sizes.iter().map(|(at, _)| *at).find(|size_at| *size_at > at);
                // The end varies, too: whole recordings end with a cleared screen.
                Cut { at, end: at + random.below(next.unwrap_or(self.bytes.len()) - at + 1) }
            })
            .collect();
        cuts.sort_by_key(|cut| cut.at);
        cuts
    }

    /// What the host sends of the first bytes, for as many of them as wanted: lengths of `0`.
    fn sent(&self) -> (Vec<u8>, Vec<usize>) {
        let (mut filter, mut sent, mut found) = (OutputFilter::new(), Vec::new(), Vec::new());
        let mut lengths = vec![0];
        for byte in &self.bytes {
            filter.scan(std::slice::from_ref(byte), &mut sent, &mut found);
            lengths.push(sent.len());
        }
        (sent, lengths)
    }

    /// Compares a client that attaches at a cut with one that got the snapshot at the last change of size, as every
    /// attached client does, and with a terminal that saw everything and was resized like the session.
    fn score(&self, cuts: &[Cut], dirt: &[u8], probe: &[u8]) -> (Score, Score) {
        let (sent, lengths) = self.sent();
        let (mut attached, mut independent) = (Score::default(), Score::default());
        let mut terminal = SessionTerminal::new(self.sizes[0].1, HISTORY);
        let mut at = 0;
        let mut sizes = self.sizes.iter().skip(1).peekable();
        let mut first = snapshot(&mut terminal);
        let mut first_at = 0;
        for cut in cuts {
            while let Some((size_at, size)) = sizes.next_if(|(size_at, _)| *size_at <= cut.at) {
                terminal.feed(&sent[at..lengths[*size_at]]);
                at = lengths[*size_at];
                terminal.resize(*size);
                first = snapshot(&mut terminal);
                first_at = at;
            }
            terminal.feed(&sent[at..lengths[cut.at]]);
            at = lengths[cut.at];
            let (size, end) = (terminal.size(), lengths[cut.end]);
            let show = |parts: &[&[u8]]| {
                let mut judge = judge(size);
                parts.iter().for_each(|part| judge.feed(part));
                judge.feed(probe);
                judge.picture()
            };
            let now = snapshot(&mut terminal);
            let shown = show(&[dirt, &now.0, &[&now.1, &sent[at..end]].concat()]);
            let whole = self.whole(&sent, &lengths, *cut, probe);
            independent.add(*cut, &whole, &shown);
            if self.sizes.len() > 1 {
                let stayed = show(&[&first.0, &[&first.1, &sent[first_at..end]].concat()]);
                attached.add(*cut, &stayed, &shown);
            } else {
                attached.add(*cut, &whole, &shown);
            }
        }
        (attached, independent)
    }

    /// What a terminal shows that saw everything from the start.
    fn whole(&self, sent: &[u8], lengths: &[usize], cut: Cut, probe: &[u8]) -> Picture {
        let mut judge = judge(self.sizes[0].1);
        let mut at = 0;
        for (size_at, size) in self.sizes.iter().skip(1).filter(|(size_at, _)| *size_at <= cut.at) {
            judge.feed(&sent[at..lengths[*size_at]]);
            at = lengths[*size_at];
            judge.resize(judge_size(*size));
        }
        judge.feed(&sent[at..lengths[cut.end]]);
        judge.feed(probe);
        judge.picture()
    }
}

fn snapshot(terminal: &mut SessionTerminal) -> (Vec<u8>, Vec<u8>) {
    let snapshot = terminal.snapshot(History::Include);
    (snapshot.bytes, snapshot.unfinished)
}

#[test]
fn real_programs_go_on_after_a_snapshot() {
    let recordings = recordings();
    for program in PROGRAMS {
        assert!(recordings.iter().any(|recording| recording.name == program), "no recording of {program}");
    }
    let mut random = Random::announced();
    let mut faults = Vec::new();
    for recording in &recordings {
        let cuts = recording.cuts(&mut random);
        for (kind, dirt, probe) in [(CLEAN, &b""[..], &b""[..]), (DIRTY, DIRT, PROBE)] {
            let (attached, independent) = recording.score(&cuts, dirt, probe);
            let percent = |score: &Score| 100.0 * score.equal as f64 / cuts.len() as f64;
            println!(
                "{:7} {:18} {kind:14} {:6.2} % as a client that stayed, {:6.2} % as a terminal that saw everything",
                recording.bytes.len(),
                recording.name,
                percent(&attached),
                percent(&independent),
            );
            faults.extend(attached.first_fault.map(|fault| format!("{}, {kind}: {fault}", recording.name)));
            let name = &recording.name;
            match DIFFERENCES.iter().find(|(other, on, _)| other == name && *on == kind) {
                None => {
                    faults.extend(independent.first_fault.map(|why| format!("{name}, {kind}, whole: {why}")))
                }
                Some((_, _, why)) if independent.first_fault.is_none() => {
                    faults
                        .push(format!("{name}, {kind}: no difference any more; this is not true now: {why}"));
                }
                Some(_) => {}
            }
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

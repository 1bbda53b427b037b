//! Invariant: a snapshot plus what follows equals the whole, judged by a real zellij: what a pane with `attach` in it
//! shows and has scrolled away is what a bare pane makes of the same bytes.

#![expect(clippy::unwrap_used, reason = "a failed expectation is a failed test")]

#[path = "../../../host-runner/tests/continuation/corpus.rs"]
#[expect(dead_code, reason = "the other judges need more of each stream")]
mod corpus;
mod judge;

use board_protocol::ids::Size;
use corpus::CORPUS;
use e2e::recording::Recording;
use judge::Judge;
use std::{collections::BTreeSet, fs, path::PathBuf};

fn recordings() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../host-runner/tests/continuation/recordings")
}

/// The names of those whose terminal kept its size: a bare pane would have to be resized at the same byte.
fn names() -> BTreeSet<String> {
    let files = fs::read_dir(recordings()).unwrap().map(|entry| entry.unwrap().path());
    let names = files.filter(|path| path.extension().is_some_and(|extension| extension == "bin"));
    let names = names.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned());
    names.filter(|name| Recording::read(&recordings(), name).unwrap().sizes.len() == 1).collect()
}

#[test]
fn real_programs_look_the_same_in_an_attach_pane_and_in_a_bare_one() {
    let judge = Judge::new(Size { cols: 80, rows: 24 });
    let names = names();
    assert!(names.len() >= 7, "{names:?}");
    let mut faults = Vec::new();
    for name in names {
        let bytes = Recording::read(&recordings(), &name).unwrap().bytes;
        // Once in the middle of everything, and once near the end, where there is most to carry.
        for cut in [bytes.len() / 2, bytes.len() * 9 / 10] {
            faults.extend(judge.compare(&name, &bytes, cut));
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

/// Streams that carry something which only a terminal of zellij's kind can judge.
const STREAMS: &[&str] = &["erase all"];

#[test]
fn streams_look_the_same_in_an_attach_pane_and_in_a_bare_one() {
    let judge = Judge::new(Size { cols: 20, rows: 6 });
    let mut faults = Vec::new();
    for stream in
        CORPUS.iter().filter(|stream| std::env::var("ALL").is_ok() || STREAMS.contains(&stream.name))
    {
        faults.extend(judge.compare(stream.name, stream.bytes.as_bytes(), stream.bytes.len()));
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

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

/// Lines of recordings of which zellij itself makes something else than a terminal that is sent their cells; each with how
/// the line begins and why.
const LINES_THAT_DIFFER: &[(&str, &str, &str)] = &[(
    "claude-2.1.197",
    "  - three",
    "zellij gives a skin tone columns of its own and leaves no blank of a character whose second half is overwritten",
)];

#[test]
fn real_programs_look_the_same_in_an_attach_pane_and_in_a_bare_one() {
    let judge = Judge::new(Size { cols: 80, rows: 24 });
    let names = names();
    assert!(names.len() >= 7, "{names:?}");
    for (name, line, why) in LINES_THAT_DIFFER {
        assert!(names.contains(*name), "no recording {name}, of which {line:?} differs: {why}");
    }
    let mut faults = Vec::new();
    for name in names {
        let bytes = Recording::read(&recordings(), &name).unwrap().bytes;
        // Once in the middle of everything, and once near the end, where there is most to carry.
        for cut in [bytes.len() / 2, bytes.len() * 9 / 10] {
            let known = LINES_THAT_DIFFER.iter().find(|(of, _, _)| *of == name).map(|(_, line, _)| *line);
            faults.extend(judge.compare_without(&name, &bytes, cut, known));
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

/// Streams of which zellij itself makes something else than a terminal that it is sent the result of; each with why.
const DIFFERENCES: &[(&str, &str)] = &[
    ("pending wrap then cursor up", BEHIND),
    ("pending wrap then cursor down", BEHIND),
    ("moves beyond the edges", BEHIND),
    ("autowrap off", "zellij drops what does not fit, xterm overwrites the last column"),
    ("autowrap off stays off", "zellij drops what does not fit, xterm overwrites the last column"),
    ("line feed mode", "zellij does not know the mode"),
    ("erase all that scrolled and wrapped", BLANKS),
    ("erase all of what is coloured", BLANKS),
    ("erase all in a region with a background", "zellij ends the region when the screen is erased"),
    (
        "erase with a background",
        "zellij has no rows below the last one that was printed on, and colours none",
    ),
    (
        "delete lines with a background",
        "zellij has no rows below the last one that was printed on: blank ones come there",
    ),
    ("line feed with a background", NO_BACKGROUND),
    ("wrap at the bottom with a background", NO_BACKGROUND),
    ("reverse index with a background", NO_BACKGROUND),
    ("alignment test", "zellij moves the screen into its scrollback first"),
    ("origin mode", ORIGIN),
    ("origin mode off again", ORIGIN),
    ("saved origin mode", ORIGIN),
    ("save by private mode", "zellij does not know mode 1048"),
    ("extended attributes that are edited", "zellij strikes blanks through that are inserted"),
    ("link left open", "zellij writes the link's end as a style"),
    (
        "wide characters at the margin that scroll",
        "zellij joins wrapped rows, with the blank before a wide character that did not fit",
    ),
    (
        "wide character cut in half",
        "zellij keeps the second half of a character whose first half is overwritten",
    ),
    ("alternate screen and region", "zellij has a region for each screen"),
    ("alternate screen of old", "zellij does not know mode 47"),
    ("alternate screen of old, cleared", "zellij does not know mode 1047"),
    ("strings", "zellij makes room for a picture, which no snapshot carries"),
];
const BEHIND: &str =
    "zellij's cursor stands behind the last column while a wrap is pending, and moves from there";
const BLANKS: &str = "zellij moves blank rows into its scrollback, too, when the screen is erased";
const NO_BACKGROUND: &str = "zellij gives rows that scroll in no background";
const ORIGIN: &str = "zellij counts rows from the region's top only in some sequences";

#[test]
fn streams_look_the_same_in_an_attach_pane_and_in_a_bare_one() {
    let judge = Judge::new(Size { cols: 20, rows: 6 });
    let mut faults = Vec::new();
    for stream in CORPUS {
        let difference = judge.compare(stream.name, stream.bytes.as_bytes(), stream.bytes.len());
        match DIFFERENCES.iter().find(|(name, _)| *name == stream.name) {
            None => faults.extend(difference),
            Some((name, why)) if difference.is_none() => {
                faults.push(format!("{name}: no difference any more; this is not true now: {why}"));
            }
            Some(_) => {}
        }
    }
    for (name, _) in DIFFERENCES {
        assert!(CORPUS.iter().any(|stream| stream.name == *name), "no stream {name}");
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

//! Golden samples of every message: what an older build wrote is read the same for ever.
//!
//! `messages.txt` holds one line a sample: its name, then MessagePack as hexadecimal digits (sockets, spool) or JSON
//! (pipes). It is add-only. A field that is added later gets a sample of its own with a new name; the old sample leaves
//! the field at its default, and its old line must still be read as that.

#![expect(clippy::unwrap_used, reason = "a test ends at the first thing that is not as expected")]

mod pipe;
mod rows;
mod sockets;
mod terminals;
mod work;

use board_protocol::{command::Command, daemon::Request, hello::COORDINATOR_PROTOCOL};
use std::{collections::BTreeSet, fmt::Debug};

/// Lines that were ever written.
const LINES: &str = include_str!("messages.txt");

/// How a kind of message travels.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Encoding {
    /// On our sockets and in the spool.
    MessagePack,
    /// On zellij's pipes.
    Json,
}

/// Samples of all kinds.
#[derive(Default)]
pub(crate) struct Golden {
    names: BTreeSet<String>,
    missing: Vec<String>,
}

impl Golden {
    /// Checks one sample: its encoding is a known line, and every line with its name is read as it.
    pub(crate) fn check<T>(&mut self, name: &str, encoding: Encoding, sample: &T)
    where
        T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + Debug,
    {
        assert!(self.names.insert(name.to_owned()), "{name} twice");
        let line = match encoding {
            Encoding::MessagePack => hex(&rmp_serde::to_vec_named(sample).unwrap()),
            Encoding::Json => serde_json::to_string(sample).unwrap(),
        };
        let known: Vec<&str> = LINES
            .lines()
            .filter_map(|known| known.split_once(' '))
            .filter(|(known, _)| *known == name)
            .map(|(_, body)| body)
            .collect();
        for body in &known {
            let read: T = match encoding {
                Encoding::MessagePack => rmp_serde::from_slice(&unhex(body)).unwrap(),
                Encoding::Json => serde_json::from_str(body).unwrap(),
            };
            assert_eq!(read, *sample, "{name}");
        }
        if !known.contains(&line.as_str()) {
            self.missing.push(format!("{name} {line}"));
        }
    }

    /// Checks one sample of every variant of an enum.
    pub(crate) fn check_all<T>(&mut self, encoding: Encoding, samples: &[T])
    where
        T: Variants + serde::Serialize + serde::de::DeserializeOwned + PartialEq + Debug,
    {
        let mut seen = BTreeSet::new();
        for sample in samples {
            seen.insert(sample.variant());
            self.check(&format!("{}.{}", T::NAME, sample.variant()), encoding, sample);
        }
        let all: BTreeSet<_> = T::VARIANTS.iter().copied().collect();
        assert_eq!(seen, all, "every variant of {} has a sample", T::NAME);
    }
}

/// The variants of an enum by name.
pub(crate) trait Variants {
    /// The enum.
    const NAME: &'static str;
    /// Its variants.
    const VARIANTS: &'static [&'static str];
    /// The variant of this value.
    fn variant(&self) -> &'static str;
}

/// Lists the variants of an enum; one that is forgotten does not compile.
macro_rules! variants {
    ($type:ident: $($variant:ident),+ $(,)?) => {
        impl $crate::Variants for $type {
            const NAME: &'static str = stringify!($type);
            const VARIANTS: &'static [&'static str] = &[$(stringify!($variant)),+];
            fn variant(&self) -> &'static str {
                match self { $($type::$variant { .. } => stringify!($variant)),+ }
            }
        }
    };
}
pub(crate) use variants;

#[test]
fn every_message_is_written_as_it_always_was_and_read_as_it_ever_was() {
    let mut golden = Golden::default();
    rows::check(&mut golden);
    sockets::check(&mut golden);
    pipe::check(&mut golden);
    work::check(&mut golden);
    assert!(
        golden.missing.is_empty(),
        "lines to add to messages.txt, if these messages are new:\n{}",
        golden.missing.join("\n")
    );
    for line in LINES.lines() {
        let name = line.split_once(' ').map_or(line, |(name, _)| name);
        assert!(golden.names.contains(name), "{name} has no sample any more: messages.txt is add-only");
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}

/// Which kinds of commands and questions each version of the coordinator protocol brought. A daemon that is one version
/// older cannot read what a newer row holds, so a kind that is added stands in a row of its own version. The row of a
/// version that was released never changes.
const SINCE: [(u32, &[&str], &[&str]); 5] = [
    (
        3,
        &["Start", "Rerun", "Interrupt", "Stop", "Remove", "Visit"],
        &["Ping", "Board", "Show", "LastScreen", "Command", "Subscribe", "Shutdown"],
    ),
    (4, &["Resume"], &[]),
    (
        5,
        &[
            "Adopt",
            "MarkUnread",
            "Reply",
            "EditQueued",
            "MoveQueued",
            "RemoveQueued",
            "SendQueued",
            "ClearQueue",
            "MarkCompleted",
            "MarkHolding",
            "ClearHolding",
            "Rename",
            "SetPin",
            "Tag",
            "ClearLog",
            "Classify",
            "ReportRun",
        ],
        &["Explain", "Log", "Export", "Reconcile"],
    ),
    (6, &["Run", "Plan"], &["Evidence", "References", "LaunchPreferences", "ForgetDirectory"]),
    (7, &["OpenTerminal"], &["AgentTerminals", "Waits", "SkipWaits", "Locate"]),
];

#[test]
fn a_new_kind_of_command_or_question_bumps_the_coordinator_protocol() {
    let versions = SINCE.map(|(version, ..)| version);
    let known: Vec<u32> = (COORDINATOR_PROTOCOL.oldest..=COORDINATOR_PROTOCOL.newest).collect();
    assert_eq!(versions[..], known, "one row a version, up to the newest one");
    let all = |variants: &[&'static str]| variants.iter().copied().collect::<BTreeSet<_>>();
    let commands: Vec<_> = SINCE.iter().flat_map(|(_, commands, _)| commands.iter().copied()).collect();
    let questions: Vec<_> = SINCE.iter().flat_map(|(.., questions)| questions.iter().copied()).collect();
    let bump = "a kind that is new stands in a row of a new version";
    assert_eq!(all(&commands), all(Command::VARIANTS), "{bump}");
    assert_eq!(all(&questions), all(Request::VARIANTS), "{bump}");
    assert_eq!(commands.len(), Command::VARIANTS.len(), "each once");
    assert_eq!(questions.len(), Request::VARIANTS.len(), "each once");
}

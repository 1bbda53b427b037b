//! The readers over real files of each agent, and over whatever else a file may hold.

use super::{
    Places, Source,
    parse::{Format, Limits, Parser, Transcript},
    transcript,
};
use board_protocol::{
    text::is_plain,
    transcript::{TranscriptItem, TranscriptRole},
};
use proptest::prelude::*;
use std::{fs, io::Write as _, path::Path, time::Duration};

mod files;
mod windows;

const PI_FIRST: &str = include_str!("samples/pi-0.73.1.jsonl");
const PI_SECOND: &str = include_str!("samples/pi-1.6.0.jsonl");
const CLAUDE: &str = include_str!("samples/claude-2.1.197.jsonl");
const CODEX: &str = include_str!("samples/codex-0.63.0.jsonl");

fn parse(format: Format, lines: &str) -> Transcript {
    let mut parser = Parser::new(format);
    lines.lines().for_each(|line| parser.line(line.as_bytes()));
    parser.finish()
}

/// Items as lines: label, text, what a tool answered.
fn told(transcript: &Transcript) -> Vec<String> {
    let line = |item: &TranscriptItem| {
        let output = item.output.as_ref().map(|output| format!(" -> {output}")).unwrap_or_default();
        let failed = if item.failed { " (failed)" } else { "" };
        format!("{}: {}{output}{failed}", item.label, item.text)
    };
    transcript.items.iter().map(line).collect()
}

const DONE: &str = "agent: Done: **all** is well.\n\n- one\n- two é 漢字";

#[test]
fn b13_both_generations_of_pi_are_read() {
    let second = "bash: echo second >&2; exit 3 -> second\n\n\nCommand exited with code 3 (failed)";
    let expected = [
        "you: look at two things",
        "agent: Looking at both.",
        "bash: echo first; printf '\\033[31mred\\033[0m\\n' -> first\nred",
        second,
        DONE,
        "you: and now thank me",
        DONE,
    ];
    let first = parse(Format::Pi, PI_FIRST);
    assert_eq!(told(&first), expected);
    assert_eq!((first.cwd.as_deref(), first.incomplete), (Some("/w"), false));
    assert_eq!(told(&parse(Format::Pi, PI_SECOND))[..7], expected);
    assert_eq!(first.items[0].role, TranscriptRole::You);
    assert!(first.items.iter().all(|item| item.at_ms.is_some_and(|at| at.0 > 1_700_000_000_000)));
}

#[test]
fn b13_claude_code_is_read_through_a_compaction_and_with_tools_side_by_side() {
    let transcript = parse(Format::Claude, CLAUDE);
    let told = told(&transcript);
    let expected = [
        "you: look at two things",
        "thinking: I should look at both.",
        "agent: Looking at both.",
        // Its answer hangs below its own call, beside the way from the last line to the root.
        "Bash: echo first; printf '\\033[31mred\\033[0m\\n' -> first\nred",
        "Bash: echo second >&2; exit 3 -> Exit code 3\nsecond (failed)",
        DONE,
        "you: please delegate",
    ];
    assert_eq!(told[..7], expected);
    assert!(told[7].starts_with("Agent: subtask: count the files -> Done: **all** is well."), "{}", told[7]);
    assert_eq!(told[8..10], [DONE, "compaction: Conversation compacted"]);
    assert!(told[10].starts_with("summary: This session is being continued"), "{}", told[10]);
    let rest = [
        "you: /compact",
        "command: Compacted (ctrl+o to see full summary)",
        "note: No response requested.",
        "you: and now thank me",
        DONE,
    ];
    assert_eq!(told[11..], rest, "what is marked as meta is not shown");
    assert_eq!(transcript.cwd.as_deref(), Some("/w"));
}

#[test]
fn b13_codex_is_read_without_what_its_program_says_for_the_person() {
    let transcript = parse(Format::Codex, CODEX);
    let expected = [
        "you: look at two things",
        "thinking: I should look at both.",
        "agent: Looking at both.",
        "shell: echo first; printf '\\033[31mred\\033[0m\\n' -> first\nred",
        "shell: echo second >&2; exit 3 -> second (failed)",
        DONE,
        "you: and now thank me",
        DONE,
    ];
    assert_eq!(told(&transcript), expected);
    assert_eq!(transcript.cwd.as_deref(), Some("/w"));
}

fn message(id: &str, parent: &str, role: &str, text: &str) -> String {
    format!(
        r#"{{"type":"message","id":"{id}","parentId":{parent},"message":{{"role":"{role}","content":"{text}"}}}}"#
    )
}

#[test]
fn b13_only_the_active_branch_is_told_and_cycles_end() {
    let lines = [
        message("a", "null", "user", "one"),
        message("b", "\"a\"", "assistant", "left"),
        message("c", "\"a\"", "assistant", "right"),
        r#"{"type":"branch_summary","id":"d","parentId":"c","fromId":"b","summary":"tried left"}"#.to_owned(),
        r#"{"type":"compaction","id":"e","parentId":"d","summary":"so far","firstKeptEntryId":"c"}"#.to_owned(),
        r#"{"type":"custom_message","id":"f","parentId":"e","customType":"todo","content":"shown","display":true}"#
            .to_owned(),
        r#"{"type":"custom_message","id":"g","parentId":"f","customType":"todo","content":"hidden","display":false}"#
            .to_owned(),
        r#"{"type":"custom_message","id":"h","parentId":"g","customType":"todo","content":"by default"}"#.to_owned(),
        message("i", "\"h\"", "strange", "a role"),
    ];
    let transcript = parse(Format::Pi, &lines.join("\n"));
    let expected = [
        "you: one",
        "agent: right",
        "branch summary: tried left",
        "compaction: so far",
        "todo: shown",
        "todo: by default",
        "strange: a role",
    ];
    assert_eq!(told(&transcript), expected);
    let roles: Vec<TranscriptRole> = transcript.items.iter().map(|item| item.role).collect();
    assert_eq!(roles[2..5], [TranscriptRole::Note, TranscriptRole::Note, TranscriptRole::Custom]);

    let cycle = [message("a", "\"b\"", "user", "one"), message("b", "\"a\"", "assistant", "two")];
    assert_eq!(told(&parse(Format::Pi, &cycle.join("\n"))), ["you: one", "agent: two"]);
    let own = message("a", "\"a\"", "user", "mine");
    assert_eq!(told(&parse(Format::Pi, &own)), ["you: mine"]);
    let twice = [message("a", "null", "user", "one"), message("a", "\"a\"", "user", "again")];
    assert_eq!(told(&parse(Format::Pi, &twice.join("\n"))), ["you: again"], "an id counts for its last line");
}

#[test]
fn b13_a_file_without_ids_is_read_line_by_line() {
    let lines = r#"{"type":"session","id":"x","cwd":"/w"}
{"type":"message","message":{"role":"user","content":"one"}}
{"type":"message","message":{"role":"assistant","content":[{"type":"text","text":"two"}],"stopReason":"error","errorMessage":"no luck"}}
{"type":"message","message":{"role":"bashExecution","command":"ls","output":"a\nb","exitCode":1}}"#;
    let expected = ["you: one", "agent: two", "error: no luck", "your shell: ls -> a\nb (failed)"];
    assert_eq!(told(&parse(Format::Pi, lines)), expected);
}

#[test]
fn what_an_agent_below_said_is_left_out() {
    let line = |uuid: &str, parent: &str, aside: bool, text: &str| {
        format!(
            r#"{{"type":"user","uuid":"{uuid}","parentUuid":{parent},"isSidechain":{aside},"message":{{"content":"{text}"}}}}"#
        )
    };
    let lines = [line("a", "null", false, "one"), line("b", "\"a\"", true, "below")].join("\n");
    assert_eq!(told(&parse(Format::Claude, &lines)), ["you: one"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Lines cut, repeated, mixed and spoilt: nothing panics, everything that comes out is plain and within its bounds.
    #[test]
    fn any_lines_give_plain_items(
        format in prop_oneof![Just(Format::Pi), Just(Format::Claude), Just(Format::Codex)],
        picks in proptest::collection::vec((0_usize..200, 0_usize..4_000, ".{0,12}", any::<bool>()), 0..40),
    ) {
        let all: Vec<&str> = [PI_FIRST, PI_SECOND, CLAUDE, CODEX].iter().flat_map(|file| file.lines()).collect();
        let mut parser = Parser::new(format);
        for (which, cut, junk, spoil) in &picks {
            let mut line = all[which % all.len()].as_bytes().to_vec();
            if *spoil {
                let at = cut % line.len();
                line.splice(at..at, junk.bytes());
            }
            parser.line(&line);
        }
        for item in &parser.finish().items {
            let texts = [&item.label, &item.text, item.output.as_ref().unwrap_or(&item.label)];
            for text in texts {
                prop_assert!(text.chars().all(|c| c == '\n' || is_plain(c)), "{text:?}");
                prop_assert!(text.len() <= 64 * 1024 + 3);
            }
        }
    }

    /// Entries whose parents are anything: the way ends, and passes no entry twice.
    #[test]
    fn any_tree_has_a_way(parents in proptest::collection::vec(0_usize..12, 1..12)) {
        let lines: Vec<String> = parents
            .iter()
            .enumerate()
            .map(|(at, parent)| message(&format!("n{at}"), &format!("\"n{parent}\""), "user", &format!("t{at}")))
            .collect();
        let items = parse(Format::Pi, &lines.join("\n")).items;
        let mut texts: Vec<&str> = items.iter().map(|item| item.text.as_str()).collect();
        let last = format!("t{}", parents.len() - 1);
        prop_assert_eq!(texts.last().copied(), Some(&*last));
        texts.sort_unstable();
        texts.dedup();
        prop_assert_eq!(texts.len(), items.len());
    }

    /// What is appended moves no number (a conversation that goes on, without going back).
    #[test]
    fn numbers_stay_under_appends(cut in 1_usize..40) {
        for (format, file) in [(Format::Pi, PI_SECOND), (Format::Claude, CLAUDE), (Format::Codex, CODEX)] {
            let lines: Vec<&str> = file.lines().collect();
            let part = parse(format, &lines[..cut.min(lines.len())].join("\n")).items;
            let whole = parse(format, file).items;
            prop_assert!(part.len() <= whole.len());
            for (one, other) in part.iter().zip(&whole) {
                prop_assert_eq!((&one.label, &one.text), (&other.label, &other.text));
            }
        }
    }
}

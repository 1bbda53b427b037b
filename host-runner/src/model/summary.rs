//! The one line about what a session does or did, and how endings are worded (reference B.7). Pure.

use super::{
    needs_input::first_sentence,
    session::{Ending, SessionRecord},
    view::Live,
};
use crate::agents::Turns;
use board_protocol::{
    board::MAX_SENTENCE_COLUMNS,
    host::Exit,
    state::{ProcessState, SemanticState},
    text::plain_within,
};

/// A first sentence shorter than this, in characters, says too little alone (reference B.7).
const SHORT_SENTENCE: usize = 12;

/// What a row says.
pub fn summary<'a>(record: &'a SessionRecord, live: &'a Live) -> &'a str {
    let fallback = record.state.facts().fallback;
    let said = match record.agent.turns() {
        Turns::WholeLife => of_a_program(record, fallback),
        Turns::Reported => of_an_agent(record, live, fallback),
    };
    record.state.worded(said)
}

/// The error of a failed one, what it runs otherwise.
fn of_a_program<'a>(record: &'a SessionRecord, fallback: &'a str) -> &'a str {
    match record.state {
        SemanticState::Failed => record.error.as_deref().unwrap_or(fallback),
        SemanticState::Queued => fallback,
        _ => &record.words,
    }
}

/// In this order: what it does, what it asks, what went wrong, what it said, what it was told.
fn of_an_agent<'a>(record: &'a SessionRecord, live: &'a Live, fallback: &'a str) -> &'a str {
    let agent = &record.agent_record;
    if record.state == SemanticState::Queued {
        return fallback;
    }
    if record.process_state == ProcessState::Alive
        && record.state == SemanticState::Working
        && let Some(doing) = &live.doing
    {
        return &doing.words;
    }
    if record.state == SemanticState::NeedsInput
        && let Some(question) = agent.question()
    {
        return question;
    }
    // A turn that failed leaves its error beside a state that is not Failed: pi itself goes on.
    if record.process_state == ProcessState::Exited
        && let Some(error) = &record.error
    {
        return error;
    }
    if record.process_state == ProcessState::Exited
        && let Some(summary) = agent.summary()
    {
        return summary;
    }
    if let Some(summary) = record.run.as_ref().and_then(|run| run.summary.as_deref()) {
        return summary;
    }
    if let Some(preview) = &agent.preview {
        let first = first_sentence(preview);
        return if first.chars().count() >= SHORT_SENTENCE { first } else { preview };
    }
    let rest = [agent.question(), record.error.as_deref()];
    rest.into_iter().flatten().next().unwrap_or(match record.state {
        SemanticState::Working => fallback,
        _ => &record.words,
    })
}

/// The line of a last screen in which a program says why it failed: the last one that begins with a word for an error.
pub fn reason_on(screen: &str) -> Option<String> {
    let says_why = |line: &&str| {
        let Some((word, rest)) = line.trim_start().split_once(':') else { return false };
        let one_word = !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let is_error = word.ends_with("Error") || ["error", "fatal", "panic"].contains(&word);
        one_word && is_error && !rest.trim().is_empty()
    };
    screen.lines().rfind(says_why).map(|line| plain_within(line, MAX_SENTENCE_COLUMNS))
}

/// How a session's process ended, in words; `None` while it has not.
pub fn ending_text(ending: &Ending) -> String {
    match ending {
        Ending::Exited(exit) => exit_text(*exit),
        Ending::NeverStarted => "could not be started".to_owned(),
        Ending::HostLost => "its host ended unexpectedly".to_owned(),
    }
}

/// How a program ended, in words: `exit code 3`, `signal 9 (SIGKILL)`. Two codes have a meaning that every shell gives
/// them (POSIX, Shell Command Language 2.8.2).
pub fn exit_text(exit: Exit) -> String {
    match exit {
        Exit::Code(126) => "exit code 126 (command cannot be run)".to_owned(),
        Exit::Code(127) => "exit code 127 (command not found)".to_owned(),
        Exit::Code(code) => format!("exit code {code}"),
        Exit::Signal(number) => match signal_name(number) {
            Some(name) => format!("signal {number} ({name})"),
            None => format!("signal {number}"),
        },
    }
}

/// Names of the signals that end programs (Linux numbers; the same on x86-64 and ARM).
fn signal_name(number: i32) -> Option<&'static str> {
    Some(match number {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL",
        5 => "SIGTRAP",
        6 => "SIGABRT",
        7 => "SIGBUS",
        8 => "SIGFPE",
        9 => "SIGKILL",
        10 => "SIGUSR1",
        11 => "SIGSEGV",
        12 => "SIGUSR2",
        13 => "SIGPIPE",
        14 => "SIGALRM",
        15 => "SIGTERM",
        24 => "SIGXCPU",
        25 => "SIGXFSZ",
        31 => "SIGSYS",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        agents::AgentKind,
        model::{
            AgentRecord, Doing, row,
            samples::{after, started},
        },
    };

    #[test]
    fn a_program_says_why_it_failed_in_a_line_that_begins_with_an_error() {
        let table = [
            ("Error: Model \"x\" not found.\nWarning: none", Some("Error: Model \"x\" not found.")),
            ("at it\n  TypeError: x is not a function\n    at y", Some("TypeError: x is not a function")),
            ("$ make\nerror: no rule", Some("error: no rule")),
            ("No Error: here", None),
            ("Error:\n", None),
            ("an ordinary screen", None),
            ("", None),
        ];
        for (screen, reason) in table {
            assert_eq!(reason_on(screen).as_deref(), reason, "{screen:?}");
        }
    }

    /// One of everything that a row could say, from which a case takes away.
    fn full() -> (SessionRecord, Live) {
        let mut record = after([started(1)]);
        record.agent = AgentKind::Pi;
        record.state = SemanticState::Working;
        record.error = Some("the error".into());
        record.agent_record.preview = Some("The first sentence. And more.".into());
        record.agent_record.asked_in_text = Some("The question?".into());
        let live = Live { doing: Some(Doing { call: None, words: "The tool".into() }), ..Live::default() };
        (record, live)
    }

    type Change = fn(&mut SessionRecord, &mut Live);

    #[test]
    fn b7_a_row_says_the_first_of_these_that_there_is() {
        use SemanticState as S;
        let table: [(&str, Change, &str); 13] = [
            ("what it does", |_, _| {}, "The tool"),
            (
                "a finished turn does nothing any more",
                |r, _| r.process_state = ProcessState::Exited,
                "the error",
            ),
            ("a queued turn has not begun", |r, _| r.state = S::Queued, "Queued"),
            ("what it asks", |r, _| r.state = S::NeedsInput, "The question?"),
            (
                "what went wrong",
                |r, _| {
                    r.state = S::Failed;
                    r.process_state = ProcessState::Exited;
                },
                "the error",
            ),
            ("the first sentence of what it said", |_, live| live.doing = None, "The first sentence."),
            (
                "all of it where that is short",
                |r, live| {
                    live.doing = None;
                    r.agent_record.preview = Some("Twelve char. More.".into());
                },
                "Twelve char.",
            ),
            (
                "shorter than twelve characters says too little",
                |r, live| {
                    live.doing = None;
                    r.agent_record.preview = Some("Eleven cha. More.".into());
                },
                "Eleven cha. More.",
            ),
            (
                "a question that was asked before",
                |r, live| {
                    live.doing = None;
                    r.agent_record.preview = None;
                },
                "The question?",
            ),
            (
                "an error of before",
                |r, live| {
                    live.doing = None;
                    r.agent_record.preview = None;
                    r.agent_record.asked_in_text = None;
                },
                "the error",
            ),
            (
                "the words of the state",
                |r, live| {
                    live.doing = None;
                    r.agent_record = AgentRecord::default();
                    r.error = None;
                },
                "Running…",
            ),
            (
                "what it was told, once it rests",
                |r, live| {
                    live.doing = None;
                    r.agent_record = AgentRecord::default();
                    r.error = None;
                    r.state = S::Idle;
                },
                "make all",
            ),
            (
                "an old word of the state is one of the state",
                |r, live| {
                    live.doing = None;
                    r.state = S::Idle;
                    r.agent_record.preview = Some("In Progress".into());
                },
                "Needs instructions",
            ),
        ];
        for (name, change, expected) in table {
            let (mut record, mut live) = full();
            change(&mut record, &mut live);
            assert_eq!(summary(&record, &live), expected, "{name}");
        }
    }

    // Reference J.2, #39: a cut went through an emoji.
    #[test]
    fn b7_a_long_summary_is_cut_between_characters() {
        let (mut record, live) = full();
        record.state = SemanticState::NeedsInput;
        record.agent_record.asked_in_text = Some(format!("{}?", "👩\u{200d}💻".repeat(60)));
        let summary = row(&record, &live).summary;
        let kept = summary.strip_suffix('…').expect("it was cut");
        assert!(kept.ends_with("👩\u{200d}💻"), "{summary}");
    }

    #[test]
    fn endings_are_worded() {
        let table = [
            (Exit::Code(0), "exit code 0"),
            (Exit::Code(3), "exit code 3"),
            (Exit::Code(126), "exit code 126 (command cannot be run)"),
            (Exit::Code(127), "exit code 127 (command not found)"),
            (Exit::Signal(9), "signal 9 (SIGKILL)"),
            (Exit::Signal(64), "signal 64"),
        ];
        for (exit, text) in table {
            assert_eq!(exit_text(exit), text);
        }
    }
}

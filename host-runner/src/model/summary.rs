//! The one line about what a session does or did, and how endings are worded (reference B.7). Pure.

use super::session::{Ending, SessionRecord};
use board_protocol::{host::Exit, state::SemanticState};

/// What a row says: the error of a failed one, what it runs otherwise; the state's fallback where there is neither.
pub fn summary(record: &SessionRecord) -> &str {
    let fallback = record.state.facts().fallback;
    let said = match record.state {
        SemanticState::Failed => record.error.as_deref().unwrap_or(fallback),
        SemanticState::Queued => fallback,
        _ => &record.words,
    };
    if said.trim().is_empty() { fallback } else { said }
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

//! How a wait ends when several things happen to it in one instant: pure (reference G.1).

use crate::terminal::NeedleFound;
use board_protocol::{host::Exit, terminals::WaitEnd};

/// What happened to a wait.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Moment {
    /// Whoever waited took it back.
    pub(super) aborted: bool,
    /// The program ended.
    pub(super) exited: Option<Exit>,
    /// A person ended it.
    pub(super) skipped: bool,
    /// The needle appeared.
    pub(super) found: Option<NeedleFound>,
    /// Its time is over.
    pub(super) timed_out: bool,
}

impl Moment {
    /// Whether looking for the needle is of no use any more.
    pub(super) fn is_decided(&self) -> bool {
        self.aborted || self.exited.is_some() || self.skipped || self.found.is_some()
    }
}

/// How it ends, if it does. The order is aborted, exited, skipped, found, timeout.
pub(super) fn outcome(
    moment: &Moment,
    needle: &str,
    elapsed_ms: u64,
    timeout_ms: u64,
    total_lines: u64,
) -> Option<WaitEnd> {
    let needle = needle.to_owned();
    if moment.aborted {
        return Some(WaitEnd::Aborted);
    }
    if let Some(exit) = moment.exited {
        let (exit_code, signal) = match exit {
            Exit::Code(code) => (Some(code), None),
            Exit::Signal(signal) => (None, Some(signal)),
        };
        return Some(WaitEnd::Exited { needle, exit_code, signal });
    }
    if moment.skipped {
        return Some(WaitEnd::Skipped { needle });
    }
    if let Some(found) = &moment.found {
        let matched = found.matched.clone();
        return Some(WaitEnd::Found { needle, line: found.line, column: found.column, matched, elapsed_ms });
    }
    moment.timed_out.then_some(WaitEnd::Timeout { needle, timeout_ms, total_lines })
}

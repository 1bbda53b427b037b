//! Keeps a flood of diagnostics from costing anything: of the same kind a session writes a few a minute, and then one
//! line that says how many more there were. Pure.
//!
//! Field report F8: an agent that loops logged 276,000 lines. What is held back here costs no row and no commit. The
//! count lives in memory only: a daemon that ends forgets how many it held back, never what it wrote.

use board_protocol::{
    daemon::LogLine,
    ids::{SessionId, UnixMs},
};
use std::collections::BTreeMap;

/// Most diagnostics of one kind that a session writes in a minute: enough to see a pattern.
const MAX_PER_WINDOW: u32 = 10;
/// The length of that minute, in milliseconds of the clock that never jumps.
const WINDOW_MS: u64 = 60_000;
/// Most kinds that are told apart for one session; an agent that makes up codes gets one more for all the others.
const MAX_KINDS: usize = 32;

/// What was written in the last minute.
#[derive(Debug, Default)]
pub(super) struct Floods {
    sessions: BTreeMap<SessionId, BTreeMap<Kind, Window>>,
}

/// Source and code.
type Kind = (String, String);

#[derive(Debug)]
struct Window {
    began_at: u64,
    written: u32,
    /// How many were held back, and the last of them.
    held_back: Option<(u64, LogLine)>,
}

impl Floods {
    /// What is written of a diagnostic: nothing, it alone, or first how many were held back before it.
    pub(super) fn admit(&mut self, session: &SessionId, line: LogLine, uptime_ms: u64) -> Vec<LogLine> {
        let kinds = self.sessions.entry(session.clone()).or_default();
        let mut kind = (line.source.clone(), line.code.clone());
        if kinds.len() >= MAX_KINDS && !kinds.contains_key(&kind) {
            kind = (String::new(), String::new());
        }
        let window = kinds.entry(kind).or_insert(Window { began_at: uptime_ms, written: 0, held_back: None });
        let mut written = Vec::new();
        if uptime_ms.saturating_sub(window.began_at) >= WINDOW_MS {
            written.extend(window.held_back.take().map(|held| more(held, line.at_ms)));
            *window = Window { began_at: uptime_ms, written: 0, held_back: None };
        }
        if window.written < MAX_PER_WINDOW {
            window.written += 1;
            written.push(line);
        } else {
            let count = window.held_back.take().map_or(0, |(count, _)| count);
            window.held_back = Some((count.saturating_add(1), line));
        }
        written
    }

    /// The lines about what was held back in minutes that are over. Called at every tick.
    pub(super) fn due(&mut self, now: UnixMs, uptime_ms: u64) -> Vec<(SessionId, LogLine)> {
        let mut lines = Vec::new();
        for (session, kinds) in &mut self.sessions {
            kinds.retain(|_, window| {
                let over = uptime_ms.saturating_sub(window.began_at) >= WINDOW_MS;
                if over && let Some(held) = window.held_back.take() {
                    lines.push((session.clone(), more(held, now)));
                }
                !over
            });
        }
        self.sessions.retain(|_, kinds| !kinds.is_empty());
        lines
    }

    /// A session is gone, or its diagnostics were cleared.
    pub(super) fn forget(&mut self, session: &SessionId) {
        self.sessions.remove(session);
    }
}

fn more((count, last): (u64, LogLine), now: UnixMs) -> LogLine {
    LogLine { at_ms: now, message: format!("… and {count} more"), ..last }
}

#[cfg(test)]
mod tests {
    use super::*;
    use board_protocol::daemon::LogLevel;

    fn line(code: &str) -> LogLine {
        LogLine {
            at_ms: UnixMs(1),
            level: LogLevel::Warn,
            source: "agent".into(),
            code: code.into(),
            message: "an event".into(),
        }
    }

    // Field report F8: a log that grows with every event of a loop.
    #[test]
    fn f8_a_million_of_the_same_cost_a_few_lines_a_minute() {
        let (one, other) = (SessionId("0000000001".into()), SessionId("0000000002".into()));
        let mut floods = Floods::default();
        let mut written = Vec::new();
        for n in 0..1_000_000_u64 {
            // Twenty thousand a second: fifty seconds.
            written.extend(floods.admit(&one, line("unknown_event"), n / 20));
        }
        assert_eq!(written.len(), MAX_PER_WINDOW as usize);
        // Neither another kind nor another session is held back.
        assert_eq!(floods.admit(&one, line("late_event"), 50_000).len(), 1);
        assert_eq!(floods.admit(&other, line("unknown_event"), 50_000).len(), 1);
        assert_eq!(floods.due(UnixMs(9), 59_999), []);
        let due = floods.due(UnixMs(9), 60_000);
        let said: Vec<_> = due.iter().map(|(session, line)| (session, line.message.as_str())).collect();
        assert_eq!(said, [(&one, "… and 999990 more")]);
        assert_eq!(floods.due(UnixMs(9), 120_000), []);
        assert!(floods.sessions.is_empty(), "what is quiet costs nothing");
    }

    #[test]
    fn the_next_one_tells_how_many_there_were_before_it() {
        let session = SessionId("0000000001".into());
        let mut floods = Floods::default();
        for _ in 0..MAX_PER_WINDOW + 3 {
            floods.admit(&session, line("x"), 0);
        }
        let written = floods.admit(&session, line("x"), WINDOW_MS);
        let said: Vec<_> = written.iter().map(|line| line.message.as_str()).collect();
        assert_eq!(said, ["… and 3 more", "an event"]);
    }

    #[test]
    fn made_up_codes_share_one_account() {
        let session = SessionId("0000000001".into());
        let mut floods = Floods::default();
        let written: usize =
            (0..100_000).map(|n| floods.admit(&session, line(&format!("code_{n}")), 0).len()).sum();
        assert_eq!(written, MAX_KINDS + MAX_PER_WINDOW as usize);
    }
}

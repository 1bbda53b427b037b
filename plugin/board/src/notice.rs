//! What the board tells the person in its notice line: one text at a time, replaced by the next.

use board_protocol::{ids::UnixMs, text::plain_within};

/// How long a notice about a mode stays (reference F.4).
pub(crate) const MODE_NOTICE_MS: u64 = 3_000;
/// How long the news that something went well stays. What went wrong stays until it is replaced, or until a key does
/// something else.
pub(crate) const INFO_NOTICE_MS: u64 = 10_000;
/// How long news of a failure stands at least: the key that would take it away may have been on its way already.
pub(crate) const READ_MS: u64 = 1_500;
/// Widest notice in cells.
const MAX_COLUMNS: usize = 240;

/// How much a notice matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    /// Something went as asked.
    Info,
    /// Nothing happened, and why.
    Warn,
    /// Something failed.
    Error,
}

/// One notice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Notice {
    pub(crate) level: Level,
    pub(crate) text: String,
    /// When it goes by itself.
    pub(crate) until: Option<UnixMs>,
    /// When it came.
    pub(crate) since: UnixMs,
}

impl Notice {
    pub(crate) fn new(level: Level, text: &str, now: UnixMs) -> Self {
        let until = (level == Level::Info).then_some(UnixMs(now.0.saturating_add(INFO_NOTICE_MS)));
        Self { level, text: plain_within(text, MAX_COLUMNS), until, since: now }
    }

    /// A notice about a mode, which goes by itself.
    pub(crate) fn passing(text: &str, now: UnixMs) -> Self {
        Self {
            until: Some(UnixMs(now.0.saturating_add(MODE_NOTICE_MS))),
            ..Self::new(Level::Info, text, now)
        }
    }
}

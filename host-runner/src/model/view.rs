//! What others see of a session: its row on the board, and everything that `show` prints. Pure.
//!
//! Invariant: control characters from agents never reach the board's terminal. Every text of a row passes
//! [`plain_within`] here, and nowhere else has to.

use super::{
    session::SessionRecord,
    summary::{ending_text, summary},
};
use board_protocol::{
    board::{MAX_NAME_COLUMNS, MAX_SENTENCE_COLUMNS, MAX_SUMMARY_COLUMNS, Row},
    daemon::{HostEndpoint, SessionDetail},
    ids::UnixMs,
    state::{ProcessState, SemanticState},
    text::plain_within,
};

/// What is known of a session at this moment only: it is not recorded, and gone when the daemon ends.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Live {
    /// When it last printed.
    pub active_at: Option<UnixMs>,
    /// Why its state cannot be vouched for, if it cannot.
    pub doubt: Option<String>,
}

/// Its row on the board.
pub fn row(record: &SessionRecord, live: &Live) -> Row {
    let sentence = |text: &str| plain_within(text, MAX_SENTENCE_COLUMNS);
    Row {
        id: record.id.clone(),
        name: plain_within(&record.name, MAX_NAME_COLUMNS),
        agent: record.agent.name().to_owned(),
        state: record.state,
        process_state: record.process_state,
        host_state: record.host.state,
        busy: is_busy(record),
        summary: plain_within(summary(record), MAX_SUMMARY_COLUMNS),
        question: None,
        error: record.error.as_deref().map(sentence),
        cwd: sentence(&record.cwd),
        pinned: record.pinned,
        unread: is_unread(record),
        created_at_ms: record.created_at,
        last_activity_at_ms: live
            .active_at
            .map_or(record.last_activity_at, |at| at.max(record.last_activity_at)),
        revival: record.agent.revival(),
        ended: record.ending.as_ref().map(ending_text),
        attached: u32::try_from(record.host.attached.len()).unwrap_or(u32::MAX),
        places: record.host.attached.iter().filter_map(|client| client.place).collect(),
        strays: u32::try_from(record.strays.len()).unwrap_or(u32::MAX),
        doubt: live.doubt.as_deref().map(sentence),
    }
}

/// Everything about it.
pub fn detail(record: &SessionRecord, live: &Live) -> SessionDetail {
    let host = record.is_live().then(|| {
        Some(HostEndpoint {
            socket: record.host.socket.clone()?,
            generation: record.host.generation.clone(),
            process: record.host.process?,
        })
    });
    SessionDetail {
        row: row(record, live),
        argv: record.argv.clone(),
        host: host.flatten(),
        child: record.host.child,
        environment_at_ms: record.environment_at,
        strays: record.strays.clone(),
    }
}

/// A turn runs, or one is about to (reference B.9).
pub fn is_busy(record: &SessionRecord) -> bool {
    record.process_state == ProcessState::Alive
        && matches!(record.state, SemanticState::Queued | SemanticState::Working | SemanticState::NeedsInput)
}

/// It said something that nobody looked at.
pub fn is_unread(record: &SessionRecord) -> bool {
    record.spoke_at.is_some_and(|spoke| record.visited_at.is_none_or(|visited| visited < spoke))
}

//! Diagnostics of sessions: written with the facts of the same turn, bounded for each session, read for `log`.

use super::{Store, commit::sql, error::StoreError};
use board_protocol::{
    daemon::{LogLevel, LogLine},
    diagnostics::{DiagnosticSummary, STALL_RESOLVED, STALLED},
    ids::{SessionId, UnixMs},
};
use rusqlite::{OptionalExtension, Transaction};
use std::collections::BTreeSet;

/// Most diagnostics that are kept of one session. A person reads the newest fifty; ten sessions that complain all day
/// stay below a megabyte.
const MAX_KEPT: u32 = 500;

/// Forgets every diagnostic of these sessions.
pub(super) fn clear(transaction: &Transaction<'_>, sessions: &[SessionId]) -> Result<(), StoreError> {
    for session in sessions {
        transaction
            .prepare_cached("DELETE FROM diagnostics WHERE session = ?1")?
            .execute([session.as_str()])?;
    }
    Ok(())
}

/// Writes diagnostics, and forgets the oldest of the sessions that have too many.
pub(super) fn append(
    transaction: &Transaction<'_>,
    notes: &[(SessionId, LogLine)],
) -> Result<(), StoreError> {
    if notes.is_empty() {
        return Ok(());
    }
    let mut insert = transaction.prepare_cached(
        "INSERT INTO diagnostics (session, at_ms, level, source, code, message) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    for (session, line) in notes {
        insert.execute((
            session.as_str(),
            sql(line.at_ms),
            line.level.name(),
            &line.source,
            &line.code,
            &line.message,
        ))?;
    }
    let mut trim = transaction.prepare_cached(
        "DELETE FROM diagnostics WHERE session = ?1 AND id <=
             (SELECT id FROM diagnostics WHERE session = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)",
    )?;
    let touched: BTreeSet<&SessionId> = notes.iter().map(|(session, _)| session).collect();
    for session in touched {
        trim.execute((session.as_str(), MAX_KEPT))?;
    }
    Ok(())
}

impl Store {
    /// When every session's errors were written down, oldest first.
    ///
    /// # Errors
    /// The database cannot be read.
    pub(super) fn errors(&self) -> Result<Vec<(SessionId, UnixMs)>, StoreError> {
        let mut statement =
            self.connection.prepare("SELECT session, at_ms FROM diagnostics WHERE level = ?1 ORDER BY id")?;
        let rows = statement.query_map([LogLevel::Error.name()], |row| {
            let at: i64 = row.get(1)?;
            Ok((SessionId(row.get(0)?), UnixMs(u64::try_from(at).unwrap_or(0))))
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// What a session's diagnostics say in short (reference A.9).
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn diagnostic_summary(&self, session: &SessionId) -> Result<DiagnosticSummary, StoreError> {
        let mut counts = self.connection.prepare_cached(
            "SELECT count(*), coalesce(sum(level = 'warn'), 0), coalesce(sum(level = 'error'), 0)
             FROM diagnostics WHERE session = ?1",
        )?;
        let (count, warning_count, error_count) =
            counts.query_row([session.as_str()], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        let newest = self.log(session, 1)?.pop();
        let mut silences = self.connection.prepare_cached(
            "SELECT code, message FROM diagnostics WHERE session = ?1 AND code IN (?2, ?3, ?4, ?5)
             ORDER BY id DESC LIMIT 1",
        )?;
        let ([stall, stalled], [stall_resolved, resolved]) = (STALLED, STALL_RESOLVED);
        let silence: Option<(String, String)> = silences
            .query_row((session.as_str(), stall, stalled, stall_resolved, resolved), |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
            .optional()?;
        let silence = silence.filter(|(code, _)| STALLED.contains(&code.as_str()));
        Ok(DiagnosticSummary {
            count,
            warning_count,
            error_count,
            last_at_ms: newest.as_ref().map(|line| line.at_ms),
            last_level: newest.as_ref().map(|line| line.level),
            last_code: newest.as_ref().map(|line| line.code.clone()),
            last_message: newest.map(|line| line.message),
            stalled: silence.is_some(),
            stall_reason: silence.map(|(_, message)| message),
        })
    }

    /// The newest diagnostics of a session, oldest first.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn log(&self, session: &SessionId, limit: u32) -> Result<Vec<LogLine>, StoreError> {
        self.lines(
            "SELECT at_ms, level, source, code, message FROM diagnostics WHERE session = ?1
             ORDER BY id DESC LIMIT ?2",
            session,
            limit,
        )
    }

    /// The newest of those that are more than information, oldest first.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn complaints(&self, session: &SessionId, limit: u32) -> Result<Vec<LogLine>, StoreError> {
        self.lines(
            "SELECT at_ms, level, source, code, message FROM diagnostics WHERE session = ?1 AND level <> 'info'
             ORDER BY id DESC LIMIT ?2",
            session,
            limit,
        )
    }

    fn lines(&self, query: &str, session: &SessionId, limit: u32) -> Result<Vec<LogLine>, StoreError> {
        let mut statement = self.connection.prepare_cached(query)?;
        let rows = statement.query_map((session.as_str(), limit.min(MAX_KEPT)), |row| {
            let at: i64 = row.get(0)?;
            let level: String = row.get(1)?;
            Ok(LogLine {
                at_ms: UnixMs(u64::try_from(at).unwrap_or(0)),
                level: LogLevel::named(&level),
                source: row.get(2)?,
                code: row.get(3)?,
                message: row.get(4)?,
            })
        })?;
        let mut lines = rows.collect::<Result<Vec<_>, _>>()?;
        lines.reverse();
        Ok(lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{model::Sessions, store::Batch};

    fn line(n: u32) -> LogLine {
        LogLine {
            at_ms: UnixMs(u64::from(n)),
            level: LogLevel::Warn,
            source: "service".into(),
            code: "manual_fence".into(),
            message: n.to_string(),
        }
    }

    #[test]
    fn a_session_keeps_its_newest_diagnostics_and_no_other_session_pays_for_them() {
        let directory = tempfile::tempdir().unwrap();
        let mut store = Store::open(&directory.path().join("board.db"), "now").unwrap().store;
        let (one, other) = (SessionId("0000000001".into()), SessionId("0000000002".into()));
        let mut batch = Batch { notes: vec![(other.clone(), line(7))], ..Batch::default() };
        batch.notes.extend((0..MAX_KEPT + 20).map(|n| (one.clone(), line(n))));
        store.commit(&batch, &Sessions::new()).unwrap();
        let kept = store.log(&one, u32::MAX).unwrap();
        assert_eq!(kept.len(), MAX_KEPT as usize);
        assert_eq!(kept.first(), Some(&line(20)));
        assert_eq!(kept.last(), Some(&line(MAX_KEPT + 19)));
        assert_eq!(store.log(&one, 2).unwrap(), [line(MAX_KEPT + 18), line(MAX_KEPT + 19)]);
        assert_eq!(store.log(&other, 50).unwrap(), [line(7)]);
        // What only informs does not push a complaint out of sight.
        let info = |n| (other.clone(), LogLine { level: LogLevel::Info, ..line(n) });
        let batch = Batch { notes: (8..40).map(info).collect(), ..Batch::default() };
        store.commit(&batch, &Sessions::new()).unwrap();
        assert_eq!(store.complaints(&other, 20).unwrap(), [line(7)]);
    }

    #[test]
    fn a9_the_summary_counts_and_knows_whether_a_silence_is_over() {
        let directory = tempfile::tempdir().unwrap();
        let mut store = Store::open(&directory.path().join("board.db"), "now").unwrap().store;
        let one = SessionId("0000000001".into());
        assert_eq!(store.diagnostic_summary(&one).unwrap(), DiagnosticSummary::default());
        let mut note = |n, level, code: &str| {
            let line = LogLine { level, code: code.into(), ..line(n) };
            store
                .commit(&Batch { notes: vec![(one.clone(), line)], ..Batch::default() }, &Sessions::new())
                .unwrap();
            store.diagnostic_summary(&one).unwrap()
        };
        let stalled = note(1, LogLevel::Warn, "provider_stall");
        assert_eq!((stalled.stalled, stalled.stall_reason.as_deref()), (true, Some("1")));
        let still = note(2, LogLevel::Error, "failed");
        assert!(still.stalled, "another word says nothing about it");
        assert_eq!((still.count, still.warning_count, still.error_count), (2, 1, 1));
        assert_eq!((still.last_at_ms, still.last_level), (Some(UnixMs(2)), Some(LogLevel::Error)));
        assert_eq!((still.last_code.as_deref(), still.last_message.as_deref()), (Some("failed"), Some("2")));
        let over = note(3, LogLevel::Info, "provider_stall_resolved");
        assert_eq!((over.stalled, over.stall_reason), (false, None));
        assert!(note(4, LogLevel::Warn, "stalled").stalled, "and it may begin anew");
    }
}

//! Diagnostics of sessions: written with the facts of the same turn, bounded for each session, read for `log`.

use super::{Store, commit::sql, error::StoreError};
use board_protocol::{
    daemon::{LogLevel, LogLine},
    ids::{SessionId, UnixMs},
};
use rusqlite::Transaction;
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

    /// The newest diagnostics of a session, oldest first.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn log(&self, session: &SessionId, limit: u32) -> Result<Vec<LogLine>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT at_ms, level, source, code, message FROM diagnostics WHERE session = ?1 ORDER BY id DESC LIMIT ?2",
        )?;
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
    }
}

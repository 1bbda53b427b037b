//! Everything that the store holds as JSON lines, page by page, as it was at one moment.
//!
//! A second connection reads, in one transaction: in WAL mode it sees the file as it was when the export began, whatever
//! is committed meanwhile. Where there is no WAL a reader would keep the writer out, so it reads a copy. Secrets and
//! screens are never read: the one must not leave the machine, and the other is what programs printed.

use super::{
    Store,
    error::StoreError,
    load::{bytes, lossy},
    schema,
};
use board_protocol::ids::UnixMs;
use rusqlite::{Connection, OpenFlags, Row, types::ValueRef};
use serde_json::{Value, json};
use std::{collections::VecDeque, fs, path::Path};

/// The format of the lines; a change that a reader must know about counts it up.
pub const FORMAT: u32 = 1;
/// Most bytes of one page, well below the limit of a frame.
const PAGE_BYTES: usize = 1024 * 1024;
/// Most rows that are read at once.
const CHUNK_ROWS: u32 = 500;

/// What is exported, in this order: the name of its lines, and the query for the rows behind a key.
const TABLES: [(Kind, &str); 11] = [
    (
        Kind::Checkpoint,
        "SELECT session, seq, record FROM checkpoint WHERE session > ?1 ORDER BY session LIMIT ?2",
    ),
    (Kind::Fact, "SELECT seq, session, at_ms, fact FROM journal WHERE seq > ?1 ORDER BY seq LIMIT ?2"),
    (Kind::Record, "SELECT session, record FROM sessions WHERE session > ?1 ORDER BY session LIMIT ?2"),
    (
        Kind::Outcome,
        "SELECT command_id, at_ms, command, outcome FROM commands WHERE command_id > ?1 ORDER BY command_id LIMIT ?2",
    ),
    (
        Kind::Diagnostic,
        "SELECT id, session, at_ms, level, source, code, message FROM diagnostics WHERE id > ?1 ORDER BY id LIMIT ?2",
    ),
    (Kind::Change, "SELECT id, session, change FROM state_changes WHERE id > ?1 ORDER BY id LIMIT ?2"),
    (
        Kind::Evidence,
        "SELECT session || ' ' || source, session, source, at_ms, what FROM evidence
             WHERE session || ' ' || source > ?1 ORDER BY 1 LIMIT ?2",
    ),
    // The key of a row in one text: no part of it has a control character, so the order is that of the table.
    (
        Kind::Work,
        "SELECT session || char(31) || kind || char(31) || key, session, at_ms, body FROM work
             WHERE session >= substr(?1, 1, instr(?1, char(31)) - 1)
                 AND session || char(31) || kind || char(31) || key > ?1
             ORDER BY session, kind, key LIMIT ?2",
    ),
    (Kind::Review, "SELECT session, body FROM reviews WHERE session > ?1 ORDER BY session LIMIT ?2"),
    (Kind::References, "SELECT session, body FROM code_refs WHERE session > ?1 ORDER BY session LIMIT ?2"),
    (
        Kind::Quarantined,
        "SELECT id, source, key, reason, length(body) FROM quarantine WHERE id > ?1 ORDER BY id LIMIT ?2",
    ),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Checkpoint,
    Fact,
    Record,
    Outcome,
    Diagnostic,
    Change,
    Evidence,
    Work,
    Review,
    References,
    Quarantined,
}

/// Where the next rows begin.
#[derive(Debug, Clone)]
enum After {
    Text(String),
    Number(i64),
}

/// An export under way.
#[derive(Debug)]
pub(crate) struct Export {
    connection: Connection,
    /// The place in [`TABLES`], and the last key that was read there.
    table: usize,
    after: Option<After>,
    ready: VecDeque<String>,
    lines: u64,
    ended: bool,
}

/// A part of an export.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Page {
    /// Lines, without their ends.
    pub(crate) lines: Vec<String>,
    /// The last line is too long for one page: the next page's first line is the rest of it.
    pub(crate) unfinished: bool,
    /// There is nothing after this.
    pub(crate) last: bool,
}

impl Store {
    /// Begins an export of everything that is committed now.
    ///
    /// # Errors
    /// The database cannot be read.
    pub(crate) fn export(&self, now: UnixMs) -> Result<Export, StoreError> {
        let mode: String = self.connection.query_row("PRAGMA journal_mode", [], |row| row.get(0))?;
        let connection = if mode == "wal" {
            beside(&self.path)?
        } else {
            let mut copy = self.path.as_os_str().to_owned();
            copy.push(".export");
            let copy = std::path::PathBuf::from(copy);
            let gone = |path: &Path| match fs::remove_file(path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    Err(StoreError::Io { path: path.to_owned(), source: error })
                }
                _ => Ok(()),
            };
            gone(&copy)?;
            super::open::make_private(&copy)?;
            let text = copy.to_string_lossy().into_owned();
            self.connection.execute("VACUUM INTO ?1", [text])?;
            let connection = beside(&copy)?;
            connection.query_row("SELECT count(*) FROM meta", [], |_| Ok(()))?;
            // It lives as long as the connection has it open.
            gone(&copy)?;
            connection
        };
        connection.execute_batch("BEGIN")?;
        let count = |table: &str| -> Result<i64, StoreError> {
            Ok(connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0))?)
        };
        let header = json!({ "export": {
            "format": FORMAT,
            "schema": schema::VERSION,
            "build": crate::BUILD,
            "at_ms": now.0,
            "checkpoints": count("checkpoint")?,
            "facts": count("journal")?,
            "records": count("sessions")?,
            "outcomes": count("commands")?,
            "diagnostics": count("diagnostics")?,
            "changes": count("state_changes")?,
            "evidence": count("evidence")?,
            "work": count("work")?,
            "reviews": count("reviews")?,
            "references": count("code_refs")?,
            "quarantined": count("quarantine")?,
        }});
        Ok(Export {
            connection,
            table: 0,
            after: None,
            ready: VecDeque::from([header.to_string()]),
            lines: 1,
            ended: false,
        })
    }
}

/// Another connection to the same file, which never writes.
fn beside(path: &Path) -> Result<Connection, StoreError> {
    let connection = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    connection.busy_timeout(super::open::BUSY_TIMEOUT)?;
    Ok(connection)
}

impl Export {
    /// The next page.
    ///
    /// # Errors
    /// The database cannot be read.
    pub(crate) fn page(&mut self) -> Result<Page, StoreError> {
        let mut page = Page::default();
        let mut left = PAGE_BYTES;
        loop {
            let Some(mut line) = self.ready.pop_front() else {
                if self.ended {
                    page.last = true;
                    return Ok(page);
                }
                self.read_on()?;
                continue;
            };
            if line.len() > left {
                if !page.lines.is_empty() {
                    self.ready.push_front(line);
                    return Ok(page);
                }
                // Longer than a page: in parts.
                let mut cut = left;
                while !line.is_char_boundary(cut) {
                    cut -= 1;
                }
                self.ready.push_front(line.split_off(cut));
                page.lines.push(line);
                page.unfinished = true;
                return Ok(page);
            }
            left -= line.len();
            page.lines.push(line);
        }
    }

    /// Reads the next rows, or says that there are none.
    fn read_on(&mut self) -> Result<(), StoreError> {
        let Some((kind, query)) = TABLES.get(self.table) else {
            // Whoever reads the lines knows by this one that nothing is missing behind it.
            self.ready.push_back(json!({ "end": { "lines": self.lines + 1 } }).to_string());
            self.ended = true;
            return Ok(());
        };
        let mut statement = self.connection.prepare_cached(query)?;
        let numbered = matches!(kind, Kind::Fact | Kind::Diagnostic | Kind::Change | Kind::Quarantined);
        let mut rows = match (&self.after, numbered) {
            (Some(After::Text(key)), _) => statement.query((key, CHUNK_ROWS))?,
            (Some(After::Number(key)), _) => statement.query((key, CHUNK_ROWS))?,
            (None, true) => statement.query((i64::MIN, CHUNK_ROWS))?,
            (None, false) => statement.query(("", CHUNK_ROWS))?,
        };
        let (mut found, mut last) = (0, None);
        while let Some(row) = rows.next()? {
            found += 1;
            last = Some(match row.get_ref(0)? {
                ValueRef::Integer(number) => After::Number(number),
                _ => After::Text(lossy(row, 0)?),
            });
            self.ready.push_back(line(*kind, row)?);
            self.lines += 1;
        }
        if found < CHUNK_ROWS {
            self.table += 1;
            last = None;
        }
        self.after = last;
        Ok(())
    }
}

fn line(kind: Kind, row: &Row<'_>) -> Result<String, StoreError> {
    let integer = |column| row.get::<_, i64>(column);
    let text = |column| lossy(row, column);
    let value = match kind {
        Kind::Checkpoint => {
            let record = match row.get_ref(2)? {
                ValueRef::Null => Value::Null,
                _ => body(row, 2)?,
            };
            json!({ "checkpoint": { "session": text(0)?, "seq": integer(1)?, "record": record } })
        }
        Kind::Fact => {
            json!({ "fact": { "seq": integer(0)?, "session": text(1)?, "at_ms": integer(2)?, "fact": body(row, 3)? } })
        }
        Kind::Record => json!({ "record": { "session": text(0)?, "record": body(row, 1)? } }),
        Kind::Outcome => {
            json!({ "outcome": { "id": text(0)?, "at_ms": integer(1)?, "command": text(2)?, "outcome": body(row, 3)? } })
        }
        Kind::Diagnostic => json!({ "diagnostic": {
            "session": text(1)?, "at_ms": integer(2)?, "level": text(3)?, "source": text(4)?, "code": text(5)?,
            "message": text(6)?,
        }}),
        Kind::Change => json!({ "change": { "session": text(1)?, "change": body(row, 2)? } }),
        Kind::Evidence => json!({ "evidence": {
            "session": text(1)?, "source": text(2)?, "at_ms": integer(3)?, "what": text(4)?,
        }}),
        Kind::Work => json!({ "work": { "session": text(1)?, "at_ms": integer(2)?, "item": body(row, 3)? } }),
        Kind::References => json!({ "references": { "session": text(0)?, "found": body(row, 1)? } }),
        Kind::Review => json!({ "review": { "session": text(0)?, "sums": body(row, 1)? } }),
        Kind::Quarantined => json!({ "quarantined": {
            "source": text(1)?, "key": text(2)?, "reason": text(3)?, "bytes": integer(4)?,
        }}),
    };
    Ok(value.to_string())
}

/// A column of JSON as what it is; a damaged one as the text that is there.
fn body(row: &Row<'_>, column: usize) -> Result<Value, StoreError> {
    let bytes = bytes(row, column)?;
    Ok(serde_json::from_slice(&bytes)
        .unwrap_or_else(|_| json!({ "unreadable": String::from_utf8_lossy(&bytes) })))
}

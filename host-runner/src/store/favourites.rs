//! Where sessions are started, and what the last launch dialog chose (reference A.13): written in the commit of the start
//! that they are about. Neither is a fact: deleting a row takes nothing back, and a replay of the journal makes none of it.
//!
//! Called by the coordinator. It never looks at a directory: a dead network mount must not keep the writer waiting.

use super::{Store, commit::sql, error::StoreError};
use board_protocol::{
    command::{Command, Remember, StartSession},
    daemon::{FavouriteDirectory, LaunchPreferences},
    ids::UnixMs,
};
use rusqlite::Transaction;
use std::collections::BTreeMap;

/// Most favourites that are shown (reference A.13).
pub const MAX_FAVOURITES: usize = 8;
/// Most directories whose starts are counted: years of work. Beyond it the last ones in the order of favourites go.
const MAX_COUNTED: usize = 500;
/// The order of favourites.
const BEST_FIRST: &str = "ORDER BY uses DESC, last_used_ms DESC, path";
/// Keys of what the last launch dialog chose.
const AGENT: &str = "agent";
const MODEL: &str = "model";
const THINKING: &str = "thinking";

/// A start that succeeded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Started {
    directory: String,
    at: UnixMs,
    choices: Option<Choices>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Choices {
    agent: String,
    model: Option<String>,
    thinking: Option<String>,
}

impl Started {
    /// What a command that was carried out tells about favourites, if it made a session in a directory.
    pub fn by(command: &Command, at: UnixMs) -> Option<Self> {
        let (cwd, choices) = match command {
            Command::Start(StartSession { agent, cwd, model, thinking, remember, .. }) => {
                let chosen =
                    || Choices { agent: agent.clone(), model: model.clone(), thinking: thinking.clone() };
                (cwd, (*remember == Remember::Choices).then(chosen))
            }
            Command::Run(request) if request.session.is_none() => (&request.cwd, None),
            _ => return None,
        };
        Some(Self { directory: listed_as(cwd).to_owned(), at, choices })
    }
}

/// Under which name a directory stands in the list: `/srv/web/` is `/srv/web`.
pub(crate) fn listed_as(directory: &str) -> &str {
    let trimmed = directory.trim_end_matches('/');
    if trimmed.is_empty() { "/" } else { trimmed }
}

/// Writes what a batch says about favourites.
pub(super) fn write(
    transaction: &Transaction<'_>,
    starts: &[Started],
    forgotten: &[String],
) -> Result<(), StoreError> {
    for Started { directory, at, choices } in starts {
        transaction
            .prepare_cached(
                "INSERT INTO directories (path, uses, last_used_ms) VALUES (?1, 1, ?2)
                 ON CONFLICT (path) DO UPDATE SET uses = uses + 1, last_used_ms = max(last_used_ms, excluded.last_used_ms)",
            )?
            .execute((directory, sql(*at)))?;
        if let Some(Choices { agent, model, thinking }) = choices {
            prefer(transaction, AGENT, Some(agent))?;
            prefer(transaction, MODEL, model.as_deref())?;
            prefer(transaction, THINKING, thinking.as_deref())?;
        }
    }
    for directory in forgotten {
        transaction.prepare_cached("DELETE FROM directories WHERE path = ?1")?.execute([directory])?;
    }
    if !starts.is_empty() {
        let trim = format!(
            "DELETE FROM directories WHERE path IN
                 (SELECT path FROM directories {BEST_FIRST} LIMIT -1 OFFSET {MAX_COUNTED})"
        );
        transaction.prepare_cached(&trim)?.execute([])?;
    }
    Ok(())
}

fn prefer(transaction: &Transaction<'_>, key: &str, value: Option<&str>) -> Result<(), StoreError> {
    match value {
        Some(value) => transaction
            .prepare_cached(
                "INSERT INTO preferences (key, value) VALUES (?1, ?2)
                 ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            )?
            .execute((key, value))?,
        None => transaction.prepare_cached("DELETE FROM preferences WHERE key = ?1")?.execute([key])?,
    };
    Ok(())
}

impl Store {
    /// What a launch dialog begins with: the favourites, `home` behind them where it is none of them.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn launch_preferences(&self, home: Option<&str>) -> Result<LaunchPreferences, StoreError> {
        let query =
            format!("SELECT path, uses, last_used_ms FROM directories {BEST_FIRST} LIMIT {MAX_FAVOURITES}");
        let mut statement = self.connection.prepare_cached(&query)?;
        let rows = statement.query_map([], |row| {
            let (uses, last): (i64, i64) = (row.get(1)?, row.get(2)?);
            Ok(FavouriteDirectory {
                path: row.get(0)?,
                uses: u64::try_from(uses).unwrap_or(0),
                last_used_ms: u64::try_from(last).ok().map(UnixMs),
            })
        })?;
        let mut directories = rows.collect::<Result<Vec<_>, _>>()?;
        if let Some(home) = home
            && !directories.iter().any(|favourite| favourite.path == home)
        {
            directories.push(FavouriteDirectory { path: home.to_owned(), uses: 0, last_used_ms: None });
        }
        let mut statement = self.connection.prepare_cached("SELECT key, value FROM preferences")?;
        let rows = statement.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?;
        let mut chosen = rows.collect::<Result<BTreeMap<_, _>, _>>()?;
        Ok(LaunchPreferences {
            directories,
            agent: chosen.remove(AGENT),
            model: chosen.remove(MODEL),
            thinking: chosen.remove(THINKING),
        })
    }
}

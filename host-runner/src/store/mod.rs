//! The store: one SQLite file with the journal and what follows from it.
//!
//! Only the coordinator's thread calls it. A journal row and the records that it changes commit in one transaction, so
//! a half-applied command cannot exist. It decides nothing and never reads the clock.

mod commit;
mod error;
mod export;
mod favourites;
mod inspect;
mod load;
mod log;
mod open;
mod owner;
mod place;
mod rebuild;
mod references;
mod retain;
mod schema;
mod story;
mod work;

use board_text::store as texts;
pub use commit::{Batch, CommandOutcomeRow};
pub use error::StoreError;
pub(crate) use export::Export;
pub use export::FORMAT as EXPORT_FORMAT;
pub(crate) use favourites::listed_as;
pub use favourites::{MAX_FAVOURITES, Started};
pub(crate) use inspect::Inspection;
pub use load::{Loaded, Replayed};
pub use open::Opened;
pub(crate) use open::on_network;
pub use retain::{GROWTH_BYTES, KEPT_MS, MAX_JOURNAL_BYTES, Pruned};
pub use story::Story;

use board_protocol::{
    command::CommandOutcome,
    ids::{CommandId, SessionId, Token},
    refusal::{Refusal, RefusalKind},
};
use place::Footprint;
use retain::Growth;
use rusqlite::{Connection, OptionalExtension};
use std::{collections::BTreeMap, path::PathBuf};

/// The open store.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    path: PathBuf,
    growth: Growth,
    /// How the files looked when this store last wrote.
    footprint: Footprint,
    /// Every secret that was committed: a file that is written anew must have them, or no host would be believed again.
    tokens: BTreeMap<SessionId, Token>,
    /// The name under which this store claimed the file.
    owner: Option<String>,
    /// The sums of every session's evidence, as they are in the file.
    tallies: work::Tallies,
    /// What sessions are about, as it is in the file.
    references: references::Snapshots,
}

impl Store {
    /// What became of a command with this id, if there was one.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn outcome(&self, id: &CommandId) -> Result<Option<CommandOutcome>, StoreError> {
        let mut statement =
            self.connection.prepare_cached("SELECT outcome FROM commands WHERE command_id = ?1")?;
        let body: Option<String> = statement.query_row([id.as_str()], |row| row.get(0)).optional()?;
        // A damaged outcome is one all the same: taken for none, a command that was sent again would be done twice.
        Ok(body.map(|body| {
            serde_json::from_str(&body).unwrap_or_else(|_| {
                let text = texts::outcome_damaged();
                CommandOutcome::Refused(Refusal::new(RefusalKind::Internal, text))
            })
        }))
    }

    /// The secret of a session.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn token(&self, session: &SessionId) -> Result<Option<Token>, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT token FROM tokens WHERE session = ?1")?;
        Ok(statement.query_row([session.as_str()], |row| row.get(0)).optional()?.map(Token))
    }

    /// The screen that an ended session left.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn last_screen(&self, session: &SessionId) -> Result<Option<String>, StoreError> {
        let mut statement =
            self.connection.prepare_cached("SELECT screen FROM last_screens WHERE session = ?1")?;
        Ok(statement.query_row([session.as_str()], |row| row.get(0)).optional()?)
    }

    /// Whether the journal ever mentioned this session: tells a row that was removed from one that was never here.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn ever_knew(&self, session: &SessionId) -> Result<bool, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT 1 FROM journal WHERE session = ?1 UNION ALL SELECT 1 FROM checkpoint WHERE session = ?1 LIMIT 1",
        )?;
        Ok(statement.exists([session.as_str()])?)
    }

    /// The boot of the machine that the processes in the records belong to, if it was ever said.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn boot(&self) -> Result<Option<String>, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT value FROM meta WHERE key = 'boot'")?;
        Ok(statement.query_row([], |row| row.get(0)).optional()?)
    }
}

#[cfg(test)]
mod tests;

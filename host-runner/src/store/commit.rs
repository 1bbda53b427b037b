//! Writing the store: everything that one batch of the coordinator decided, in one transaction.

use super::{
    Store,
    error::StoreError,
    favourites::{self, Started},
    log, owner, references, story, work,
};
use crate::{
    model::{Fact, Sessions, Told},
    refs::Snapshot,
};
use board_protocol::{
    command::CommandOutcome,
    daemon::LogLine,
    evidence::EvidenceItem,
    ids::{CommandId, SessionId, Token, UnixMs},
};
use rusqlite::TransactionBehavior;
use std::collections::BTreeSet;

/// How long a command's outcome is kept for a second delivery of the same id, in milliseconds: seven days.
const OUTCOME_LIFETIME_MS: u64 = 7 * 24 * 60 * 60 * 1000;
/// Most outcomes that are kept: about 10 MB. A script that commands a thousand times a second for a minute leaves more;
/// whoever lost an answer asks again within seconds.
const MAX_OUTCOMES: u32 = 50_000;

/// Tables whose rows go with their session.
const OWNED: [&str; 9] = [
    "sessions",
    "tokens",
    "last_screens",
    "diagnostics",
    "state_changes",
    "evidence",
    "work",
    "reviews",
    "code_refs",
];

/// What became of one command.
#[derive(Debug, Clone, PartialEq)]
pub struct CommandOutcomeRow {
    /// Its id.
    pub id: CommandId,
    /// When it was decided.
    pub at: UnixMs,
    /// Which command it was, for a person who reads the log.
    pub command: &'static str,
    /// What became of it.
    pub outcome: CommandOutcome,
}

/// Everything that commits together.
#[derive(Debug, Default)]
pub struct Batch {
    /// What happened, in order.
    pub facts: Vec<Fact>,
    /// What these facts told about states.
    pub told: Vec<Told>,
    /// What became of commands.
    pub outcomes: Vec<CommandOutcomeRow>,
    /// New secrets.
    pub tokens: Vec<(SessionId, Token)>,
    /// Last screens.
    pub screens: Vec<(SessionId, String)>,
    /// Diagnostics, in order.
    pub notes: Vec<(SessionId, LogLine)>,
    /// The boot of the machine that the processes in the records belong to, when it is another one than before.
    pub boot: Option<String>,
    /// Sessions whose earlier diagnostics go.
    pub cleared: Vec<SessionId>,
    /// Starts that succeeded, for the favourites.
    pub starts: Vec<Started>,
    /// Directories that are no favourites any more.
    pub forgotten: Vec<String>,
    /// Evidence, in order, with the time at which it came.
    pub work: Vec<(SessionId, UnixMs, EvidenceItem)>,
    /// Which issues and change requests sessions are about.
    pub references: Vec<(SessionId, Snapshot)>,
}

impl Batch {
    /// Nothing to write.
    pub fn is_empty(&self) -> bool {
        self.facts.is_empty()
            && self.outcomes.is_empty()
            && self.tokens.is_empty()
            && self.screens.is_empty()
            && self.notes.is_empty()
            && self.boot.is_none()
            && self.cleared.is_empty()
            && self.starts.is_empty()
            && self.forgotten.is_empty()
            && self.work.is_empty()
            && self.references.is_empty()
    }
}

impl Store {
    /// Commits a batch; `sessions` is the state after its facts. Returns once it is durable.
    ///
    /// # Errors
    /// Nothing of the batch was written. [`StoreError::Superseded`]: nothing of this store's ever will be.
    pub fn commit(&mut self, batch: &Batch, sessions: &Sessions) -> Result<(), StoreError> {
        self.check_place()?;
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let owner = owner::check(&transaction, self.owner.as_deref())?;
        let (mut facts_bytes, mut other_bytes) = (0, 0);
        let mut removed = Vec::new();
        let tallies;
        {
            let mut journal = transaction
                .prepare_cached("INSERT INTO journal (session, at_ms, fact) VALUES (?1, ?2, ?3)")?;
            for fact in &batch.facts {
                let body = serde_json::to_string(fact)?;
                facts_bytes += body.len() as u64;
                journal.execute((fact.session.as_str(), sql(fact.at), body))?;
            }
            let mut upsert = transaction.prepare_cached(
                "INSERT INTO sessions (session, record) VALUES (?1, ?2)
                 ON CONFLICT (session) DO UPDATE SET record = excluded.record",
            )?;
            let mut token = transaction.prepare_cached(
                "INSERT INTO tokens (session, token) VALUES (?1, ?2)
                 ON CONFLICT (session) DO UPDATE SET token = excluded.token",
            )?;
            for (session, secret) in &batch.tokens {
                token.execute((session.as_str(), secret.as_str()))?;
            }
            let mut screen = transaction.prepare_cached(
                "INSERT INTO last_screens (session, screen) VALUES (?1, ?2)
                 ON CONFLICT (session) DO UPDATE SET screen = excluded.screen",
            )?;
            for (session, text) in &batch.screens {
                screen.execute((session.as_str(), text))?;
            }
            story::append(&transaction, &batch.told)?;
            log::clear(&transaction, &batch.cleared)?;
            log::append(&transaction, &batch.notes)?;
            favourites::write(&transaction, &batch.starts, &batch.forgotten)?;
            references::write(&transaction, &batch.references)?;
            tallies = work::append(&transaction, &batch.work, &self.tallies)?;
            let touched: BTreeSet<&SessionId> = batch.facts.iter().map(|fact| &fact.session).collect();
            for session in touched {
                if let Some(record) = sessions.get(session) {
                    upsert.execute((session.as_str(), serde_json::to_string(record)?))?;
                } else {
                    removed.push(session.clone());
                    for table in OWNED {
                        transaction
                            .prepare_cached(&format!("DELETE FROM {table} WHERE session = ?1"))?
                            .execute([session.as_str()])?;
                    }
                }
            }
            let mut outcome = transaction.prepare_cached(
                "INSERT OR IGNORE INTO commands (command_id, at_ms, command, outcome) VALUES (?1, ?2, ?3, ?4)",
            )?;
            for row in &batch.outcomes {
                let body = serde_json::to_string(&row.outcome)?;
                other_bytes += body.len() as u64;
                outcome.execute((row.id.as_str(), sql(row.at), row.command, body))?;
            }
            if let Some(boot) = &batch.boot {
                transaction.execute(
                    "INSERT INTO meta (key, value) VALUES ('boot', ?1)
                     ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                    [boot],
                )?;
            }
        }
        transaction.commit()?;
        self.leave();
        self.references.extend(batch.references.iter().cloned());
        self.tokens.extend(batch.tokens.iter().cloned());
        for fact in batch.facts.iter().filter(|fact| !sessions.contains_key(&fact.session)) {
            self.tokens.remove(&fact.session);
        }
        self.owner = Some(owner);
        self.growth.add(facts_bytes, other_bytes);
        self.tallies.extend(tallies);
        for session in removed {
            self.tallies.remove(&session);
            self.references.remove(&session);
        }
        Ok(())
    }

    /// Forgets outcomes of commands that nobody can send a second time any more: old ones, and the oldest of too many.
    ///
    /// # Errors
    /// The database cannot be written.
    pub fn forget_old_outcomes(&mut self, now: UnixMs) -> Result<(), StoreError> {
        let oldest = UnixMs(now.0.saturating_sub(OUTCOME_LIFETIME_MS));
        self.connection.execute("DELETE FROM commands WHERE at_ms < ?1", [sql(oldest)])?;
        self.connection.execute(
            "DELETE FROM commands WHERE at_ms <
                 (SELECT at_ms FROM commands ORDER BY at_ms DESC LIMIT 1 OFFSET ?1)",
            [MAX_OUTCOMES],
        )?;
        self.leave();
        Ok(())
    }
}

/// SQLite's integers are signed; a time beyond them is as late as can be said.
pub(super) fn sql(at: UnixMs) -> i64 {
    i64::try_from(at.0).unwrap_or(i64::MAX)
}

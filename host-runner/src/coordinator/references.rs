//! Code references on their way (reference A.12): a session begins or a turn of it ends, somebody else looks at what it did
//! and asks git, and what was found is kept beside the journal. It moves no row.
//!
//! Called by the single writer: at the end of a turn for what to look at, and with what was found. It asks neither git nor
//! the disk.

use super::{decision::Decision, messages::Output, terminals, turn::Turn, world::World, writer::Coordinator};
use crate::refs::{
    Snapshot,
    extract::{COMMANDS, TEXTS},
};
use board_protocol::{
    daemon::{Answer, LogLevel},
    evidence::EvidenceItem,
    ids::SessionId,
    refs::{FoundReference, References},
};
use std::collections::BTreeSet;

/// What is looked through for references, oldest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LookForReferences {
    /// The session.
    pub session: SessionId,
    /// Where it works.
    pub cwd: String,
    /// Its newest commands, each with the beginning of what it printed.
    pub commands: Vec<(String, String)>,
    /// What it said last.
    pub texts: Vec<String>,
}

impl<W: World> Coordinator<W> {
    /// What to look through for the sessions of this turn. After the commit: the newest evidence is in the store by then.
    pub(super) fn look_for_references(&self, referring: &BTreeSet<SessionId>, outputs: &mut Vec<Output>) {
        for session in referring {
            // What a terminal of an agent is about, its session is about.
            let Some(record) = self.sessions.get(session) else { continue };
            if terminals::owner(&self.sessions, record).is_some() {
                continue;
            }
            let items = self.store.work(session).unwrap_or_default();
            let mut look = LookForReferences {
                session: session.clone(),
                cwd: record.cwd.clone(),
                commands: Vec::new(),
                texts: Vec::new(),
            };
            for item in items {
                match item {
                    EvidenceItem::Command(command) if look.commands.len() < COMMANDS => {
                        look.commands.push((command.command, command.output_preview.unwrap_or_default()));
                    }
                    EvidenceItem::Claim(claim) if look.texts.len() < TEXTS => look.texts.push(claim.text),
                    _ => {}
                }
            }
            // The store gives the newest first.
            look.commands.reverse();
            look.texts.reverse();
            outputs.push(Output::LookForReferences(Box::new(look)));
        }
    }

    /// What was found, and what of the person's own providers could not be used.
    pub(super) fn references_found(
        &mut self,
        session: &SessionId,
        found: Snapshot,
        complaints: &[String],
        turn: &mut Turn,
    ) {
        if !self.sessions.contains_key(session) {
            return;
        }
        let mut decision = Decision::default();
        for complaint in complaints {
            let grave = (LogLevel::Warn, "code-refs", "code_refs_config");
            decision.note(session, self.world.now(), grave, complaint);
        }
        self.record(decision, turn);
        let known = self.store.references(session).cloned().unwrap_or_default();
        let now = known.clone().after(found);
        if now != known {
            turn.batch.references.push((session.clone(), now));
            turn.shown.insert(session.clone());
        }
    }

    /// Everything that was found about a session.
    pub(super) fn references_of(&self, session: &SessionId) -> Answer {
        let snapshot = self.store.references(session).cloned().unwrap_or_default();
        let found = snapshot
            .all
            .iter()
            .map(|found| FoundReference {
                reference: found.shown(),
                strength: found.strength.name().to_owned(),
                source: found.source.clone(),
            })
            .collect();
        Answer::References(Box::new(References { provider: snapshot.provider, found }))
    }
}

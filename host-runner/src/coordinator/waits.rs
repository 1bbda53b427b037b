//! A mirror of what agents wait for on their terminals, and a person's word that ends it (reference G.2, G.3).
//!
//! The hosts own the waits; this is what they said last, in memory only: it is empty with every daemon until the hosts come back,
//! and what a host said goes with its connection. Called by the single writer, by whatever shows rows, and with a person's skip.

use super::{
    decision::Effect,
    hosts::Showing,
    messages::{ConnectionId, Ticket},
    terminals,
    turn::Turn,
    world::World,
    writer::Coordinator,
};
use crate::model::{SessionRecord, find};
use board_protocol::{
    daemon::Answer,
    host::HostOrder,
    ids::SessionId,
    refusal::{Refusal, RefusalKind},
    state::HostState,
    terminals::{MAX_NEEDLE_BYTES, MAX_WAITS_PER_TERMINAL, TerminalWaits, Wait},
    text::{beginning_of, plain_within},
};
use board_text::terminals as texts;
use std::collections::{BTreeMap, BTreeSet};

/// How long hosts may take to say how many waits they have ended, in milliseconds: within what a person waits for at the board
/// (`deadlines::BOARD_ANSWER`).
pub(super) const SKIP_PATIENCE_MS: u64 = 2_000;
/// Widest text of a person's that a refusal repeats, in cells.
const MAX_SHOWN_COLUMNS: usize = 60;

/// Open waits, and questions of persons on their way.
#[derive(Debug, Default)]
pub(super) struct Waits {
    open: BTreeMap<SessionId, Vec<Wait>>,
    skips: BTreeMap<Ticket, Skip>,
    last_number: u64,
}

/// A skip that not every host has answered.
#[derive(Debug)]
struct Skip {
    /// The orders that are not answered, each with its terminal.
    asked: BTreeMap<(ConnectionId, u64), SessionId>,
    /// Terminals whose host cannot be asked, or has not answered.
    silent: BTreeSet<SessionId>,
    count: u32,
}

impl Waits {
    /// A host's newest list. Gives whether it differs from the one before.
    fn set(&mut self, terminal: &SessionId, mut waits: Vec<Wait>) -> bool {
        waits.truncate(MAX_WAITS_PER_TERMINAL);
        for wait in &mut waits {
            let kept = beginning_of(&wait.needle, MAX_NEEDLE_BYTES).len();
            wait.needle.truncate(kept);
        }
        let before = if waits.is_empty() {
            self.open.remove(terminal)
        } else {
            self.open.insert(terminal.clone(), waits.clone())
        };
        before.unwrap_or_default() != waits
    }

    /// Nobody says any more what is waited for there. Gives whether anything was.
    fn forget(&mut self, terminal: &SessionId) -> bool {
        self.open.remove(terminal).is_some()
    }
}

impl<W: World> Coordinator<W> {
    /// A host says what is waited for on its output.
    pub(super) fn host_waits(&mut self, connection: ConnectionId, waits: Vec<Wait>, turn: &mut Turn) {
        let Some((session, _)) = self.hosts.of(connection) else { return };
        let session = session.clone();
        if self.hosts.connection(&session) == Some(connection) {
            self.take_waits(&session, waits, turn);
        }
    }

    /// The same of a host that introduces itself.
    pub(super) fn take_waits(&mut self, session: &SessionId, waits: Vec<Wait>, turn: &mut Turn) {
        // A person's own session has none, whatever its host says.
        let Some(record) = self.sessions.get(session).filter(|record| record.parent.is_some()) else {
            return;
        };
        let owner = record.parent.clone();
        if !self.waits.set(session, waits) {
            return;
        }
        let uptime = self.world.uptime_ms();
        for shown in std::iter::once(session.clone()).chain(owner) {
            match self.hosts.pace(&shown, uptime) {
                Showing::NotNow => {}
                Showing::Now => {
                    turn.shown.insert(shown);
                }
                Showing::Later(after_ms) => {
                    turn.later.insert(shown, after_ms);
                }
            }
        }
    }

    /// A host has gone: what it said about waits is nobody's word any more.
    pub(super) fn waits_unheard(&mut self, session: &SessionId, turn: &mut Turn) {
        if !self.waits.forget(session) {
            return;
        }
        let before = turn.before.get(session).and_then(Option::as_ref);
        let record = self.sessions.get(session).or(before);
        turn.shown.extend(record.and_then(|record| record.parent.clone()));
        turn.shown.insert(session.clone());
    }

    /// At the end of a turn: terminals that it ended, or that begin anew, have no waits.
    pub(super) fn end_waits(&mut self, touched: &BTreeSet<SessionId>, turn: &mut Turn) {
        for session in touched {
            let lives = |record: &SessionRecord| record.is_live() && record.host.state != HostState::Starting;
            if !self.sessions.get(session).is_some_and(lives) {
                self.waits_unheard(session, turn);
            }
        }
    }

    /// What is waited for on the output of a session, or on that of its terminals, the oldest first.
    pub(super) fn waits_of(&self, session: &SessionId) -> Vec<Wait> {
        if self.waits.open.is_empty() {
            return Vec::new();
        }
        if let Some(own) = self.waits.open.get(session) {
            return own.clone();
        }
        let owned = |terminal: &SessionId| {
            let record = self.sessions.get(terminal);
            record.is_some_and(|record| record.parent.as_ref() == Some(session))
        };
        let below = self.waits.open.iter().filter(|(terminal, _)| owned(terminal));
        let mut all: Vec<Wait> = below.flat_map(|(_, waits)| waits.iter().cloned()).collect();
        all.sort_by_key(|wait| wait.since_ms);
        all
    }

    /// Every terminal with open waits, by session and age.
    pub(super) fn all_waits(&self) -> Answer {
        let told = |(terminal, waits): (&SessionId, &Vec<Wait>)| {
            let record = self.sessions.get(terminal)?;
            let parent = record.parent.clone()?;
            let owner = terminals::owner(&self.sessions, record);
            let listed = TerminalWaits {
                terminal: terminal.clone(),
                title: record.name.clone(),
                parent_name: owner.map_or_else(String::new, |owner| owner.name.clone()),
                parent,
                waits: waits.clone(),
            };
            Some((record.created_at, listed))
        };
        let mut all: Vec<_> = self.waits.open.iter().filter_map(told).collect();
        all.sort_by(|(a_at, a), (b_at, b)| {
            (&a.parent, a_at, &a.terminal).cmp(&(&b.parent, b_at, &b.terminal))
        });
        Answer::Waits(all.into_iter().map(|(_, listed)| listed).collect())
    }

    /// A person ends the waits of a terminal, or those of all terminals of a session.
    pub(super) fn skip_waits(&mut self, ticket: Ticket, typed: &str, turn: &mut Turn) {
        let about = match self.to_skip(typed) {
            Ok(about) => about,
            Err(refusal) => {
                turn.answers.push((ticket, Err(refusal)));
                return;
            }
        };
        let mut skip = Skip { asked: BTreeMap::new(), silent: BTreeSet::new(), count: 0 };
        for (terminal, state) in about {
            match self.hosts.connection(&terminal) {
                // It never hears of waits, and has none.
                Some(_) if !self.hosts.takes_waits(&terminal) => {}
                Some(connection) => {
                    self.waits.last_number += 1;
                    let number = self.waits.last_number;
                    skip.asked.insert((connection, number), terminal.clone());
                    let order = HostOrder::SkipWaits { number };
                    turn.effects.push(Effect::OrderHost { session: terminal, order });
                }
                // Nobody can have met it yet.
                None if state == HostState::Starting => {}
                None => {
                    skip.silent.insert(terminal);
                }
            }
        }
        self.waits.skips.insert(ticket, skip);
        turn.skipping.push(ticket);
        self.end_skip(ticket, turn);
    }

    /// The terminals that a person means.
    fn to_skip(&self, typed: &str) -> Result<Vec<(SessionId, HostState)>, Refusal> {
        let record = find(&self.sessions, typed)?;
        if record.parent.is_none() {
            let own = terminals::of(&self.sessions, &record.id);
            let live = own.into_iter().filter(|terminal| terminal.is_live());
            return Ok(live.map(|terminal| (terminal.id.clone(), terminal.host.state)).collect());
        }
        if !record.is_live() {
            let text = texts::skip_ended(&record.id, &record.name);
            return Err(Refusal::new(RefusalKind::WrongState, text));
        }
        Ok(vec![(record.id.clone(), record.host.state)])
    }

    /// A host has ended its waits.
    pub(super) fn waits_skipped(
        &mut self,
        connection: ConnectionId,
        number: u64,
        count: u32,
        turn: &mut Turn,
    ) {
        let asked = |skip: &Skip| skip.asked.contains_key(&(connection, number));
        let found = self.waits.skips.iter_mut().find(|(_, skip)| asked(skip));
        // One that comes too late counts for nobody.
        let Some((ticket, skip)) = found else { return };
        let ticket = *ticket;
        skip.asked.remove(&(connection, number));
        skip.count = skip.count.saturating_add(count);
        self.end_skip(ticket, turn);
    }

    /// A host has gone that was to end waits.
    pub(super) fn skips_unheard(&mut self, connection: ConnectionId, turn: &mut Turn) {
        let tickets: Vec<Ticket> = self.waits.skips.keys().copied().collect();
        for ticket in tickets {
            let Some(skip) = self.waits.skips.get_mut(&ticket) else { continue };
            let gone = |(asked, _): &(ConnectionId, u64)| *asked == connection;
            let lost: Vec<_> = skip.asked.keys().filter(|key| gone(key)).copied().collect();
            for key in lost {
                skip.silent.extend(skip.asked.remove(&key));
            }
            self.end_skip(ticket, turn);
        }
    }

    /// Whoever has not answered by now is not waited for.
    pub(super) fn skip_due(&mut self, ticket: Ticket, turn: &mut Turn) {
        if let Some(skip) = self.waits.skips.get_mut(&ticket) {
            skip.silent.extend(std::mem::take(&mut skip.asked).into_values());
            self.end_skip(ticket, turn);
        }
    }

    /// Answers a skip that nobody has to be waited for any more.
    fn end_skip(&mut self, ticket: Ticket, turn: &mut Turn) {
        if !self.waits.skips.get(&ticket).is_some_and(|skip| skip.asked.is_empty()) {
            return;
        }
        let Some(Skip { silent, count, .. }) = self.waits.skips.remove(&ticket) else { return };
        turn.skipping.retain(|waiting| *waiting != ticket);
        let answer = if silent.is_empty() {
            Ok(Answer::WaitsSkipped { count })
        } else {
            let named: Vec<String> = silent.iter().map(|terminal| self.named(terminal)).collect();
            let text = texts::skip_unheard(count, named.join(", "));
            Err(Refusal::new(RefusalKind::HostUnreachable, text))
        };
        turn.answers.push((ticket, answer));
    }

    /// The commit failed with which the orders would have left.
    pub(super) fn forget_skips(&mut self, tickets: &[Ticket]) {
        for ticket in tickets {
            self.waits.skips.remove(ticket);
        }
    }

    fn named(&self, session: &SessionId) -> String {
        let name = self.sessions.get(session).map_or("", |record| record.name.as_str());
        format!("{session} ({})", plain_within(name, MAX_SHOWN_COLUMNS))
    }
}

//! The part of the writer that knows agents by their session's secret: it opens, lists and closes their terminals, and ends those
//! whose session has ended. What may be and when is decided in [`super::terminals`].
//!
//! Called by the single writer. A terminal of another session, and any at all with a wrong secret, looks like none.
//!
//! Invariant: an agent touches only the terminals of its own session.

use super::{
    messages::{Environment, Preflight, Ticket},
    terminals,
    turn::{Owned, Turn},
    world::World,
    writer::Coordinator,
};
use crate::{model::FactKind, store::StoreError};
use board_protocol::{
    command::{Command, CommandEnvelope, CommandOutcome},
    daemon::Answer,
    ids::{CommandId, SessionId, Token},
    refusal::{Refusal, RefusalKind},
    state::CommandSource,
    terminals::{AgentAsk, AgentTerminal, Parent},
};
use std::collections::BTreeSet;

impl<W: World> Coordinator<W> {
    /// An agent asks something about its terminals.
    pub(super) fn agent_asked(
        &mut self,
        ticket: Ticket,
        (session, token): (SessionId, &Token),
        ask: AgentAsk,
        environment: Option<Environment>,
        preflight: Option<&Preflight>,
        turn: &mut Turn,
    ) {
        let known = self.sessions.contains_key(&session)
            && self.secret(&session, turn).is_ok_and(|secret| secret.as_ref() == Some(token));
        let done = match ask {
            AgentAsk::Close { terminal, .. } if !known => Err(terminals::unknown_terminal(&terminal)),
            _ if !known => Err(terminals::unknown_session()),
            AgentAsk::List => {
                turn.listed.push((ticket, session));
                return;
            }
            AgentAsk::Open { command_id, open, .. } => {
                let command = Command::OpenTerminal { parent: session.clone(), open };
                self.carried_out(command_id, command, environment, preflight, turn).map(Owned::Opened)
            }
            AgentAsk::Close { command_id, terminal } => {
                self.close_terminal(&session, command_id, terminal, turn).map(|_| Owned::Closed)
            }
        };
        match done {
            Ok(owned) => turn.owned.push((ticket, session, owned)),
            Err(refusal) => turn.failures.push((ticket, refusal)),
        }
    }

    fn close_terminal(
        &mut self,
        session: &SessionId,
        command_id: CommandId,
        terminal: SessionId,
        turn: &mut Turn,
    ) -> Result<SessionId, Refusal> {
        // Asked again after it has gone, it is still closed.
        let closed = self.earlier_outcome(&command_id).ok().flatten();
        if !matches!(closed, Some(CommandOutcome::Applied { .. })) {
            terminals::to_close(&self.sessions, session, &terminal)?;
        }
        self.carried_out(command_id, Command::Remove { session: terminal }, None, None, turn)
    }

    /// A command in an agent's name. Gives the terminal that it was about.
    fn carried_out(
        &mut self,
        command_id: CommandId,
        command: Command,
        environment: Option<Environment>,
        preflight: Option<&Preflight>,
        turn: &mut Turn,
    ) -> Result<SessionId, Refusal> {
        let source = CommandSource::Service;
        let envelope =
            CommandEnvelope { command_id, command, environment: None, source, expected_revision: None };
        match self.carry_out(envelope, environment, preflight, turn)? {
            CommandOutcome::Applied { session, .. } => Ok(session),
            CommandOutcome::Refused(refusal) => Err(refusal),
        }
    }

    /// A session's secret. One that was made in this very turn is not in the store yet.
    pub(super) fn secret(&self, session: &SessionId, turn: &Turn) -> Result<Option<Token>, StoreError> {
        match turn.batch.tokens.iter().rev().find(|(owner, _)| owner == session) {
            Some((_, token)) => Ok(Some(token.clone())),
            None => self.store.token(session),
        }
    }

    /// The secret of a session's next life. Terminals of the one before, which a person keeps, know that one's and no other.
    pub(super) fn next_secret(&self, session: &SessionId) -> Token {
        let keeps = || {
            let own = |record: &&crate::model::SessionRecord| record.parent.as_ref() == Some(session);
            self.sessions.values().filter(own).any(|record| record.is_live())
        };
        let known = self.sessions.contains_key(session) && keeps();
        let earlier = known.then(|| self.store.token(session).ok().flatten()).flatten();
        earlier.unwrap_or_else(|| self.world.token())
    }

    /// Whose terminal a session is, as its host is told. `Err`: the secret cannot be read, and without it nobody could use it.
    pub(super) fn parent_of(&self, session: &SessionId, turn: &Turn) -> Result<Option<Parent>, StoreError> {
        let record = self.sessions.get(session);
        let Some(owner) = record.and_then(|record| terminals::owner(&self.sessions, record)) else {
            return Ok(None);
        };
        let token = self.secret(&owner.id, turn)?;
        Ok(token.map(|token| Parent { session: owner.id.clone(), token }))
    }

    /// Ends what is only there for a session that has ended.
    pub(super) fn end_terminals(&mut self, turn: &mut Turn) {
        if !turn.batch.facts.iter().any(terminals::may_end_some) {
            return;
        }
        let removed = turn.batch.facts.iter().filter(|fact| matches!(fact.kind, FactKind::SessionRemoved));
        let removed: BTreeSet<SessionId> = removed.map(|fact| fact.session.clone()).collect();
        self.end_terminals_of(&removed, turn);
        // What is kept of a session that is gone is a row of its own from now on.
        for session in &removed {
            turn.shown.extend(terminals::of(&self.sessions, session).into_iter().map(|kept| kept.id.clone()));
        }
    }

    /// The same, for sessions whose end may have been missed.
    pub(super) fn end_terminals_of(&mut self, removed: &BTreeSet<SessionId>, turn: &mut Turn) {
        let decision = terminals::ending(&self.sessions, removed, self.world.now());
        self.record(decision, turn);
    }

    /// What agents are answered, once it is recorded.
    pub(super) fn answers_to_agents(&self, turn: &Turn) -> Vec<(Ticket, Result<Answer, Refusal>)> {
        let mut answers = Vec::new();
        for (ticket, session, owned) in &turn.owned {
            let answer = match owned {
                Owned::Closed => Ok(Vec::new()),
                Owned::Opened(terminal) => match self.sessions.get(terminal) {
                    Some(record) if record.parent.as_ref() == Some(session) => Ok(vec![self.seen(record)]),
                    _ => Err(terminals::unknown_terminal(terminal)),
                },
            };
            answers.push((*ticket, answer.map(Answer::AgentTerminals)));
        }
        for (ticket, session) in &turn.listed {
            let own = terminals::of(&self.sessions, session);
            let own = own.into_iter().filter(|record| !record.leaves_when_ended());
            let all = own.map(|record| self.seen(record)).collect();
            answers.push((*ticket, Ok(Answer::AgentTerminals(all))));
        }
        answers
    }

    fn seen(&self, record: &crate::model::SessionRecord) -> AgentTerminal {
        let socket = self.world.host_socket(&record.id, &record.host.generation);
        terminals::seen(record, socket.to_string_lossy().into_owned())
    }
}

/// What a client is told that makes a terminal for an agent by itself.
pub(super) fn not_for_clients() -> Refusal {
    Refusal::new(RefusalKind::Forbidden, "only an agent opens terminals, with its session's secret")
}

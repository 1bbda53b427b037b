//! Intents on their way: a person's wish from the plugin, asked of the daemon under an id that makes asking again safe.
//!
//! Used by [`super::machine`]. Pure. Every intent gets exactly one outcome, at the latest after its limit (field
//! report F20: a daemon that accepts and never answers).

use super::directories;
use crate::{agents::variable, deadlines};
use board_protocol::{
    command::{Command, CommandEnvelope, CommandOutcome, EnvVar, ReplyDelivery, StartSession},
    daemon::{Answer, Request},
    ids::{CommandId, SessionId},
    pipe::{Down, InstanceId, Intent},
    refusal::{Refusal, RefusalKind},
    state::CommandSource,
};
use board_text::link as texts;
use std::{collections::BTreeMap, path::Path, time::Duration};

/// Most intents without an outcome; a person has two hands.
const MAX_OPEN: usize = 256;

/// What the daemon is asked for an intent.
#[derive(Debug, Clone)]
pub(crate) enum Wish {
    /// A command.
    Command(Box<CommandEnvelope>),
    /// The end of waits. It changes nothing that is written down, so it is no command; twice ends no more than once.
    SkipWaits { command_id: CommandId, session: SessionId },
}

impl Wish {
    fn command_id(&self) -> CommandId {
        match self {
            Self::Command(envelope) => envelope.command_id.clone(),
            Self::SkipWaits { command_id, .. } => command_id.clone(),
        }
    }

    fn request(&self) -> Request {
        match self {
            Self::Command(envelope) => Request::Command(envelope.clone()),
            Self::SkipWaits { session, .. } => Request::SkipWaits { session: session.0.clone() },
        }
    }
}

/// One intent without an outcome.
#[derive(Debug)]
struct Open {
    instance: InstanceId,
    wish: Wish,
    since: Duration,
}

impl Open {
    fn deadline(&self) -> Duration {
        let command = match &self.wish {
            Wish::Command(envelope) => Some(&envelope.command),
            Wish::SkipWaits { .. } => None,
        };
        let limit = match command {
            // A reply may continue a session that has ended, and that asks what a start asks.
            Some(Command::Start(_) | Command::Reply { delivery: ReplyDelivery::Auto, .. }) => {
                deadlines::BOARD_START
            }
            _ => deadlines::BOARD_ANSWER,
        };
        self.since + limit
    }
}

/// Every intent without an outcome, by the id of its question on the daemon's connection.
#[derive(Debug, Default)]
pub(crate) struct Asks {
    open: BTreeMap<u64, Open>,
    last_id: u64,
}

impl Asks {
    /// Takes an intent: a question for the daemon, or at once an outcome.
    pub(crate) fn take(
        &mut self,
        instance: InstanceId,
        wish: Wish,
        now: Duration,
    ) -> Result<(u64, Request), Box<Down>> {
        if self.open.len() >= MAX_OPEN {
            let text = texts::too_many_commands();
            return Err(Box::new(refused(instance, wish.command_id(), RefusalKind::Limit, text)));
        }
        self.last_id += 1;
        let request = wish.request();
        self.open.insert(self.last_id, Open { instance, wish, since: now });
        Ok((self.last_id, request))
    }

    /// The outcome of a question of ours; `None` when it is none of ours, or too late.
    pub(crate) fn answered(&mut self, id: u64, answer: Result<Answer, Refusal>) -> Option<Down> {
        let Open { instance, wish, .. } = self.open.remove(&id)?;
        let outcome = match (answer, &wish) {
            (Ok(Answer::Outcome(outcome)), Wish::Command(_)) => outcome.retold(),
            (Ok(Answer::WaitsSkipped { count }), Wish::SkipWaits { session, .. }) => {
                let notice = Some(board_text::terminals::skipped(count));
                CommandOutcome::Applied { session: session.clone(), notice }
            }
            (Err(refusal), _) => CommandOutcome::Refused(refusal.retold()),
            (Ok(_), _) => CommandOutcome::Refused(Refusal::new(RefusalKind::Internal, texts::no_outcome())),
        };
        Some(Down::Outcome { instance, command_id: wish.command_id(), outcome })
    }

    /// Everything to ask again on a new connection: the daemon does nothing twice under one id.
    pub(crate) fn again(&self) -> impl Iterator<Item = (u64, Request)> + '_ {
        self.open.iter().map(|(id, open)| (*id, open.wish.request()))
    }

    /// The outcomes of what waited too long.
    pub(crate) fn expired(&mut self, now: Duration) -> Vec<Down> {
        let late: Vec<u64> =
            self.open.iter().filter(|(_, open)| now >= open.deadline()).map(|(id, _)| *id).collect();
        let text = texts::no_answer();
        late.into_iter()
            .filter_map(|id| self.open.remove(&id))
            .map(|open| refused(open.instance, open.wish.command_id(), RefusalKind::HostUnreachable, text))
            .collect()
    }

    /// When the next one expires.
    pub(crate) fn next_deadline(&self) -> Option<Duration> {
        self.open.values().map(Open::deadline).min()
    }
}

/// A refusal of the link itself.
pub(crate) fn refused(
    instance: InstanceId,
    command_id: CommandId,
    kind: RefusalKind,
    text: impl Into<String>,
) -> Down {
    Down::Outcome { instance, command_id, outcome: CommandOutcome::Refused(Refusal::new(kind, text)) }
}

/// What an intent asks for. As a command, the link adds where and with which environment a session starts (decision 12).
pub(crate) fn wish(command_id: CommandId, intent: Intent, cwd: &str, environment: &[EnvVar]) -> Wish {
    let starts = matches!(intent, Intent::Start(_) | Intent::Rerun { .. });
    let command = match intent {
        Intent::Start(start) => {
            let cwd = directories::resolved(&start.cwd, Path::new(cwd), home(environment));
            Command::Start(StartSession { cwd, ..start })
        }
        Intent::Rerun { session } => Command::Rerun { session },
        Intent::Interrupt { session } => Command::Interrupt { session },
        Intent::Stop { session } => Command::Stop { session },
        Intent::Remove { session } => Command::Remove { session },
        Intent::Visit { session } => Command::Visit { session },
        Intent::MarkUnread { session } => Command::MarkUnread { session },
        Intent::Reply { session, text, delivery } => Command::Reply { session, text, delivery },
        Intent::EditQueued { session, item, text } => Command::EditQueued { session, item, text },
        Intent::MoveQueued { session, item, place } => Command::MoveQueued { session, item, place },
        Intent::RemoveQueued { session, item } => Command::RemoveQueued { session, item },
        Intent::SendQueued { session, item } => Command::SendQueued { session, item },
        Intent::ClearQueue { session } => Command::ClearQueue { session },
        Intent::MarkCompleted { session } => Command::MarkCompleted { session },
        Intent::MarkHolding { session } => Command::MarkHolding { session },
        Intent::ClearHolding { session } => Command::ClearHolding { session },
        Intent::Rename { session, name } => Command::Rename { session, name },
        Intent::SetPin { session, pin } => Command::SetPin { session, pin },
        Intent::SkipWaits { session } => return Wish::SkipWaits { command_id, session },
        Intent::ClearLog { session } => Command::ClearLog { session },
        Intent::Tag { session, add, remove } => Command::Tag { session, add, remove },
    };
    Wish::Command(Box::new(CommandEnvelope {
        command_id,
        command,
        environment: starts.then(|| environment.to_vec()),
        source: CommandSource::Person,
        expected_revision: None,
    }))
}

fn home(environment: &[EnvVar]) -> Option<&Path> {
    variable(environment, "HOME").map(Path::new)
}

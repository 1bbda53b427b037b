//! One turn of the coordinator: what a batch of inputs led to, before it is committed.

use super::{
    decision::Effect,
    messages::{ConnectionId, Environment, Question, Ticket},
};
use crate::{model::SessionRecord, store::Batch};
use board_protocol::{
    command::CommandOutcome,
    daemon::Answer,
    ids::{FactSeq, SessionId},
    refusal::Refusal,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

/// Everything that waits for the commit.
#[derive(Debug, Default)]
pub(super) struct Turn {
    /// Every session that this turn changed, as it was before; `None` for one that was not there. What a failed commit
    /// goes back to.
    pub(super) before: BTreeMap<SessionId, Option<SessionRecord>>,
    /// To write.
    pub(super) batch: Batch,
    /// To do afterwards.
    pub(super) effects: Vec<Effect>,
    /// Environments for the hosts that are started in this turn. They reach no disk.
    pub(super) environments: BTreeMap<SessionId, Environment>,
    /// Outcomes to send.
    pub(super) outcomes: Vec<(Ticket, CommandOutcome)>,
    /// What agents asked that changes the board, once that is recorded.
    pub(super) owned: Vec<(Ticket, SessionId, Owned)>,
    /// Agents who want to know of all terminals of their session.
    pub(super) listed: Vec<(Ticket, SessionId)>,
    /// Answers that depend on no record.
    pub(super) answers: Vec<(Ticket, Result<Answer, Refusal>)>,
    /// Questions whose orders to hosts leave with this turn.
    pub(super) skipping: Vec<Ticket>,
    /// Commands that could not be looked at.
    pub(super) failures: Vec<(Ticket, Refusal)>,
    /// Questions to answer.
    pub(super) questions: Vec<(Ticket, Question)>,
    /// Who is told once every session was compared with its processes.
    pub(super) reconciled: Vec<Ticket>,
    /// The newest fact of each host connection that is recorded with this turn.
    pub(super) acknowledged: BTreeMap<ConnectionId, FactSeq>,
    /// Verdicts about hosts that introduced themselves.
    pub(super) verdicts: Vec<(ConnectionId, board_protocol::host::HostOrder)>,
    /// Hosts to watch.
    pub(super) watched: BTreeSet<SessionId>,
    /// Sessions whose host must be looked at.
    pub(super) suspects: BTreeSet<SessionId>,
    /// Sessions that gave a sign of life, or may have stopped to work.
    pub(super) signs: BTreeSet<SessionId>,
    /// Sessions whose row may differ although nothing of them is recorded.
    pub(super) shown: BTreeSet<SessionId>,
    /// Sessions whose row is published a little later, with the milliseconds until then.
    pub(super) later: BTreeMap<SessionId, u64>,
    /// The session that is shown when evidence is to be written at the latest, with the milliseconds until then.
    pub(super) write_later: Option<(SessionId, u64)>,
    /// Sessions whose words of a person may be free to go although nothing of them is recorded.
    pub(super) replies: BTreeSet<SessionId>,
    /// States that have lasted, with their numbers.
    pub(super) notices: Vec<(SessionId, u64)>,
    /// Sessions that are looked through for code references after the commit.
    pub(super) referring: BTreeSet<SessionId>,
    /// Spool files whose facts are recorded with this turn.
    pub(super) spooled: Vec<PathBuf>,
    /// Whether the turn ends with a look for processes that nobody needs.
    pub(super) sweeping: Sweeping,
    /// Whether every row is published.
    pub(super) everything: Everything,
}

/// What an agent's command about its terminals came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Owned {
    /// This one was opened.
    Opened(SessionId),
    /// One is closed.
    Closed,
}

/// Whether a turn looks for processes that nobody needs.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sweeping {
    /// If something happens in it that is an occasion.
    #[default]
    OnOccasion,
    /// It does: it is time.
    Due,
    /// It does not: what happens in it comes from inside a session.
    Never,
}

/// Whether a turn publishes the whole board.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Everything {
    /// Only what changed.
    #[default]
    Changes,
    /// All of it.
    All,
}

//! What a decision consists of: facts to record, then effects to carry out. Plain values.

use super::messages::Consult;
use crate::model::{Fact, FactKind, redacted};
use board_protocol::{
    board::{MAX_NAME_COLUMNS, MAX_SENTENCE_COLUMNS},
    daemon::{LogLevel, LogLine, PaneEvent},
    host::HostOrder,
    ids::{Generation, ProcessIdentity, SessionId, UnixMs},
    run::RunLaunch,
    text::{plain, plain_within},
};

/// Something to do once its facts are durable. Reconcile is the only retry, so an effect may get lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Start a host process for this boot of the session.
    SpawnHost {
        /// The session.
        session: SessionId,
        /// The boot.
        generation: Generation,
    },
    /// Tell the session's host something, if it is connected.
    OrderHost {
        /// The session.
        session: SessionId,
        /// What.
        order: HostOrder,
    },
    /// Start the process of a headless run.
    SpawnRun(Box<RunLaunch>),
    /// Signal a headless run, or a host that does not listen any more, if exactly this process still runs.
    Signal {
        /// The process.
        process: ProcessIdentity,
        /// How hard.
        force: Force,
    },
    /// Compare this session with its processes once more, very soon.
    LookAgain {
        /// The session.
        session: SessionId,
    },
    /// Ask a command of the person's own about a session.
    Consult(Box<Consult>),
    /// Tell the link of a zellij server about a pane.
    TellPane {
        /// The server.
        server_pid: u32,
        /// What happened there.
        event: PaneEvent,
    },
}

/// How a process is asked to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Force {
    /// SIGTERM.
    Ask,
    /// SIGKILL.
    Kill,
}

/// Facts and effects.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Decision {
    /// To record, in order.
    pub facts: Vec<Fact>,
    /// To do afterwards, in order.
    pub effects: Vec<Effect>,
    /// Diagnostics to keep, in order; [`Decision::note`] made each plain, took secrets out of it and cut it.
    pub notes: Vec<(SessionId, LogLine)>,
    /// Sessions whose diagnostics are forgotten.
    pub cleared: Vec<SessionId>,
}

impl Decision {
    /// Adds a fact.
    pub(super) fn record(&mut self, session: &SessionId, at: UnixMs, kind: FactKind) {
        self.facts.push(Fact { session: session.clone(), at, kind });
    }

    /// Adds a diagnostic. `source` is one of reference A.9, `code` a short word in snake case.
    pub(super) fn note(
        &mut self,
        session: &SessionId,
        at: UnixMs,
        grave: (LogLevel, &str, &str),
        message: &str,
    ) {
        let (level, source, code) = grave;
        let line = LogLine {
            at_ms: at,
            level,
            source: source.to_owned(),
            code: plain_within(code, MAX_NAME_COLUMNS),
            // Before the cut, which could take away the name that tells what a secret is.
            message: plain_within(&redacted(&plain(message)), MAX_SENTENCE_COLUMNS),
        };
        self.notes.push((session.clone(), line));
    }

    /// Adds an effect.
    pub(super) fn act(&mut self, effect: Effect) {
        self.effects.push(effect);
    }
}

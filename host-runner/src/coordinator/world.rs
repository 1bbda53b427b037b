//! Everything outside that the coordinator reads: time, ids, processes, files. Implemented by the daemon, by the command
//! that works without one, and by tests; never by anything that decides.

use super::{notify::NoticeSettings, warm::WarmSettings};
use crate::{
    agents::questions::QuestionTools,
    model::{auto_state::AutoDone, consult::Consultation},
};
use board_protocol::{
    host::{DeliveryProgress, HostSettings, SpooledFact},
    ids::{Generation, ProcessIdentity, QueueItemId, RunId, SessionId, Token, UnixMs},
};
use std::path::{Path, PathBuf};

/// Everything outside that the coordinator reads.
pub trait World {
    /// The wall clock.
    fn now(&self) -> UnixMs;
    /// A clock that never jumps, in milliseconds from anywhere.
    fn uptime_ms(&self) -> u64;
    /// Whether exactly this process runs.
    fn runs(&self, process: ProcessIdentity) -> bool;
    /// A new session id.
    fn session_id(&self) -> SessionId;
    /// A new generation.
    fn generation(&self) -> Generation;
    /// A new secret.
    fn token(&self) -> Token;
    /// A new id for words of a person: as many digits as a session's.
    fn queue_item_id(&self) -> QueueItemId {
        QueueItemId(self.session_id().0)
    }
    /// What a host that is gone wrote down about the words that it was to write.
    ///
    /// # Errors
    /// It cannot be read, and then nothing is known about them.
    fn deliveries(
        &self,
        session: &SessionId,
        generation: &Generation,
    ) -> std::io::Result<Vec<(QueueItemId, DeliveryProgress)>>;
    /// Where it wrote that.
    fn deliveries_file(&self, session: &SessionId, generation: &Generation) -> PathBuf;
    /// The socket that a host binds.
    fn host_socket(&self, session: &SessionId, generation: &Generation) -> PathBuf;
    /// What a session's host wrote down.
    fn host_log(&self, session: &SessionId) -> PathBuf;
    /// Words for a program that do not fit on its command line.
    fn prompt_file(&self, session: &SessionId) -> PathBuf;
    /// The names of the tools by which agents ask a person.
    fn question_tools(&self) -> &QuestionTools;
    /// What the configuration says about the classifier.
    fn classifier(&self) -> ClassifierSettings {
        ClassifierSettings::default()
    }
    /// The person's home directory, where it is known.
    fn home(&self) -> Option<String> {
        None
    }

    /// Whether a command of the person's own is set for this.
    fn consults(&self, _kind: Consultation) -> bool {
        false
    }
    /// What the configuration says about notifications.
    fn notices(&self) -> NoticeSettings {
        NoticeSettings::default()
    }
    /// The minute of the local day, where it is known.
    fn minute_of_day(&self) -> Option<u16> {
        None
    }
    /// What the configuration says about turns without a terminal.
    fn run_settings(&self) -> RunSettings {
        RunSettings::default()
    }
    /// What the workers of a session's runs complained about last.
    fn run_errors(&self, session: &SessionId) -> PathBuf {
        self.root().join("logs").join(format!("run-{session}.stderr"))
    }
    /// A new id for a run.
    fn run_id(&self) -> RunId {
        RunId(self.generation().0)
    }
    /// The board root.
    fn root(&self) -> &Path;
    /// How long a session may say that it works without a sign of life, in milliseconds; 0 for ever.
    fn stalled_after_ms(&self) -> u64;
    /// Names this boot of the machine: pids and start times mean something within one only. Empty when nobody knows.
    fn boot(&self) -> String;
    /// What may be ended of what nobody needs; `None`: nothing, because this process itself runs inside a session.
    fn warm(&self) -> Option<WarmSettings> {
        Some(WarmSettings::default())
    }
    /// What hosts are told besides their session.
    fn host_settings(&self) -> HostSettings {
        HostSettings::default()
    }
    /// Facts that wait in the spool, with their files.
    fn spooled(&self) -> Vec<(PathBuf, Result<SpooledFact, String>)>;
    /// Removes a file that is of no use any more: a spool file whose fact is recorded, the socket of a dead host.
    fn discard(&self, file: &Path);
}

/// What the configuration says about turns without a terminal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RunSettings {
    /// What a reply to a session that has ended does.
    pub reply_to_ended: ReplyToEnded,
    /// How long a worker may take to end after SIGTERM, in milliseconds.
    pub stop_grace_ms: u32,
}

/// What a reply to a session that has ended does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ReplyToEnded {
    /// It continues the session in a terminal, and the words are typed there.
    #[default]
    Resume,
    /// It continues the session for one turn without a terminal.
    Headless,
    /// It waits until a person starts the session.
    Wait,
}

/// What the configuration says about the classifier.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ClassifierSettings {
    /// Whether the daemon's own rules read the last words of a finished turn.
    pub rules: AutoState,
    /// Whether a classifier may say Done.
    pub done: AutoDone,
}

/// Whether the daemon's own rules are used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AutoState {
    /// They are.
    #[default]
    On,
    /// They are not.
    Off,
}

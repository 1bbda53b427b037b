//! A world in which every process runs, for a coordinator without a daemon; the benchmark of the coordinator has it, too.

use board_protocol::{
    command::{Command, CommandEnvelope},
    host::{DeliveryProgress, SpooledFact},
    ids::{CommandId, Generation, ProcessIdentity, QueueItemId, SessionId, Token, UnixMs},
    state::CommandSource,
};
use host_runner::{
    agents::questions::QuestionTools,
    coordinator::{Environment, Input, Ticket, World},
};
use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

/// A world in which every process runs and every id is the next number.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stage {
    pub(crate) now: Arc<AtomicU64>,
    number: Arc<AtomicU64>,
    tools: QuestionTools,
}

impl Stage {
    fn next(&self) -> u64 {
        self.number.fetch_add(1, Ordering::Relaxed) + 1
    }
}

impl World for Stage {
    fn now(&self) -> UnixMs {
        UnixMs(self.now.load(Ordering::Relaxed))
    }
    fn uptime_ms(&self) -> u64 {
        0
    }
    fn runs(&self, _: ProcessIdentity) -> bool {
        true
    }
    fn session_id(&self) -> SessionId {
        SessionId(format!("{:010x}", self.next()))
    }
    fn generation(&self) -> Generation {
        Generation(format!("{:08x}", self.next()))
    }
    fn token(&self) -> Token {
        Token(format!("token {}", self.next()))
    }
    fn host_socket(&self, session: &SessionId, _: &Generation) -> PathBuf {
        PathBuf::from(format!("/run/{session}.sock"))
    }
    fn host_log(&self, session: &SessionId) -> PathBuf {
        PathBuf::from(format!("/logs/{session}"))
    }
    fn prompt_file(&self, session: &SessionId) -> PathBuf {
        PathBuf::from(format!("/prompts/{session}"))
    }
    fn question_tools(&self) -> &QuestionTools {
        &self.tools
    }
    fn root(&self) -> &Path {
        Path::new("/root")
    }
    fn stalled_after_ms(&self) -> u64 {
        0
    }
    fn deliveries(
        &self,
        _: &SessionId,
        _: &Generation,
    ) -> std::io::Result<Vec<(QueueItemId, DeliveryProgress)>> {
        Ok(Vec::new())
    }
    fn deliveries_file(&self, session: &SessionId, generation: &Generation) -> PathBuf {
        PathBuf::from(format!("/run/{session}.{generation}.words"))
    }
    fn boot(&self) -> String {
        "boot".into()
    }
    fn spooled(&self) -> Vec<(PathBuf, Result<SpooledFact, String>)> {
        Vec::new()
    }
    fn discard(&self, _: &Path) {}
}

/// A person's command.
pub(crate) fn input(id: &str, command: Command) -> Input {
    Input::Command {
        ticket: Ticket(1),
        envelope: CommandEnvelope {
            command_id: CommandId(id.into()),
            command,
            environment: None,
            source: CommandSource::Person,
            expected_revision: None,
        },
        environment: Some(Environment { variables: Vec::new(), taken_at: UnixMs(1) }),
        preflight: None,
    }
}

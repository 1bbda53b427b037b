//! What the coordinator reads of the world: clocks, new ids, processes, the spool. The only implementation that real
//! daemons use.

use crate::{
    agents::pi::questions::QuestionTools,
    coordinator::{ClassifierSettings, World},
    fresh, process,
    root::BoardRoot,
    spool,
};
use board_protocol::{
    host::{HostSettings, SpooledFact},
    ids::{Generation, ProcessIdentity, SessionId, Token, UnixMs},
};
use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Instant,
};

/// The machine and the root.
#[derive(Debug)]
pub(super) struct Machine {
    root: BoardRoot,
    host_settings: HostSettings,
    question_tools: QuestionTools,
    classifier: ClassifierSettings,
    started: Instant,
}

impl Machine {
    pub(super) fn new(
        root: BoardRoot,
        host_settings: HostSettings,
        question_tools: QuestionTools,
        classifier: ClassifierSettings,
    ) -> Self {
        Self { root, host_settings, question_tools, classifier, started: Instant::now() }
    }
}

impl World for Machine {
    fn now(&self) -> UnixMs {
        fresh::now()
    }

    fn uptime_ms(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn runs(&self, process: ProcessIdentity) -> bool {
        process::is_running(process)
    }

    fn session_id(&self) -> SessionId {
        fresh::session_id()
    }

    fn generation(&self) -> Generation {
        fresh::generation()
    }

    fn token(&self) -> Token {
        fresh::token()
    }

    fn host_socket(&self, session: &SessionId, generation: &Generation) -> PathBuf {
        self.root.host_socket(session, generation)
    }

    fn host_log(&self, session: &SessionId) -> PathBuf {
        self.root.logs().join(format!("host-{session}.log"))
    }

    fn prompt_file(&self, session: &SessionId) -> PathBuf {
        self.root.sessions().join(format!("{session}.prompt"))
    }

    fn question_tools(&self) -> &QuestionTools {
        &self.question_tools
    }

    fn classifier(&self) -> ClassifierSettings {
        self.classifier
    }

    fn root(&self) -> &Path {
        self.root.directory()
    }

    fn host_settings(&self) -> HostSettings {
        self.host_settings
    }

    fn spooled(&self) -> Vec<(PathBuf, Result<SpooledFact, String>)> {
        spool::drain(&self.root)
    }

    fn discard(&self, file: &Path) {
        if let Err(error) = fs::remove_file(file)
            && error.kind() != io::ErrorKind::NotFound
        {
            tracing::warn!(file = %file.display(), %error, "cannot remove a file");
        }
    }
}

//! What the coordinator reads of the world: clocks, new ids, processes, the spool. The only implementation that real
//! daemons use.

use crate::{
    agents::questions::QuestionTools,
    client::runs_inside_a_session,
    config::Config,
    coordinator::{ClassifierSettings, RunSettings, World, notify::NoticeSettings, warm::WarmSettings},
    deliveries, fresh, kernel,
    model::consult::Consultation,
    process,
    root::BoardRoot,
    spool,
};
use board_protocol::{
    host::{DeliveryProgress, HostSettings, SpooledFact},
    ids::{Generation, ProcessIdentity, QueueItemId, SessionId, Token, UnixMs},
};
use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Instant,
};

/// A new random name at every boot of the kernel (`proc_sys_kernel(5)`).
const BOOT_ID: &str = "/proc/sys/kernel/random/boot_id";

/// The machine and the root.
#[derive(Debug)]
pub(super) struct Machine {
    root: BoardRoot,
    host_settings: HostSettings,
    question_tools: QuestionTools,
    classifier: ClassifierSettings,
    consults: Vec<Consultation>,
    stalled_after_ms: u64,
    warm: Option<WarmSettings>,
    run_settings: RunSettings,
    notices: NoticeSettings,
    started: Instant,
}

impl Machine {
    pub(super) fn new(root: BoardRoot, config: &Config) -> Self {
        let host_settings = config.host_settings();
        let question_tools = QuestionTools::with(config.question_tools.clone());
        let stalled_after_ms = u64::from(config.stalled_after) * 1000;
        let classifier = config.classifier;
        // A process that an agent started could end the one that it came from (reference D.7).
        let warm = (!runs_inside_a_session()).then_some(config.warm());
        let consults = config.consultants().into_keys().collect();
        let run_settings =
            RunSettings { reply_to_ended: config.reply_to_ended, stop_grace_ms: host_settings.stop_grace_ms };
        Self {
            root,
            host_settings,
            question_tools,
            classifier,
            consults,
            stalled_after_ms,
            warm,
            run_settings,
            notices: config.notices(),
            started: Instant::now(),
        }
    }
}

impl World for Machine {
    fn now(&self) -> UnixMs {
        fresh::now()
    }

    fn home(&self) -> Option<String> {
        std::env::var("HOME").ok().filter(|home| home.starts_with('/'))
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

    fn deliveries(
        &self,
        session: &SessionId,
        generation: &Generation,
    ) -> io::Result<Vec<(QueueItemId, DeliveryProgress)>> {
        deliveries::read(&self.deliveries_file(session, generation))
    }

    fn deliveries_file(&self, session: &SessionId, generation: &Generation) -> PathBuf {
        self.root.deliveries(session, generation)
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

    fn consults(&self, kind: Consultation) -> bool {
        self.consults.contains(&kind)
    }

    fn stalled_after_ms(&self) -> u64 {
        self.stalled_after_ms
    }

    fn warm(&self) -> Option<WarmSettings> {
        self.warm
    }

    fn root(&self) -> &Path {
        self.root.directory()
    }

    fn boot(&self) -> String {
        let boot = fs::read_to_string(BOOT_ID).unwrap_or_default();
        boot.trim().to_owned()
    }

    fn host_settings(&self) -> HostSettings {
        self.host_settings
    }

    fn notices(&self) -> NoticeSettings {
        self.notices
    }

    fn minute_of_day(&self) -> Option<u16> {
        kernel::minute_of_day(fresh::now())
    }

    fn run_settings(&self) -> RunSettings {
        self.run_settings
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

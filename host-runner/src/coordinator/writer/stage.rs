//! A world that a test makes, and a coordinator on a real store in it.

use crate::{
    agents::{AgentKind, questions::QuestionTools},
    coordinator::{
        ClassifierSettings, ConnectionId, Coordinator, Environment, Input, Output, Question, Ticket, World,
        notify::NoticeSettings, warm::WarmSettings,
    },
    model::{consult::Consultation, samples::process},
    store::Store,
};
use board_protocol::{
    command::{Command, CommandEnvelope, CommandOutcome, Launch, StartSession},
    daemon::{Answer, SessionDetail},
    host::{DeliveryProgress, Exit, HostFact, HostLaunch, HostOrder, HostRegistration, SpooledFact},
    ids::{CommandId, FactSeq, Generation, ProcessIdentity, QueueItemId, SessionId, Size, Token, UnixMs},
    state::CommandSource,
};
use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    rc::Rc,
};

#[derive(Debug, Default)]
pub(super) struct Scene {
    pub(super) now: Cell<u64>,
    pub(super) uptime: Cell<u64>,
    pub(super) running: RefCell<BTreeSet<u32>>,
    /// Pids that belong to processes which started later.
    pub(super) reused: RefCell<BTreeSet<u32>>,
    pub(super) numbers: Cell<u64>,
    pub(super) spool: RefCell<Vec<(PathBuf, SpooledFact)>>,
    pub(super) discarded: RefCell<Vec<PathBuf>>,
    pub(super) question_tools: QuestionTools,
    /// What hosts that are gone wrote down about words.
    pub(super) deliveries: RefCell<BTreeMap<PathBuf, Vec<(QueueItemId, DeliveryProgress)>>>,
    pub(super) classifier: Cell<ClassifierSettings>,
    /// What commands of the person's own are set for.
    pub(super) consults: RefCell<Vec<Consultation>>,
    pub(super) notices: Cell<NoticeSettings>,
    /// The minute of the local day.
    pub(super) minute: Cell<u16>,
    pub(super) stalled_after: Cell<u64>,
    pub(super) boot: RefCell<String>,
    /// What may be ended of what is idle.
    pub(super) warm: Cell<Option<WarmSettings>>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Stage(pub(super) Rc<Scene>);

impl Stage {
    fn number(&self) -> u64 {
        self.0.numbers.set(self.0.numbers.get() + 1);
        self.0.numbers.get()
    }
}

impl World for Stage {
    fn now(&self) -> UnixMs {
        UnixMs(self.0.now.get())
    }
    fn uptime_ms(&self) -> u64 {
        self.0.uptime.get()
    }
    fn runs(&self, process: ProcessIdentity) -> bool {
        // A pid that another process has now has another start time.
        let starts =
            if self.0.reused.borrow().contains(&process.pid) { u64::MAX } else { process.start_ticks };
        self.0.running.borrow().contains(&process.pid) && starts == process.start_ticks
    }
    fn session_id(&self) -> SessionId {
        SessionId(format!("{:010x}", self.number()))
    }
    fn generation(&self) -> Generation {
        Generation(format!("{:08x}", self.number()))
    }
    fn deliveries(
        &self,
        session: &SessionId,
        generation: &Generation,
    ) -> std::io::Result<Vec<(QueueItemId, DeliveryProgress)>> {
        let left = self.0.deliveries.borrow();
        Ok(left.get(&self.deliveries_file(session, generation)).cloned().unwrap_or_default())
    }
    fn deliveries_file(&self, session: &SessionId, generation: &Generation) -> PathBuf {
        PathBuf::from(format!("/root/sessions/{session}.{generation}.words"))
    }
    fn token(&self) -> Token {
        Token(format!("token {}", self.number()))
    }
    fn host_socket(&self, session: &SessionId, generation: &Generation) -> PathBuf {
        PathBuf::from(format!("/run/{session}.{generation}.sock"))
    }
    fn host_log(&self, session: &SessionId) -> PathBuf {
        PathBuf::from(format!("/logs/{session}.log"))
    }
    fn prompt_file(&self, session: &SessionId) -> PathBuf {
        PathBuf::from(format!("/root/sessions/{session}.prompt"))
    }
    fn question_tools(&self) -> &QuestionTools {
        &self.0.question_tools
    }
    fn classifier(&self) -> ClassifierSettings {
        self.0.classifier.get()
    }
    fn consults(&self, kind: Consultation) -> bool {
        self.0.consults.borrow().contains(&kind)
    }
    fn notices(&self) -> NoticeSettings {
        self.0.notices.get()
    }
    fn minute_of_day(&self) -> Option<u16> {
        Some(self.0.minute.get())
    }
    fn stalled_after_ms(&self) -> u64 {
        self.0.stalled_after.get()
    }
    fn warm(&self) -> Option<WarmSettings> {
        self.0.warm.get()
    }
    fn boot(&self) -> String {
        self.0.boot.borrow().clone()
    }
    fn root(&self) -> &Path {
        Path::new("/root")
    }
    fn spooled(&self) -> Vec<(PathBuf, Result<SpooledFact, String>)> {
        self.0.spool.borrow().iter().map(|(path, fact)| (path.clone(), Ok(fact.clone()))).collect()
    }
    fn discard(&self, file: &Path) {
        self.0.spool.borrow_mut().retain(|(path, _)| path != file);
        self.0.discarded.borrow_mut().push(file.to_owned());
    }
}

pub(super) struct Play {
    pub(super) directory: tempfile::TempDir,
    pub(super) stage: Stage,
    pub(super) coordinator: Coordinator<Stage>,
    pub(super) tickets: u64,
}

impl Play {
    pub(super) fn new() -> Self {
        Self::begin(tempfile::tempdir().unwrap())
    }

    /// On a file system in memory, where there is one: for tests of thousands of commits, none of which is about disks.
    pub(super) fn quick() -> Self {
        Self::begin(tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap())
    }

    fn begin(directory: tempfile::TempDir) -> Self {
        let stage = Stage::default();
        let coordinator = open(directory.path(), &stage);
        let mut play = Self { directory, stage, coordinator, tickets: 0 };
        play.coordinator.boot();
        play
    }

    /// The daemon was killed and another one starts on what it left.
    pub(super) fn restart(mut self) -> (Self, Vec<Output>) {
        let Self { directory, stage, coordinator, tickets } = self;
        drop(coordinator);
        self = Self { coordinator: open(directory.path(), &stage), directory, stage, tickets };
        let outputs = self.coordinator.boot();
        (self, outputs)
    }

    pub(super) fn command(&mut self, id: &str, command: Command) -> Input {
        self.tickets += 1;
        Input::Command {
            ticket: Ticket(self.tickets),
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

    /// The same command from somebody else.
    pub(super) fn command_of(&mut self, source: CommandSource, id: &str, command: Command) -> Input {
        let mut input = self.command(id, command);
        if let Input::Command { envelope, .. } = &mut input {
            envelope.source = source;
        }
        input
    }

    /// The codes in a session's log, oldest first.
    pub(super) fn log(&self, session: &SessionId) -> Vec<String> {
        let lines = self.coordinator.store.log(session, 100).unwrap();
        lines.into_iter().map(|line| line.code).collect()
    }

    pub(super) fn start(&mut self, id: &str) -> (HostLaunch, Vec<Output>) {
        let start = StartSession {
            name: None,
            agent: AgentKind::Generic.name().into(),
            launch: Launch::Task("make".into()),
            cwd: "/".into(),
            size: Some(Size::DEFAULT),
            model: None,
            thinking: None,
            tags: Vec::new(),
            remember: Default::default(),
        };
        let input = self.command(id, Command::Start(start));
        let outputs = self.coordinator.handle(vec![input]);
        let launch = outputs.iter().find_map(|output| match output {
            Output::Spawn(launch) => Some((**launch).clone()),
            _ => None,
        });
        (launch.expect("a host is started"), outputs)
    }

    /// A host with this pid starts, registers on this connection, and its program runs.
    pub(super) fn host_comes(&mut self, launch: &HostLaunch, pid: u32, connection: u64) -> Vec<Output> {
        self.stage.0.running.borrow_mut().insert(pid);
        let connection = ConnectionId(connection);
        let (session, generation) = (launch.session.clone(), launch.generation.clone());
        self.coordinator.handle(vec![
            Input::HostSpawned { session, generation, process: process(pid) },
            Input::HostRegistered { connection, version: 6, registration: registration(launch, pid) },
            reported(connection, 1, HostFact::ChildStarted { child: process(pid + 1) }),
        ])
    }

    pub(super) fn show(&mut self, session: &SessionId) -> SessionDetail {
        self.tickets += 1;
        let question = Question::Show { session: session.0.clone() };
        let outputs = self.coordinator.handle(vec![Input::Asked { ticket: Ticket(self.tickets), question }]);
        match outputs.into_iter().next() {
            Some(Output::Answer { answer: Ok(Answer::Session(detail)), .. }) => *detail,
            other => panic!("{other:?}"),
        }
    }

    pub(super) fn kill(&mut self, pid: u32) {
        self.stage.0.running.borrow_mut().remove(&pid);
    }
}

pub(super) fn open(directory: &Path, stage: &Stage) -> Coordinator<Stage> {
    let opened = Store::open(&directory.join("board.db"), "test").unwrap();
    Coordinator::new(stage.clone(), opened, Vec::new())
}

pub(super) fn registration(launch: &HostLaunch, pid: u32) -> HostRegistration {
    HostRegistration {
        session: launch.session.clone(),
        generation: launch.generation.clone(),
        token: launch.token.clone(),
        process: process(pid),
        child: None,
        socket: launch.socket.clone(),
        size: launch.size,
        attached: Vec::new(),
        text_field: None,
        waits: Vec::new(),
    }
}

pub(super) fn reported(connection: ConnectionId, seq: u64, fact: HostFact) -> Input {
    Input::HostReported { connection, seq: FactSeq(seq), at: UnixMs(50), fact }
}

pub(super) fn exit(code: i32) -> HostFact {
    HostFact::ChildExited { exit: Exit::Code(code), last_screen: "the end".into(), strays: Vec::new() }
}

pub(super) fn orders(outputs: &[Output]) -> Vec<&HostOrder> {
    outputs
        .iter()
        .filter_map(|output| match output {
            Output::Order { order, .. } => Some(order),
            _ => None,
        })
        .collect()
}

pub(super) fn outcome(outputs: &[Output]) -> CommandOutcome {
    let mut answers = outputs.iter().filter_map(|output| match output {
        Output::Answer { answer: Ok(Answer::Outcome(outcome)), .. } => Some(outcome.clone()),
        _ => None,
    });
    answers.next_back().expect("an outcome")
}

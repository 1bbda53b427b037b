//! A session of pi on a real store, with a host of the test's own.
//!
//! The host follows the rules of real ones: it writes down what it takes, answers what it knows already, keeps its facts
//! until they are acknowledged, and can be away, die or end at any step.

use super::super::*;
use crate::{
    agents::{AgentKind, Prepared},
    coordinator::Preflight,
};
use board_protocol::{
    command::{Launch, ReplyDelivery, StartSession},
    daemon::ReplyProgress,
    host::{AgentReport, DeliveryProgress, HostFact, HostLaunch},
    ids::QueueItemId,
};
use proptest::prelude::*;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

mod steps;
pub(super) use steps::{Step, any_step};

/// A host and its agent.
pub(super) struct Host {
    pub(super) launch: HostLaunch,
    pub(super) pid: u32,
    pub(super) connection: Option<ConnectionId>,
    seq: u64,
    boot_seq: u64,
    /// Facts that nobody acknowledged.
    outbox: Vec<(u64, HostFact)>,
    /// What it wrote down, oldest first.
    journal: Vec<(QueueItemId, DeliveryProgress)>,
    /// Orders that it has not read. They are lost with the connection.
    pub(super) unread: Vec<HostOrder>,
    /// Taken and not written.
    taken: Option<(QueueItemId, String)>,
    /// Typed, and not written down.
    typed: Option<QueueItemId>,
}

/// Everything that a test moves.
pub(super) struct Game {
    play: Option<Play>,
    pub(super) host: Option<Host>,
    /// What agents got, over all hosts.
    pub(super) written: Vec<String>,
    /// Words that were acknowledged, and those that were taken back.
    acknowledged: BTreeSet<String>,
    removed: BTreeSet<String>,
    /// Words that the person wrote or hurried since they put the row on hold: they may go into it.
    pub(super) spoken: BTreeSet<String>,
    commands: u64,
    connections: u64,
    pids: u32,
    pub(super) session: SessionId,
}

impl Game {
    pub(super) fn new() -> Self {
        let mut play = Play::quick();
        let start = StartSession {
            name: None,
            agent: AgentKind::Pi.name().into(),
            launch: Launch::Task("begin".into()),
            cwd: "/".into(),
            size: None,
            model: None,
            thinking: None,
            tags: Vec::new(),
            remember: Default::default(),
        };
        let input = prepared(play.command("start", Command::Start(start)));
        let outputs = play.coordinator.handle(vec![input]);
        let mut game = Self {
            play: Some(play),
            host: None,
            written: Vec::new(),
            acknowledged: BTreeSet::new(),
            removed: BTreeSet::new(),
            spoken: BTreeSet::new(),
            commands: 0,
            connections: 0,
            pids: 100,
            session: SessionId(String::new()),
        };
        game.hear(outputs);
        game.session = game.host.as_ref().unwrap().launch.session.clone();
        game.tell(json!({"type": "input", "source": "interactive", "launch": true}));
        game.tell(json!({"type": "agent_start"}));
        game.tell(json!({"type": "agent_settled"}));
        game
    }

    pub(super) fn play(&mut self) -> &mut Play {
        self.play.as_mut().unwrap()
    }

    pub(super) fn record(&self) -> &crate::model::SessionRecord {
        &self.play.as_ref().unwrap().coordinator.sessions()[&self.session]
    }

    pub(super) fn handle(&mut self, inputs: Vec<Input>) {
        let outputs = self.play().coordinator.handle(inputs);
        self.hear(outputs);
    }

    /// Carries out what the coordinator says, as the daemon's shell and the host do.
    pub(super) fn hear(&mut self, outputs: Vec<Output>) {
        for output in outputs {
            match output {
                Output::Spawn(launch) => self.spawn(*launch),
                Output::Order { connection, order } => {
                    if let HostOrder::Deliver { item, text, .. } = &order {
                        let host = self.host.as_ref().unwrap();
                        let taken = host.journal.iter().any(|(known, _)| known == item);
                        // What the host has taken it only answers. Anything else never goes into a question that is known.
                        let record = self.record();
                        let asks = !record.agent_record.questions.is_empty();
                        assert!(taken || !asks, "{text} was sent into an open question");
                        let holding = record.state == SemanticState::Holding && !self.spoken.contains(text);
                        assert!(taken || !holding, "{text} was sent into a row on hold");
                    }
                    if let Some(host) = self.host.as_mut().filter(|host| host.connection == Some(connection))
                    {
                        host.unread.push(order);
                    }
                }
                _ => {}
            }
        }
    }

    pub(super) fn spawn(&mut self, launch: HostLaunch) {
        self.pids += 2;
        let pid = self.pids;
        self.play().stage.0.running.borrow_mut().insert(pid);
        let (session, generation) = (launch.session.clone(), launch.generation.clone());
        self.host = Some(Host {
            launch,
            pid,
            connection: None,
            seq: 0,
            boot_seq: 0,
            outbox: Vec::new(),
            journal: Vec::new(),
            unread: Vec::new(),
            taken: None,
            typed: None,
        });
        self.handle(vec![Input::HostSpawned { session, generation, process: process(pid) }]);
        self.connect();
        self.report(HostFact::ChildStarted { child: process(pid + 1) });
        self.tell(json!({"type": "session_start", "reason": "startup"}));
        self.tell(json!({"type": "editor", "state": "empty"}));
    }

    pub(super) fn connect(&mut self) {
        self.connections += 1;
        let connection = ConnectionId(self.connections);
        let Some(host) = &mut self.host else { return };
        if host.connection.is_some() {
            return;
        }
        host.connection = Some(connection);
        let mut registration = registration(&host.launch, host.pid);
        registration.child = (host.seq > 0).then(|| process(host.pid + 1));
        let mut inputs = vec![Input::HostRegistered { connection, version: 5, registration }];
        inputs.extend(host.outbox.iter().map(|(seq, fact)| reported(connection, *seq, fact.clone())));
        self.handle(inputs);
    }

    pub(super) fn cut(&mut self) {
        let connection = self.host.as_mut().and_then(|host| {
            host.unread.clear();
            host.connection.take()
        });
        if let Some(connection) = connection {
            self.handle(vec![Input::HostLeft { connection }]);
        }
    }

    pub(super) fn report(&mut self, fact: HostFact) {
        let Some(host) = &mut self.host else { return };
        host.seq += 1;
        host.outbox.push((host.seq, fact.clone()));
        let seq = host.seq;
        if let Some(connection) = host.connection {
            self.handle(vec![reported(connection, seq, fact)]);
        }
    }

    /// Reads everything that the daemon ordered.
    pub(super) fn read(&mut self) {
        while let Some(host) = self.host.as_mut().filter(|host| !host.unread.is_empty()) {
            let order = host.unread.remove(0);
            self.obey(order);
        }
    }

    /// What the agent says.
    pub(super) fn tell(&mut self, mut event: serde_json::Value) {
        let Some(host) = &mut self.host else { return };
        host.boot_seq += 1;
        event["boot"] = json!(format!("b{}", host.pid));
        event["seq"] = json!(host.boot_seq);
        let (token, payload) = (host.launch.token.clone(), event.to_string().into_bytes());
        let report = AgentReport { token, adapter: "pi".into(), at_ms: UnixMs(1), payload };
        self.report(HostFact::AgentReported(report));
    }

    pub(super) fn obey(&mut self, order: HostOrder) {
        match order {
            HostOrder::Acknowledge { seq } => {
                let host = self.host.as_mut().unwrap();
                host.outbox.retain(|(number, _)| *number > seq.0);
            }
            HostOrder::Stop => self.program_ends(),
            HostOrder::Deliver { item, text, .. } => self.take(item, text),
            HostOrder::Adopted
            | HostOrder::Interrupt { .. }
            | HostOrder::Reclaim
            | HostOrder::SkipWaits { .. } => {}
            HostOrder::Revoked { reason } => panic!("{reason}"),
        }
    }

    pub(super) fn take(&mut self, item: QueueItemId, text: String) {
        let host = self.host.as_mut().unwrap();
        let known = host.journal.iter().rev().find(|(known, _)| *known == item).map(|(_, how)| how.clone());
        let progress = match known {
            Some(progress) if !matches!(progress, DeliveryProgress::Refused { .. }) => progress,
            _ => {
                let host = self.host.as_mut().unwrap();
                assert_eq!((&host.taken, &host.typed), (&None, &None), "one at a time");
                host.journal.push((item.clone(), DeliveryProgress::Accepted));
                host.taken = Some((item.clone(), text));
                DeliveryProgress::Accepted
            }
        };
        self.report(HostFact::ReplyProgressed { item, progress });
    }

    pub(super) fn type_words(&mut self) {
        let Some(host) = &mut self.host else { return };
        let Some((item, text)) = host.taken.take() else { return };
        host.typed = Some(item);
        self.written.push(text);
    }

    pub(super) fn write_down(&mut self) {
        let Some(host) = &mut self.host else { return };
        let Some(item) = host.typed.take() else { return };
        host.journal.push((item.clone(), DeliveryProgress::Applied));
        self.report(HostFact::ReplyProgressed { item, progress: DeliveryProgress::Applied });
        self.tell(json!({"type": "input", "source": "interactive"}));
        self.tell(json!({"type": "agent_start"}));
    }

    /// The program ends and its host says so, to the daemon or to the disk.
    pub(super) fn program_ends(&mut self) {
        if self.host.is_none() {
            return;
        }
        // Words of which nothing was typed are given back.
        if let Some((item, _)) = self.host.as_mut().and_then(|host| host.taken.take()) {
            let progress = DeliveryProgress::Refused { reason: "it ended".into() };
            self.report(HostFact::ReplyProgressed { item, progress });
        }
        self.report(exit(0));
        let Some(host) = self.host.take() else { return };
        if host.connection.is_none() {
            for (seq, fact) in &host.outbox {
                let spooled = SpooledFact {
                    session: host.launch.session.clone(),
                    generation: Some(host.launch.generation.clone()),
                    seq: Some(FactSeq(*seq)),
                    at_ms: UnixMs(50),
                    fact: fact.clone(),
                };
                let file = PathBuf::from(format!("{}-{seq:05}", host.pid));
                self.play().stage.0.spool.borrow_mut().push((file, spooled));
            }
        }
        self.gone(&host);
    }

    /// SIGKILL: what was not said is lost, what was written down is not.
    pub(super) fn kill(&mut self) {
        if let Some(host) = self.host.take() {
            self.gone(&host);
        }
    }

    pub(super) fn gone(&mut self, host: &Host) {
        let play = self.play();
        play.kill(host.pid);
        play.kill(host.pid + 1);
        let file = crate::coordinator::World::deliveries_file(
            &play.stage,
            &host.launch.session,
            &host.launch.generation,
        );
        play.stage.0.deliveries.borrow_mut().insert(file, host.journal.clone());
        let session = host.launch.session.clone();
        let mut inputs: Vec<Input> =
            host.connection.map(|connection| Input::HostLeft { connection }).into_iter().collect();
        inputs.push(Input::HostEnded { session });
        self.handle(inputs);
    }

    pub(super) fn restart(&mut self) {
        if let Some(host) = &mut self.host {
            host.connection = None;
            host.unread.clear();
        }
        let (play, outputs) = self.play.take().unwrap().restart();
        self.play = Some(play);
        self.hear(outputs);
    }

    pub(super) fn time_passes(&mut self) {
        let uptime = &self.play().stage.0.uptime;
        uptime.set(uptime.get() + 11_000);
        self.handle(vec![Input::Tick]);
    }

    pub(super) fn command(&mut self, command: Command) -> CommandOutcome {
        self.commands += 1;
        let id = format!("c{}", self.commands);
        let input = prepared(self.play().command(&id, command));
        let outputs = self.play().coordinator.handle(vec![input]);
        let outcome = outcome(&outputs);
        self.hear(outputs);
        outcome
    }

    pub(super) fn reply(&mut self, delivery: ReplyDelivery) {
        let (session, text) = (self.session.clone(), format!("words {}", self.commands));
        if delivery != ReplyDelivery::Queue {
            self.spoken.insert(text.clone());
        }
        if let CommandOutcome::Applied { .. } =
            self.command(Command::Reply { session, text: text.clone(), delivery })
        {
            self.acknowledged.insert(text);
        }
    }

    pub(super) fn take_step(&mut self, step: Step) {
        let session = self.session.clone();
        match step {
            Step::Reply(delivery) => self.reply(delivery),
            Step::RemoveFirst | Step::HurryFirst => {
                let first =
                    self.record().queue.waiting().next().map(|item| (item.id.clone(), item.text.clone()));
                let Some((item, text)) = first else { return };
                if step == Step::HurryFirst {
                    self.spoken.insert(text);
                    self.command(Command::SendQueued { session, item });
                } else if let CommandOutcome::Applied { .. } =
                    self.command(Command::RemoveQueued { session, item })
                {
                    self.removed.insert(text);
                }
            }
            Step::MarkHolding => {
                if let CommandOutcome::Applied { .. } = self.command(Command::MarkHolding { session }) {
                    self.spoken.clear();
                }
            }
            Step::ClearHolding => {
                self.command(Command::ClearHolding { session });
            }
            Step::Stop => {
                self.command(Command::Stop { session });
            }
            Step::Resume => {
                self.command(Command::Resume { session });
            }
            Step::TurnBegins => self.tell(json!({"type": "agent_start"})),
            Step::TurnSettles => self.tell(json!({"type": "agent_settled"})),
            Step::QuestionOpens => {
                self.tell(json!({"type": "tool_execution_start", "toolCallId": "q", "toolName": "question",
                    "args": {"question": "Delete it?"}}));
            }
            Step::QuestionCloses => {
                self.tell(json!({"type": "tool_execution_end", "toolCallId": "q", "toolName": "question"}));
            }
            Step::SomebodyTypes => self.tell(json!({"type": "editor", "state": "has_text"})),
            Step::NobodyTypes => self.tell(json!({"type": "editor", "state": "empty"})),
            Step::HostReads => self.read(),
            Step::HostTypes => self.type_words(),
            Step::HostWritesDown => self.write_down(),
            Step::HostIsCutOff => self.cut(),
            Step::HostReconnects => self.connect(),
            Step::HostIsKilled => self.kill(),
            Step::ProgramEnds => self.program_ends(),
            Step::DaemonIsKilled => self.restart(),
            Step::TimePasses => self.time_passes(),
        }
    }

    /// Everything that could keep words back is cleared away, as a person would do it in the end.
    pub(super) fn finish(&mut self) {
        for _ in 0..200 {
            self.connect();
            self.time_passes();
            if !self.record().is_live() {
                let session = self.session.clone();
                self.command(Command::Resume { session });
            }
            self.take_step(Step::QuestionCloses);
            self.take_step(Step::NobodyTypes);
            self.take_step(Step::ClearHolding);
            self.read();
            self.type_words();
            self.write_down();
            self.tell(json!({"type": "agent_settled"}));
            if self.record().queue.to_send() == 0 {
                return;
            }
        }
    }

    /// Every word was written once, or it was taken back, or nobody knows and it is said.
    pub(super) fn judge(&self) -> Result<(), TestCaseError> {
        let mut times: BTreeMap<&str, usize> = BTreeMap::new();
        for text in &self.written {
            *times.entry(text).or_default() += 1;
        }
        prop_assert!(times.values().all(|count| *count == 1), "written twice: {times:?}");
        let queue = &self.record().queue;
        for text in &self.acknowledged {
            let item = queue.items.iter().find(|item| item.text == *text);
            let unknown = item.is_some_and(|item| item.progress == ReplyProgress::AcceptedUnknown);
            let arrived = times.contains_key(text.as_str());
            let removed = self.removed.contains(text);
            prop_assert!(arrived || removed || unknown, "stranded: {text}: {item:?}");
            prop_assert!(!(arrived && removed), "taken back, and written: {text}");
        }
        for text in times.keys() {
            prop_assert!(self.acknowledged.contains(*text), "nobody wrote {text}");
        }
        let replayed = self.play.as_ref().unwrap().coordinator.store.replay(None).unwrap();
        prop_assert_eq!(&replayed.sessions, self.play.as_ref().unwrap().coordinator.sessions());
        Ok(())
    }
}

pub(super) fn prepared(input: Input) -> Input {
    let Input::Command { ticket, envelope, environment, .. } = input else { panic!("a command") };
    let found = Prepared { program: "/bin/pi".into(), extension: "/e.ts".into(), terminals: None };
    let preflight = Some(Preflight::Passed { prepared: Some(found), worktree: None });
    Input::Command { ticket, envelope, environment, preflight }
}

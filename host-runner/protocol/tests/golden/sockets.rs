//! Samples of what the daemon's and the hosts' sockets carry, and of what lies in the spool.

use crate::{
    Encoding, Golden,
    rows::{
        classification, envelope, generation, item, outcomes, place, process, refusal, row, session, variable,
    },
    terminals, variants, work,
};
use board_protocol::{
    board::BoardUpdate,
    daemon::{
        AgentDetail, Answer, ClientFocus, DiagnosticLine, EvidenceLine, Explanation, FromDaemon,
        HostEndpoint, HostsOnShutdown, LinkOpened, LinkOrder, LinkTerminal, LogLevel, LogLine, NoticeWay,
        PaneEvent, QueuedReply, ReplyKind, ReplyProgress, Request, SessionDetail, StateChange, Stray,
        ToDaemon,
    },
    hello::{Hello, HelloReply, Refused, Role, Versions, Welcome},
    host::{
        AgentReport, AttachMode, AttachRequest, AttachedClient, DeliveryProgress, Exit, FromHost, HostFact,
        HostLaunch, HostOrder, HostRegistration, HostSettings, LaunchPrompt, PlainLeft, ScreenFormat,
        ScrollbackOwner, SnapshotCause, SpooledFact, TerminalLook, TextField, ToHost, Typing,
    },
    ids::{BoardSeq, CommandId, FactSeq, OutputSeq, RunId, Size, Token, UnixMs},
    run::{KeptReport, RunReport},
    state::SemanticState,
    terminals::{AgentAsk, TerminalAnswer, TerminalAsk},
};

variants!(Role: Cli, Link, Host, Attach, Viewer, Hook, Agent);
variants!(HelloReply: Welcome, Refused);
variants!(ToDaemon: Ask, LinkOpened, Looked, HostRegistered, HostReported, HostActive,
    HostWaits, WaitsSkipped);
variants!(Request: Ping, Board, Show, LastScreen, Command, Subscribe, Shutdown, Explain, Log, Export, Reconcile,
    Evidence, References, LaunchPreferences, ForgetDirectory, AgentTerminals, Waits, SkipWaits,
    Locate);
variants!(HostsOnShutdown: Keep, Stop);
variants!(FromDaemon: Answer, Board, Order, Pane, Link);
variants!(LinkOrder: Look, Notify);
variants!(LinkTerminal: Absent, StatusPane);
variants!(ClientFocus: Gone, Unknown, NoTerminal, Terminal);
variants!(NoticeWay: Osc9, Bell);
variants!(Answer: Ready, Rows, Session, Screen, Outcome, ShuttingDown, Explanation, Log, Exported, Evidence,
    References, LaunchPreferences, AgentTerminals, Waits, WaitsSkipped);
variants!(LogLevel: Info, Warn, Error);
variants!(ReplyProgress: Waiting, Sent, Accepted, Applied, AcceptedUnknown);
variants!(DeliveryProgress: Accepted, Applied, Refused);
variants!(Typing: Line, Paste);
variants!(PaneEvent: Attached, Detached, Ended);
variants!(ToHost: Attach, Reconcile, Subscribe, Input, Resize, Detach, ReadScreen, Event, Terminal,
    SkipWaits);
variants!(FromHost: Reconciled, SnapshotBegin, SnapshotFrame, SnapshotEnd, Output, Resized, Screen, EventTaken,
    Detached, Exited, Refused, Editor, Unnumbered, Terminal, Waiting);
variants!(PlainLeft: Typed, Detaches);
variants!(SnapshotCause: Asked, Resync, Resize);
variants!(AttachMode: Interactive, ReadOnly);
variants!(ScrollbackOwner: Person, Session);
variants!(ScreenFormat: Text, Ansi);
variants!(Exit: Code, Signal);
variants!(HostFact: ChildStarted, ChildStartFailed, ChildExited, AttachedChanged, PersonTyped, AgentReported,
    ReplyProgressed, RunReported, Reclaimed);
variants!(HostOrder: Adopted, Revoked, Acknowledge, Interrupt, Stop, Deliver, Reclaim, SkipWaits);

const SIZE: Size = Size { cols: 100, rows: 30 };
const BYTES: &[u8] = b"\x1b[1m\xff\x00";

fn stray() -> Stray {
    Stray { process: process(), command: "sleep 1000".into() }
}

fn client() -> AttachedClient {
    AttachedClient { mode: AttachMode::ReadOnly, place: Some(place()) }
}

fn report() -> AgentReport {
    AgentReport {
        token: Token("5ec2e7".into()),
        adapter: "claude".into(),
        at_ms: UnixMs(12),
        payload: b"{\"a\":1}".to_vec(),
    }
}

fn agent_detail() -> AgentDetail {
    AgentDetail {
        session_id: Some("a1".into()),
        transcript: Some("/data/sessions/0123456789.jsonl".into()),
        model: Some("fake/m".into()),
        questions: vec!["Which one?".into()],
        preview: Some("Done.".into()),
        text_hash: None,
        tokens_read: 100,
        tokens_written: 10,
        cost_micros: Some(1_500),
        evidence: Some("agent event: settled".into()),
        evidence_at_ms: Some(UnixMs(7)),
        diagnostics: vec![DiagnosticLine {
            at_ms: UnixMs(8),
            code: "late_event".into(),
            detail: "input".into(),
        }],
        children_done: 0,
        children: 0,
    }
}

fn explanation() -> Explanation {
    let change = StateChange {
        at_ms: UnixMs(4),
        from: Some(SemanticState::Working),
        to: SemanticState::Idle,
        event: "agent event: settled".into(),
        rule: "a turn that ends well leaves the row to the person".into(),
    };
    let evidence = EvidenceLine { source: "agent event".into(), at_ms: UnixMs(4), what: "settled".into() };
    Explanation { row: row(), changes: vec![change], evidence: vec![evidence], known_since_ms: None }
}

fn registration() -> HostRegistration {
    HostRegistration {
        session: session(),
        generation: generation(),
        token: Token("5ec2e7".into()),
        process: process(),
        child: Some(process()),
        socket: "/data/run/x.sock".into(),
        size: SIZE,
        attached: vec![client()],
        text_field: None,
        waits: Vec::new(),
    }
}

fn facts() -> [HostFact; 9] {
    [
        HostFact::ChildStarted { child: process() },
        HostFact::ChildStartFailed { error: "no such file".into() },
        HostFact::ChildExited { exit: Exit::Signal(9), last_screen: "$ \n".into(), strays: vec![stray()] },
        HostFact::AttachedChanged { attached: vec![client()], left: Some(place()) },
        HostFact::PersonTyped,
        HostFact::AgentReported(report()),
        HostFact::ReplyProgressed { item: item(), progress: DeliveryProgress::Accepted },
        HostFact::RunReported(Box::new(KeptReport {
            run: RunId("run_1".into()),
            command_id: CommandId("run_1-1".into()),
            report: RunReport::Queued,
        })),
        HostFact::Reclaimed,
    ]
}

pub(crate) fn check(golden: &mut Golden) {
    check_hello(golden);
    check_daemon(golden);
    check_host(golden);
}

fn check_hello(golden: &mut Golden) {
    use Encoding::MessagePack;
    let versions = Versions { oldest: 3, newest: 4 };
    let hello = Hello {
        versions,
        role: Role::Host,
        build: "0.1.0".into(),
        generation: Some(generation()),
        process: process(),
    };
    golden.check("Hello", MessagePack, &hello);
    golden.check_all(
        MessagePack,
        &[Role::Cli, Role::Link, Role::Host, Role::Attach, Role::Viewer, Role::Hook, Role::Agent],
    );
    let build = String::from("0.1.0");
    golden.check_all(
        MessagePack,
        &[
            HelloReply::Welcome(Welcome {
                version: 3,
                build: build.clone(),
                generation: generation(),
                process: process(),
            }),
            HelloReply::Refused(Refused { versions, build, process: process(), refusal: refusal() }),
        ],
    );
}

fn check_daemon(golden: &mut Golden) {
    use Encoding::MessagePack;
    let fact = HostFact::PersonTyped;
    golden.check_all(
        MessagePack,
        &[
            ToDaemon::Ask { id: 7, request: Request::Ping },
            ToDaemon::LinkOpened(LinkOpened {
                server: process(),
                environment: vec![variable()],
                environment_at_ms: UnixMs(5),
                terminal: LinkTerminal::Absent,
            }),
            ToDaemon::Looked { number: 9, clients: vec![ClientFocus::Terminal(3), ClientFocus::Gone] },
            ToDaemon::HostRegistered(registration()),
            ToDaemon::HostReported { seq: FactSeq(3), at_ms: UnixMs(6), fact },
            ToDaemon::HostActive { at_ms: UnixMs(8) },
            ToDaemon::HostWaits { waits: vec![terminals::wait()] },
            ToDaemon::WaitsSkipped { number: 5, count: 2 },
        ],
    );
    let waits = HostRegistration { waits: vec![terminals::wait()], ..registration() };
    golden.check("HostRegistration.waits", MessagePack, &waits);
    for (name, field) in [("empty", TextField::Empty), ("has_text", TextField::HasText)] {
        let known = HostRegistration { text_field: Some(field), ..registration() };
        golden.check(&format!("HostRegistration.{name}"), MessagePack, &known);
    }
    golden.check_all(
        MessagePack,
        &[
            Request::Ping,
            Request::Board,
            Request::Show { session: "task".into() },
            Request::Locate { session: "task".into() },
            Request::LastScreen { session: session() },
            Request::Command(Box::new(envelope())),
            Request::Subscribe,
            Request::Shutdown { hosts: HostsOnShutdown::Stop },
            Request::Explain { session: "task".into() },
            Request::Log { session: "task".into(), limit: 50 },
            Request::Export { after: 7 },
            Request::Reconcile,
            Request::Evidence { session: "task".into() },
            Request::References { session: "task".into() },
            Request::LaunchPreferences,
            Request::ForgetDirectory { path: "/srv".into() },
            Request::AgentTerminals {
                session: session(),
                token: Token("5ec2e7".into()),
                ask: AgentAsk::List,
            },
            Request::Waits,
            Request::SkipWaits { session: "task".into() },
        ],
    );
    golden.check_all(MessagePack, &[HostsOnShutdown::Keep, HostsOnShutdown::Stop]);
    let update = BoardUpdate::Full { seq: BoardSeq(1), rows: Vec::new(), warnings: Vec::new() };
    golden.check_all(
        MessagePack,
        &[
            FromDaemon::Answer { id: 7, answer: Ok(Answer::Ready) },
            FromDaemon::Board(update),
            FromDaemon::Order(HostOrder::Stop),
            FromDaemon::Pane(PaneEvent::Attached { session: session(), place: place() }),
            FromDaemon::Link(LinkOrder::Look { number: 9 }),
        ],
    );
    golden.check_all(
        MessagePack,
        &[
            LinkOrder::Look { number: 9 },
            LinkOrder::Notify {
                text: "Agent Board: job has finished".into(),
                ways: vec![NoticeWay::Osc9, NoticeWay::Bell],
            },
        ],
    );
    golden.check_all(MessagePack, &[LinkTerminal::Absent, LinkTerminal::StatusPane]);
    golden.check_all(MessagePack, &[NoticeWay::Osc9, NoticeWay::Bell]);
    golden.check_all(
        MessagePack,
        &[ClientFocus::Gone, ClientFocus::Unknown, ClientFocus::NoTerminal, ClientFocus::Terminal(3)],
    );
    golden.check(
        "FromDaemon.Answer.refused",
        MessagePack,
        &FromDaemon::Answer { id: 8, answer: Err(refusal()) },
    );
    let [applied, _] = outcomes();
    let host = HostEndpoint { socket: "/x.sock".into(), generation: generation(), process: process() };
    let detail = SessionDetail {
        row: row(),
        argv: vec!["make".into()],
        host: Some(host),
        child: Some(process()),
        environment_at_ms: Some(UnixMs(5)),
        strays: vec![stray()],
        agent: AgentDetail::default(),
        queue: Vec::new(),
        classification: None,
        plan: None,
        diagnostics: None,
        waits: Vec::new(),
    };
    let waited = SessionDetail { waits: vec![terminals::wait()], ..detail.clone() };
    golden.check("SessionDetail.waits", MessagePack, &waited);
    golden.check(
        "SessionDetail.diagnostics",
        MessagePack,
        &SessionDetail { diagnostics: Some(work::diagnostics()), ..detail.clone() },
    );
    let with_hash = AgentDetail { text_hash: Some("0123456789ab".into()), ..agent_detail() };
    golden.check("AgentDetail.text_hash", MessagePack, &with_hash);
    golden.check_all(
        MessagePack,
        &[
            ReplyProgress::Waiting,
            ReplyProgress::Sent,
            ReplyProgress::Accepted,
            ReplyProgress::Applied,
            ReplyProgress::AcceptedUnknown,
        ],
    );
    golden.check_all(MessagePack, &[LogLevel::Info, LogLevel::Warn, LogLevel::Error]);
    golden.check(
        "SessionDetail.queue",
        MessagePack,
        &SessionDetail {
            queue: vec![QueuedReply {
                id: item(),
                text: "go on".into(),
                at_ms: UnixMs(9),
                progress: ReplyProgress::Waiting,
                kind: ReplyKind::Reply,
            }],
            classification: Some(classification()),
            ..detail.clone()
        },
    );
    golden.check(
        "SessionDetail.agent",
        MessagePack,
        &SessionDetail { agent: agent_detail(), ..detail.clone() },
    );
    golden.check(
        "SessionDetail.agent.children",
        MessagePack,
        &SessionDetail {
            agent: AgentDetail { children_done: 1, children: 2, ..agent_detail() },
            ..detail.clone()
        },
    );
    golden.check_all(
        MessagePack,
        &[
            Answer::Ready,
            Answer::Evidence(Box::new(work::evidence())),
            Answer::References(Box::new(work::references())),
            Answer::LaunchPreferences(Box::new(work::preferences())),
            Answer::Rows(vec![row()]),
            Answer::AgentTerminals(vec![terminals::terminal()]),
            Answer::Waits(vec![terminals::waits()]),
            Answer::WaitsSkipped { count: 2 },
            Answer::Session(Box::new(detail)),
            Answer::Screen { text: Some("$ \n".into()) },
            Answer::Outcome(applied),
            Answer::ShuttingDown,
            Answer::Explanation(Box::new(explanation())),
            Answer::Log(vec![LogLine {
                at_ms: UnixMs(3),
                level: LogLevel::Warn,
                source: "service".into(),
                code: "manual_fence".into(),
                message: "a person put it there".into(),
            }]),
            Answer::Exported { lines: vec!["{}".into()], next: Some(8), unfinished: false },
        ],
    );
    let unfinished = Answer::Exported { lines: vec!["{".into()], next: Some(8), unfinished: true };
    golden.check("Answer.Exported.unfinished", MessagePack, &unfinished);
    golden.check_all(
        MessagePack,
        &[
            PaneEvent::Attached { session: session(), place: place() },
            PaneEvent::Detached { session: session(), place: place() },
            PaneEvent::Ended { session: session(), place: place() },
        ],
    );
    golden.check_all(
        MessagePack,
        &[
            HostOrder::Adopted,
            HostOrder::Revoked { reason: "another host took its place".into() },
            HostOrder::Acknowledge { seq: FactSeq(3) },
            HostOrder::Interrupt { key: vec![3] },
            HostOrder::Stop,
            HostOrder::Deliver { item: item(), text: "go on".into(), typing: Typing::Paste },
            HostOrder::Reclaim,
            HostOrder::SkipWaits { number: 5 },
        ],
    );
    golden.check_all(MessagePack, &[Typing::Line, Typing::Paste]);
    golden.check_all(
        MessagePack,
        &[
            DeliveryProgress::Accepted,
            DeliveryProgress::Applied,
            DeliveryProgress::Refused { reason: "it ended".into() },
        ],
    );
}

fn check_host(golden: &mut Golden) {
    use Encoding::MessagePack;
    let look = TerminalLook {
        foreground: Some([65_535, 0, 1]),
        background: Some([0, 0, 0]),
        cell_pixels: Some([9, 18]),
    };
    golden.check_all(
        MessagePack,
        &[
            ToHost::Attach(AttachRequest {
                size: SIZE,
                mode: AttachMode::Interactive,
                place: Some(place()),
                look,
                scrollback: ScrollbackOwner::Person,
            }),
            ToHost::Reconcile,
            ToHost::Subscribe { since: Some(OutputSeq(9)) },
            ToHost::Input { data: BYTES.to_vec() },
            ToHost::Resize(SIZE),
            ToHost::Detach,
            ToHost::ReadScreen { format: ScreenFormat::Ansi, scrollback: 100 },
            ToHost::Event(report()),
            ToHost::Terminal { id: 4, token: Token("5ec2e7".into()), ask: TerminalAsk::Screen },
            ToHost::SkipWaits,
        ],
    );
    let (snapshot_seq, next_seq) = (Some(OutputSeq(9)), OutputSeq(10));
    golden.check_all(
        MessagePack,
        &[
            FromHost::Reconciled { generation: generation(), last_seq: snapshot_seq, size: SIZE },
            FromHost::SnapshotBegin {
                snapshot_seq,
                size: SIZE,
                cause: SnapshotCause::Resync,
                generation: generation(),
            },
            FromHost::SnapshotFrame { data: BYTES.to_vec() },
            FromHost::SnapshotEnd { next_seq },
            FromHost::Output { seq: next_seq, data: BYTES.to_vec() },
            FromHost::Resized(SIZE),
            FromHost::Screen { text: "$ \n".into() },
            FromHost::EventTaken,
            FromHost::Detached,
            FromHost::Exited(Exit::Code(3)),
            FromHost::Refused(refusal()),
            FromHost::Editor { plain_left: PlainLeft::Detaches },
            FromHost::Unnumbered { data: b"\x1b[mx".to_vec() },
            FromHost::Terminal { id: 4, answer: Ok(TerminalAnswer::Done) },
            FromHost::Waiting(Some(terminals::waiting())),
        ],
    );
    golden.check_all(MessagePack, &[PlainLeft::Typed, PlainLeft::Detaches]);
    golden.check_all(MessagePack, &[SnapshotCause::Asked, SnapshotCause::Resync, SnapshotCause::Resize]);
    golden.check_all(MessagePack, &[AttachMode::Interactive, AttachMode::ReadOnly]);
    golden.check_all(MessagePack, &[ScrollbackOwner::Person, ScrollbackOwner::Session]);
    golden.check_all(MessagePack, &[ScreenFormat::Text, ScreenFormat::Ansi]);
    golden.check_all(MessagePack, &[Exit::Code(-1), Exit::Signal(15)]);
    golden.check_all(MessagePack, &facts());
    let launch = HostLaunch {
        session: session(),
        name: "task".into(),
        generation: generation(),
        token: Token("5ec2e7".into()),
        root: "/data".into(),
        socket: "/data/run/x.sock".into(),
        argv: vec!["make".into()],
        cwd: "/srv/job".into(),
        environment: vec![variable()],
        size: SIZE,
        settings: HostSettings::default(),
        prompt: None,
        parent: None,
    };
    terminals::check(golden, launch.clone());
    golden.check("HostLaunch", MessagePack, &launch);
    let settings = HostSettings { history_lines: 7, stop_grace_ms: 8, ..HostSettings::default() };
    golden.check("HostLaunch.settings", MessagePack, &HostLaunch { settings, ..launch.clone() });
    let settings = HostSettings { screen_log_days: 9, ..HostSettings::default() };
    golden.check("HostLaunch.screen_log_days", MessagePack, &HostLaunch { settings, ..launch.clone() });
    let prompt = LaunchPrompt {
        variable: "AGENT_BOARD_PROMPT_FILE".into(),
        path: "/data/sessions/0123456789.prompt".into(),
        text: "long".into(),
    };
    golden.check("HostLaunch.prompt", MessagePack, &HostLaunch { prompt: Some(prompt), ..launch });
    golden.check(
        "SpooledFact",
        MessagePack,
        &SpooledFact {
            session: session(),
            generation: Some(generation()),
            seq: Some(FactSeq(3)),
            at_ms: UnixMs(6),
            fact: HostFact::PersonTyped,
        },
    );
}

//! Samples of what zellij's pipes carry.

use crate::{
    Encoding, Golden,
    rows::{generation, outcomes, place, row, session, start, warning},
    variants, work,
};
use board_protocol::{
    command::{Pin, Remember, ReplyDelivery, StartSession},
    daemon::{ClientFocus, EvidenceLine, LogLevel, LogLine, ReplyProgress, StateChange},
    evidence::EvidenceItem,
    hello::Versions,
    ids::{BoardSeq, CommandId, QueueItemId, UnixMs},
    pipe::{
        AgentChoice, DaemonHealth, Down, DownLine, InstanceId, Intent, LinkHello, PaneChange, PaneRequest,
        PeekDetail, PluginHello, Query, QueryPart, QueuedPart, Takes, Up, UpLine,
    },
    state::{GlyphSet, SemanticState},
    transcript::{TranscriptHead, TranscriptItem, TranscriptPiece, TranscriptRole, TranscriptWindow},
};
use std::collections::BTreeMap;

variants!(Down: Hello, Page, Delta, Daemon, Outcome, Pane, Ping, Look, Goodbye, QueryPage);
variants!(DaemonHealth: Connected, Unreachable, Incompatible, ShutDown);
variants!(PaneChange: Attached, Detached, Ended);
variants!(Up: Hello, Resync, Intent, Alive, Looking, Goodbye, Query, QueryDropped);
variants!(Intent: Start, Rerun, Interrupt, Stop, Remove, Visit, MarkUnread, Reply, EditQueued, MoveQueued, RemoveQueued,
    SendQueued, ClearQueue, MarkCompleted, MarkHolding, ClearHolding, Rename, SetPin, Tag, ClearLog,
    SkipWaits);
variants!(Query: Detail, Screen, Log, Explanation, Launch, Directories, Transcript, Work);
variants!(QueryPart: Detail, Queued, Screen, ScreenLine, Log, Change, Evidence, Preferences, Agent, Directory, Transcript,
    Said, Review, Item, Problem, Cut);
variants!(Takes: CommandLine, Task);
variants!(Remember: Nothing, Choices);
variants!(TranscriptWindow: Newest, From, Before);
variants!(TranscriptRole: You, Agent, Thinking, Tool, Custom, Note);
variants!(GlyphSet: Unicode, Ascii);

pub(crate) fn check(golden: &mut Golden) {
    use Encoding::Json;
    let versions = Versions { oldest: 1, newest: 1 };
    let [outcome, _] = outcomes();
    let hello = LinkHello {
        versions,
        build: "0.1.0".into(),
        plugin_build: "0.1.0".into(),
        runner: "/bin/host-runner".into(),
        root: "/data".into(),
        cwd: "/srv/job".into(),
        default_agent: "pi".into(),
        glyphs: GlyphSet::Unicode,
        language: String::new(),
    };
    golden.check("LinkHello.default_agent", Json, &hello);
    golden.check("LinkHello.language", Json, &LinkHello { language: "ja".into(), ..hello });
    golden.check("DownLine", Json, &DownLine { up: "up-1".into(), link: generation(), down: Down::Goodbye });
    golden.check_all(
        Json,
        &[
            Down::Hello(LinkHello {
                versions,
                build: "0.1.0".into(),
                plugin_build: "0.1.0".into(),
                runner: "/bin/host-runner".into(),
                root: "/data".into(),
                cwd: "/srv/job".into(),
                default_agent: String::new(),
                glyphs: GlyphSet::Unicode,
                language: String::new(),
            }),
            Down::Page {
                generation: generation(),
                seq: BoardSeq(4),
                page: 0,
                pages: 1,
                rows: vec![row()],
                warnings: vec![warning()],
            },
            Down::Delta {
                generation: generation(),
                base: BoardSeq(4),
                seq: BoardSeq(5),
                upserted: vec![row()],
                removed: vec![session()],
                warnings: Some(vec![warning()]),
            },
            Down::Daemon(DaemonHealth::Connected { build: "0.1.0".into() }),
            Down::Outcome { instance: InstanceId(3), command_id: CommandId("c-1".into()), outcome },
            Down::Pane(PaneRequest { session: session(), place: place(), change: PaneChange::Attached }),
            Down::Ping { number: 6 },
            Down::Look { number: 9 },
            Down::Goodbye,
            Down::QueryPage {
                instance: InstanceId(3),
                number: 7,
                page: 0,
                pages: 1,
                parts: vec![QueryPart::Cut { left_out: 2 }],
            },
        ],
    );
    golden.check_all(
        Json,
        &[
            DaemonHealth::Connected { build: "0.1.0".into() },
            DaemonHealth::Unreachable { text: "no daemon".into() },
            DaemonHealth::Incompatible { text: "another version".into() },
            DaemonHealth::ShutDown { text: "shut down".into() },
        ],
    );
    golden.check_all(Json, &[PaneChange::Attached, PaneChange::Detached, PaneChange::Ended]);
    golden.check("UpLine", Json, &UpLine { instance: InstanceId(3), up: Up::Resync });
    golden.check_all(
        Json,
        &[
            Up::Hello(PluginHello {
                versions,
                build: "0.1.0".into(),
                server_pid: 900,
                client_id: 1,
                location: "file:/x.wasm".into(),
                configuration: BTreeMap::from([("root".into(), "/data".into())]),
                session_name: Some("agent-board".into()),
                up_pipe: "up-1".into(),
            }),
            Up::Resync,
            Up::Intent { command_id: CommandId("c-1".into()), intent: Intent::Stop { session: session() } },
            Up::Alive { number: 6 },
            Up::Looking { number: 9, focus: ClientFocus::Terminal(3) },
            Up::Goodbye,
            Up::Query { number: 7, query: Query::Detail { session: session() } },
            Up::QueryDropped { number: 7 },
        ],
    );
    golden.check_all(
        Json,
        &[
            Intent::Start(start()),
            Intent::Rerun { session: session() },
            Intent::Interrupt { session: session() },
            Intent::Stop { session: session() },
            Intent::Remove { session: session() },
            Intent::Visit { session: session() },
            Intent::MarkUnread { session: session() },
            Intent::Reply { session: session(), text: "go on".into(), delivery: ReplyDelivery::Auto },
            Intent::EditQueued { session: session(), item: item(), text: "stop".into() },
            Intent::MoveQueued { session: session(), item: item(), place: 1 },
            Intent::RemoveQueued { session: session(), item: item() },
            Intent::SendQueued { session: session(), item: item() },
            Intent::ClearQueue { session: session() },
            Intent::MarkCompleted { session: session() },
            Intent::MarkHolding { session: session() },
            Intent::ClearHolding { session: session() },
            Intent::Rename { session: session(), name: "new".into() },
            Intent::SetPin { session: session(), pin: Pin::Pinned },
            Intent::Tag { session: session(), add: vec!["a".into()], remove: vec!["b".into()] },
            Intent::ClearLog { session: session() },
            Intent::SkipWaits { session: session() },
        ],
    );
    queries(golden);
    launching(golden);
}

fn launching(golden: &mut Golden) {
    use Encoding::{Json, MessagePack};
    golden.check_all(Json, &[Takes::CommandLine, Takes::Task]);
    golden.check_all(Json, &[Remember::Nothing, Remember::Choices]);
    let chosen = StartSession { tags: vec!["web".into()], remember: Remember::Choices, ..start() };
    golden.check("StartSession.tags", MessagePack, &chosen);
    golden.check("StartSession.tags.json", Json, &chosen);
}

fn item() -> QueueItemId {
    QueueItemId("q-1".into())
}

fn queries(golden: &mut Golden) {
    use Encoding::Json;
    golden.check_all(Json, &[GlyphSet::Unicode, GlyphSet::Ascii]);
    golden.check_all(
        Json,
        &[
            Query::Detail { session: session() },
            Query::Screen { session: session() },
            Query::Log { session: session(), limit: 50 },
            Query::Explanation { session: session() },
            Query::Launch,
            Query::Directories { prefix: "~/wo".into() },
            Query::Transcript { session: session(), window: TranscriptWindow::Newest },
            Query::Work { session: session() },
        ],
    );
    golden
        .check_all(Json, &[TranscriptWindow::Newest, TranscriptWindow::From(3), TranscriptWindow::Before(4)]);
    golden.check_all(
        Json,
        &[
            TranscriptRole::You,
            TranscriptRole::Agent,
            TranscriptRole::Thinking,
            TranscriptRole::Tool,
            TranscriptRole::Custom,
            TranscriptRole::Note,
        ],
    );
    let said = TranscriptItem {
        role: TranscriptRole::Tool,
        label: "bash".into(),
        text: "make".into(),
        output: Some("done".into()),
        failed: true,
        at_ms: Some(UnixMs(10)),
    };
    let detail = PeekDetail {
        row: row(),
        command: "pi".into(),
        model: Some("m".into()),
        questions: vec!["Which?".into()],
        preview: Some("Done.".into()),
        evidence: Some("agent event: settled".into()),
        evidence_at_ms: Some(UnixMs(5)),
        classification: None,
        strays: vec!["codex app-server".into()],
        waits: Vec::new(),
    };
    let queued = QueuedPart {
        id: item(),
        text: "go on".into(),
        cut: false,
        at_ms: UnixMs(6),
        progress: ReplyProgress::Waiting,
    };
    golden.check_all(
        Json,
        &[
            QueryPart::Detail(Box::new(detail)),
            QueryPart::Queued(queued),
            QueryPart::Screen { live: true },
            QueryPart::ScreenLine("$ make".into()),
            QueryPart::Log(LogLine {
                at_ms: UnixMs(7),
                level: LogLevel::Warn,
                source: "service".into(),
                code: "manual_fence".into(),
                message: "refused".into(),
            }),
            QueryPart::Change(StateChange {
                at_ms: UnixMs(8),
                from: None,
                to: SemanticState::Queued,
                event: "a person: start".into(),
                rule: "A new session is queued".into(),
            }),
            QueryPart::Evidence(EvidenceLine {
                source: "agent event".into(),
                at_ms: UnixMs(9),
                what: "settled".into(),
            }),
            QueryPart::Preferences(Box::new(work::preferences())),
            QueryPart::Agent(AgentChoice {
                name: "pi".into(),
                problem: Some("not installed".into()),
                takes: Takes::Task,
                thinking: vec!["off".into()],
            }),
            QueryPart::Directory { name: "web".into() },
            QueryPart::Transcript(TranscriptHead {
                first: 1,
                count: 2,
                total: 3,
                cwd: Some("/w".into()),
                incomplete: true,
            }),
            QueryPart::Said(TranscriptPiece { number: 1, item: said }),
            QueryPart::Review(Box::new(work::review_part())),
            QueryPart::Item(Box::new(EvidenceItem::Command(work::command()))),
            QueryPart::Problem { text: "no answer".into() },
            QueryPart::Cut { left_out: 2 },
        ],
    );
}

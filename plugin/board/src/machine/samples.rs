//! Boards, rows and lines for tests.

use super::{Board, anywhere::CHORDS, verdict::RIPE_AFTER_MS};
use crate::{
    effect::Effect,
    input::{BoundKey, BoundTo, Granted, Input, Key, KeyCode, Keybinds, Loaded, PipeLine, PipeSource},
};
use board_protocol::{
    board::{Revival, Row},
    daemon::{FavouriteDirectory, LaunchPreferences, ReplyProgress},
    hello::BOARD_PROTOCOL,
    ids::{BoardSeq, Generation, QueueItemId, SessionId, UnixMs},
    pipe::{
        DOWN_PIPE, DaemonHealth, Down, DownLine, InstanceId, LinkHello, PeekDetail, Query, QueryKind,
        QueryPart, QueuedPart, UP_PIPE, Up, UpLine,
    },
    state::{GlyphSet, HostState, ProcessState, SemanticState},
    transcript::{TranscriptHead, TranscriptItem, TranscriptPiece, TranscriptRole},
};
use std::collections::BTreeMap;

/// The moment at which sample boards are loaded.
pub(crate) const START: UnixMs = UnixMs(1_800_000_000_000);
/// The zellij server of sample boards.
pub(crate) const SERVER: u32 = 4_242;

pub(crate) fn generation(name: &str) -> Generation {
    Generation(name.into())
}

pub(crate) fn row(n: u32) -> Row {
    Row {
        id: SessionId(format!("{n:010x}")),
        name: format!("task-{n}"),
        agent: "generic".into(),
        state: SemanticState::Working,
        process_state: ProcessState::Alive,
        host_state: HostState::Alive,
        busy: true,
        summary: format!("does thing {n}"),
        question: None,
        error: None,
        cwd: "/home/me/project".into(),
        pinned: false,
        unread: false,
        created_at_ms: UnixMs(1_000 + u64::from(n)),
        last_activity_at_ms: START,
        revival: Revival::RunsAgain,
        ended: None,
        attached: 0,
        places: Vec::new(),
        strays: 0,
        doubt: None,
        revision: 0,
        tags: Vec::new(),
        queued: 0,
        stalled_ms: None,
        errors: 0,
        background: 0,
        headless: false,
        resumes_on_attach: false,
        review: None,
        plan: board_protocol::plan::PlanStatus::None,
        references: Vec::new(),
        worktree: None,
        parent: None,
        waiting: None,
    }
}

/// A generic session that has ended.
pub(crate) fn ended_row(n: u32, ended: &str) -> Row {
    Row {
        state: SemanticState::Failed,
        process_state: ProcessState::Exited,
        host_state: HostState::Exited,
        busy: false,
        ended: Some(ended.into()),
        ..row(n)
    }
}

/// A board with a clock, and everything that it asked for.
#[derive(Debug)]
pub(crate) struct Bench {
    pub(crate) board: Board,
    pub(crate) now: UnixMs,
    pub(crate) link: Generation,
    pub(crate) up: String,
}

impl Bench {
    /// Loaded, not allowed anything.
    pub(crate) fn loaded() -> (Self, Vec<Effect>) {
        let mut bench =
            Self { board: Board::new(), now: START, link: generation("link-1"), up: "up-1".into() };
        let mut configuration: BTreeMap<String, String> =
            [("runner", "/opt/host-runner"), ("root", "/var/board"), ("attach_in", "tab")]
                .map(|(key, value)| (key.to_owned(), value.to_owned()))
                .into();
        // Whoever speaks another language in a test gets a board that speaks it.
        if board_text::language() != board_text::Language::English {
            configuration.insert("language".into(), board_text::language().tag().into());
        }
        let effects = bench.on(Input::Loaded(Loaded { configuration, build: "0.1.0".into() }));
        (bench, effects)
    }

    pub(crate) fn granted() -> Self {
        let (mut bench, _) = Self::loaded();
        bench.on(grant(1, None));
        bench
    }

    /// With a link and a connected daemon, and no rows yet.
    pub(crate) fn linked() -> Self {
        let mut bench = Self::granted();
        bench.opens_up();
        bench.hello();
        bench.down(Down::Daemon(DaemonHealth::Connected { build: "0.1.0".into() }));
        bench
    }

    pub(crate) fn with_rows(rows: Vec<Row>) -> Self {
        let mut bench = Self::linked();
        bench.full(1, rows);
        bench
    }

    pub(crate) fn on(&mut self, input: Input) -> Vec<Effect> {
        self.board.on(input, self.now)
    }

    pub(crate) fn wait(&mut self, ms: u64) {
        self.now = UnixMs(self.now.0 + ms);
    }

    /// Lets time pass as the shell does: from deadline to deadline.
    pub(crate) fn pass(&mut self, ms: u64) -> Vec<Effect> {
        let end = UnixMs(self.now.0 + ms);
        let mut effects = Vec::new();
        while let Some(deadline) = self.board.next_deadline()
            && deadline <= end
        {
            self.now = self.now.max(deadline);
            effects.extend(self.on(Input::Timer));
        }
        self.now = end;
        effects
    }

    pub(crate) fn opens_up(&mut self) -> Vec<Effect> {
        let source = PipeSource::Cli(self.up.clone());
        let line = DownLine { up: String::new(), link: self.link.clone(), down: Down::Hello(link_hello()) };
        let payload = Some(serde_json::to_string(&line).unwrap() + "\n");
        self.on(Input::Pipe(PipeLine { source, name: UP_PIPE.into(), payload }))
    }

    pub(crate) fn raw_down(&mut self, payload: &str) -> Vec<Effect> {
        let source = PipeSource::Cli("down-1".into());
        self.on(Input::Pipe(PipeLine { source, name: DOWN_PIPE.into(), payload: Some(payload.into()) }))
    }

    pub(crate) fn down(&mut self, down: Down) -> Vec<Effect> {
        let line = DownLine { up: self.up.clone(), link: self.link.clone(), down };
        let payload = serde_json::to_string(&line).unwrap();
        self.raw_down(&format!("{payload}\n"))
    }

    pub(crate) fn hello(&mut self) -> Vec<Effect> {
        self.down(Down::Hello(link_hello()))
    }

    /// The whole board, in as many pages as its link would need.
    pub(crate) fn full(&mut self, seq: u64, rows: Vec<Row>) -> Vec<Effect> {
        let mut chunks: Vec<Vec<Row>> = rows.chunks(20).map(<[Row]>::to_vec).collect();
        if chunks.is_empty() {
            chunks.push(Vec::new());
        }
        let pages = u32::try_from(chunks.len()).unwrap();
        let mut effects = Vec::new();
        for (page, rows) in (0..).zip(chunks) {
            let generation = generation("daemon-1");
            let seq = BoardSeq(seq);
            effects.extend(self.down(Down::Page {
                generation,
                seq,
                page,
                pages,
                rows,
                warnings: Vec::new(),
            }));
        }
        effects
    }

    pub(crate) fn delta(&mut self, base: u64, upserted: Vec<Row>, removed: &[u32]) -> Vec<Effect> {
        self.down(Down::Delta {
            generation: generation("daemon-1"),
            base: BoardSeq(base),
            seq: BoardSeq(base + 1),
            upserted,
            removed: removed.iter().map(|n| row(*n).id).collect(),
            warnings: None,
        })
    }

    /// Answers the question of a kind that is among the effects, in one page.
    pub(crate) fn answer(
        &mut self,
        effects: &[Effect],
        kind: QueryKind,
        parts: Vec<QueryPart>,
    ) -> Vec<Effect> {
        let number = queries(effects).into_iter().find(|(_, query)| query.kind() == kind).unwrap().0;
        self.down(Down::QueryPage { instance: InstanceId::new(7, 1), number, page: 0, pages: 1, parts })
    }

    pub(crate) fn key(&mut self, code: KeyCode) -> Vec<Effect> {
        self.on(Input::Key(Key::plain(code)))
    }

    pub(crate) fn char(&mut self, c: char) -> Vec<Effect> {
        self.key(KeyCode::Char(c))
    }

    /// Says yes once the question can be answered.
    pub(crate) fn yes(&mut self) -> Vec<Effect> {
        self.pass(RIPE_AFTER_MS);
        self.char('y')
    }

    pub(crate) fn type_text(&mut self, text: &str) {
        for c in text.chars() {
            self.char(c);
        }
    }

    pub(crate) fn text(&self, rows: usize, columns: usize) -> String {
        self.board.render(rows, columns).text()
    }

    pub(crate) fn selected(&self) -> Option<String> {
        self.board.selected_row().map(|row| row.name.to_string())
    }

    pub(crate) fn notice(&self) -> &str {
        self.board.notice.as_ref().map_or("", |notice| &notice.text)
    }
}

pub(crate) fn grant(client_id: u16, reloaded_for: Option<&str>) -> Input {
    Input::PermissionGranted(Granted {
        plugin_id: 7,
        client_id,
        server_pid: SERVER,
        reloaded_for: reloaded_for.map(Into::into),
    })
}

pub(crate) fn link_hello() -> LinkHello {
    LinkHello {
        versions: BOARD_PROTOCOL,
        build: "0.1.0".into(),
        plugin_build: "0.1.0".into(),
        runner: "/opt/host-runner".into(),
        root: "/var/board".into(),
        cwd: "/home/me".into(),
        default_agent: String::new(),
        glyphs: GlyphSet::Unicode,
        language: String::new(),
    }
}

/// zellij takes these chords in Locked mode, and binds ours already.
pub(crate) fn keybinds(locked: &[Key]) -> Input {
    let ours = CHORDS.iter().map(|chord| BoundKey { key: chord.key, what: BoundTo::Message });
    let locked = locked.iter().map(|key| BoundKey { key: *key, what: BoundTo::Zellij });
    Input::Keybinds(Keybinds { normal: Vec::new(), locked: locked.chain(ours).collect() })
}

/// What went up, in order.
pub(crate) fn ups(effects: &[Effect]) -> Vec<Up> {
    effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::SendUp { line, .. } => Some(serde_json::from_str::<UpLine>(line).unwrap().up),
            _ => None,
        })
        .collect()
}

/// What was asked, with its number.
pub(crate) fn queries(effects: &[Effect]) -> Vec<(u64, Query)> {
    let query = |up| match up {
        Up::Query { number, query } => Some((number, query)),
        _ => None,
    };
    ups(effects).into_iter().filter_map(query).collect()
}

/// What the link says of a row for peek.
pub(crate) fn detail(row: Row) -> QueryPart {
    QueryPart::Detail(Box::new(PeekDetail {
        command: "pi --mode rpc".into(),
        model: Some("claude-sonnet-4".into()),
        questions: Vec::new(),
        preview: Some("I moved the check in front of the write.\n\nAll 212 tests pass.".into()),
        evidence: Some("agent event: settled".into()),
        evidence_at_ms: Some(UnixMs(START.0 - 120_000)),
        classification: None,
        strays: Vec::new(),
        waits: Vec::new(),
        row,
    }))
}

/// The head of a part of a transcript.
pub(crate) fn head(first: u32, count: u32, total: u32) -> QueryPart {
    let cwd = Some("/home/me/project".to_owned());
    QueryPart::Transcript(TranscriptHead { first, count, total, cwd, incomplete: false })
}

/// Something that was said.
pub(crate) fn said(number: u32, role: TranscriptRole, text: &str) -> QueryPart {
    let label = match role {
        TranscriptRole::You => "you",
        TranscriptRole::Agent => "agent",
        TranscriptRole::Thinking => "thinking",
        TranscriptRole::Tool => "bash",
        TranscriptRole::Custom => "todo",
        TranscriptRole::Note => "compaction",
    };
    let (label, text, at_ms) = (label.into(), text.into(), Some(UnixMs(START.0 - 120_000)));
    let item = TranscriptItem { role, label, text, output: None, failed: false, at_ms };
    QueryPart::Said(TranscriptPiece { number, item })
}

/// What a tool did, and how that went.
pub(crate) fn ran(number: u32, given: &str, output: &str, failed: bool) -> QueryPart {
    match said(number, TranscriptRole::Tool, given) {
        QueryPart::Said(mut piece) => {
            (piece.item.output, piece.item.failed) = (Some(output.into()), failed);
            QueryPart::Said(piece)
        }
        other => other,
    }
}

/// Words that wait.
pub(crate) fn queued(id: &str, text: &str) -> QueryPart {
    QueryPart::Queued(QueuedPart {
        id: QueueItemId(id.into()),
        text: text.into(),
        cut: false,
        at_ms: START,
        progress: ReplyProgress::Waiting,
    })
}

/// What the link says of directories.
pub(crate) fn directories(names: &[&str]) -> Vec<QueryPart> {
    names.iter().map(|name| QueryPart::Directory { name: (*name).to_owned() }).collect()
}

/// What the link says when the launch dialog opens; `agent` was chosen last, or nothing was.
pub(crate) fn choices(agent: &str) -> Vec<QueryPart> {
    let favourite = |path: &str, uses| FavouriteDirectory { path: path.into(), uses, last_used_ms: None };
    let chosen = |word: &str| Some(word.to_owned()).filter(|_| !agent.is_empty());
    let preferences = LaunchPreferences {
        directories: vec![
            favourite("/home/me/work/agent-board", 12),
            favourite("/srv/web", 3),
            favourite("/home/me", 0),
        ],
        agent: chosen(agent),
        model: chosen("anthropic/claude-sonnet-4"),
        thinking: chosen("high"),
    };
    let agents = super::agents().into_iter().map(QueryPart::Agent);
    std::iter::once(QueryPart::Preferences(Box::new(preferences))).chain(agents).collect()
}

/// Opens the launch dialog, which is told what there is.
pub(crate) fn open_launch(bench: &mut Bench, agent: &str) {
    let effects = bench.char('n');
    bench.answer(&effects, QueryKind::Launch, choices(agent));
}

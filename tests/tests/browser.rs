//! The board outside of zellij: the same lines give the same picture in Node, where a browser's engine runs it.

#![expect(clippy::unwrap_used, reason = "a test ends at the first thing that is not as expected")]

use board_protocol::{
    board::{Revival, Row},
    hello::BOARD_PROTOCOL,
    ids::{BoardSeq, Generation, SessionId, UnixMs},
    pipe::{DOWN_PIPE, DaemonHealth, Down, DownLine, LinkHello},
    plan::PlanStatus,
    state::{GlyphSet, HostState, ProcessState, SemanticState},
};
use board_view::{
    Board, Input,
    input::{Granted, Loaded, PipeLine, PipeSource},
};
use std::{collections::BTreeMap, env, fs, path::PathBuf, process::Command};
use wasm_bindgen_cli_support::Bindgen;

const NOW: u64 = 1_800_000_000_000;
const SIZES: [(usize, usize); 3] = [(24, 80), (36, 120), (50, 200)];

fn row(n: u32, state: SemanticState, name: &str) -> Row {
    Row {
        id: SessionId(format!("{n:010x}")),
        name: name.into(),
        agent: "pi".into(),
        state,
        process_state: ProcessState::Alive,
        host_state: HostState::Alive,
        busy: true,
        summary: format!("does thing {n}"),
        question: (state == SemanticState::NeedsInput).then(|| "Which one?".into()),
        error: None,
        cwd: "/home/me/project".into(),
        pinned: n == 1,
        unread: n.is_multiple_of(2),
        created_at_ms: UnixMs(NOW - 1_000_000 + u64::from(n)),
        last_activity_at_ms: UnixMs(NOW - 61_000),
        revival: Revival::Resumes,
        ended: None,
        attached: 0,
        places: Vec::new(),
        strays: 0,
        doubt: None,
        revision: 0,
        tags: Vec::new(),
        queued: n,
        stalled_ms: None,
        errors: 0,
        background: 0,
        headless: false,
        resumes_on_attach: false,
        review: None,
        plan: PlanStatus::None,
        references: Vec::new(),
        worktree: None,
        parent: None,
        waiting: None,
    }
}

/// What a link writes: its hello, a connected daemon, a board in one page.
fn lines() -> Vec<String> {
    let hello = LinkHello {
        versions: BOARD_PROTOCOL,
        build: env!("CARGO_PKG_VERSION").into(),
        plugin_build: env!("CARGO_PKG_VERSION").into(),
        runner: "/opt/host-runner".into(),
        root: "/var/board".into(),
        cwd: "/home/me".into(),
        default_agent: String::new(),
        glyphs: GlyphSet::default(),
        language: String::new(),
    };
    let page = Down::Page {
        generation: Generation("daemon-1".into()),
        seq: BoardSeq(1),
        page: 0,
        pages: 1,
        rows: vec![
            row(1, SemanticState::Working, "a parser"),
            row(2, SemanticState::NeedsInput, "日本語の名前"),
            row(3, SemanticState::Idle, "tests"),
        ],
        warnings: Vec::new(),
    };
    let health = Down::Daemon(DaemonHealth::Connected { build: env!("CARGO_PKG_VERSION").into() });
    [Down::Hello(hello), health, page]
        .into_iter()
        .map(|down| {
            let line = DownLine { up: String::new(), link: Generation("link-1".into()), down };
            serde_json::to_string(&line).unwrap() + "\n"
        })
        .collect()
}

/// The same board in this process.
fn here(lines: &[String]) -> Vec<String> {
    let mut board = Board::new();
    let build = env!("CARGO_PKG_VERSION").to_owned();
    let granted = Granted { plugin_id: 0, client_id: 1, server_pid: 0, reloaded_for: None };
    let mut inputs = vec![
        Input::Loaded(Loaded { configuration: BTreeMap::new(), build }),
        Input::PermissionGranted(granted),
    ];
    inputs.extend(lines.iter().map(|line| {
        let source = PipeSource::Cli("web".into());
        Input::Pipe(PipeLine { source, name: DOWN_PIPE.into(), payload: Some(line.clone()) })
    }));
    for input in inputs {
        board.on(input, UnixMs(NOW));
    }
    SIZES.iter().map(|(rows, columns)| board.render(*rows, *columns).text()).collect()
}

#[test]
fn node_draws_the_same_board_as_zellij() {
    let target = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../target");
    let built = env::var_os("AGENT_BOARD_E2E_WEB")
        .map_or_else(|| target.join("wasm32-unknown-unknown/plugin/board_web.wasm"), PathBuf::from);
    assert!(built.is_file(), "{} is missing: run `make web`", built.display());
    let directory = tempfile::tempdir().unwrap();
    let mut bindgen = Bindgen::new();
    bindgen.input_path(&built).nodejs(true).unwrap().typescript(false);
    bindgen.generate(directory.path()).unwrap();
    let lines = lines();
    let given = serde_json::json!({ "lines": lines, "sizes": SIZES, "now": NOW });
    fs::write(directory.path().join("given.json"), given.to_string()).unwrap();
    let script = "
        const { WebBoard } = require('./board_web.js');
        const given = require('./given.json');
        const board = new WebBoard(given.now);
        board.line('this is no line of a link\\n', given.now);
        for (const line of given.lines) board.line(line, given.now);
        console.log(JSON.stringify(given.sizes.map(([rows, columns]) => board.text(rows, columns))));
    ";
    fs::write(directory.path().join("draw.js"), script).unwrap();
    let drawn = Command::new("node").arg("draw.js").current_dir(directory.path()).output().unwrap();
    assert!(drawn.status.success(), "{}", String::from_utf8_lossy(&drawn.stderr));
    let drawn: Vec<String> = serde_json::from_slice(&drawn.stdout).unwrap();
    assert!(drawn[0].contains("日本語の名前") && drawn[0].contains("RUNNING"), "{}", drawn[0]);
    assert_eq!(drawn, here(&lines));
}

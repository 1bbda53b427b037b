//! Every frame is exactly as large as asked, for any size, any text and any view, and nothing in it controls a terminal.

use super::pictures::{SIZES, board};
use crate::{
    frame::Frame,
    input::{Input, KeyCode},
    machine::{
        Field,
        samples::{Bench, START, choices, detail, directories, link_hello, queries, queued, ran, row, said},
    },
};
use board_protocol::{
    board::Row,
    daemon::{EvidenceLine, LogLevel, LogLine, StateChange},
    evidence::{
        Claim, CommandEvidence, CommandKind, CommandStatus, ErrorEvidence, EvidenceItem, FileAction,
        FileChange, Review,
    },
    pipe::{
        AgentChoice, DaemonHealth, Down, InstanceId, LinkHello, PeekDetail, QueryKind, QueryPart, ReviewPart,
        Takes,
    },
    run::RunUsage,
    state::{GlyphSet, SemanticState},
    transcript::{TranscriptHead, TranscriptRole},
};
use proptest::prelude::*;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

// Field report C22: control bytes in what an agent says reached the terminal through the board.
#[test]
fn c22_hostile_text_becomes_cells_only() {
    let hostile = "\u{1b}]0;x\u{7}\u{1b}[2J\u{202e}\u{0}evil\u{9b}31m\r\n\u{2028}";
    let rows = SemanticState::ALL
        .iter()
        .zip(1..)
        .map(|(state, n)| Row {
            state: *state,
            name: hostile.into(),
            summary: hostile.into(),
            question: Some(hostile.into()),
            error: Some(hostile.into()),
            doubt: (n == 3).then(|| hostile.into()),
            ended: (n > 4).then(|| hostile.into()),
            cwd: format!("/x/{hostile}"),
            ..row(n)
        })
        .collect();
    let mut bench = Bench::with_rows(rows);
    bench.down(Down::Daemon(DaemonHealth::Unreachable { text: hostile.into() }));
    bench.down(Down::Hello(LinkHello { build: hostile.into(), ..link_hello() }));
    bench.char('x');
    for (rows, columns) in SIZES {
        assert_exact(&bench.board.render(rows, columns), rows, columns);
    }
    assert!(bench.text(36, 120).contains("evil"));
}

/// Every line has its cells by both ways of counting, and nothing but styles and newlines controls the terminal.
fn assert_exact(frame: &Frame, rows: usize, columns: usize) {
    let text = frame.text();
    let lines: Vec<&str> = if rows == 0 { vec![] } else { text.split('\n').collect() };
    assert_eq!(lines.len(), rows);
    for line in lines {
        let by_char: usize = line.chars().map(|c| c.width().unwrap_or(1_000)).sum();
        assert_eq!(by_char, columns, "{line:?}");
        assert_eq!(line.width(), columns, "{line:?}");
    }
    let ansi = frame.to_ansi();
    let mut plain = String::new();
    let mut parts = ansi.split('\u{1b}');
    plain.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (sgr, rest) = part.split_once('m').expect("an SGR sequence");
        assert!(sgr.starts_with('[') && sgr[1..].bytes().all(|b| b.is_ascii_digit() || b == b';'), "{sgr:?}");
        plain.push_str(rest);
    }
    assert_eq!(plain, text);
    assert!(plain.chars().all(|c| c == '\n' || board_protocol::text::is_plain(c)));
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,40}",
        ".{0,40}",
        "[a-z ]{0,60}",
        "[漢字ひらがな한글ＡＢ]{0,40}",
        proptest::collection::vec(
            prop_oneof![
                Just("👩\u{200d}💻"),
                Just("👨\u{200d}👩\u{200d}👧"),
                Just("👍🏽"),
                Just("🇩🇪"),
                Just("✔\u{fe0f}"),
                Just("e\u{301}\u{302}\u{303}"),
                Just("क्षि"),
                Just("\u{1b}[31m"),
                Just("\u{200d}"),
                Just("\u{fe0f}"),
                Just("\u{1f1e9}"),
                Just("ﷺ"),
                Just("a"),
                Just(" "),
            ],
            0..20
        )
        .prop_map(|parts| parts.concat()),
    ]
}

fn any_row() -> impl Strategy<Value = Row> {
    (1_u32..500, 0_usize..8, any_text(), any_text(), any_text(), any::<(bool, bool, bool)>()).prop_map(
        |(n, state, name, summary, other, (pinned, unread, ended))| Row {
            state: SemanticState::ALL[state],
            name,
            agent: if unread { "pi" } else { "generic" }.into(),
            summary,
            question: Some(other.clone()),
            cwd: format!("/{other}"),
            pinned,
            unread,
            tags: if pinned { vec![other.clone(), "web".into()] } else { vec![] },
            queued: u32::from(unread) * 3,
            errors: u32::from(ended) * n,
            stalled_ms: unread.then_some(u64::from(n) * 100_000),
            background: u32::from(pinned),
            ended: ended.then_some(other),
            ..row(n)
        },
    )
}

/// A view with an answer full of a text.
pub(super) fn answered(bench: &mut Bench, key: char, text: &str) {
    let effects = bench.char(key);
    for (number, query) in queries(&effects) {
        let parts = match query.kind() {
            QueryKind::Detail => vec![
                told(Row { question: Some(text.into()), error: Some(text.into()), ..row(1) }, text),
                queued("q-1", text),
                queued("q-2", "second"),
            ],
            QueryKind::Screen => {
                vec![QueryPart::Screen { live: true }, QueryPart::ScreenLine(text.into())]
            }
            QueryKind::Transcript => vec![
                QueryPart::Transcript(TranscriptHead {
                    first: 2,
                    count: 2,
                    total: 9,
                    cwd: Some(text.into()),
                    incomplete: false,
                }),
                said(2, TranscriptRole::Agent, &format!("{text}\n  {text}\n{text}")),
                ran(3, text, &format!("{text}\n\n{text}"), true),
            ],
            QueryKind::Log => vec![
                QueryPart::Log(LogLine {
                    at_ms: START,
                    level: LogLevel::Error,
                    source: text.into(),
                    code: text.into(),
                    message: text.into(),
                }),
                QueryPart::Cut { left_out: 3 },
            ],
            QueryKind::Work => vec![
                QueryPart::Review(Box::new(ReviewPart {
                    review: Review {
                        ready: true,
                        outcome: text.into(),
                        file_changes: 3,
                        commands: 9,
                        failed_commands: 1,
                        errors: 1,
                        latest_claim: Some(text.into()),
                        updated_at_ms: Some(START),
                    },
                    usage: RunUsage { read: 7, written: 8, cost_micros: Some(9), turns: 1, tools: 1 },
                    dropped: 1,
                    transcript: Some(text.into()),
                })),
                QueryPart::Item(Box::new(EvidenceItem::FileChange(FileChange {
                    path: text.into(),
                    action: FileAction::Edited,
                    tool: text.into(),
                    first_seen_at_ms: START,
                    last_seen_at_ms: START,
                    count: 2,
                }))),
                QueryPart::Item(Box::new(EvidenceItem::Command(CommandEvidence {
                    id: text.into(),
                    at_ms: START,
                    command: text.into(),
                    kind: CommandKind::Test,
                    status: CommandStatus::Failed,
                    exit_code: Some(2),
                    duration_ms: Some(5_000),
                    output_preview: Some(format!("{text}\n{text}")),
                }))),
                QueryPart::Item(Box::new(EvidenceItem::Error(ErrorEvidence {
                    at_ms: START,
                    source: text.into(),
                    message: text.into(),
                    tool: None,
                }))),
                QueryPart::Item(Box::new(EvidenceItem::Claim(Claim { at_ms: START, text: text.into() }))),
            ],
            QueryKind::Explanation => vec![
                QueryPart::Evidence(EvidenceLine { source: text.into(), at_ms: START, what: text.into() }),
                QueryPart::Change(StateChange {
                    at_ms: START,
                    from: Some(SemanticState::Idle),
                    to: SemanticState::Working,
                    event: text.into(),
                    rule: text.into(),
                }),
            ],
            QueryKind::Launch | QueryKind::Directories => Vec::new(),
        };
        bench.down(Down::QueryPage { instance: InstanceId::new(7, 1), number, page: 0, pages: 1, parts });
    }
}

/// The launch dialog, full of a text.
fn launching(bench: &mut Bench, text: &str, folder: bool) {
    let effects = bench.char('n');
    let mut parts = choices(text);
    if let Some(QueryPart::Preferences(preferences)) = parts.first_mut() {
        preferences.directories[0].path = format!("/{text}");
    }
    let agent = AgentChoice {
        name: text.into(),
        problem: Some(text.into()),
        takes: Takes::Task,
        thinking: vec![text.into(); 3],
    };
    parts.push(QueryPart::Agent(agent));
    bench.answer(&effects, QueryKind::Launch, parts);
    bench.on(Input::Paste(format!("name:{text} #{text}\n{text}")));
    if folder {
        bench.key(KeyCode::Home);
        for _ in 0..5 {
            bench.key(KeyCode::Up);
        }
        bench.board.launch.form.field = Field::Folder;
        let effects = bench.on(Input::Paste(format!("/{text}")));
        for (number, _) in queries(&effects) {
            let parts = directories(&[text, "漢字", "web"]);
            bench.down(Down::QueryPage { instance: InstanceId::new(7, 1), number, page: 0, pages: 1, parts });
        }
    }
}

/// What the link says of a row, with a text wherever one may stand.
fn told(row: Row, text: &str) -> QueryPart {
    let QueryPart::Detail(detail) = detail(row) else { panic!("detail") };
    QueryPart::Detail(Box::new(PeekDetail {
        command: text.into(),
        model: Some(text.into()),
        questions: vec![text.into()],
        preview: Some(format!("{text}\n{text}")),
        evidence: Some(text.into()),
        strays: vec![text.into()],
        ..*detail
    }))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn every_frame_is_exactly_rows_by_columns(
        rows in proptest::collection::vec(any_row(), 0..40),
        text in any_text(),
        height in 1_usize..=200,
        width in 1_usize..=500,
        small in any::<bool>(),
        room in 0_u8..19,
        ascii in any::<bool>(),
        downs in 0_u8..40,
    ) {
        let (height, width) = if small { (height % 30 + 1, width % 60 + 1) } else { (height, width) };
        let mut bench = Bench::with_rows(rows);
        for _ in 0..downs {
            bench.key(KeyCode::Down);
        }
        match room {
            1 => {
                bench.char('i');
                bench.on(Input::Paste(text));
                bench.key(KeyCode::Left);
                bench.key(KeyCode::Left);
            }
            2 => { bench.char('x'); }
            3 => { bench.char('?'); }
            4 => { bench.on(Input::PermissionDenied); }
            5 => { bench.down(Down::Daemon(DaemonHealth::Unreachable { text })); }
            6 => { bench.type_text("m j "); }
            7 => {
                bench.char('/');
                bench.on(Input::Paste(text));
                bench.key(KeyCode::Enter);
            }
            8 => { bench.char('!'); }
            9 => answered(&mut bench, ' ', &text),
            10 => answered(&mut bench, 'l', &text),
            11 => answered(&mut bench, 'e', &text),
            12 => {
                answered(&mut bench, ' ', &text);
                bench.char('r');
                bench.on(Input::Paste(text));
            }
            14 | 15 => launching(&mut bench, &text, room == 15),
            16 => {
                launching(&mut bench, &text, false);
                bench.key(KeyCode::Tab);
                bench.on(Input::Paste(text));
            }
            17 => {
                launching(&mut bench, &text, true);
                bench.key(KeyCode::Enter);
                bench.key(KeyCode::Down);
            }
            13 => {
                answered(&mut bench, ' ', &text);
                bench.char('q');
            }
            18 => answered(&mut bench, 'v', &text),
            _ => {}
        }
        if ascii {
            bench.down(Down::Hello(LinkHello { glyphs: GlyphSet::Ascii, ..link_hello() }));
        }
        assert_exact(&bench.board.render(height, width), height, width);
    }
}

#[test]
fn no_size_panics_and_tiny_ones_are_exact_too() {
    for height in 0..12 {
        for width in 0..25 {
            for key in [None, Some('i'), Some('x'), Some('?'), Some('n')] {
                let mut bench = board();
                if let Some(key) = key {
                    bench.char(key);
                }
                if height > 0 {
                    assert_exact(&bench.board.render(height, width), height, width);
                } else {
                    assert_eq!(bench.board.render(height, width).text(), "");
                }
            }
        }
    }
}

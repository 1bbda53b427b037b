//! Peek: state and where it comes from, question, what it said last, error, queue.

use super::{LABEL_COLUMNS, MARGIN, labelled, nothing_yet, work::counts};
use crate::{
    frame::{Line, Style},
    keymap::{Action, Room},
    machine::{ANSWER_THERE, Board, age},
    model::BoardRow,
    region::Target,
};
use board_protocol::{
    board::{Reference, ReferenceKind, Revival},
    daemon::ReplyProgress,
    needle,
    pipe::{PeekDetail, QueryKind, QueryPart, QueuedPart},
    plan::PlanStatus,
    state::{ClassifierKind, ColourRole, Confidence, SemanticState},
    terminals::{MAX_WAITS_PER_TERMINAL, Wait},
};

/// Most lines of what it said last (reference F.8).
const PREVIEW_LINES: usize = 8;
/// Most lines of the error.
const ERROR_LINES: usize = 4;
/// Most lines of one question.
const QUESTION_LINES: usize = 6;
/// Most references that are shown: an issue and a change request.
const MAX_REFERENCES: usize = 2;
/// Most lines of one needle: it is shown whole at every width that a board has (4 KiB at 30 cells and more).
const NEEDLE_LINES: usize = 160;
/// Most lines of other texts.
const LINES: usize = 2;

pub(super) fn lines(board: &Board, row: &BoardRow, columns: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let Some(detail) = board.detail() else {
        waits(&mut lines, board, row, &[], columns);
        labelled(&mut lines, "folder", Style::PLAIN, &row.cwd, LINES, columns);
        labelled(&mut lines, "summary", Style::PLAIN, &row.says, LINES, columns);
        lines.extend(nothing_yet(board, QueryKind::Detail, columns));
        return lines;
    };
    lines.push(Line::new(columns));
    waits(&mut lines, board, row, &detail.waits, columns);
    told(&mut lines, board, row, detail, columns);
    let queue = board.queue();
    if !queue.is_empty() {
        lines.push(Line::new(columns));
        let hint = if board.room == Room::Queue { "" } else { " (q changes it)" };
        let title =
            Line::new(columns).pad_to(MARGIN).put(Style::BOLD, &format!("Waits for it: {}", queue.len()));
        let title = title.put(Style::FAINT, hint);
        lines.push(if hint.is_empty() { title } else { title.linked(Target::Act(Action::Queue)) });
        let chosen = (board.page == Room::Queue).then_some(board.views.queued);
        lines.extend(queue.iter().enumerate().map(|(at, words)| {
            let line = queued(words, chosen == Some(at), columns);
            line.linked(if chosen.is_some() { Target::Queued(at) } else { Target::Act(Action::Queue) })
        }));
    }
    lines
}

/// What its agent waits for, here or in its terminals, whole; in short while that is not known. The newest stands first, as
/// it does everywhere.
fn waits(lines: &mut Vec<Line>, board: &Board, row: &BoardRow, all: &[Wait], columns: usize) {
    let shown = match (&row.waiting, all) {
        (None, _) => return,
        (Some(waiting), []) => vec![(waiting.needle.to_string(), waiting.since_ms)],
        (_, all) => all.iter().rev().map(|wait| (needle::visible(&wait.needle), wait.since_ms)).collect(),
    };
    for (index, (needle, since)) in shown.iter().take(MAX_WAITS_PER_TERMINAL).enumerate() {
        let label = if index == 0 { "waits" } else { "" };
        let age = match age(board.now.since(*since)).as_str() {
            "now" => "since just now".to_owned(),
            age => format!("for {age}"),
        };
        let text = format!("Agent is waiting for {needle} ({age})");
        labelled(lines, label, Style::of(ColourRole::Warning), &text, NEEDLE_LINES, columns);
    }
}

fn told(lines: &mut Vec<Line>, board: &Board, row: &BoardRow, detail: &PeekDetail, columns: usize) {
    let full = &detail.row;
    let mut put = |label: &str, style: Style, text: &str, most: usize| {
        if !text.is_empty() {
            labelled(lines, label, style, text, most, columns);
        }
    };
    if let Some(doubt) = &full.doubt {
        put("doubt", Style::of(ColourRole::Warning), doubt, LINES);
    }
    let folder = match &full.worktree {
        Some(worktree) => format!("{} (linked worktree {worktree})", full.cwd),
        None => full.cwd.clone(),
    };
    put("folder", Style::PLAIN, &folder, LINES);
    for reference in full.references.iter().take(MAX_REFERENCES) {
        let (text, sure) = about(reference);
        put("about", if sure { Style::PLAIN } else { Style::FAINT }, &text, 1);
    }
    let agent = match &detail.model {
        Some(model) => format!("{} · {model}", full.agent),
        None => full.agent.clone(),
    };
    put("agent", Style::PLAIN, &agent, 1);
    if detail.command != full.summary {
        put("runs", Style::FAINT, &detail.command, LINES);
    }
    if !full.tags.is_empty() {
        let tags: Vec<String> = row.tags.iter().map(|tag| format!("#{tag}")).collect();
        put("tags", Style::of(ColourRole::Accent), &tags.join(" "), 1);
    }
    if let Some(ended) = &row.ended {
        let resumes = if row.revival == Revival::Resumes { "; resumes on attach" } else { "" };
        put("ended", Style::PLAIN, &format!("{ended}{resumes}"), 1);
    }
    if row.resumes_on_attach {
        put("process", Style::PLAIN, "was idle and is ended; resumes on attach", 1);
    }
    put("summary", Style::PLAIN, &full.summary, LINES);
    let asking = Style::of(ColourRole::Warning);
    match full.plan {
        PlanStatus::None => {}
        PlanStatus::AwaitingApproval => {
            put(
                "plan",
                asking,
                &format!(
                    "{}: host-runner plan show {1}, then plan approve {1} or plan change {1} TEXT",
                    full.plan.words(),
                    full.id
                ),
                LINES,
            );
        }
        status => put("plan", Style::PLAIN, status.words(), 1),
    }
    if detail.questions.is_empty()
        && let (SemanticState::NeedsInput, Some(question)) = (row.state, &full.question)
    {
        put("question", asking, question, QUESTION_LINES);
    }
    for question in &detail.questions {
        put("question", asking, question, QUESTION_LINES);
    }
    if row.awaits_answer() {
        put("", Style::FAINT, ANSWER_THERE, 1);
    }
    if let Some(preview) = &detail.preview {
        put("said last", Style::PLAIN, preview, PREVIEW_LINES);
    }
    if detail.preview.is_none() {
        put("shows", Style::PLAIN, &last_lines(board), PREVIEW_LINES);
    }
    if let Some(did) = full.review.as_ref().and_then(counts) {
        put("did", Style::PLAIN, &format!("{did} (e shows it)"), 1);
    }
    if let Some(error) = &full.error {
        put("error", Style::of(ColourRole::Error), error, ERROR_LINES);
    }
    for stray in &detail.strays {
        put("left", Style::FAINT, stray, 1);
    }
    if let Some(classified) = &detail.classification {
        let confidence = match classified.confidence {
            Confidence::High => "high",
            Confidence::Medium => "medium",
            Confidence::Low => "low",
        };
        let by = match classified.by {
            ClassifierKind::Heuristic => "rules",
            ClassifierKind::Model => "a model",
        };
        put(
            "judged",
            Style::FAINT,
            &format!("{confidence} confidence by {by}: {}", classified.reason),
            LINES,
        );
    }
    if let Some(evidence) = &detail.evidence {
        let at = detail.evidence_at_ms.map(|at| match age(board.now.since(at)).as_str() {
            "now" => ", just now".to_owned(),
            age => format!(", {age} ago"),
        });
        put("evidence", Style::FAINT, &format!("{evidence}{}", at.unwrap_or_default()), LINES);
    }
}

/// What a session is about, in words, and whether that is sure.
fn about(reference: &Reference) -> (String, bool) {
    let what = match reference.kind {
        ReferenceKind::Issue => "issue",
        ReferenceKind::ChangeRequest => "change request",
    };
    let (guess, sure) = match reference.confidence {
        Confidence::High => ("", true),
        Confidence::Medium => (", probably", false),
        Confidence::Low => (", a guess", false),
    };
    let url = reference.url.as_ref().map(|url| format!(" · {url}")).unwrap_or_default();
    (format!("{what} {}{guess}{url}", reference.label), sure)
}

/// The last lines of its terminal, where those were asked for.
fn last_lines(board: &Board) -> String {
    let parts = board.told(QueryKind::Screen).unwrap_or_default();
    let lines: Vec<&str> = parts
        .iter()
        .filter_map(|part| match part {
            QueryPart::ScreenLine(text) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    let from = lines.len().saturating_sub(PREVIEW_LINES);
    lines.get(from..).unwrap_or_default().join("\n").trim_start_matches('\n').to_owned()
}

fn queued(words: &QueuedPart, chosen: bool, columns: usize) -> Line {
    let (style, marker) =
        if chosen { (Style::of(ColourRole::Accent).bold(), "› ") } else { (Style::PLAIN, "  ") };
    let progress = match words.progress {
        ReplyProgress::Waiting => "",
        ReplyProgress::Sent | ReplyProgress::Accepted => "on its way  ",
        ReplyProgress::Applied => "sent  ",
        ReplyProgress::AcceptedUnknown => "arrival not known  ",
    };
    let text = words.text.replace('\n', "↵");
    let end = if words.cut { "…" } else { "" };
    Line::new(columns)
        .pad_to(MARGIN)
        .put(style, marker)
        .put(Style::of(ColourRole::Warning), progress)
        .put(if chosen { style } else { Style::PLAIN }, &format!("{text}{end}"))
}

const _: () = assert!(LABEL_COLUMNS > "said last".len());

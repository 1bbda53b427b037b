//! Peek: state and where it comes from, question, what it said last, error, queue.

use super::{MARGIN, labelled, nothing_yet, work::counts};
use crate::{
    frame::{Line, Style},
    keymap::{Action, Room},
    machine::{Board, NOW_MS, age},
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
use board_text::notice;
use board_text::session as texts;

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
        labelled(&mut lines, texts::label_folder(), Style::PLAIN, &row.cwd, LINES, columns);
        labelled(&mut lines, texts::label_summary(), Style::PLAIN, &row.says, LINES, columns);
        lines.extend(nothing_yet(board, QueryKind::Detail, columns));
        return lines;
    };
    lines.push(Line::new(columns));
    waits(&mut lines, board, row, &detail.waits, columns);
    told(&mut lines, board, row, detail, columns);
    let queue = board.queue();
    if !queue.is_empty() {
        lines.push(Line::new(columns));
        let hint = if board.room == Room::Queue { "" } else { texts::queue_hint() };
        let title = Line::new(columns).pad_to(MARGIN).put(Style::BOLD, &texts::waits_for_it(queue.len()));
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
        let label = if index == 0 { texts::label_waits() } else { "" };
        let text = match board.now.since(*since) {
            0..NOW_MS => texts::waiting_just_now(needle),
            since => texts::waiting_for(needle, age(since)),
        };
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
        put(texts::label_doubt(), Style::of(ColourRole::Warning), doubt, LINES);
    }
    let folder = match &full.worktree {
        Some(worktree) => texts::worktree(&full.cwd, worktree),
        None => full.cwd.clone(),
    };
    put(texts::label_folder(), Style::PLAIN, &folder, LINES);
    for reference in full.references.iter().take(MAX_REFERENCES) {
        let (text, sure) = about(reference);
        put(texts::label_about(), if sure { Style::PLAIN } else { Style::FAINT }, &text, 1);
    }
    let agent = match &detail.model {
        Some(model) => format!("{} · {model}", full.agent),
        None => full.agent.clone(),
    };
    put(texts::label_agent(), Style::PLAIN, &agent, 1);
    if detail.command != full.summary {
        put(texts::label_runs(), Style::FAINT, &detail.command, LINES);
    }
    if !full.tags.is_empty() {
        let tags: Vec<String> = row.tags.iter().map(|tag| format!("#{tag}")).collect();
        put(texts::label_tags(), Style::of(ColourRole::Accent), &tags.join(" "), 1);
    }
    if let Some(ended) = &row.ended {
        let resumes = row.revival == Revival::Resumes;
        let ended = if resumes { texts::resumes_too(ended) } else { ended.to_string() };
        put(texts::label_ended(), Style::PLAIN, &ended, 1);
    }
    if row.resumes_on_attach {
        put(texts::label_process(), Style::PLAIN, texts::was_idle(), 1);
    }
    put(texts::label_summary(), Style::PLAIN, &full.summary, LINES);
    let asking = Style::of(ColourRole::Warning);
    match full.plan {
        PlanStatus::None => {}
        PlanStatus::AwaitingApproval => {
            put(texts::label_plan(), asking, &texts::plan_how(full.plan.words(), &full.id), LINES);
        }
        status => put(texts::label_plan(), Style::PLAIN, status.words(), 1),
    }
    if detail.questions.is_empty()
        && let (SemanticState::NeedsInput, Some(question)) = (row.state, &full.question)
    {
        put(texts::label_question(), asking, question, QUESTION_LINES);
    }
    for question in &detail.questions {
        put(texts::label_question(), asking, question, QUESTION_LINES);
    }
    if row.awaits_answer() {
        put("", Style::FAINT, notice::answer_there(), 1);
    }
    if let Some(preview) = &detail.preview {
        put(texts::label_said_last(), Style::PLAIN, preview, PREVIEW_LINES);
    }
    if detail.preview.is_none() {
        put(texts::label_shows(), Style::PLAIN, &last_lines(board), PREVIEW_LINES);
    }
    if let Some(did) = full.review.as_ref().and_then(counts) {
        put(texts::label_did(), Style::PLAIN, &texts::did_where(did), 1);
    }
    if let Some(error) = &full.error {
        put(texts::label_error(), Style::of(ColourRole::Error), error, ERROR_LINES);
    }
    for stray in &detail.strays {
        put(texts::label_left(), Style::FAINT, stray, 1);
    }
    if let Some(classified) = &detail.classification {
        let confidence = match classified.confidence {
            Confidence::High => texts::high(),
            Confidence::Medium => texts::medium(),
            Confidence::Low => texts::low(),
        };
        let by = match classified.by {
            ClassifierKind::Heuristic => texts::by_rules(),
            ClassifierKind::Model => texts::by_model(),
        };
        put(
            texts::label_judged(),
            Style::FAINT,
            &texts::judgement(confidence, by, &classified.reason),
            LINES,
        );
    }
    if let Some(evidence) = &detail.evidence {
        let told = match detail.evidence_at_ms.map(|at| board.now.since(at)) {
            None => evidence.clone(),
            Some(0..NOW_MS) => texts::just_now(evidence),
            Some(since) => texts::ago(evidence, age(since)),
        };
        put(texts::label_evidence(), Style::FAINT, &told, LINES);
    }
}

/// What a session is about, in words, and whether that is sure.
fn about(reference: &Reference) -> (String, bool) {
    let what = match reference.kind {
        ReferenceKind::Issue => texts::issue(&reference.label),
        ReferenceKind::ChangeRequest => texts::change_request(&reference.label),
    };
    let (guess, sure) = match reference.confidence {
        Confidence::High => ("", true),
        Confidence::Medium => (texts::probably(), false),
        Confidence::Low => (texts::a_guess(), false),
    };
    let url = reference.url.as_ref().map(|url| format!(" · {url}")).unwrap_or_default();
    (format!("{what}{guess}{url}"), sure)
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
        ReplyProgress::Sent | ReplyProgress::Accepted => texts::under_way(),
        ReplyProgress::Applied => texts::sent(),
        ReplyProgress::AcceptedUnknown => texts::arrival_unknown(),
    };
    let text = words.text.replace('\n', "↵");
    let end = if words.cut { "…" } else { "" };
    Line::new(columns)
        .pad_to(MARGIN)
        .put(style, marker)
        .put(Style::of(ColourRole::Warning), progress)
        .put(if chosen { style } else { Style::PLAIN }, &format!("{text}{end}"))
}

//! What there is to show for a session's work: its review, changed files, commands, errors, and what it says of itself.

use super::{
    MARGIN,
    explain::{heading, timed},
    nothing_yet,
};
use crate::{
    frame::{Line, Style},
    machine::Board,
    model::BoardRow,
    view::page::wrapped,
};
use board_protocol::{
    evidence::{CommandEvidence, CommandKind, CommandStatus, EvidenceItem, FileAction, FileChange, Review},
    pipe::{QueryKind, QueryPart, ReviewPart},
    run::RunUsage,
    state::{ColourRole, GlyphSet},
    text::age_words,
};
use board_text::session as texts;

/// Most lines of what a command printed.
const PREVIEW_LINES: usize = 3;
/// Most lines of what it says of itself (reference F.8).
const CLAIM_LINES: usize = 8;
/// How far a preview stands below its command.
const PREVIEW_INDENT: usize = 7;

/// The lines above those that say where the row stands. A session without an agent has no evidence.
pub(super) fn lines(board: &Board, row: &BoardRow, columns: usize, lines: &mut Vec<Line>) {
    if row.generic {
        return;
    }
    lines.push(heading(texts::work(), columns));
    if let Some(line) = nothing_yet(board, QueryKind::Work, columns) {
        lines.push(line);
        lines.push(Line::new(columns));
        return;
    }
    let parts = board.told(QueryKind::Work).unwrap_or_default();
    let faint = |text: &str| Line::new(columns).pad_to(MARGIN).put(Style::FAINT, text);
    let review = parts.iter().find_map(|part| match part {
        QueryPart::Review(review) => Some(&**review),
        _ => None,
    });
    if let Some(review) = review {
        put(lines, Style::PLAIN, &review_words(review), columns);
    }
    let items = || {
        parts.iter().filter_map(|part| match part {
            QueryPart::Item(item) => Some(&**item),
            _ => None,
        })
    };
    let counted = review.map(|part| &part.review);
    section(
        lines,
        texts::changed_files(),
        counted.map_or(0, |review| review.file_changes),
        columns,
        |lines| {
            let files = items().filter_map(|item| match item {
                EvidenceItem::FileChange(file) => Some(file),
                _ => None,
            });
            files
                .map(|file| {
                    timed(board, lines, file.last_seen_at_ms, Style::PLAIN, &file_words(file), columns)
                })
                .count()
        },
    );
    section(lines, texts::commands(), counted.map_or(0, |review| review.commands), columns, |lines| {
        let commands = items().filter_map(|item| match item {
            EvidenceItem::Command(command) => Some(command),
            _ => None,
        });
        commands.map(|one| command(board, lines, one, columns)).count()
    });
    section(lines, texts::errors(), counted.map_or(0, |review| review.errors), columns, |lines| {
        let errors = items().filter_map(|item| match item {
            EvidenceItem::Error(error) => Some(error),
            _ => None,
        });
        let style = Style::of(ColourRole::Error);
        errors
            .map(|error| {
                let text = format!("{}: {}", error.source, error.message);
                timed(board, lines, error.at_ms, style, &text, columns);
            })
            .count()
    });
    for item in items() {
        if let EvidenceItem::Claim(claim) = item {
            lines.push(heading(texts::it_says(), columns));
            let room = columns.saturating_sub(2 * MARGIN).max(1);
            for part in wrapped(&claim.text, room).iter().take(CLAIM_LINES) {
                lines.push(Line::new(columns).pad_to(MARGIN).put(Style::PLAIN, part));
            }
        }
    }
    if let Some(transcript) = review.and_then(|review| review.transcript.as_ref()) {
        lines.push(faint(&texts::transcript_at(transcript)));
    }
    lines.push(Line::new(columns));
}

/// A heading with what stands below it, and how much of it is not shown.
fn section(
    lines: &mut Vec<Line>,
    title: &str,
    counted: u32,
    columns: usize,
    show: impl FnOnce(&mut Vec<Line>) -> usize,
) {
    if counted == 0 {
        return;
    }
    lines.push(heading(title, columns));
    let shown = u32::try_from(show(lines)).unwrap_or(u32::MAX);
    if counted > shown {
        let text = texts::evidence_more(counted - shown);
        lines.push(Line::new(columns).pad_to(MARGIN).put(Style::FAINT, &text));
    }
}

fn put(lines: &mut Vec<Line>, style: Style, text: &str, columns: usize) {
    let room = columns.saturating_sub(2 * MARGIN).max(1);
    lines.extend(wrapped(text, room).iter().map(|part| Line::new(columns).pad_to(MARGIN).put(style, part)));
}

fn review_words(part: &ReviewPart) -> String {
    let mut words = vec![part.review.outcome_said()];
    if part.review.ready && part.review.outcome != "ready" {
        words.push(texts::ready_for_a_look().to_owned());
    }
    words.push(counts(&part.review).unwrap_or_else(|| texts::nothing_to_show().to_owned()));
    words.extend(usage_words(&part.usage));
    words.join(" · ")
}

/// What a session did, in numbers; `None` for nothing.
pub(super) fn counts(review: &Review) -> Option<String> {
    let mut words = Vec::new();
    if review.file_changes > 0 {
        words.push(texts::files_changed(review.file_changes));
    }
    match (review.commands, review.failed_commands) {
        (0, _) => {}
        (count, 0) => words.push(texts::commands_run(count)),
        (count, failed) => words.push(texts::commands_failed(count, failed)),
    }
    if review.errors > 0 {
        words.push(texts::errors_counted(review.errors));
    }
    (!words.is_empty()).then(|| words.join(" · "))
}

fn usage_words(usage: &RunUsage) -> Option<String> {
    if usage.read == 0 && usage.written == 0 {
        return None;
    }
    let cost =
        usage.cost_micros.map(|micros| format!(", ${}.{:04}", micros / 1_000_000, micros % 1_000_000 / 100));
    Some(texts::tokens(usage.read, usage.written) + &cost.unwrap_or_default())
}

fn file_words(file: &FileChange) -> String {
    let path = &file.path;
    let words = match file.action {
        FileAction::Edited => texts::file_edited(path),
        FileAction::Written => texts::file_written(path),
        FileAction::Deleted => texts::file_deleted(path),
        FileAction::Unknown => path.clone(),
    };
    if file.count > 1 { format!("{words} ×{}", file.count) } else { words }
}

fn command(board: &Board, lines: &mut Vec<Line>, command: &CommandEvidence, columns: usize) {
    let ascii = board.glyphs == GlyphSet::Ascii;
    let (sign, role) = match command.status {
        CommandStatus::Passed => (if ascii { "+" } else { "✓" }, ColourRole::Success),
        CommandStatus::Failed => (if ascii { "x" } else { "✗" }, ColourRole::Error),
        CommandStatus::Started => (if ascii { "." } else { "…" }, ColourRole::Accent),
        CommandStatus::Unknown => ("?", ColourRole::Dim),
    };
    let kind = match command.kind {
        CommandKind::Test => texts::kind_test(),
        CommandKind::Build => texts::kind_build(),
        CommandKind::Lint => texts::kind_lint(),
        CommandKind::Git => texts::kind_git(),
        CommandKind::Install => texts::kind_install(),
        CommandKind::Other => "",
    };
    let line = if command.command.is_empty() { texts::command_not_seen() } else { &command.command };
    let exit = command.exit_code.filter(|code| *code != 0).map(texts::exit);
    let took = command.duration_ms.filter(|ms| *ms >= 1_000).map(|ms| format!(" · {}", age_words(ms)));
    let text = format!("{sign} {kind}{}{}{}", line, exit.unwrap_or_default(), took.unwrap_or_default());
    timed(board, lines, command.at_ms, Style::of(role), &text, columns);
    let preview = command.output_preview.as_deref().unwrap_or_default();
    for part in preview.lines().filter(|line| !line.trim().is_empty()).take(PREVIEW_LINES) {
        lines.push(Line::new(columns).pad_to(MARGIN + PREVIEW_INDENT).put(Style::FAINT, part));
    }
}

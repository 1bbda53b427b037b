//! One row: marker, glyph, pin, name, folder, badges, sentence, age. The columns depend on the width of the terminal
//! alone, so that every row of a board has them in the same places.

use super::is_selected;
use crate::{
    cells::width,
    frame::{Line, Style},
    keymap::{Action, Room},
    machine::Board,
    model::{BoardRow, Stands},
    region::Target,
};
use board_protocol::{
    board::MAX_NAME_COLUMNS,
    plan::PlanStatus,
    state::{ColourRole, GlyphSet, HostState, ProcessState, SemanticState},
    text::stalled_words,
};
use board_text::view as texts;

/// The marker of the selection and the blank behind it.
const SELECTION_COLUMNS: usize = 2;
/// Marker, glyph and the blanks behind them.
const MARK_COLUMNS: usize = 4;
/// A blank and an age of at most four cells.
const AGE_COLUMNS: usize = 5;
/// Below this width no age is shown.
const AGE_FROM_COLUMNS: usize = 32;
/// A sentence shorter than this says nothing.
const LEAST_SAYS_COLUMNS: usize = 8;
/// Most cells of badges in front of a sentence, as a part of its room: the sentence matters more.
const BADGES_PART: usize = 2;
/// Beyond this width the name gets a share of what more there is.
const NAME_GROWS_FROM: usize = 100;
/// Says that an agent waits for something in a terminal. The hourglass of emoji is two cells wide, and not everywhere.
const WAITS: &str = "⧖";
/// Says that the session works in a linked git worktree (reference F.5).
const WORKTREE: &str = "⌥";
/// Most tags that are shown on a row.
const SHOWN_TAGS: usize = 3;

pub(crate) fn glyph(board: &Board, row: &BoardRow) -> &'static str {
    let facts = row.state.facts();
    let alive = row.process_state == ProcessState::Alive
        && matches!(row.host_state, HostState::Alive | HostState::Starting | HostState::Stopping);
    let [read, unread] = match board.glyphs {
        GlyphSet::Ascii => facts.ascii,
        GlyphSet::Unicode if alive => facts.glyphs,
        GlyphSet::Unicode => facts.glyphs_not_alive,
    };
    if row.unread { unread } else { read }
}

/// A badge: what it looks like, and what it opens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Badge {
    pub(crate) style: Style,
    pub(crate) text: String,
    /// `None`: it belongs to its row.
    pub(crate) opens: Option<Action>,
}

/// The badges of a row, most important first: silence, waits of its agent, errors, queue, plan, background, work to look at, worktree,
/// references, a process that was ended, tags. What has no room goes from the end, and nothing behind it is shown either,
/// so that two rows with the same badges show the same ones. Each says in words or by its sign what it counts; `room`
/// cells are what there is for them.
pub(crate) fn badges(row: &BoardRow, room: usize) -> Vec<Badge> {
    let mut badges = Vec::new();
    let mut push = |style: Style, text: String, opens: Option<Action>| {
        badges.push(Badge { style, text, opens });
    };
    if let Some(ms) = row.stalled_ms {
        // A silence that is too long matters more than anything that was said before it (field report A4).
        let words = stalled_words(ms);
        let fits = width(&words) < room;
        let text = if fits { words } else { format!("⚠{}", crate::machine::age(ms)) };
        push(Style::of(ColourRole::Warning), text, Some(Action::Explain));
    }
    match row.waits() {
        0 => {}
        1 => push(Style::of(ColourRole::Warning), WAITS.to_owned(), Some(Action::Peek)),
        many => push(Style::of(ColourRole::Warning), format!("{WAITS}{many}"), Some(Action::Peek)),
    }
    if row.errors > 0 {
        push(Style::of(ColourRole::Error), format!("!{}", row.errors), Some(Action::Explain));
    }
    if row.queued > 0 {
        push(Style::of(ColourRole::Accent), format!("q{}", row.queued), Some(Action::Queue));
    }
    if !row.plan.is_none() {
        // One that waits for the person stands out from one that is made or carried out.
        let waits = row.plan == PlanStatus::AwaitingApproval;
        let style = if waits { Style::of(ColourRole::Warning) } else { Style::FAINT };
        push(style, "π".to_owned(), Some(Action::Peek));
    }
    if row.background > 0 {
        push(Style::FAINT, format!("&{}", row.background), Some(Action::Peek));
    }
    // A word, since its sign is that of rows that are done.
    if row.ready {
        push(Style::of(ColourRole::Success), texts::work_ready().to_owned(), Some(Action::Explain));
    }
    if row.worktree {
        push(Style::FAINT, WORKTREE.to_owned(), None);
    }
    for reference in &row.references {
        // One that is a guess is dim.
        let style = if reference.sure { Style::of(ColourRole::Accent) } else { Style::FAINT };
        push(style, reference.label.to_string(), Some(Action::Peek));
    }
    if row.resumes_on_attach {
        push(Style::FAINT, "~".to_owned(), None);
    }
    for tag in row.tags.iter().take(SHOWN_TAGS) {
        push(Style::of(ColourRole::Accent), format!("#{tag}"), None);
    }
    badges
}

/// How many terminals a session has, and whether they are folded away.
fn terminals(board: &Board, row: &BoardRow, stands: Stands) -> Option<Badge> {
    let count = if stands == Stands::Alone { board.model.terminals(&row.id) } else { 0 };
    let sign = if board.is_folded(&row.id) { '▸' } else { '▾' };
    (count > 0).then(|| Badge {
        style: Style::FAINT,
        text: format!("{sign}{count}"),
        opens: Some(Action::Fold),
    })
}

/// The only line of a row, or the first of `height` ones: then what it says stands on the second.
pub(super) fn line(board: &Board, row: &BoardRow, stands: Stands, columns: usize, height: usize) -> Line {
    let selected = is_selected(board, row);
    let lit = selected && board.selection.moved_at.is_some();
    let role = Style::of(row.state.facts().role);
    let accent = Style::of(ColourRole::Accent).bold();
    let name_style = match (selected, row.unread) {
        _ if lit => Style { reversed: true, ..Style::BOLD },
        (true, _) => accent,
        (_, true) => Style::BOLD,
        _ => Style::PLAIN,
    };
    let (marker_style, marker) = if selected { (accent, "› ") } else { (Style::PLAIN, "  ") };
    let branch = match stands {
        Stands::Alone => "",
        Stands::Below => "├ ",
        Stands::Last => "└ ",
    };
    let line = Line::new(columns).put(marker_style, marker).put(Style::FAINT, branch);
    let mut line = line.put(role, glyph(board, row)).put(Style::PLAIN, " ");
    let age_columns = if columns >= AGE_FROM_COLUMNS { AGE_COLUMNS + 1 } else { 0 };
    let inner = columns.saturating_sub(MARK_COLUMNS + age_columns);
    let wanted = name_columns(columns);
    // Where nothing fits beside it, the name gets everything.
    let beside = inner.saturating_sub(wanted + 1);
    let alone = beside < LEAST_SAYS_COLUMNS;
    let name_end = MARK_COLUMNS + if alone { inner } else { wanted };
    let markable = board.page == Room::Select && stands == Stands::Alone;
    let (mark_style, mark) = match (markable, board.marks.contains(&row.id)) {
        (false, _) => (Style::PLAIN, ""),
        (true, true) => (accent, "◉ "),
        (true, false) => (Style::FAINT, "○ "),
    };
    let start = line.used();
    line = line.put(mark_style, mark);
    if board.room == Room::Select {
        line = line.linked_from(start, Target::Badge(row.id.clone(), Action::Mark));
    }
    line = line.put(role, if row.pinned { "★ " } else { "" });
    let name_columns = name_end.saturating_sub(line.used());
    line = line.put_column(name_style, &row.name, name_columns);
    if !alone {
        line = line.put(Style::PLAIN, " ");
        let folder_columns = folder_columns(columns);
        if folder_columns > 0 {
            line = line.put_column(Style::FAINT, &row.folder, folder_columns).put(Style::PLAIN, " ");
        }
        let says_end = columns.saturating_sub(age_columns);
        let part = if height > 1 { 1 } else { BADGES_PART };
        let mut badge_room = says_end.saturating_sub(line.used()) / part;
        let terminals = terminals(board, row, stands);
        for badge in terminals.into_iter().chain(badges(row, badge_room)) {
            let needed = width(&badge.text) + 1;
            if needed > badge_room {
                break;
            }
            badge_room -= needed;
            let start = line.used();
            line = line.put(badge.style, &badge.text);
            if let Some(opens) = badge.opens.filter(|_| board.room == Room::List) {
                line = line.linked_from(start, Target::Badge(row.id.clone(), opens));
            }
            line = line.put(Style::PLAIN, " ");
        }
        if height == 1 {
            let says_columns = says_end.saturating_sub(line.used());
            line = line.put_column(says_style(board, row), &row.says, says_columns);
        }
    }
    if age_columns > 0 {
        line = line.put_right(Style::FAINT, &format!("{} ", board.age(row)));
    }
    line.linked(Target::Row(row.id.clone()))
}

/// What a row says, under its name.
pub(super) fn second_line(board: &Board, row: &BoardRow, stands: Stands, columns: usize) -> Line {
    let branch = match stands {
        Stands::Alone => "",
        Stands::Below => "│ ",
        Stands::Last => "  ",
    };
    let line = Line::new(columns).pad_to(SELECTION_COLUMNS).put(Style::FAINT, branch);
    let name = MARK_COLUMNS + width(branch);
    let line = line.pad_to(name).put(says_style(board, row), &row.says);
    line.linked(Target::Row(row.id.clone()))
}

fn says_style(board: &Board, row: &BoardRow) -> Style {
    match (is_selected(board, row), row.state) {
        (_, SemanticState::NeedsInput | SemanticState::Failed) => Style::of(row.state.facts().role),
        (true, _) => Style::PLAIN,
        _ => Style::FAINT,
    }
}

/// The width of the name column: reference F.5 up to 30 cells. Beyond 100 columns half of what more there is goes to the
/// name, as far as names go: one that is cut tells less than the end of a sentence.
fn name_columns(columns: usize) -> usize {
    let more = columns.saturating_sub(NAME_GROWS_FROM) / 2;
    ((columns * 34 / 100).clamp(18, 30) + more).min(MAX_NAME_COLUMNS)
}

/// The width of the folder column (reference F.5).
fn folder_columns(columns: usize) -> usize {
    match columns {
        72.. => (columns * 16 / 100).clamp(10, 22),
        56.. => 10,
        _ => 0,
    }
}

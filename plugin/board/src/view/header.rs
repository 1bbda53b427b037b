//! The first lines: what this is, how it stands, and how many wait for the person.

use super::MARGIN;
use crate::{
    cells::width,
    frame::{Line, Style},
    input::{Key, KeyCode},
    keymap::Room,
    machine::{Board, Standing},
    region::Target,
};
use board_protocol::{
    pipe::DaemonHealth,
    state::{ColourRole, SemanticState},
};
use board_text::view as texts;

/// From this height on the counts have a line of their own.
const COUNTS_ROWS: usize = 7;
/// From this height on a blank line follows.
const BLANK_ROWS: usize = 12;
/// Below this width counts are worded shortly (reference F.5).
const SHORT_COLUMNS: usize = 39;

pub(super) fn lines(board: &Board, rows: usize, columns: usize) -> Vec<Line> {
    let counts = counts(board, columns);
    let (health, style) = health(board);
    let mut title = Line::new(columns)
        .pad_to(MARGIN)
        .put(Style::of(ColourRole::Accent).bold(), "Agent Board")
        .put(Style::FAINT, &format!(" {}", board.build));
    if rows < COUNTS_ROWS {
        let short: Vec<&str> = counts.iter().map(|(_, text)| text.as_str()).collect();
        title = title.put_right(Style::FAINT, &format!("{} ", short.join(" · ")));
        return vec![title];
    }
    if board.settings.shows_meters {
        title = title.put_right(Style::FAINT, &format!("{} ", board.meters));
    } else {
        let health = format!("{health} ");
        let fits = title.room() > width(&health);
        title = title.put_right(style, &health);
        if fits {
            let start = columns - width(&health);
            title = title.linked_from(start, Target::Key(plain('!')));
        }
    }
    let mut second = Line::new(columns).pad_to(MARGIN);
    for (index, (style, text)) in counts.iter().enumerate() {
        // A count that is cut in half says nothing, and the most important ones come first.
        if index > 0 && width(text) + 3 > second.room() {
            break;
        }
        if index > 0 {
            second = second.put(Style::FAINT, " · ");
        }
        let start = second.used();
        second = second.put(*style, text);
        if index == 0 && board.model.count(SemanticState::NeedsInput) > 0 {
            second = second.linked_from(start, Target::Key(plain('g')));
        }
    }
    if !board.filter.editor.is_blank() && board.room != Room::Filter {
        let sign = if counts.is_empty() { "" } else { " · " };
        let start = second.used();
        second = second
            .put(Style::FAINT, sign)
            .put(Style::FAINT, texts::filter())
            .put(Style::of(ColourRole::Warning), board.filter.editor.text().trim())
            .linked_from(start, Target::Key(plain('/')));
    }
    let mut lines = vec![title, second];
    if rows >= BLANK_ROWS {
        lines.push(Line::new(columns));
    }
    lines
}

const fn plain(c: char) -> Key {
    Key::plain(KeyCode::Char(c))
}

fn health(board: &Board) -> (String, Style) {
    let bad = Style::of(ColourRole::Warning);
    match (board.link.standing(), board.link.daemon()) {
        (Standing::ReadOnly(_), _) => (format!("○ {}", texts::read_only()), Style::of(ColourRole::Error)),
        (Standing::Reloading, _) => (format!("○ {}", texts::loading()), bad),
        _ if !board.model.is_known() && board.is_waiting() => {
            (format!("○ {}", texts::connecting_short()), Style::FAINT)
        }
        _ if !board.model.is_known() => (format!("○ {}", texts::not_connected_short()), bad),
        _ if !board.is_current() => (format!("○ {}", texts::last_known()), bad),
        (_, Some(DaemonHealth::Connected { build })) if release(build) != release(&board.build) => {
            (format!("● {}", texts::daemon_build(build)), Style::FAINT)
        }
        _ => (format!("● {}", texts::connected()), Style::FAINT),
    }
}

/// The release in a build: what follows the plus sign says what the plugin alone was made of, and a daemon has none.
fn release(build: &str) -> &str {
    build.split_once('+').map_or(build, |(release, _)| release)
}

/// Counts of what waits for the person; those that are zero are left out, and a calm board says so.
fn counts(board: &Board, columns: usize) -> Vec<(Style, String)> {
    let model = &board.model;
    let answer = if columns < SHORT_COLUMNS { texts::count_answer } else { texts::count_needs_answer };
    let count = |style, count: usize, words: fn(usize) -> String| (count > 0).then(|| (style, words(count)));
    let all = [
        count(Style::of(ColourRole::Warning), model.count(SemanticState::NeedsInput), answer),
        count(Style::of(ColourRole::Accent), model.count(SemanticState::Working), texts::count_running),
        count(Style::PLAIN, model.unread(), texts::count_unread),
        count(Style::FAINT, model.count(SemanticState::Completed), texts::count_done),
    ];
    let shown: Vec<(Style, String)> = all.into_iter().flatten().collect();
    if !shown.is_empty() {
        shown
    } else if model.len() > 0 {
        vec![(Style::FAINT, texts::calm().to_owned())]
    } else {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::release;

    // A board of the same release as its daemon said for ever that the daemon was another one.
    #[test]
    fn a_build_is_compared_by_its_release() {
        assert_eq!(release("0.1.0+476df84d"), release("0.1.0"));
        assert_ne!(release("0.1.0+476df84d"), release("0.2.0+476df84d"));
    }
}

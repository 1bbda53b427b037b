//! The list under the folder: favourites with how often they were used, or directories.

use crate::{
    cells::width,
    frame::{Line, Style},
    machine::Board,
    region::Target,
    view::list::tail,
};
use board_protocol::state::ColourRole;
use board_text::launch as texts;

/// Blank cells left of an offer.
const INDENT: usize = 2;

pub(super) fn lines(board: &Board, rows: usize, columns: usize) -> Vec<Line> {
    let offers = board.folder_offers();
    let browses = board.folder_browses();
    let listing = board.launch.asking.listing.as_ref();
    let text = board.launch.form.folder.text();
    let covered = listing.filter(|listing| listing.covers(text));
    let mut lines = Vec::new();
    let faint = |text: &str| Line::new(columns).pad_to(INDENT).put(Style::FAINT, text);
    if rows > 3 {
        lines.push(faint(if browses { texts::directories() } else { texts::favourites() }));
    }
    let problem = covered.and_then(|listing| listing.problem.as_deref()).filter(|_| browses);
    if let Some(problem) = problem {
        let warning = Style::of(ColourRole::Warning);
        lines.push(Line::new(columns).pad_to(INDENT).put(warning.bold(), "! ").put(warning, problem));
        return lines;
    }
    if browses && covered.is_none() {
        lines.push(faint(texts::looking()));
        return lines;
    }
    if offers.is_empty() {
        lines.push(faint(if browses { texts::no_directory() } else { texts::none_yet() }));
        return lines;
    }
    let selected = board.launch.picker.as_ref().and_then(|picker| picker.selected);
    let unlisted = if browses { covered.map_or(0, |listing| listing.more as usize) } else { 0 };
    let room = rows.saturating_sub(lines.len()).max(1);
    let fits = offers.len() + usize::from(unlisted > 0) <= room;
    let window = if fits || room == 1 { room } else { room - 1 };
    let top = selected.map_or(0, |at| (at + 1).saturating_sub(window));
    for (at, offer) in offers.iter().enumerate().skip(top).take(window) {
        let chosen = selected == Some(at);
        let (mark, style) =
            if chosen { ("› ", Style::of(ColourRole::Accent).bold()) } else { ("  ", Style::PLAIN) };
        let count = offer.uses.map_or_else(String::new, |uses| format!("{uses}×"));
        let line = Line::new(columns).pad_to(INDENT).put(style, mark);
        let path = tail(&offer.path, line.room().saturating_sub(width(&count) + 1));
        let line = line.put_within(style, &path, columns.saturating_sub(INDENT + 2 + width(&count) + 1));
        lines.push(line.put_right(Style::FAINT, &count).linked(Target::Offer(at)));
    }
    let below = offers.len().saturating_sub(top + window) + unlisted;
    if below > 0 && lines.len() < rows {
        lines.push(faint(&texts::more(below)));
    }
    lines
}

//! The board as a person reads it off the screen: groups and their rows, and which row is selected.

use crate::screen::Screen;
use board_protocol::state::SemanticState;

/// A group with its rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Its state.
    pub state: SemanticState,
    /// The count in its header.
    pub count: usize,
    /// Its rows, as far as they are shown.
    pub rows: Vec<BoardRow>,
}

/// A row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardRow {
    /// Whether the marker stands before it.
    pub selected: bool,
    /// Everything on it, marker excluded.
    pub text: String,
}

impl Screen {
    /// The groups on the screen, top to bottom.
    pub fn groups(&self) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        for line in self.lines() {
            let line = line.trim_matches(|c: char| c == '│' || c == '┃' || c.is_whitespace());
            if let Some((state, count)) = header(line) {
                groups.push(Group { state, count, rows: Vec::new() });
            } else if line.is_empty() || line.starts_with(['─', '╰']) || line.starts_with("└─") {
                // What stands below the list (rule, input, hints) belongs to no group.
                if !line.is_empty() && !groups.is_empty() {
                    break;
                }
            } else if line.starts_with('▾') {
                // The header of a folder.
            } else if let Some(group) = groups.last_mut() {
                let selected = line.starts_with('›');
                let text = line.trim_start_matches('›').trim_start().to_owned();
                group.rows.push(BoardRow { selected, text });
            }
        }
        groups
    }

    /// The state under which the row with this name stands.
    pub fn state_of(&self, name: &str) -> Option<SemanticState> {
        let named = |group: &Group| group.rows.iter().any(|row| row.names(name));
        self.groups().iter().find(|group| named(group)).map(|group| group.state)
    }

    /// The text of the row with this name.
    pub fn row_of(&self, name: &str) -> Option<BoardRow> {
        self.groups().into_iter().flat_map(|group| group.rows).find(|row| row.names(name))
    }

    /// Whether the row with this name is the selected one.
    pub fn selects(&self, name: &str) -> bool {
        self.row_of(name).is_some_and(|row| row.selected)
    }
}

impl BoardRow {
    /// The first word of the row's name, which stands behind its glyph and its marks.
    pub(crate) fn name(&self) -> &str {
        // A terminal of an agent stands on a branch below its session.
        let words = self.text.split_whitespace().filter(|word| !matches!(*word, "├" | "└"));
        let mut words = words.skip(1);
        words.find(|word| !matches!(*word, "★" | "◉" | "○")).unwrap_or_default()
    }

    /// Whether the row shows this name as a word of its own.
    pub fn names(&self, name: &str) -> bool {
        self.text.split_whitespace().any(|word| word == name)
    }
}

/// `● RUNNING 3 ────`: a glyph, the label of a state, a count, a rule.
fn header(line: &str) -> Option<(SemanticState, usize)> {
    let lower = line.to_lowercase();
    SemanticState::ALL.into_iter().find_map(|state| {
        let label = state.label().to_lowercase();
        let (before, after) = lower.split_once(&label)?;
        let glyph_only = before.trim().chars().count() <= 1;
        let mut words = after.split_whitespace();
        let count = words.next()?.parse().ok()?;
        // `1 of 3`: the filter shows one.
        let rule =
            words.next().is_none_or(|word| word == "of" || word.starts_with('─') || word.starts_with('-'));
        (glyph_only && rule).then_some((state, count))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn screen(text: &str) -> Screen {
        let mut parser = vt100::Parser::new(12.try_into().unwrap(), 60.try_into().unwrap(), 0);
        parser.process(text.replace('\n', "\r\n").as_bytes());
        Screen::new(parser.screen().clone(), String::new())
    }

    #[test]
    fn groups_rows_and_the_selection_are_read_off_a_board() {
        let board = screen(
            "AgentBoard v1\n1 needs answer · 2 running\n\n│ ● Running 2 ──────\n│   first  work  Running… 3s\n│ › second  work  Running… 3s\n│ ✗ Failed 1 ─────\n│   third  exit code 3\n──────\nfirst is no row here\n",
        );
        let groups = board.groups();
        assert_eq!(groups.len(), 2, "{groups:?}");
        assert_eq!((groups[0].state, groups[0].count, groups[0].rows.len()), (SemanticState::Working, 2, 2));
        assert_eq!(board.state_of("third"), Some(SemanticState::Failed));
        assert_eq!(board.state_of("fir"), None);
        assert!(board.selects("second") && !board.selects("first"));
    }
}

//! The colours of states in what a command prints for a person at a terminal.

use crate::config::Colours;
use board_protocol::state::{ColourRole, SemanticState};
use std::io::IsTerminal;

/// The colours to print with: none where nobody sees them, or where the person wants none (<https://no-color.org>).
pub(super) fn colours(wanted: Colours) -> Colours {
    let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if unwanted || !std::io::stdout().is_terminal() { Colours::None } else { wanted }
}

/// The text in the colour of a state.
pub(super) fn painted(text: &str, state: SemanticState, colours: Colours) -> String {
    let facts = state.facts();
    let code = match colours {
        Colours::None => return text.to_owned(),
        Colours::Classic => {
            let (red, green, blue) = facts.classic;
            format!("38;2;{red};{green};{blue}")
        }
        Colours::Theme => match facts.role {
            // Grey of the palette is unreadable on some themes; faint is grey everywhere.
            ColourRole::Muted | ColourRole::Dim => "2",
            ColourRole::Accent => "36",
            ColourRole::Warning => "33",
            ColourRole::Success => "32",
            ColourRole::Error => "31",
        }
        .to_owned(),
    };
    format!("\u{1b}[{code}m{text}\u{1b}[0m")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_has_its_colour_in_both_palettes_or_none() {
        let table = [
            (Colours::None, SemanticState::Failed, "x"),
            (Colours::Theme, SemanticState::Failed, "\u{1b}[31mx\u{1b}[0m"),
            (Colours::Theme, SemanticState::Idle, "\u{1b}[2mx\u{1b}[0m"),
            (Colours::Classic, SemanticState::Failed, "\u{1b}[38;2;248;113;113mx\u{1b}[0m"),
        ];
        for (colours, state, text) in table {
            assert_eq!(painted("x", state, colours), text);
        }
    }
}

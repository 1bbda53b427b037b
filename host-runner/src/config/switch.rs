//! Settings that are on or off: the words for that, and the one variable that says it the other way round. Pure.
//!
//! Called by [`super::keys`] and by the loading of the environment.

/// The words for switches; the first two are shown, and all are read.
const SWITCH: [(&str, bool); 8] = [
    ("on", true),
    ("off", false),
    ("true", true),
    ("false", false),
    ("yes", true),
    ("no", false),
    ("1", true),
    ("0", false),
];

pub(super) fn switch_words() -> Vec<&'static str> {
    SWITCH.iter().take(2).map(|(word, _)| *word).collect()
}

pub(super) const fn switch_word(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}

pub(super) fn switched(word: &str) -> Option<bool> {
    SWITCH.iter().find(|(known, _)| known.eq_ignore_ascii_case(word.trim())).map(|(_, on)| *on)
}

/// A variable that says the opposite of a setting, under the name by which other boards know it, and that setting. The
/// setting's own variable wins over it.
pub(super) const INVERTED: (&str, &str) = ("AGENT_BOARD_AUTO_STATE_NO_DONE", "auto_state_done");

/// The opposite of a switch's word; what is no such word stays, so that it can be named.
pub(super) fn inverted(word: &str) -> String {
    switched(word).map_or_else(|| word.to_owned(), |on| switch_word(!on).to_owned())
}

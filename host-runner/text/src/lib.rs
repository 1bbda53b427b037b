//! Every text that Agent Board shows to people, in each of its languages.
//!
//! The texts stand in `texts/<language>/<area>.ftl`, in the syntax of Project Fluent. They are read while this crate is
//! built: each message becomes a function of its own, `area-some-name` in `area.ftl` the function `area::some_name`, with
//! one argument for each variable, in the order in which the English text names them. So a text that is missing in a
//! language, or has other variables there, is a failed build, and nothing is parsed at run time.
//!
//! Every room calls these functions; which language they speak, each process decides once, at its start
//! ([`set_language`]). Texts for agents, logs and names in protocols are not here: those are English everywhere.

mod language;
mod retold;

pub use language::{Language, language, set_language, speaking};
pub use retold::{retold, retold_in_row};

// Made by `build.rs` from `texts/`.
include!(concat!(env!("OUT_DIR"), "/texts.rs"));

use std::fmt::{Display, Write};

/// A number by which a text is chosen: how many of something there are.
pub trait Number: Copy {
    /// It, as the texts compare it.
    fn number(self) -> u64;
}

macro_rules! numbers {
    ($($type:ty),+) => {
        $(impl Number for $type {
            fn number(self) -> u64 {
                // Wider than any count of things that there are.
                u64::try_from(self).unwrap_or(u64::MAX)
            }
        })+
    };
}
numbers!(u8, u16, u32, u64, usize);

/// A message's name, and its text.
pub type Named = (&'static str, fn() -> &'static str);

/// The text of the language that is spoken now.
fn pick(texts: &[&'static str; 3]) -> &'static str {
    let [english, chinese, japanese] = texts;
    match language() {
        Language::English => english,
        Language::Chinese => chinese,
        Language::Japanese => japanese,
    }
}

/// The text of the language that is spoken now, with values in the places of its variables: the character 1 is the place
/// of the first one, 2 that of the second.
fn fill(texts: &[&'static str; 3], values: &[&dyn Display]) -> String {
    let mut rest = pick(texts);
    let mut filled = String::with_capacity(rest.len() + 16 * values.len());
    while let Some(at) = rest.find(|c: char| c < '\t') {
        let (text, after) = rest.split_at(at);
        filled.push_str(text);
        let mut characters = after.chars();
        let place = characters.next().map_or(0, u32::from) as usize;
        if let Some(value) = place.checked_sub(1).and_then(|place| values.get(place)) {
            // Writing to a String cannot fail.
            let _ = write!(filled, "{value}");
        }
        rest = characters.as_str();
    }
    filled.push_str(rest);
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_languages_fill_the_same_values_into_their_own_places() {
        let texts = ["\u{1} of \u{2}", "\u{2}的 \u{1}", "\u{2}の\u{1}（\u{1}）"];
        let say = |language| speaking(language, || fill(&texts, &[&3, &"x"]));
        assert_eq!(say(Language::English), "3 of x");
        assert_eq!(say(Language::Chinese), "x的 3");
        assert_eq!(say(Language::Japanese), "xの3（3）");
    }

    #[test]
    fn a_value_is_shown_as_it_is() {
        // A mark inside a value is no place of a variable.
        assert_eq!(fill(&["\u{1}|\u{2}", "", ""], &[&"\u{2}\n", &"{ $x }"]), "\u{2}\n|{ $x }");
        assert_eq!(fill(&["line\n\ttab", "", ""], &[]), "line\n\ttab");
    }

    #[test]
    fn a_real_message_speaks_each_language() {
        let say =
            |language| speaking(language, || (root::is_a_file(), root::not_ours("/x", root::is_a_link())));
        assert_eq!(say(Language::English).0, "it is a file");
        assert_eq!(
            say(Language::English).1,
            "/x is not a directory of ours: it is a link. Move it away and try again"
        );
        assert_eq!(say(Language::Chinese).0, "它是一个文件");
        assert!(say(Language::Japanese).1.starts_with("/x は"));
    }
}

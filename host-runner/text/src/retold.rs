//! Texts that came in English, in the language that is spoken here.
//!
//! The daemon, hosts and headless runs write down and send English: a store outlives a choice of language, and two people
//! may look at one board in two of them. Whoever shows such a text says it anew. It is found by its English words; what
//! stands in the places of its variables stays, unless that is a text of ours again.

use crate::{LABELS, Language, RETOLD, RETOLD_IN_ROWS, language};
use std::borrow::Cow;

/// How deep a text may stand in another one: a refusal in a note about words, with the reason in it.
const MAX_DEPTH: u8 = 3;
/// Fewest letters of its own by which a text with variables is known: `{ $a }: { $b }` would be every second sentence.
const MIN_OWN_LETTERS: usize = 3;
/// Longest text that is looked at, in bytes: ours are sentences.
const MAX_BYTES: usize = 4096;
/// Letters and digits of a session's id, behind which its name stands in brackets, in front of what is said about it.
const ID_LENGTH: usize = 10;

/// A text of ours that came in English, as the language that is spoken here has it. What is none of ours stays as it is.
///
/// Not for texts that an agent or a person may have written: [`retold_in_row`].
#[must_use]
pub fn retold(text: &str) -> Cow<'_, str> {
    spoken()
        .map_or(Cow::Borrowed(text), |language| Search { known: RETOLD, language }.within(text, MAX_DEPTH))
}

/// The same for what a row says, where agents and people write, too: only what the board itself writes there is looked for.
#[must_use]
pub fn retold_in_row(text: &str) -> Cow<'_, str> {
    let search = |language| Search { known: RETOLD_IN_ROWS, language }.within(text, MAX_DEPTH);
    spoken().map_or(Cow::Borrowed(text), search)
}

/// The place of the language that is spoken here in a row of texts; `None` for English.
fn spoken() -> Option<usize> {
    match language() {
        Language::English => None,
        Language::Chinese => Some(1),
        Language::Japanese => Some(2),
    }
}

/// What is looked for, and in which language it is said.
#[derive(Clone, Copy)]
struct Search {
    known: &'static [[&'static str; 3]],
    language: usize,
}

impl Search {
    fn within(self, text: &str, depth: u8) -> Cow<'_, str> {
        if text.is_empty() || text.len() > MAX_BYTES || depth == 0 {
            return Cow::Borrowed(text);
        }
        let known = self.known.iter().filter_map(|texts| {
            let english = texts.first()?;
            let values = values(english, text)?;
            let own = english.chars().filter(|c| place(*c).is_none()).count();
            Some((own, *texts.get(self.language)?, values))
        });
        // The one with most words of its own says most about the text.
        let Some((_, said, values)) = known.max_by_key(|(own, ..)| *own) else {
            return self.in_parts(text, depth);
        };
        let values: Vec<Cow<'_, str>> =
            values.into_iter().map(|value| self.value(value, depth - 1)).collect();
        let mut out = String::with_capacity(said.len() + text.len());
        for c in said.chars() {
            match place(c) {
                Some(place) => out.push_str(values.get(place).map_or("", Cow::as_ref)),
                None => out.push(c),
            }
        }
        Cow::Owned(out)
    }

    /// What stands in the place of a variable. A single word is a name more often than a text of ours, but for the names
    /// of states.
    fn value(self, value: &str, depth: u8) -> Cow<'_, str> {
        let label = LABELS.iter().find(|texts| texts.first() == Some(&value));
        match label.and_then(|texts| texts.get(self.language)) {
            Some(label) => Cow::Borrowed(*label),
            None if value.contains(' ') => self.within(value, depth),
            None => Cow::Borrowed(value),
        }
    }

    /// A text that none of ours is as a whole: what is said about a session that is named first (`0123456789 (job) …`), or
    /// two texts with a colon between them (`exit code 3: no such file`).
    fn in_parts(self, text: &str, depth: u8) -> Cow<'_, str> {
        if let Some((session, about)) = about_a_session(text) {
            return match self.within(about, depth - 1) {
                Cow::Borrowed(_) => Cow::Borrowed(text),
                Cow::Owned(said) => Cow::Owned(format!("{session} {said}")),
            };
        }
        let Some((head, tail)) = text.split_once(": ") else { return Cow::Borrowed(text) };
        // A single word is a name more often than a text of ours, or an agent's own beginning.
        let head = if head.contains(' ') { self.within(head, depth - 1) } else { Cow::Borrowed(head) };
        let tail = self.within(tail, depth - 1);
        match (&head, &tail) {
            (Cow::Borrowed(_), Cow::Borrowed(_)) => Cow::Borrowed(text),
            _ => Cow::Owned(format!("{head}: {tail}")),
        }
    }
}

/// A session's id and name at the start of a text, and the rest.
fn about_a_session(text: &str) -> Option<(&str, &str)> {
    let (id, rest) = text.split_at_checked(ID_LENGTH)?;
    let is_id = id.chars().all(|c| c.is_ascii_alphanumeric()) && rest.starts_with(" (");
    let end = text.find(") ").filter(|_| is_id)?;
    Some((text.get(..=end)?, text.get(end + 2..)?))
}

/// The variable whose place a character keeps: the first one is 0.
fn place(c: char) -> Option<usize> {
    (c < '\t').then(|| (u32::from(c) as usize).checked_sub(1)).flatten()
}

fn own_letters(template: &str) -> usize {
    template.chars().filter(|c| c.is_alphabetic()).count()
}

/// What stands in the places of a template's variables, if the text is one of it.
fn values<'a>(template: &str, text: &'a str) -> Option<Vec<&'a str>> {
    let mut rest = template;
    let mut left = text;
    let mut values: Vec<&str> = Vec::new();
    let mut open: Option<usize> = None;
    loop {
        let end = rest.find(|c| place(c).is_some()).unwrap_or(rest.len());
        let (literal, after) = rest.split_at(end);
        match open {
            None => left = left.strip_prefix(literal)?,
            Some(place) => {
                // The last words of a text are at its end, wherever else they stand.
                let at = if after.is_empty() {
                    left.len().checked_sub(literal.len()).filter(|_| left.ends_with(literal))?
                } else {
                    left.find(literal)?
                };
                let (value, behind) = left.split_at(at);
                put(&mut values, place, value)?;
                left = behind.get(literal.len()..)?;
            }
        }
        let mut characters = after.chars();
        match characters.next().and_then(place) {
            // Two variables side by side cannot be told apart.
            Some(_) if open.is_some() && literal.is_empty() => return None,
            Some(place) => open = Some(place),
            None => break,
        }
        rest = characters.as_str();
    }
    let enough = values.is_empty() || own_letters(template) >= MIN_OWN_LETTERS;
    // `Editing { $file }`: one word of our own in front of a name. In front of more it is anybody's sentence.
    let own_words = template.split(' ').filter(|word| word.chars().any(char::is_alphabetic)).count();
    let names = own_words > 1 || values.iter().all(|value| !value.contains(' '));
    (left.is_empty() && enough && names).then_some(values)
}

/// A variable that stands in a text twice is the same both times.
fn put<'a>(values: &mut Vec<&'a str>, place: usize, value: &'a str) -> Option<()> {
    if value.is_empty() {
        return None;
    }
    if values.len() <= place {
        values.resize(place + 1, "");
    }
    let known = values.get_mut(place)?;
    if known.is_empty() {
        *known = value;
    }
    (*known == value).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{row, speaking};

    fn say(language: Language, text: &str) -> String {
        speaking(language, || retold(text).into_owned())
    }

    #[test]
    fn a_text_of_ours_is_said_in_the_readers_language() {
        assert_eq!(say(Language::English, "exit code 3"), "exit code 3");
        assert_eq!(say(Language::Chinese, "exit code 3"), "退出码 3");
        assert_eq!(say(Language::Japanese, "signal 9 (SIGKILL)"), "シグナル 9（SIGKILL）");
        assert_eq!(say(Language::Chinese, "exit code 127 (command not found)"), "退出码 127（找不到命令）");
        assert_eq!(say(Language::Japanese, "signal 40"), "シグナル 40");
    }

    #[test]
    fn a_text_inside_a_text_is_said_too_and_names_stay() {
        let text = "r3 was not written: its process has ended: {}";
        assert_eq!(say(Language::Chinese, text), "r3 未写入：其进程已结束：{}");
        let named = "there is no session \"done\". host-runner ls shows those there are";
        assert!(say(Language::Chinese, named).contains("\"done\""));
    }

    #[test]
    fn how_it_ended_is_said_and_why_stays() {
        assert_eq!(
            say(Language::Chinese, "exit code 3: error: no such file"),
            "退出码 3: error: no such file"
        );
        assert_eq!(say(Language::Chinese, "process start: pid 77"), "进程启动: 进程 77");
        assert_eq!(say(Language::Chinese, "done: all of it"), "done: all of it");
    }

    #[test]
    fn what_is_none_of_ours_stays() {
        for text in [
            "",
            "Running the tests again, then I am done.",
            "I read the file: it is fine.",
            "exit code",
            "cargo test",
            "完成",
            "a: b",
            "\u{1}\u{2}",
        ] {
            assert_eq!(say(Language::Japanese, text), text);
        }
        let long = format!("exit code {}", "9".repeat(MAX_BYTES));
        assert_eq!(say(Language::Chinese, &long), long);
    }

    #[test]
    fn what_is_said_about_a_session_and_what_follows_a_name_is_said_too() {
        let refused = "0123456789 (my job) has ended already";
        assert!(say(Language::Chinese, refused).starts_with("0123456789 (my job) "), "{refused}");
        assert!(!say(Language::Chinese, refused).contains("ended"));
        assert_eq!(
            say(Language::Chinese, "title_command: it printed no words"),
            "title_command: 它没有输出任何话"
        );
    }

    #[test]
    fn what_agents_write_into_a_row_stays() {
        let say = |text: &str| speaking(Language::Chinese, || retold_in_row(text).into_owned());
        assert_eq!(say("exit code 3"), "退出码 3");
        assert_eq!(say("Running tests"), "正在运行测试");
        for text in [
            "the agent has finished the tests",
            "I called it with 3 arguments",
            "Everything passes. Try again",
            "The change was not written: disk full",
            "done",
            "question",
            "Done: all of it works now",
            "Stopped. I wait for you",
        ] {
            assert_eq!(say(text), text);
        }
    }

    // Whatever the catalogue says in English, it finds again: each message with values of its own.
    #[test]
    fn every_message_is_found_by_its_english_words() {
        assert!(RETOLD.len() > 300, "{}", RETOLD.len());
        for texts in RETOLD {
            let [english, chinese, japanese] = texts.map(|text| {
                text.chars().fold(String::new(), |said, c| match place(c) {
                    Some(place) => said + &format!("V{place}"),
                    None => said + &c.to_string(),
                })
            });
            let generic = own_letters(texts.first().unwrap()) < MIN_OWN_LETTERS && english.contains("V0");
            let side_by_side = english.contains("V0V1") || english.contains("V1V2");
            if generic || side_by_side {
                continue;
            }
            let found = [say(Language::Chinese, &english), say(Language::Japanese, &english)];
            // Two messages that are the same in English have to be the same in every language.
            assert!(found == [chinese, japanese], "{english:?} became {found:?}");
        }
    }

    #[test]
    fn texts_of_rows_are_the_ones_that_are_looked_for() {
        let english = speaking(Language::English, || row::exit_code(3));
        assert_eq!(say(Language::Chinese, &english), speaking(Language::Chinese, || row::exit_code(3)));
    }
}

//! Whether the last words of an agent ask the person something, and which sentence asks (reference B.8). Pure.
//!
//! Strongest and language-neutral: the text ends with a question mark. Otherwise a sentence that holds a phrase by which
//! people hand over the word, of the table in `phrases`. Code and addresses are no prose and ask nothing.
//! It errs on the side of no: a missed question shows as "Needs instructions", which is also a call to the person.

mod code;
mod phrases;

use code::hidden;
use phrases::{Boundary, LANGUAGES};
use std::ops::Range;

/// The question marks of the scripts that have one. The Greek one is U+037E; the ASCII semicolon that looks like it ends
/// sentences of code and is none.
const QUESTION_MARKS: [char; 5] = ['?', '\u{ff1f}', '\u{61f}', '\u{37e}', '\u{2e2e}'];

/// What else ends a sentence.
const STOPS: [char; 4] = ['.', '!', '\u{3002}', '\u{ff01}'];

/// What may follow the last question mark and still belong to it: closing quotes, brackets, emphasis.
const CLOSERS: [char; 16] =
    ['"', '\'', ')', ']', '}', '*', '_', '`', '»', '”', '’', '」', '』', '）', '】', '›'];

/// Longest text that is looked at, in characters from its end: a question to the person comes last.
const LOOKED_AT: usize = 12_000;

/// The sentence that asks the person something, with its white space collapsed; `None` when none does. What stands in
/// code or in an address asks nobody.
pub fn question_in(text: &str) -> Option<String> {
    let text = tail(text).split_whitespace().collect::<Vec<_>>().join(" ");
    let prose = hidden(&text);
    let sentences = sentences(&prose);
    let asking = if ends_with_question(&prose) {
        sentences.iter().rev().find(|range| part(&prose, range).contains(QUESTION_MARKS))
    } else {
        // The last one that asks: what an agent wants to know stands at the end.
        sentences.iter().rev().find(|range| asks_in_words(part(&prose, range)))
    };
    asking.map(|range| part(&text, range).to_owned())
}

/// The first sentence of a text without line ends.
pub(super) fn first_sentence(text: &str) -> &str {
    let prose = hidden(text);
    sentences(&prose).first().map_or("", |range| part(text, range))
}

fn part<'a>(text: &'a str, range: &Range<usize>) -> &'a str {
    text.get(range.clone()).unwrap_or_default().trim()
}

fn tail(text: &str) -> &str {
    let skipped = text.chars().count().saturating_sub(LOOKED_AT);
    text.char_indices().nth(skipped).and_then(|(start, _)| text.get(start..)).unwrap_or_default()
}

fn ends_with_question(text: &str) -> bool {
    text.trim_end_matches(|c: char| CLOSERS.contains(&c) || c.is_whitespace()).ends_with(QUESTION_MARKS)
}

/// Splits after a stop that ends a word: `3.5`, `main.rs` and `https://a.b/?x=1` stay whole. Marks of scripts without
/// spaces end a sentence wherever they stand.
fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut rest = text.char_indices().peekable();
    while let Some((index, c)) = rest.next() {
        if !STOPS.contains(&c) && !QUESTION_MARKS.contains(&c) {
            continue;
        }
        let mut end = index + c.len_utf8();
        while let Some((at, closer)) = rest.next_if(|(_, next)| {
            CLOSERS.contains(next) || STOPS.contains(next) || QUESTION_MARKS.contains(next)
        }) {
            end = at + closer.len_utf8();
        }
        let ends_word = rest.peek().is_none_or(|(_, next)| next.is_whitespace());
        if ends_word || matches!(c, '\u{3002}' | '\u{ff01}' | '\u{ff1f}') {
            found.push(start..end);
            start = end;
        }
    }
    found.push(start..text.len());
    found.retain(|range| !part(text, range).is_empty());
    found
}

fn asks_in_words(sentence: &str) -> bool {
    let sentence = sentence.to_lowercase().replace('’', "'");
    let bare = sentence.trim_end_matches(|c: char| STOPS.contains(&c) || CLOSERS.contains(&c));
    LANGUAGES.iter().any(|language| {
        let found = |phrase: &&str| {
            sentence.match_indices(*phrase).any(|(at, _)| match language.boundary {
                Boundary::Anywhere => true,
                Boundary::Words => stands_alone(&sentence, at, at + phrase.len()),
            })
        };
        language.families().into_iter().flatten().any(found)
            || language.endings.iter().any(|ending| bare.ends_with(ending))
    })
}

/// Whether no letter touches the piece, so that "shall i" is not found in "shall it".
fn stands_alone(text: &str, start: usize, end: usize) -> bool {
    let before = text.get(..start).and_then(|before| before.chars().next_back());
    let after = text.get(end..).and_then(|after| after.chars().next());
    let touches = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    !touches(before) && !touches(after)
}

#[cfg(test)]
mod tests;

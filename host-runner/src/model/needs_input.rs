//! Whether the last words of an agent ask the person something, and which sentence asks (reference B.8). Pure.
//!
//! Strongest and language-neutral: the text ends with a question mark. Otherwise a sentence that holds a phrase by which
//! people hand over the word. The phrases are one table with a list per language; a language is added by adding a list.
//! It errs on the side of no: a missed question shows as "Needs instructions", which is also a call to the person.

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

/// How the phrases of a language are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Boundary {
    /// They begin and end at a word's edge.
    Words,
    /// The language writes without spaces.
    Anywhere,
}

/// The phrases of one language, in lower case.
struct Language {
    boundary: Boundary,
    phrases: &'static [&'static str],
}

const LANGUAGES: [Language; 6] = [
    // English.
    Language {
        boundary: Boundary::Words,
        phrases: &[
            "need your input",
            "need some input",
            "need your decision",
            "which option",
            "which one",
            "should i",
            "shall i",
            "please confirm",
            "could you confirm",
            "can you confirm",
            "let me know",
            "do you want",
            "would you like",
            "please clarify",
            "can you clarify",
            "could you clarify",
            "waiting for your",
        ],
    },
    // Chinese.
    Language {
        boundary: Boundary::Anywhere,
        phrases: &[
            "请确认",
            "请选择",
            "请告诉我",
            "请告知",
            "您希望",
            "你希望",
            "是否需要",
            "需要您的",
            "等待您的",
        ],
    },
    // Japanese.
    Language {
        boundary: Boundary::Anywhere,
        phrases: &[
            "ご確認ください",
            "確認してください",
            "選択してください",
            "お知らせください",
            "教えてください",
            "よろしいでしょうか",
            "いかがでしょうか",
        ],
    },
    // Spanish.
    Language {
        boundary: Boundary::Words,
        phrases: &[
            "por favor confirma",
            "por favor, confirma",
            "quieres que",
            "desea que",
            "qué opción",
            "avísame",
            "necesito tu",
        ],
    },
    // French.
    Language {
        boundary: Boundary::Words,
        phrases: &[
            "veuillez confirmer",
            "merci de confirmer",
            "voulez-vous",
            "souhaitez-vous",
            "quelle option",
            "dites-moi",
            "faites-moi savoir",
        ],
    },
    // German.
    Language {
        boundary: Boundary::Words,
        phrases: &[
            "bitte bestätige",
            "bitte bestätigen",
            "soll ich",
            "möchtest du",
            "möchten sie",
            "welche option",
            "sag mir",
            "lass mich wissen",
        ],
    },
];

/// The sentence that asks the person something, with its white space collapsed; `None` when none does.
pub fn question_in(text: &str) -> Option<String> {
    let text = tail(text).split_whitespace().collect::<Vec<_>>().join(" ");
    let sentences = sentences(&text);
    if ends_with_question(&text) {
        return sentences
            .iter()
            .rev()
            .find(|sentence| sentence.contains(QUESTION_MARKS))
            .map(|s| (*s).to_owned());
    }
    // The last one that asks: what an agent wants to know stands at the end.
    sentences.iter().rev().find(|sentence| has_a_phrase(sentence)).map(|sentence| (*sentence).to_owned())
}

/// The first sentence of a text without line ends.
pub(super) fn first_sentence(text: &str) -> &str {
    sentences(text).first().copied().unwrap_or_default()
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
fn sentences(text: &str) -> Vec<&str> {
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
            found.push(text.get(start..end).unwrap_or_default().trim());
            start = end;
        }
    }
    found.push(text.get(start..).unwrap_or_default().trim());
    found.retain(|sentence| !sentence.is_empty());
    found
}

fn has_a_phrase(sentence: &str) -> bool {
    let sentence = sentence.to_lowercase();
    LANGUAGES.iter().any(|language| {
        language.phrases.iter().any(|phrase| {
            sentence.match_indices(phrase).any(|(at, _)| match language.boundary {
                Boundary::Anywhere => true,
                Boundary::Words => stands_alone(&sentence, at, at + phrase.len()),
            })
        })
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

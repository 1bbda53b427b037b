//! The families of words by which an agent says that it is done, or that there is more to do (reference B.11). Pure.
//!
//! English: agents are told in English how to report, and words of other languages fall through to "no clear signal",
//! which changes nothing. Questions are looked for in every language, by `needs_input`.

/// Longest text that is looked at, in characters from its end: what counts is how it closes.
const LOOKED_AT: usize = 6_000;

/// What was found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Seen {
    /// Something says that it is done.
    pub(super) done: bool,
    /// Something says so beyond doubt.
    pub(super) strongly: bool,
    /// Something says that there is more to do.
    pub(super) pending: bool,
}

/// Words that say "done" beyond doubt.
const STRONG: [&str; 13] = [
    "all set",
    "all done",
    "shipped",
    "tests pass",
    "all tests pass",
    "tests passed",
    "tests are passing",
    "final answer",
    "ready to go",
    "i've fixed",
    "i've updated",
    "i've added",
    "i've implemented",
];
/// Words that say "done".
const DONE: [&str; 12] = [
    "done",
    "completed",
    "complete",
    "finished",
    "resolved",
    "implemented",
    "successfully",
    "summary:",
    "i have fixed",
    "i have updated",
    "i have added",
    "i have implemented",
];
/// Words that say that there is more to do.
const PENDING: [&str; 29] = [
    "todo",
    "to-do",
    "next steps",
    "next step",
    "remaining",
    "still need",
    "still needs",
    "not yet",
    "pending",
    "continue",
    "i will",
    "i'll",
    "follow up",
    "follow-up",
    "not run",
    "couldn't run",
    "could not run",
    "unable to run",
    "not done",
    "not finished",
    "not complete",
    "not completed",
    "blocked",
    "waiting for",
    "tests fail",
    "tests failed",
    "tests are failing",
    "tests pending",
    "incomplete",
];

/// Looks for the words of both families.
pub(super) fn look(text: &str) -> Seen {
    let skipped = text.chars().count().saturating_sub(LOOKED_AT);
    let text: String = text.chars().skip(skipped).map(straight).collect::<String>().to_lowercase();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let any = |words: &[&str]| words.iter().any(|word| has(&text, word));
    let strongly = any(&STRONG);
    Seen { done: strongly || any(&DONE), strongly, pending: any(&PENDING) }
}

/// A typographic apostrophe is one.
fn straight(c: char) -> char {
    if c == '\u{2019}' { '\'' } else { c }
}

/// Whether these words stand in the text by themselves: no letter or digit touches them.
fn has(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(at, found)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + found.len()..).and_then(|after| after.chars().next());
        let touches = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let open_end = words.ends_with(':');
        !touches(before) && (open_end || !touches(after))
    })
}

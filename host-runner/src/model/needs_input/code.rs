//! Hides what is not prose: a question mark in a URL, in a regular expression or in a line of code asks nobody.

/// Longest scheme of an address, in characters: the longest registered ones have twenty or so.
const MAX_SCHEME: usize = 32;

/// The text with every character of code and addresses replaced by letters, so that it has the same bytes everywhere
/// else. `text` has no line ends.
pub(super) fn hidden(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '`' => code_length(rest),
            _ if at_word_start(&out) => address_length(rest),
            _ => 0,
        };
        if length == 0 {
            out.push(c);
            rest = rest.get(c.len_utf8()..).unwrap_or_default();
        } else {
            out.extend(std::iter::repeat_n('x', length));
            rest = rest.get(length..).unwrap_or_default();
        }
    }
    out
}

fn at_word_start(before: &str) -> bool {
    before.chars().next_back().is_none_or(|c| !c.is_alphanumeric())
}

/// The bytes of a code span or block at the beginning (`CommonMark` 6.1: it ends with as many backticks as it began
/// with); 0 when it does not end. A block that was cut off is code to the end.
fn code_length(text: &str) -> usize {
    let ticks = text.find(|c| c != '`').unwrap_or(text.len());
    let mut from = ticks;
    while let Some(at) = text.get(from..).and_then(|rest| rest.find('`')) {
        let start = from + at;
        let run = text.get(start..).map_or(0, |rest| rest.find(|c| c != '`').unwrap_or(rest.len()));
        from = start + run;
        if run == ticks {
            return from;
        }
    }
    if ticks >= 3 { text.len() } else { 0 }
}

/// The bytes of an address at the beginning, without the marks behind it that belong to the sentence; 0 for none.
fn address_length(text: &str) -> usize {
    let in_scheme = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    let scheme = text.chars().take(MAX_SCHEME).take_while(|c| in_scheme(*c)).count();
    let is_address = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.get(scheme..).is_some_and(|rest| rest.starts_with("://"));
    if !is_address {
        return 0;
    }
    let word = text.get(..text.find(char::is_whitespace).unwrap_or(text.len())).unwrap_or_default();
    // What no address has without an escape ends it, as do the marks of scripts without spaces.
    let end = word.find(|c: char| !c.is_ascii() || matches!(c, '"' | '<' | '>' | '`')).unwrap_or(word.len());
    word.get(..end).map_or(0, |address| {
        address.trim_end_matches(['?', '!', '.', ',', ';', ':', ')', ']', '*', '\'']).len()
    })
}

#[cfg(test)]
mod tests {
    use super::hidden;

    #[test]
    fn code_and_addresses_are_hidden_and_prose_is_not() {
        let table = [
            ("a `b?` c", "a xxxx c"),
            ("a ``b ` c?`` d", "a xxxxxxxxxx d"),
            ("```sh ls ? ``` then", "xxxxxxxxxxxxxx then"),
            // Cut off: the rest of a block is code, a lone backtick is none.
            ("``` is it?", "xxxxxxxxxx"),
            ("it`s a? b", "it`s a? b"),
            ("see https://a.b/?q=1 ok?", "see xxxxxxxxxxxxxxxx ok?"),
            ("seen https://a.b/c?", "seen xxxxxxxxxxxxx?"),
            ("(file:///a?b)", "(xxxxxxxxxxx)"),
            ("a://? and //x?", "xxxx? and //x?"),
            ("看https://a.b/?c。好吗？", "看https://a.b/?c。好吗？"),
            ("plain words?", "plain words?"),
            ("", ""),
        ];
        for (text, expected) in table {
            assert_eq!(hidden(text), expected, "{text:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn whatever_is_hidden_the_bytes_keep_their_places(text in "[`?a:/. 好]{0,40}|\\PC{0,40}") {
            let hidden = hidden(&text);
            proptest::prop_assert_eq!(hidden.len(), text.len());
            for (at, c) in hidden.char_indices().filter(|(_, c)| *c != 'x') {
                proptest::prop_assert!(text.get(at..).is_some_and(|rest| rest.starts_with(c)));
            }
        }
    }
}

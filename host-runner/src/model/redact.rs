//! Takes secrets out of texts that are kept for people who look for a fault (reference A.9). Pure.
//!
//! A diagnostic may quote what an agent sent. Whatever looks like the value of a token, a secret, a password, an API key
//! or an authorization is replaced: `"api_key": "sk-…"`, `GITHUB_TOKEN=…`, `Authorization: Bearer …`, `--password …`.
//! It errs on the side of taking out too much.

/// What stands in place of a secret.
const REDACTED: &str = "[redacted]";
/// Parts of names whose values are secrets, in lower case (reference A.9).
const SECRET_NAMES: [&str; 7] =
    ["token", "secret", "password", "authorization", "api_key", "api-key", "apikey"];
/// Words in front of a credential that are none themselves (RFC 9110, 11.6.2).
const SCHEMES: [&str; 4] = ["bearer", "basic", "token", "digest"];

/// The text without the values of secrets.
pub fn redacted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(is_of_a_name) {
        let (before, tail) = rest.split_at(start);
        out.push_str(before);
        let end = tail.find(|c| !is_of_a_name(c)).unwrap_or(tail.len());
        let (name, tail) = tail.split_at(end);
        out.push_str(name);
        rest = tail;
        if is_secret(name)
            && let Some(found) = value_after(name, tail)
            && !is_a_count(name, found.value(tail))
        {
            out.push_str(tail.get(..found.start).unwrap_or_default());
            out.push_str(REDACTED);
            rest = tail.get(found.end..).unwrap_or_default();
        }
    }
    out.push_str(rest);
    out
}

fn is_of_a_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}

fn is_secret(name: &str) -> bool {
    let name = name.to_lowercase();
    SECRET_NAMES.iter().any(|secret| name.contains(secret))
}

/// `input_tokens: 512` is a number of tokens, not one of them.
fn is_a_count(name: &str, value: &str) -> bool {
    name.to_lowercase().ends_with("tokens") && !value.is_empty() && value.chars().all(|c| c.is_ascii_digit())
}

/// Where a value stands.
struct Found {
    start: usize,
    end: usize,
}

impl Found {
    fn value<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.start..self.end).unwrap_or_default()
    }
}

/// The value that belongs to a name: behind `:` or `=`, or the next word behind an option.
fn value_after(name: &str, tail: &str) -> Option<Found> {
    // The quote that closes a name, escaped or not.
    let unquoted = tail.trim_start_matches(['\\', '"', '\'']).trim_start();
    let value = match unquoted.strip_prefix([':', '=']) {
        Some(value) => value.trim_start_matches(['=', '>']).trim_start(),
        None if name.starts_with("--") && tail.starts_with(' ') => tail.trim_start(),
        None => return None,
    };
    let start = tail.len() - value.len();
    let length = value_length(value);
    (length > 0).then_some(Found { start, end: start + length })
}

/// How many bytes of `text` are one value. One that is cut off goes to the end.
fn value_length(text: &str) -> usize {
    let opening = text.trim_start_matches('\\');
    let escapes = text.len() - opening.len();
    match opening.chars().next() {
        Some(quote @ ('"' | '\'' | '`')) => {
            let closing = format!("{}{quote}", "\\".repeat(escapes));
            let inner = escapes + quote.len_utf8();
            closed(text, inner, &closing)
        }
        Some('{' | '[') if escapes == 0 => brackets(text),
        _ => word_length(text),
    }
}

/// The length until behind `closing`, leaving out those that are escaped once more.
fn closed(text: &str, mut from: usize, closing: &str) -> usize {
    while let Some(at) = text.get(from..).and_then(|rest| rest.find(closing)) {
        let start = from + at;
        from = start + closing.len();
        if !text.get(..start).is_some_and(|before| before.ends_with('\\')) {
            return from;
        }
    }
    text.len()
}

/// Everything between brackets that belong together.
fn brackets(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '{' | '[' => depth += 1,
            '}' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at + c.len_utf8();
        }
    }
    text.len()
}

/// A word, and the credential behind it if it only names the kind of one.
fn word_length(text: &str) -> usize {
    let word = |text: &str| {
        text.find(|c: char| {
            c.is_whitespace() || matches!(c, ',' | ';' | '&' | '"' | '\'' | ')' | '}' | ']' | '\\')
        })
        .unwrap_or(text.len())
    };
    let first = word(text);
    let (scheme, rest) = text.split_at(first);
    if !SCHEMES.contains(&scheme.to_lowercase().as_str()) {
        return first;
    }
    let credential = rest.trim_start();
    first + (rest.len() - credential.len()) + word(credential)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_secrets_are_taken_out_and_nothing_else() {
        let table = [
            (r#"{"token":"abc","x":1}"#, r#"{"token":[redacted],"x":1}"#),
            (r#"{"accessToken": "a b, c", "y": 2}"#, r#"{"accessToken": [redacted], "y": 2}"#),
            (r#"{"api_key":"sk-1\"2","z":"keep"}"#, r#"{"api_key":[redacted],"z":"keep"}"#),
            (r#"{\"password\":\"hunter2\",\"z\":1}"#, r#"{\"password\":[redacted],\"z\":1}"#),
            (r#"{"secrets":{"a":["b","c"]},"z":1}"#, r#"{"secrets":[redacted],"z":1}"#),
            ("GITHUB_TOKEN=ghp_1234 make", "GITHUB_TOKEN=[redacted] make"),
            ("Authorization: Bearer abc.def, more", "Authorization: [redacted], more"),
            ("authorization=Basic dXNlcg==", "authorization=[redacted]"),
            ("curl --password hunter2 --url x", "curl --password [redacted] --url x"),
            ("curl --api-key=k1&x=2", "curl --api-key=[redacted]&x=2"),
            ("x-api-key: k", "x-api-key: [redacted]"),
            ("apiKey => 'k k' end", "apiKey => [redacted] end"),
            // A value that is cut off goes to the end.
            (r#"{"client_secret":"abc"#, r#"{"client_secret":[redacted]"#),
            (r#"{"token":["a""#, r#"{"token":[redacted]"#),
            // What only speaks of secrets stays.
            ("the token is wrong", "the token is wrong"),
            ("input_tokens: 512", "input_tokens: 512"),
            (r#""output_tokens":7,"tokens":"x""#, r#""output_tokens":7,"tokens":[redacted]"#),
            ("secretary: Ann", "secretary: [redacted]"),
            ("token:", "token:"),
            ("key: value", "key: value"),
            ("пароль: x — ключ", "пароль: x — ключ"),
            ("", ""),
        ];
        for (text, expected) in table {
            assert_eq!(redacted(text), expected, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn a_secret_never_comes_through(before in "[ a-z{\",]{0,12}", quote in "[\"']?", value in "[A-Z0-9]{8,20}") {
            let text = format!("{before} api_key{quote}: {quote}{value}{quote} end");
            proptest::prop_assert!(!redacted(&text).contains(&value), "{}", redacted(&text));
        }

        #[test]
        fn every_text_is_taken(text in "\\PC*") {
            let _ = redacted(&text);
        }
    }
}

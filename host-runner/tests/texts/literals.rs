//! The string literals of a source, and which of them read like a text for people.

/// Macros and functions whose texts nobody but us reads.
const UNREAD: [&str; 16] = [
    "debug!",
    "info!",
    "warn!",
    "error!",
    "trace!",
    "event!",
    "assert!",
    "assert_eq!",
    "assert_ne!",
    "debug_assert!",
    "debug_assert_eq!",
    "panic!",
    "unreachable!",
    "matches!",
    "expect",
    "include_str!",
];

/// A string literal of a source: its line, from 1, and what is in it, escapes as they are written.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Literal {
    pub(crate) line: usize,
    pub(crate) text: String,
}

/// The literals of a source that somebody could read as a text: neither comments, nor attributes, nor what [`UNREAD`]
/// takes, nor modules for tests.
pub(crate) fn literals(source: &str) -> Vec<Literal> {
    let source = without_tests(source);
    let characters: Vec<char> = source.chars().collect();
    let mut found = Vec::new();
    // For every open bracket, whether what it holds is left out.
    let mut open = vec![false];
    let mut line = 1;
    let mut word = String::new();
    let mut at = 0;
    while at < characters.len() {
        let rest = &characters[at..];
        let length = match rest {
            ['/', '/', ..] => rest.iter().position(|c| *c == '\n').unwrap_or(rest.len()),
            ['"', ..] => closing(rest, 1),
            ['r', '"', ..] | ['r', '#', '"' | '#', ..] if word.is_empty() || word == "b" => raw(rest),
            ['\'', '\\', ..] => 3 + rest[3..].iter().position(|c| *c == '\'').unwrap(),
            ['\'', _, '\'', ..] => 3,
            _ => 0,
        };
        if length > 0 {
            let text: String = rest[..length].iter().collect();
            if rest[0] != '/' && rest[0] != '\'' && !open.last().copied().unwrap_or_default() {
                let inside = text.trim_start_matches(['r', '#']).trim_end_matches('#');
                let inside = inside.strip_prefix('"').unwrap_or(inside);
                let inside = inside.strip_suffix('"').unwrap_or(inside);
                found.push(Literal { line, text: inside.to_owned() });
            }
            line += text.matches('\n').count();
            at += length;
            word.clear();
            continue;
        }
        let c = rest[0];
        match c {
            '(' | '[' | '{' => {
                let outer = open.last().copied().unwrap_or_default();
                let attribute = c == '[' && (word == "#" || word == "#!");
                // The one attribute that is read.
                let error = attribute && rest[1..].starts_with(&['e', 'r', 'r', 'o', 'r', '(']);
                open.push(
                    outer
                        || (attribute && !error)
                        || (c == '(' && UNREAD.contains(&word.as_str()) && !error_attribute(&characters, at)),
                );
            }
            ')' | ']' | '}' => drop(open.pop()),
            _ => {}
        }
        match c {
            '\n' => {
                line += 1;
                word.clear();
            }
            c if c.is_alphanumeric() || matches!(c, '_' | '!' | '#') => word.push(c),
            _ => word.clear(),
        }
        at += 1;
    }
    found
}

/// A source without its modules for tests, whose lines stay as empty ones.
fn without_tests(source: &str) -> String {
    let mut parts = source.split("#[cfg(test)]\n");
    let mut kept = parts.next().unwrap().to_owned();
    for part in parts {
        kept.push('\n');
        let is_module = part.lines().find(|line| !line.starts_with("#[")).is_some_and(|line| {
            line.trim_start_matches("pub(crate) ").starts_with("mod ") && line.ends_with('{')
        });
        let end = if is_module { part.find("\n}\n").map_or(part.len(), |at| at + 2) } else { 0 };
        kept.extend(part[..end].matches('\n'));
        kept.push_str(&part[end..]);
    }
    kept
}

/// Whether the bracket at `at` is that of `#[error(`.
fn error_attribute(characters: &[char], at: usize) -> bool {
    at >= 7 && characters[at - 7..at].iter().collect::<String>() == "#[error"
}

/// Where a literal with escapes ends, counted from its beginning.
fn closing(rest: &[char], from: usize) -> usize {
    let mut escaped = false;
    for (at, c) in rest.iter().enumerate().skip(from) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// Where a raw literal ends.
fn raw(rest: &[char]) -> usize {
    let hashes = rest[1..].iter().take_while(|c| **c == '#').count();
    let end: Vec<char> = std::iter::once('"').chain(std::iter::repeat_n('#', hashes)).collect();
    let body = 2 + hashes;
    rest[body..]
        .windows(end.len())
        .position(|window| window == end)
        .map_or(rest.len(), |at| body + at + end.len())
}

/// Whether a literal reads like a text: a space, and a word of three small letters that is no placeholder.
pub(crate) fn is_text(literal: &str) -> bool {
    let mut plain = String::new();
    let mut depth = 0_usize;
    for c in literal.chars() {
        match c {
            '{' => depth += 1,
            '}' => {
                depth = depth.saturating_sub(1);
                plain.push('_');
            }
            c if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    let word = |word: &str| word.chars().filter(|c| c.is_ascii_lowercase()).count() >= 3;
    plain.trim().contains(' ') && plain.split(' ').any(|part| !part.starts_with('-') && word(part))
}

/// Whether a literal reads like a label of one word: a capital letter, small ones after it, and at most an ellipsis or a
/// colon. A label in small letters looks like a name on the wire, and is not found.
pub(crate) fn is_label(literal: &str) -> bool {
    let word = literal.trim().trim_end_matches(['…', ':', '.', '!', '?']);
    let mut letters = word.chars();
    letters.next().is_some_and(|first| first.is_ascii_uppercase())
        && word.len() >= 4
        && letters.all(|letter| letter.is_ascii_lowercase())
}

#[test]
fn texts_are_found_and_nothing_else() {
    let source = "//! a \"comment with words\"\n\
        #[expect(x, reason = \"not for people\")]\n\
        #[error(\"for {people} here\")]\n\
        fn f() {\n\
            tracing::warn!(x, \"only in logs {}\", g(\"still logs\"));\n\
            assert!(x, \"never seen\");\n\
            let c = ['\"', '\\'', 'a'];\n\
            say(\"hello there\", r#\"raw \"text\" here\"#, x.expect(\"a bug\"));\n\
            let life: &'static str = \"one\ntwo lines\";\n\
        }\n\
        #[cfg(test)]\nmod tests {\n    \"in tests only\"\n}\n\
        const LAST: &str = \"after the tests\";\n";
    let found: Vec<_> = literals(source).into_iter().map(|literal| (literal.line, literal.text)).collect();
    let expected = [
        (3, "for {people} here"),
        (8, "hello there"),
        (8, "raw \"text\" here"),
        (9, "one\ntwo lines"),
        (16, "after the tests"),
    ];
    assert_eq!(found, expected.map(|(line, text)| (line, text.to_owned())));
    for text in ["no such session", "{count} processes", "Not a file", "it is {what}: mend it"] {
        assert!(is_text(text), "{text}");
    }
    for other in
        ["word", "{} {}", "a-b_c.d", "--json --all", "{long_name} {other_name:?}", "A B C", " padded "]
    {
        assert!(!is_text(other), "{other}");
    }
    for label in ["Running", "Starting…", "Folder: ", " Done "] {
        assert!(is_label(label), "{label}");
    }
    for other in ["running", "RUNNING", "PermissionRequest", "Esc", "Two Words", "Read_me", "{Name}", "A"] {
        assert!(!is_label(other), "{other}");
    }
}

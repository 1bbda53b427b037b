//! The shell line inside a command as Codex prints it. It runs `["bash", "-lc", LINE]` and prints these words quoted and
//! joined; what people read, and what tells a test from a build, is the line alone. Pure.
//!
//! Called by the adapter of `codex exec`.

/// The line, where the command is a shell that runs one; else the command.
pub(super) fn line(command: &str) -> String {
    match words(command).as_deref() {
        Some([shell, flag, line])
            if shell.ends_with("sh") && flag.starts_with('-') && flag.ends_with('c') =>
        {
            line.clone()
        }
        _ => command.to_owned(),
    }
}

/// The words of a command, without their quotes; `None` where a quote does not end.
fn words(command: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = command.chars();
    while let Some(character) = characters.next() {
        match character {
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        '\'' => break,
                        inner => word.push(inner),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        '"' => break,
                        '\\' => match characters.next()? {
                            escaped @ ('"' | '\\' | '$' | '`') => word.push(escaped),
                            other => word.extend(['\\', other]),
                        },
                        inner => word.push(inner),
                    }
                }
            }
            '\\' => word.get_or_insert_default().push(characters.next()?),
            space if space.is_whitespace() => words.extend(word.take()),
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_a_shell_is_taken_out_and_other_commands_stay() {
        let table = [
            ("bash -lc 'cargo test'", "cargo test"),
            ("/usr/bin/zsh -c ls", "ls"),
            ("bash -lc \"echo it's \"'$HOME'", "echo it's $HOME"),
            ("bash -lc \"a \\\"b\\\" \\n\"", "a \"b\" \\n"),
            ("bash -lc a\\ b", "a b"),
            ("bash -lc ''", ""),
            ("ls -la", "ls -la"),
            ("bash -lc 'a' b", "bash -lc 'a' b"),
            ("bash script.sh -c", "bash script.sh -c"),
            ("bash -lc 'open", "bash -lc 'open"),
            ("", ""),
        ];
        for (command, expected) in table {
            assert_eq!(line(command), expected, "{command}");
        }
    }
}

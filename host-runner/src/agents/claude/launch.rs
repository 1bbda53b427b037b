//! The command line of a session of Claude Code.
//!
//! A prompt is the person's words and nothing else. Claude Code reads an argument that begins with `-` as an option,
//! with `/` as a command, and one that is the name of a subcommand (`update`, `mcp`) as that, even after `--`; one
//! leading space keeps all of them words (measured with 2.1.197). A name of a file after `@` stays what Claude Code makes
//! of it when it is typed: the words, with that file attached.

use crate::agents::launching::LONGEST_ARGUMENT;
use std::{ffi::OsString, path::Path};

/// Gives the program the file as its standard input, without its name and without leaving it behind. Claude Code takes
/// what it reads there as the first prompt and the keys from the terminal (measured with 2.1.197 and 1 MB).
const FROM_FILE: &str = r#"exec <"$AGENT_BOARD_PROMPT_FILE" && rm -f -- "$AGENT_BOARD_PROMPT_FILE" && unset AGENT_BOARD_PROMPT_FILE && exec "$@""#;

/// How hard the model thinks, in Claude Code's words (`--effort`).
pub const EFFORTS: [&str; 5] = ["low", "medium", "high", "xhigh", "max"];

/// Which conversation a launch is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conversation<'a> {
    /// A new one with this id, a UUID that no other has.
    New(&'a str),
    /// The one with this id.
    Continued(&'a str),
}

/// What a session of Claude Code is launched with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaudeLaunch<'a> {
    /// The executable.
    pub program: &'a Path,
    /// Our settings.
    pub settings: &'a Path,
    /// The servers of tools that come on top of the person's, if there are any.
    pub servers: Option<&'a Path>,
    /// Which conversation.
    pub conversation: Conversation<'a>,
    /// The model; `None` leaves Claude Code its default.
    pub model: Option<&'a str>,
    /// One of [`EFFORTS`]; `None` leaves Claude Code its default.
    pub effort: Option<&'a str>,
    /// The person's words; empty starts without a prompt.
    pub prompt: &'a str,
}

/// How the prompt reaches Claude Code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Prompt {
    /// There is none.
    None,
    /// As this argument.
    Argument(String),
    /// In the file that [`crate::agents::launching::PROMPT_FILE_VARIABLE`] names, as standard input.
    File,
}

/// How these words go.
pub fn prompt(words: &str) -> Prompt {
    if words.trim().is_empty() {
        Prompt::None
    } else if words.len() > LONGEST_ARGUMENT {
        Prompt::File
    } else if words.starts_with(['-', '/']) || !words.contains(char::is_whitespace) {
        Prompt::Argument(format!(" {words}"))
    } else {
        Prompt::Argument(words.to_owned())
    }
}

impl ClaudeLaunch<'_> {
    /// The program and its arguments.
    pub fn argv(&self) -> Vec<OsString> {
        let prompt = prompt(self.prompt);
        let mut argv: Vec<OsString> = Vec::new();
        if prompt == Prompt::File {
            argv.extend(["/bin/sh", "-c", FROM_FILE, "sh"].map(Into::into));
        }
        let conversation = match self.conversation {
            Conversation::New(id) => ["--session-id".into(), id.into()],
            Conversation::Continued(id) => ["--resume".into(), id.into()],
        };
        argv.extend([self.program.into(), "--settings".into(), self.settings.into()]);
        // It takes every word up to the next option for one of its files.
        if let Some(servers) = self.servers {
            argv.extend(["--mcp-config".into(), servers.into()]);
        }
        argv.extend(conversation);
        for (flag, value) in [("--model", self.model), ("--effort", self.effort)] {
            if let Some(value) = value {
                argv.extend([flag.into(), value.into()]);
            }
        }
        if let Prompt::Argument(words) = prompt {
            argv.extend(["--".into(), words.into()]);
        }
        argv
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::launching::PROMPT_FILE_VARIABLE;
    use std::process::Command;

    fn launch(prompt: &str) -> ClaudeLaunch<'_> {
        ClaudeLaunch {
            program: Path::new("/bin/claude"),
            settings: Path::new("/s.json"),
            servers: None,
            conversation: Conversation::New("11111111-1111-4111-8111-111111111111"),
            model: None,
            effort: None,
            prompt,
        }
    }

    // Field report D5: words of a person were interpreted as keys, options or commands.
    #[test]
    fn d5_a_prompt_stays_what_the_person_wrote() {
        let table = [
            ("fix it", "fix it"),
            ("update", " update"),
            ("mcp", " mcp"),
            ("?", " ?"),
            ("update the lock file", "update the lock file"),
            ("-t now", " -t now"),
            ("--help", " --help"),
            ("/help me", " /help me"),
            ("@file and more", "@file and more"),
            ("!ls -l", "!ls -l"),
            ("two\nlines", "two\nlines"),
        ];
        for (words, argument) in table {
            assert_eq!(prompt(words), Prompt::Argument(argument.to_owned()), "{words:?}");
        }
        for nothing in ["", " ", "\n\t"] {
            assert_eq!(prompt(nothing), Prompt::None, "{nothing:?}");
        }
    }

    #[test]
    fn the_command_line_is_complete_and_the_prompt_is_last() {
        let mut all = launch("go on");
        all.model = Some("opus");
        all.effort = Some("low");
        all.servers = Some(Path::new("/m.json"));
        all.conversation = Conversation::Continued("22222222-2222-4222-8222-222222222222");
        let expected = [
            "/bin/claude",
            "--settings",
            "/s.json",
            "--mcp-config",
            "/m.json",
            "--resume",
            "22222222-2222-4222-8222-222222222222",
            "--model",
            "opus",
            "--effort",
            "low",
            "--",
            "go on",
        ];
        assert_eq!(all.argv(), expected);
        let plain =
            ["/bin/claude", "--settings", "/s.json", "--session-id", "11111111-1111-4111-8111-111111111111"];
        assert_eq!(launch("").argv(), plain);
    }

    #[test]
    fn a_long_prompt_is_standard_input_and_leaves_no_file_behind() {
        let directory = tempfile::tempdir().unwrap();
        let (file, words) = (directory.path().join("prompt"), "x ".repeat(512 * 1024));
        std::fs::write(&file, &words).unwrap();
        let mut long = launch(&words);
        long.program = Path::new("/bin/sh");
        let argv = long.argv();
        assert_eq!(argv[..4], ["/bin/sh", "-c", FROM_FILE, "sh"]);
        assert_eq!(argv[4..7], ["/bin/sh", "--settings", "/s.json"]);
        let counts = ["/bin/sh", "-c", r#"wc -c; echo "${AGENT_BOARD_PROMPT_FILE-unset} $1""#, "0", "one"];
        let output = Command::new(&argv[0])
            .args(&argv[1..4])
            .args(counts)
            .env(PROMPT_FILE_VARIABLE, &file)
            .output()
            .unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), "1048576\nunset one\n");
        assert!(!file.exists());
    }
}

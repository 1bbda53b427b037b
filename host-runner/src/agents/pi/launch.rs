//! The command line of a session of pi, and the files that it reads: the extension and, for a very long prompt, the
//! prompt.
//!
//! A prompt is the person's words and nothing else. pi reads arguments that begin with `-` as options and with `@` as
//! files, and texts that begin with `/` as commands or templates; one leading space keeps all three literal in both
//! generations (0.73 has no `--`).

use crate::agents::{
    launching::{LONGEST_ARGUMENT, install},
    terminals::{AgentTerminals, pi_module},
};
use std::{
    ffi::OsString,
    io,
    path::{Path, PathBuf},
};

/// The files of the extension, but for the one that is made for the run ([`GIVEN`]).
const EXTENSION: [(&str, &str); 4] = [
    ("extension.ts", include_str!("extension.ts")),
    ("report.ts", include_str!("report.ts")),
    ("frames.ts", include_str!("frames.ts")),
    ("terminals.ts", include_str!("terminals.ts")),
];
/// What the extension is given.
const GIVEN: &str = "given.ts";

/// What a session of pi is launched with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PiLaunch<'a> {
    /// The executable.
    pub program: &'a Path,
    /// The extension, as [`install_extension`] returned it.
    pub extension: &'a Path,
    /// The file that keeps the transcript. The same file again continues the same conversation; one that is missing is
    /// made.
    pub transcript: &'a Path,
    /// `provider/model`, or what else pi takes; `None` leaves pi its default.
    pub model: Option<&'a str>,
    /// How hard the model thinks; `None` leaves pi its default.
    pub thinking: Option<Thinking>,
    /// The person's words; empty starts without a prompt.
    pub prompt: &'a str,
}

/// How hard the model thinks, in pi's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thinking {
    /// Not at all.
    Off,
    /// Hardly.
    Minimal,
    /// A little.
    Low,
    /// As much as usual.
    Medium,
    /// A lot.
    High,
    /// Even more, where the model can.
    Xhigh,
    /// As much as the model can; the second generation only.
    Max,
}

impl Thinking {
    /// All of them, weakest first.
    pub const ALL: [Self; 7] =
        [Self::Off, Self::Minimal, Self::Low, Self::Medium, Self::High, Self::Xhigh, Self::Max];

    /// The word on pi's command line.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Minimal => "minimal",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Xhigh => "xhigh",
            Self::Max => "max",
        }
    }

    /// Finds one by its word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|thinking| thinking.word() == word)
    }
}

/// How the prompt reaches pi.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Prompt {
    /// There is none.
    None,
    /// As this argument.
    Argument(String),
    /// In a file that the extension reads and removes: write [`PiLaunch::prompt`] to one with
    /// [`crate::agents::launching::write_prompt`] and name it in [`crate::agents::launching::PROMPT_FILE_VARIABLE`].
    File,
}

impl PiLaunch<'_> {
    /// How the prompt goes.
    pub fn prompt(&self) -> Prompt {
        let words = self.prompt;
        if words.trim().is_empty() {
            Prompt::None
        } else if words.len() > LONGEST_ARGUMENT || words.contains('\0') {
            Prompt::File
        } else if words.starts_with(['-', '@', '/']) {
            Prompt::Argument(format!(" {words}"))
        } else {
            Prompt::Argument(words.to_owned())
        }
    }

    /// The program and its arguments.
    pub fn argv(&self) -> Vec<OsString> {
        let mut argv: Vec<OsString> = vec![
            self.program.into(),
            "-e".into(),
            self.extension.into(),
            "--session".into(),
            self.transcript.into(),
        ];
        if let Some(model) = self.model {
            argv.extend(["--model".into(), model.into()]);
        }
        if let Some(thinking) = self.thinking {
            argv.extend(["--thinking".into(), thinking.word().into()]);
        }
        if let Prompt::Argument(words) = self.prompt() {
            argv.push(words.into());
        }
        argv
    }
}

/// Writes the extension below `root` (the board's) and returns the path for `-e`. pi reads it again at `/reload`.
///
/// # Errors
/// The files cannot be written.
pub fn install_extension(root: &Path, runner: &Path, told: AgentTerminals) -> io::Result<PathBuf> {
    let given = pi_module(runner, told);
    let files: Vec<(&str, &str)> = EXTENSION.into_iter().chain([(GIVEN, given.as_str())]).collect();
    Ok(install(root, super::NAME, &files)?.join("extension.ts"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use board_protocol::hello::HOST_PROTOCOL;
    use std::fs;

    fn launch(prompt: &str) -> PiLaunch<'_> {
        PiLaunch {
            program: Path::new("/bin/pi"),
            extension: Path::new("/e.ts"),
            transcript: Path::new("/s.jsonl"),
            model: None,
            thinking: None,
            prompt,
        }
    }

    // Field report D5: words of a person were interpreted as keys, options or commands.
    #[test]
    fn d5_a_prompt_stays_what_the_person_wrote() {
        let table = [
            ("fix it", "fix it"),
            ("Enter", "Enter"),
            (";", ";"),
            ("!=x", "!=x"),
            ("-t", " -t"),
            ("--help", " --help"),
            ("@file", " @file"),
            ("/help", " /help"),
            (" leading", " leading"),
            ("two\nlines", "two\nlines"),
            ("install", "install"),
        ];
        for (words, argument) in table {
            assert_eq!(launch(words).prompt(), Prompt::Argument(argument.to_owned()), "{words:?}");
        }
        for nothing in ["", " ", "\n\t"] {
            assert_eq!(launch(nothing).prompt(), Prompt::None, "{nothing:?}");
        }
        assert_eq!(launch(&"x".repeat(1024 * 1024)).prompt(), Prompt::File);
        assert_eq!(launch("a\0b").prompt(), Prompt::File);
    }

    #[test]
    fn the_command_line_is_complete_and_the_prompt_is_last() {
        let mut with_all = launch("/go");
        with_all.model = Some("fake/m");
        with_all.thinking = Some(Thinking::Low);
        let expected = [
            "/bin/pi",
            "-e",
            "/e.ts",
            "--session",
            "/s.jsonl",
            "--model",
            "fake/m",
            "--thinking",
            "low",
            " /go",
        ];
        assert_eq!(with_all.argv(), expected);
        assert_eq!(launch("").argv(), ["/bin/pi", "-e", "/e.ts", "--session", "/s.jsonl"]);
    }

    #[test]
    fn words_for_thinking_are_pi_s() {
        for thinking in Thinking::ALL {
            assert_eq!(Thinking::parse(thinking.word()), Some(thinking));
        }
        assert_eq!(Thinking::parse("hard"), None);
    }

    #[test]
    fn the_extension_is_written_once_and_mended_when_it_was_changed() {
        let root = tempfile::tempdir().unwrap();
        let install = || {
            let runner = Path::new("/bin/host-runner");
            install_extension(root.path(), runner, AgentTerminals::On).unwrap()
        };
        let path = install();
        assert_eq!(install(), path);
        fs::write(path.with_file_name("frames.ts"), "broken").unwrap();
        install();
        for (name, text) in EXTENSION {
            assert_eq!(fs::read_to_string(path.with_file_name(name)).unwrap(), text, "{name}");
        }
    }

    #[test]
    fn the_extension_speaks_the_host_s_protocol() {
        let versions = format!("{{ oldest: {}, newest: {} }}", HOST_PROTOCOL.oldest, HOST_PROTOCOL.newest);
        let speaks = EXTENSION.iter().any(|(_, text)| text.contains(&format!("PROTOCOL = {versions}")));
        assert!(speaks, "the extension's PROTOCOL is not {versions}");
    }
}

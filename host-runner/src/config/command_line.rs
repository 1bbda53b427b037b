//! A command that a person names in a setting: a program with its arguments, or a line for the shell.
//!
//! Read by `kind`, run by the daemon. It is the person's own word, so it is taken as it is; only what could never run is
//! refused.

use super::kind::Given;
use serde_json::Value;

/// Most arguments, and most bytes of all of them: a command line that a person writes has a few hundred.
const MAX_ARGUMENTS: usize = 100;
const MAX_BYTES: usize = 8 * 1024;
/// The shell that runs a line: the one that POSIX promises.
const SHELL: &str = "/bin/sh";

/// A command as it was set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommandLine {
    /// Program and arguments, taken literally.
    Argv(Vec<String>),
    /// A line for the shell.
    Shell(String),
}

impl CommandLine {
    /// What is executed.
    pub fn argv(&self) -> Vec<String> {
        match self {
            Self::Argv(argv) => argv.clone(),
            Self::Shell(line) => vec![SHELL.to_owned(), "-c".to_owned(), line.clone()],
        }
    }

    /// As it was set, for programs.
    pub(super) fn value(&self) -> Value {
        match self {
            Self::Argv(argv) => Value::from(argv.clone()),
            Self::Shell(line) => Value::from(line.as_str()),
        }
    }

    /// Reads one; `None` for what is none. A list stands in the file only: an environment variable is a line.
    pub(super) fn read(given: &Given) -> Option<Self> {
        let command = match given {
            Given::Text(line) | Given::Toml(toml::Value::String(line)) => Self::Shell(line.clone()),
            Given::Toml(toml::Value::Array(list)) => {
                Self::Argv(list.iter().map(|word| word.as_str().map(str::to_owned)).collect::<Option<_>>()?)
            }
            Given::Toml(_) | Given::NotText => return None,
        };
        command.can_run().then_some(command)
    }

    fn can_run(&self) -> bool {
        let whole = |text: &str| !text.contains('\0');
        match self {
            Self::Shell(line) => !line.trim().is_empty() && line.len() <= MAX_BYTES && whole(line),
            Self::Argv(argv) => {
                argv.first().is_some_and(|program| !program.is_empty())
                    && argv.len() <= MAX_ARGUMENTS
                    && argv.iter().map(String::len).sum::<usize>() <= MAX_BYTES
                    && argv.iter().all(|argument| whole(argument))
            }
        }
    }
}

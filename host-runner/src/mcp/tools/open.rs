//! `terminal_open`: a new terminal of this session.

use super::{Effect, Outcome, define, read_arguments};
use crate::{
    client::launching_environment,
    mcp::{
        daemon,
        desk::Desk,
        results::{Answered, Terminal},
        trouble::Trouble,
    },
};
use board_protocol::{
    command::EnvVar,
    ids::Size,
    terminals::{MAX_TERMINALS_PER_SESSION, OpenTerminal},
};
use rmcp::{
    model::{JsonObject, Tool},
    schemars::{self, JsonSchema},
};
use serde::Deserialize;
use std::{collections::BTreeMap, path::Path};

pub(super) const NAME: &str = "terminal_open";

/// Longest command line in bytes: a quarter of what Linux takes in one argument.
const MAX_COMMAND_BYTES: usize = 32 * 1024;
/// Most variables of one call, and most bytes of them: what a program is configured with, not what it works on.
const MAX_VARIABLES: usize = 256;
/// See [`MAX_VARIABLES`].
const MAX_VARIABLE_BYTES: usize = 64 * 1024;

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// A command line for the person's shell, for example `npm run dev`. Without one an interactive shell opens.
    command: Option<String>,
    /// The directory in which it starts, absolute or relative to your own. Without one it is your session's.
    cwd: Option<String>,
    /// Columns, 20 to 1000.
    #[schemars(range(min = 20, max = 1000))]
    cols: Option<u16>,
    /// Rows, 5 to 500.
    #[schemars(range(min = 5, max = 500))]
    rows: Option<u16>,
    /// Environment variables, besides those that you have yourself.
    env: Option<BTreeMap<String, String>>,
    /// A short name that the person reads on the board, for example `dev server`.
    title: Option<String>,
}

pub(super) fn tool() -> Tool {
    let description = format!(
        "Opens a terminal of your own with a command that goes on while you do other things: a dev server, a test watcher, an ssh session, a REPL. The person sees it on their board, below your session, and can look into it. It ends with your session. At most {MAX_TERMINALS_PER_SESSION} at a time: close those that you need no more. Answers the terminal with its id.\n\nExamples: {{\"command\": \"npm run dev\", \"title\": \"dev server\"}}; {{\"command\": \"cargo watch -x test\", \"cwd\": \"crates/core\"}}; {{}} for a shell."
    );
    define::<Arguments, Terminal>(NAME, "Open a terminal", description, Effect::Acts)
}

pub(super) async fn call(desk: &Desk, arguments: JsonObject) -> Outcome {
    let arguments: Arguments = read_arguments(NAME, arguments)?;
    let own = std::env::current_dir().ok();
    let (open, variables) = ask(arguments, own.as_deref())?;
    let mut environment = launching_environment();
    environment.extend(variables);
    let opened = desk.terminals(daemon::open(open, environment)).await?;
    let Some(terminal) = opened.first().map(Terminal::from) else {
        return Err(Trouble::new(
            "the daemon opened a terminal and did not say which. terminal_list shows it",
        ));
    };
    Ok(Answered::new(format!("Opened terminal {}", terminal.line()), &terminal))
}

/// What the daemon is asked for.
fn ask(arguments: Arguments, own: Option<&Path>) -> Result<(OpenTerminal, Vec<EnvVar>), Trouble> {
    let Arguments { command, cwd, cols, rows, env, title } = arguments;
    let command = command.filter(|command| !command.trim().is_empty());
    if command.as_ref().is_some_and(|command| command.len() > MAX_COMMAND_BYTES || command.contains('\0')) {
        let text = format!(
            "the command is longer than {MAX_COMMAND_BYTES} bytes or has a NUL character in it. Write it to a file and run that"
        );
        return Err(Trouble(text));
    }
    let cwd = cwd.filter(|cwd| !cwd.is_empty()).map(|cwd| match own {
        Some(own) if Path::new(&cwd).is_relative() => own.join(&cwd).to_string_lossy().into_owned(),
        _ => cwd,
    });
    let size = (cols.is_some() || rows.is_some()).then(|| {
        let Size { cols: usual_cols, rows: usual_rows } = Size::DEFAULT;
        Size { cols: cols.unwrap_or(usual_cols), rows: rows.unwrap_or(usual_rows) }.clamped()
    });
    Ok((OpenTerminal { command, cwd, size, title }, variables(env.unwrap_or_default())?))
}

fn variables(env: BTreeMap<String, String>) -> Result<Vec<EnvVar>, Trouble> {
    let bytes: usize = env.iter().map(|(name, value)| name.len() + value.len()).sum();
    if env.len() > MAX_VARIABLES || bytes > MAX_VARIABLE_BYTES {
        return Err(Trouble(format!(
            "env has more than {MAX_VARIABLES} variables or {MAX_VARIABLE_BYTES} bytes. Write them to a file that the command reads"
        )));
    }
    let odd = env
        .iter()
        .find(|(name, value)| name.is_empty() || name.contains(['=', '\0']) || value.contains('\0'));
    if let Some((name, _)) = odd {
        return Err(Trouble(format!(
            "env: {name:?} cannot be a variable, or its value has a NUL character in it"
        )));
    }
    let bytes = |text: String| serde_bytes::ByteBuf::from(text.into_bytes());
    Ok(env.into_iter().map(|(name, value)| EnvVar { name: bytes(name), value: bytes(value) }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn asked(arguments: serde_json::Value) -> Result<(OpenTerminal, Vec<EnvVar>), Trouble> {
        let arguments = read_arguments(NAME, arguments.as_object().unwrap().clone())?;
        ask(arguments, Some(Path::new("/srv/project")))
    }

    #[test]
    fn nothing_opens_a_shell_in_the_sessions_directory() {
        let (open, environment) = asked(json!({})).unwrap();
        assert_eq!(open, OpenTerminal { command: None, cwd: None, size: None, title: None });
        assert!(environment.is_empty());
    }

    #[test]
    fn directories_are_absolute_and_sizes_are_those_that_a_terminal_may_have() {
        let (open, _) =
            asked(json!({"command": "ls", "cwd": "crates/core", "cols": 1, "rows": 9_999})).unwrap();
        assert_eq!(open.cwd.as_deref(), Some("/srv/project/crates/core"));
        assert_eq!(open.size, Some(Size { cols: 20, rows: 500 }));
        let (open, _) = asked(json!({"cwd": "/tmp", "cols": 80})).unwrap();
        assert_eq!((open.cwd.as_deref(), open.size), (Some("/tmp"), Some(Size { cols: 80, rows: 36 })));
    }

    #[test]
    fn what_cannot_be_is_refused_in_words() {
        for bad in [
            json!({"command": "a\0b"}),
            json!({"command": "x".repeat(MAX_COMMAND_BYTES + 1)}),
            json!({"env": {"A=B": "1"}}),
            json!({"env": {"A": "x".repeat(MAX_VARIABLE_BYTES)}}),
            json!({"comand": "ls"}),
            json!({"cols": "wide"}),
        ] {
            let Trouble(text) = asked(bad.clone()).unwrap_err();
            assert!(text.len() < 400 && !text.is_empty(), "{bad}: {text}");
        }
    }
}

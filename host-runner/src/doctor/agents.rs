//! The agents on this shell's `PATH`, with their versions. They are asked side by side, each with a limit of its own.

use super::{Finding, Scene};
use crate::{
    agents::{
        claude, codex, pi,
        program::{AgentProgram, Trouble},
    },
    program,
};
use board_text::doctor as texts;
use std::{ffi::OsStr, path::Path, thread, time::Duration};

/// The agents that have an adapter, and the names of their checks.
const ADAPTERS: [(&AgentProgram, &str); 3] = [
    (&pi::find::PROGRAM, "agent pi"),
    (&claude::find::PROGRAM, "agent claude"),
    (&codex::find::PROGRAM, "agent codex"),
];
/// Those that have none yet, the names of their checks, and how to get them.
const OTHERS: [(&str, &str, &str); 1] = [("opencode", "agent opencode", "npm install -g opencode-ai")];

/// Looks for each and asks it.
pub(super) fn check(scene: &Scene) -> Vec<Finding> {
    let commands = Commands {
        pi: scene.config.pi_command.as_deref(),
        claude: scene.config.claude_command.as_deref(),
        codex: scene.config.codex_command.as_deref(),
    };
    check_within(scene.variable("PATH"), commands, program::LIMIT)
}

/// The agents that the configuration names.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Commands<'a> {
    /// pi.
    pub(super) pi: Option<&'a Path>,
    /// Claude Code.
    pub(super) claude: Option<&'a Path>,
    /// Codex.
    pub(super) codex: Option<&'a Path>,
}

pub(super) fn check_within(path: Option<&OsStr>, commands: Commands<'_>, limit: Duration) -> Vec<Finding> {
    thread::scope(|scope| {
        let adapters = ADAPTERS.map(|(agent, name)| {
            let command = match agent.file {
                pi::NAME => commands.pi,
                claude::NAME => commands.claude,
                _ => commands.codex,
            };
            (name, scope.spawn(move || of_adapter(agent, name, command, path)))
        });
        let others =
            OTHERS.map(|(file, name, how)| (name, scope.spawn(move || one(name, how, file, path, limit))));
        let gone = |name| Finding::unknown(name, texts::question_failed(), texts::again());
        let asked = adapters.into_iter().chain(others);
        asked.map(|(name, thread)| thread.join().unwrap_or_else(|_| gone(name))).collect()
    })
}

/// An adapter knows which version it needs, and reads it without starting an interpreter where it can.
fn of_adapter(
    agent: &'static AgentProgram,
    name: &'static str,
    command: Option<&Path>,
    path: Option<&OsStr>,
) -> Finding {
    let path = path.unwrap_or_default();
    let found = match command {
        Some(command) => agent.at(command, path),
        None => agent.find(path),
    };
    match found {
        Ok(found) => Finding::ok(name, format!("{} ({})", found.version, found.program.display())),
        Err(problem) if problem.trouble == Trouble::Missing => not_needed(name, (agent.how_to_get)()),
        Err(problem) => Finding::warn(name, problem.to_string(), texts::agent_without(agent.called)),
    }
}

fn not_needed(name: &'static str, how: &str) -> Finding {
    Finding::ok(name, texts::agent_not_found(how))
}

fn one(name: &'static str, how: &str, file: &str, path: Option<&OsStr>, limit: Duration) -> Finding {
    let Some(program) = path.and_then(|path| program::on_path(file, path)) else {
        return not_needed(name, how);
    };
    let shown = program.display();
    match program::ask(&program, &["--version"], path, limit) {
        Ok(answer) => match version(&answer) {
            Some(version) => Finding::ok(name, format!("{version} ({shown})")),
            None => Finding::warn(name, texts::agent_no_version(&shown), texts::agent_is_it(how)),
        },
        Err(why) => Finding::unknown(
            name,
            texts::agent_version_unknown(&shown, &why),
            texts::agent_try_version(&shown),
        ),
    }
}

/// The first word that looks like a version: `2.0.1`, `v0.73.1`, `codex-cli 0.46.0`.
fn version(answer: &str) -> Option<&str> {
    answer
        .split_whitespace()
        .map(|word| word.trim_start_matches('v'))
        .find(|word| word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.') && word.len() <= 40)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_among_other_words() {
        for (answer, expected) in [
            ("2.0.1 (Claude Code)\n", Some("2.0.1")),
            ("codex-cli 0.46.0", Some("0.46.0")),
            ("v0.73.1", Some("0.73.1")),
            ("pi", None),
            ("usage: pi [3]", None),
            ("", None),
        ] {
            assert_eq!(version(answer), expected, "{answer:?}");
        }
    }
}

//! The agents on this shell's `PATH`, with their versions. They are asked side by side, each with a limit of its own.

use super::{Finding, Scene};
use crate::{
    agents::{claude, pi},
    program,
};
use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

/// Every agent, the name of its check, and how to get it.
const AGENTS: [(&str, &str, &str); 4] = [
    ("pi", "agent pi", "npm install -g @earendil-works/pi-coding-agent"),
    ("claude", "agent claude", "npm install -g @anthropic-ai/claude-code"),
    ("codex", "agent codex", "npm install -g @openai/codex"),
    ("opencode", "agent opencode", "npm install -g opencode-ai"),
];

/// Looks for each and asks it.
pub(super) fn check(scene: &Scene) -> Vec<Finding> {
    let commands =
        Commands { pi: scene.config.pi_command.as_deref(), claude: scene.config.claude_command.as_deref() };
    check_within(scene.variable("PATH"), commands, program::LIMIT)
}

/// The agents that the configuration names.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Commands<'a> {
    /// pi.
    pub(super) pi: Option<&'a Path>,
    /// Claude Code.
    pub(super) claude: Option<&'a Path>,
}

pub(super) fn check_within(path: Option<&OsStr>, commands: Commands<'_>, limit: Duration) -> Vec<Finding> {
    thread::scope(|scope| {
        let asked: Vec<_> = AGENTS
            .into_iter()
            .map(|(program, name, how)| {
                let found = path.and_then(|path| program::on_path(program, path));
                let ask = move || match found {
                    _ if program == pi::NAME && (found.is_some() || commands.pi.is_some()) => {
                        of_pi(name, commands.pi, path.unwrap_or_default())
                    }
                    _ if program == claude::NAME && (found.is_some() || commands.claude.is_some()) => {
                        of_claude(name, commands.claude, path.unwrap_or_default())
                    }
                    found => one(name, how, found, path, limit),
                };
                (name, scope.spawn(ask))
            })
            .collect();
        let gone = |name| Finding::unknown(name, "the question failed", "Run host-runner doctor again");
        asked.into_iter().map(|(name, thread)| thread.join().unwrap_or_else(|_| gone(name))).collect()
    })
}

/// pi's adapter knows which version it needs, and reads it without starting Node where it can.
fn of_pi(name: &'static str, command: Option<&Path>, path: &OsStr) -> Finding {
    let found = match command {
        Some(command) => pi::find::at(command, path),
        None => pi::find::find(path),
    };
    match found {
        Ok(pi) => Finding::ok(name, format!("{} ({})", pi.version, pi.program.display())),
        Err(error) => {
            Finding::warn(name, error.to_string(), "Without it sessions of pi do not start; others do")
        }
    }
}

/// So does Claude Code's.
fn of_claude(name: &'static str, command: Option<&Path>, path: &OsStr) -> Finding {
    let found = match command {
        Some(command) => claude::find::at(command, path),
        None => claude::find::find(path),
    };
    match found {
        Ok(claude) => Finding::ok(name, format!("{} ({})", claude.version, claude.program.display())),
        Err(error) => Finding::warn(
            name,
            error.to_string(),
            "Without it sessions of Claude Code do not start; others do",
        ),
    }
}

fn one(
    name: &'static str,
    how: &str,
    found: Option<PathBuf>,
    path: Option<&OsStr>,
    limit: Duration,
) -> Finding {
    let Some(program) = found else {
        return Finding::ok(name, format!("not on PATH, and not needed. To get it: {how}"));
    };
    let shown = program.display();
    match program::ask(&program, &["--version"], path, limit) {
        Ok(answer) => match version(&answer) {
            Some(version) => Finding::ok(name, format!("{version} ({shown})")),
            None => Finding::warn(
                name,
                format!("{shown} prints no version"),
                format!("Is it the agent of that name? To get that: {how}"),
            ),
        },
        Err(why) => Finding::unknown(
            name,
            format!("{shown} does not say its version: {why}"),
            format!("Try it in a shell: {shown} --version"),
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

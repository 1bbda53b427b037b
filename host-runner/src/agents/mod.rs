//! The agents that can run in a session, one file per agent: how each is launched, interrupted and revived, and how what
//! it reports is read.
//!
//! Called by the coordinator (decisions, events), by hosts (what the editor says) and by the daemon (checks before a
//! start). Pure, but for [`AgentKind::prepare`], which looks for programs and writes an adapter's files; it never starts
//! a session.
//!
//! The set is closed: a new agent is a variant of [`AgentKind`] and a file, and every `match` below then asks what the
//! agent does.

mod choice;
pub mod claude;
pub mod codex;
pub mod event;
mod generic;
pub mod headless;
pub mod launching;
pub mod pi;
pub mod program;
pub mod questions;
mod shorten;
mod terminals;
pub(crate) mod usage;

use board_text::agents as texts;
pub(crate) use claude::session::COMMAND_SETTING as CLAUDE_SETTING;
pub(crate) use codex::session::COMMAND_SETTING as CODEX_SETTING;
pub(crate) use generic::{SHELL_SETTING, shell};
pub(crate) use pi::session::COMMAND_SETTING as PI_SETTING;
pub use terminals::AgentTerminals;
pub(crate) use terminals::{OFF as TERMINALS_OFF, SETTING as TERMINALS_SETTING};

use board_protocol::{
    board::Revival,
    command::{EnvVar, Launch},
    host::{MAX_EVENT_BYTES, Typing},
    refusal::{Refusal, RefusalKind},
};
use event::Parsed;
use questions::QuestionTools;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Which adapter a session uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AgentKind {
    /// Any program. It reports nothing: its whole life is one turn.
    Generic,
    /// The coding agent pi.
    Pi,
    /// Claude Code.
    Claude,
    /// Codex. Without a terminal only, so far.
    Codex,
}

/// What an agent's sessions consist of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turns {
    /// One, from the start of the process to its end.
    WholeLife,
    /// As many as the agent reports; between them its process waits.
    Reported,
}

/// Everything that a launch is planned from.
#[derive(Debug, Clone, Copy)]
pub struct LaunchRequest<'a> {
    /// What the person asked to run.
    pub launch: &'a Launch,
    /// The environment of the shell that launches it.
    pub environment: &'a [EnvVar],
    /// What [`AgentKind::prepare`] found.
    pub prepared: Option<&'a Prepared>,
    /// The file that keeps the transcript: the same one continues the same conversation.
    pub transcript: &'a str,
    /// The agent's own id of the conversation to be continued, where it told one and words were said in it.
    pub conversation: Option<&'a str>,
    /// What tells this life of the row from all others.
    pub life: &'a str,
    /// The model, in the agent's words.
    pub model: Option<&'a str>,
    /// How hard it thinks, in the agent's words.
    pub thinking: Option<&'a str>,
    /// Whether the person's words go with it.
    pub prompt: PromptUse,
}

/// Whether a launch carries the person's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptUse {
    /// It does.
    Given,
    /// The agent has had them already.
    Withheld,
}

/// What an adapter needs from the file system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prepared {
    /// The absolute path of the agent's program.
    pub program: String,
    /// The absolute path of our file that the agent loads.
    pub extension: String,
    /// The absolute path by which its command line tells it of its terminals: a file that it reads, or our program;
    /// for pi the extension, in a turn without a terminal. `None`:
    /// it is not told, or not there.
    pub terminals: Option<String>,
}

/// What to execute for a launch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaunchPlan {
    /// Program and arguments, never empty, taken literally.
    pub argv: Vec<String>,
    /// What it runs in the person's own words: the source of the session's name and summary.
    pub words: String,
}

impl AgentKind {
    /// Every agent.
    pub const ALL: [Self; 4] = [Self::Generic, Self::Pi, Self::Claude, Self::Codex];

    /// Its name on the command line, in rows and in the store.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Generic => "generic",
            Self::Pi => pi::NAME,
            Self::Claude => claude::NAME,
            Self::Codex => codex::NAME,
        }
    }

    /// Finds an agent by its name.
    ///
    /// # Errors
    /// No agent has that name; the refusal lists those there are.
    pub fn parse(name: &str) -> Result<Self, Refusal> {
        Self::ALL.into_iter().find(|agent| agent.name() == name).ok_or_else(|| {
            let known: Vec<_> = Self::ALL.iter().map(|agent| agent.name()).collect();
            Refusal::new(RefusalKind::BadInput, texts::no_agent(format_args!("{name:?}"), known.join(", ")))
        })
    }

    /// Finds the agent's program and writes what it loads below `root`. Touches files and may ask a program for its
    /// version: never called on a thread that others wait for.
    ///
    /// # Errors
    /// The agent is missing or too old (the refusal says which version is needed and how to get it), or a file cannot
    /// be written.
    pub fn prepare(self, environment: &[EnvVar], root: &Path) -> Result<Option<Prepared>, Refusal> {
        match self {
            Self::Generic => Ok(None),
            Self::Pi => pi::session::prepare(environment, root).map(Some),
            Self::Claude => claude::session::prepare(environment, root).map(Some),
            Self::Codex => codex::session::prepare(environment).map(Some),
        }
    }

    /// What to execute.
    ///
    /// # Errors
    /// The request says nothing that could be executed.
    pub fn plan(self, request: &LaunchRequest<'_>) -> Result<LaunchPlan, Refusal> {
        match self {
            Self::Generic => generic::plan(request),
            Self::Pi => pi::session::plan(request),
            Self::Claude => claude::session::plan(request),
            Self::Codex => Err(codex::session::no_terminal()),
        }
    }

    /// The words that do not fit on the command line of a launch and go in a file, with the variable that names it.
    pub fn prompt_in_file(self, launch: &Launch) -> Option<(&'static str, &str)> {
        match self {
            Self::Generic | Self::Codex => None,
            Self::Pi => pi::session::prompt_in_file(launch),
            Self::Claude => claude::session::prompt_in_file(launch),
        }
    }

    /// What its sessions consist of.
    pub const fn turns(self) -> Turns {
        match self {
            Self::Generic => Turns::WholeLife,
            Self::Pi | Self::Claude | Self::Codex => Turns::Reported,
        }
    }

    /// Reads one report of the agent; `None` for an agent that reports nothing.
    pub fn read(self, payload: &[u8], question_tools: &QuestionTools) -> Option<Parsed> {
        match self {
            Self::Generic | Self::Codex => None,
            Self::Pi => Some(pi::events::parse(payload, question_tools)),
            Self::Claude => Some(claude::events::parse(payload, question_tools)),
        }
    }

    /// Most bytes of a report as the agent writes it to its hook.
    pub(crate) const fn longest_report(self) -> usize {
        match self {
            Self::Generic | Self::Pi | Self::Codex => MAX_EVENT_BYTES,
            Self::Claude => claude::condense::MAX_RAW_BYTES,
        }
    }

    /// Makes a report short enough to be passed on, where the agent does not do that itself.
    pub(crate) fn condense(self, payload: Vec<u8>) -> Vec<u8> {
        match self {
            Self::Generic | Self::Pi | Self::Codex => payload,
            Self::Claude => claude::condense::condense(payload),
        }
    }

    /// Whether plain Left does nothing in the agent's empty editor, so that it may detach there (decision 7).
    pub const fn plain_left_is_free(self) -> bool {
        match self {
            Self::Generic | Self::Codex => false,
            Self::Pi => pi::PLAIN_LEFT_IS_FREE,
            Self::Claude => claude::PLAIN_LEFT_IS_FREE,
        }
    }

    /// The bytes of the key that interrupts what it does.
    pub const fn interrupt_key(self) -> &'static [u8] {
        match self {
            Self::Generic => generic::INTERRUPT_KEY,
            Self::Pi => pi::INTERRUPT_KEY,
            Self::Claude => claude::INTERRUPT_KEY,
            Self::Codex => codex::INTERRUPT_KEY,
        }
    }

    /// How a person's words are written to its terminal.
    pub const fn typing(self) -> Typing {
        match self {
            Self::Generic => Typing::Line,
            Self::Claude | Self::Pi | Self::Codex => Typing::Paste,
        }
    }

    /// What attaching does once its process has ended.
    pub const fn revival(self) -> Revival {
        match self {
            Self::Generic => Revival::RunsAgain,
            Self::Pi | Self::Claude | Self::Codex => Revival::Resumes,
        }
    }
}

/// A variable of an environment, if it is set and UTF-8.
pub(crate) fn variable<'a>(environment: &'a [EnvVar], name: &str) -> Option<&'a str> {
    let var = environment.iter().rev().find(|var| var.name.as_slice() == name.as_bytes())?;
    std::str::from_utf8(&var.value).ok()
}

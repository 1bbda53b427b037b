//! The agents that can run in a session, one file per agent: how each is launched, interrupted and revived.
//!
//! Called by the coordinator (decisions) and by the daemon (checks before a start). Pure: it never starts anything.
//!
//! The set is closed: a new agent is a variant of [`AgentKind`] and a file, and every `match` below then asks what the
//! agent does.

pub mod event;
mod generic;
pub mod pi;

pub(crate) use generic::SHELL_SETTING;

use board_protocol::{
    board::Revival,
    command::{EnvVar, Launch},
    refusal::{Refusal, RefusalKind},
};
use serde::{Deserialize, Serialize};

/// Which adapter a session uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AgentKind {
    /// Any program. It reports nothing: its whole life is one turn.
    Generic,
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
    pub const ALL: [Self; 1] = [Self::Generic];

    /// Its name on the command line, in rows and in the store.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Generic => "generic",
        }
    }

    /// Finds an agent by its name.
    ///
    /// # Errors
    /// No agent has that name; the refusal lists those there are.
    pub fn parse(name: &str) -> Result<Self, Refusal> {
        Self::ALL.into_iter().find(|agent| agent.name() == name).ok_or_else(|| {
            let known: Vec<_> = Self::ALL.iter().map(|agent| agent.name()).collect();
            Refusal::new(
                RefusalKind::BadInput,
                format!("there is no agent called {name:?}. Agents: {}", known.join(", ")),
            )
        })
    }

    /// What to execute, given the environment of the shell that launches it.
    ///
    /// # Errors
    /// The launch says nothing that could be executed.
    pub fn plan(self, launch: &Launch, environment: &[EnvVar]) -> Result<LaunchPlan, Refusal> {
        match self {
            Self::Generic => generic::plan(launch, environment),
        }
    }

    /// The bytes of the key that interrupts what it does.
    pub const fn interrupt_key(self) -> &'static [u8] {
        match self {
            Self::Generic => generic::INTERRUPT_KEY,
        }
    }

    /// What attaching does once its process has ended.
    pub const fn revival(self) -> Revival {
        match self {
            Self::Generic => Revival::RunsAgain,
        }
    }
}

/// A variable of an environment, if it is set and UTF-8.
pub(crate) fn variable<'a>(environment: &'a [EnvVar], name: &str) -> Option<&'a str> {
    let var = environment.iter().rev().find(|var| var.name.as_slice() == name.as_bytes())?;
    std::str::from_utf8(&var.value).ok()
}

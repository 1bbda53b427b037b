//! An agent as a launch dialog offers it: whether it can be started here, and what it takes.
//!
//! Called by links. Like [`AgentKind::prepare`] it looks for programs, so never on a thread that others wait for.

use super::{AgentKind, LaunchRequest, PromptUse, claude, pi};
use board_protocol::{
    command::{EnvVar, Launch},
    pipe::{AgentChoice, Takes},
    refusal::Refusal,
};
use std::path::Path;

impl AgentKind {
    /// What a dialog says about it.
    pub fn choice(self, environment: &[EnvVar], root: &Path) -> AgentChoice {
        AgentChoice {
            name: self.name().to_owned(),
            problem: self.startable(environment, root).err().map(|refusal| refusal.text),
            takes: match self {
                Self::Generic => Takes::CommandLine,
                Self::Pi | Self::Claude | Self::Codex => Takes::Task,
            },
            thinking: self.thinking_words().into_iter().map(str::to_owned).collect(),
        }
    }

    /// Its words for how hard a model thinks, weakest first.
    fn thinking_words(self) -> Vec<&'static str> {
        match self {
            Self::Generic | Self::Codex => Vec::new(),
            Self::Pi => pi::launch::Thinking::ALL.map(pi::launch::Thinking::word).to_vec(),
            Self::Claude => claude::launch::EFFORTS.to_vec(),
        }
    }

    /// Plans a start with nothing in it: what speaks against that speaks against every one.
    fn startable(self, environment: &[EnvVar], root: &Path) -> Result<(), Refusal> {
        let prepared = self.prepare(environment, root)?;
        self.plan(&LaunchRequest {
            launch: &Launch::Task("true".to_owned()),
            environment,
            prepared: prepared.as_ref(),
            transcript: "",
            conversation: None,
            life: "",
            model: None,
            thinking: None,
            prompt: PromptUse::Withheld,
        })
        .map(|_| ())
    }
}

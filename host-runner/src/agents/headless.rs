//! Turns without a terminal: what is executed for one, and how the lines that it prints are read. Pure.
//!
//! Called by the coordinator, which plans a run, and by the run process, which reads its worker. Each adapter has its own
//! `headless` file; this one is the seam.

use super::{AgentKind, Prepared, event::AgentEvent, questions::QuestionTools};
use board_protocol::refusal::{Refusal, RefusalKind};

/// Everything that a turn without a terminal is planned from.
#[derive(Debug, Clone, Copy)]
pub struct HeadlessRequest<'a> {
    /// What the agent is told, taken literally.
    pub prompt: &'a str,
    /// What [`AgentKind::prepare`] found.
    pub prepared: Option<&'a Prepared>,
    /// The file that keeps the transcript, where the agent lets us choose it.
    pub transcript: &'a str,
    /// The agent's own id of the conversation that goes on; `None` begins one.
    pub conversation: Option<&'a str>,
    /// What tells this life of the row from all others: a UUID.
    pub life: &'a str,
    /// The model, in the agent's words.
    pub model: Option<&'a str>,
    /// How hard it thinks, in the agent's words.
    pub thinking: Option<&'a str>,
    /// The tools that it may use, in the agent's words.
    pub tools: Option<&'a str>,
}

/// What to execute for a turn without a terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeadlessPlan {
    /// Program and arguments, never empty, taken literally.
    pub argv: Vec<String>,
    /// What it reads on its standard input: a prompt that is too long for an argument, for example.
    pub input: Option<String>,
    /// The beginning of the prompt: the source of the session's name and summary.
    pub words: String,
}

impl AgentKind {
    /// What to execute for a turn without a terminal.
    ///
    /// # Errors
    /// The agent cannot do that, or the request says nothing that could be executed.
    pub fn plan_headless(self, _request: &HeadlessRequest<'_>) -> Result<HeadlessPlan, Refusal> {
        Err(Refusal::new(RefusalKind::BadInput, format!("{} does not work without a terminal", self.name())))
    }

    /// Reads one line that a worker printed. Never fails: what cannot be read is an [`AgentEvent::Unknown`] with the code
    /// `malformed_event`.
    pub fn read_headless(self, _line: &[u8], _question_tools: &QuestionTools) -> Vec<AgentEvent> {
        Vec::new()
    }
}

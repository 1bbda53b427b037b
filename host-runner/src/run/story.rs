//! What a turn comes to, event by event: what the agent does now, what it said last, what it cost, why it ended, and
//! which conversation it is. Pure.
//!
//! Called by [`super::drive`] with the events of every line that the worker prints. It knows no agent: only the neutral
//! events of [`crate::agents::event`].

use crate::{
    agents::event::{AgentEvent, Author, Diagnostic, Ending, Message, Settled, StopReason},
    model::news::{self, Beat, Reading, Tokens},
};
use board_protocol::{
    board::{MAX_SENTENCE_COLUMNS, MAX_SUMMARY_COLUMNS},
    ids::UnixMs,
    run::{MAX_RUN_TEXT_BYTES, RunBeat, RunConversation, RunStop, RunUsage},
    text::{beginning_of, plain_within},
};

/// How much of the beginning of very long last words is kept, in bytes; of the end the rest, because what an agent asks
/// stands there.
const KEPT_HEAD_BYTES: usize = 4 * 1024;
/// What stands for the middle.
const LEFT_OUT: &str = "\n…\n";

/// The turn so far.
#[derive(Debug, Default)]
pub(super) struct Story {
    doing: Option<(Option<String>, String)>,
    text: Option<String>,
    spoke_at: Option<UnixMs>,
    usage: RunUsage,
    stop: Option<RunStop>,
    error: Option<String>,
    conversation: RunConversation,
    told: RunConversation,
    changed: bool,
}

/// How a turn came out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Outcome {
    /// What it said last.
    pub(super) text: Option<String>,
    /// When.
    pub(super) spoke_at: Option<UnixMs>,
    /// Why its model stopped.
    pub(super) stop: Option<RunStop>,
    /// Its error.
    pub(super) error: Option<String>,
    /// What it cost.
    pub(super) usage: RunUsage,
}

impl Story {
    /// Takes one event. Gives what whoever looks for a fault should see.
    pub(super) fn hear(&mut self, event: AgentEvent, at: UnixMs) -> Option<Diagnostic> {
        match &event {
            AgentEvent::SessionStarted(session) => {
                take_if_said(&mut self.conversation.id, session.id.as_ref());
                take_if_said(&mut self.conversation.transcript, session.transcript.as_ref());
                take_if_said(&mut self.conversation.model, session.model.as_ref());
            }
            AgentEvent::ModelChanged { model } => take_if_said(&mut self.conversation.model, Some(model)),
            AgentEvent::ToolStarted(_) => self.usage.tools = self.usage.tools.saturating_add(1),
            AgentEvent::MessageEnded(message) => self.message(message, at),
            AgentEvent::AgentSettled(settled) => self.settled(settled, at),
            _ => {}
        }
        match news::read(event) {
            Reading::Beat(beat) => self.feel(beat),
            Reading::Diagnostic(diagnostic) => return Some(diagnostic),
            Reading::News(_) | Reading::Nothing => {}
        }
        None
    }

    fn message(&mut self, message: &Message, at: UnixMs) {
        if let Some(usage) = message.usage {
            let now = Tokens {
                read: self.usage.read,
                written: self.usage.written,
                cost_micros: self.usage.cost_micros,
            };
            let sum = now.and(Tokens::from(usage));
            self.usage.read = sum.read;
            self.usage.written = sum.written;
            self.usage.cost_micros = sum.cost_micros;
        }
        if message.author != Author::Assistant {
            return;
        }
        self.usage.turns = self.usage.turns.saturating_add(1);
        take_if_said(&mut self.conversation.model, message.model.as_ref());
        self.spoke_at = Some(at);
        match (&message.error, message.stop) {
            (Some(error), _) => self.error = Some(error.clone()),
            // Whoever is done has got over what went wrong before.
            (None, Some(StopReason::Done)) => self.error = None,
            (None, _) => {}
        }
        self.stop = match message.stop {
            Some(StopReason::Done) => Some(RunStop::Done),
            Some(StopReason::Length) => Some(RunStop::Length),
            Some(StopReason::Error) => Some(RunStop::Error),
            Some(StopReason::Aborted) => Some(RunStop::Aborted),
            Some(StopReason::Other) => Some(RunStop::Other),
            // It goes on after its tools.
            Some(StopReason::Tools) | None => None,
        };
        self.say(&message.text);
    }

    fn settled(&mut self, settled: &Settled, at: UnixMs) {
        if let Some(text) = &settled.text
            && !text.trim().is_empty()
        {
            self.spoke_at = Some(at);
            self.say(text);
        }
        match settled.ending {
            Ending::Finished => self.error.clone_from(&settled.error),
            Ending::Interrupted => self.stop = Some(RunStop::Aborted),
            Ending::Failed => {
                self.stop = Some(RunStop::Error);
                take_if_said(&mut self.error, settled.error.as_ref());
            }
        }
        self.doing = None;
        self.changed = true;
    }

    fn say(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.text = Some(within(text));
            self.changed = true;
        }
    }

    fn feel(&mut self, beat: Beat) {
        let before = self.doing.clone();
        match beat {
            Beat::Doing { call, words } => self.doing = Some((call, words)),
            Beat::ToolEnded { call } => {
                self.doing.take_if(|(doing, _)| doing.as_ref() == Some(&call));
            }
            Beat::Thinking | Beat::Paused => self.doing = None,
            Beat::Editor(_) | Beat::ChildStarted { .. } | Beat::ChildEnded { .. } => {}
        }
        self.changed |= self.doing != before;
    }

    /// What to show now, if that is news.
    pub(super) fn beat(&mut self) -> Option<RunBeat> {
        std::mem::take(&mut self.changed).then(|| RunBeat {
            start: None,
            doing: self.doing.as_ref().map(|(_, words)| plain_within(words, MAX_SUMMARY_COLUMNS)),
            preview: self.text.as_deref().map(|text| plain_within(text, MAX_SENTENCE_COLUMNS)),
        })
    }

    /// Whether [`Self::beat`] would give something.
    pub(super) const fn has_news(&self) -> bool {
        self.changed
    }

    /// Which conversation it is, when that is known or known better than before.
    pub(super) fn conversation(&mut self) -> Option<RunConversation> {
        if self.conversation == self.told {
            return None;
        }
        self.told.clone_from(&self.conversation);
        Some(self.told.clone())
    }

    /// How it came out.
    pub(super) fn outcome(&self) -> Outcome {
        Outcome {
            text: self.text.clone(),
            spoke_at: self.spoke_at,
            stop: self.stop,
            error: self.error.as_deref().map(|error| beginning_of(error, MAX_RUN_TEXT_BYTES).to_owned()),
            usage: self.usage,
        }
    }
}

fn take_if_said(field: &mut Option<String>, said: Option<&String>) {
    if let Some(said) = said.filter(|said| !said.is_empty()) {
        *field = Some(beginning_of(said, MAX_RUN_TEXT_BYTES).to_owned());
    }
}

/// Words within the limit of a report: all of them, or their beginning and their end.
fn within(text: &str) -> String {
    if text.len() <= MAX_RUN_TEXT_BYTES {
        return text.to_owned();
    }
    let tail = MAX_RUN_TEXT_BYTES - KEPT_HEAD_BYTES - LEFT_OUT.len();
    let from = text.ceil_char_boundary(text.len() - tail);
    format!("{}{LEFT_OUT}{}", beginning_of(text, KEPT_HEAD_BYTES), text.get(from..).unwrap_or_default())
}

#[cfg(test)]
mod tests;

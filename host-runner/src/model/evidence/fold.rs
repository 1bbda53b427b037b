//! From an agent's events to items of evidence. Pure.
//!
//! A fold remembers only what the next event needs: the calls that have not ended, and what was said last, so that what
//! is said twice counts once. One that was lost in the middle of work costs no more than the names of these calls: the
//! end of a command whose beginning nobody remembers carries its id, and whoever keeps items puts the two together.

use super::{calls::Call, texts};
use crate::{
    agents::event::{
        AgentEvent, Author, CompactionOutcome, Ending, Message, Settled, StopReason, ToolEnded, ToolOutcome,
        ToolStarted,
    },
    model::{auto_state::text_hash, news::Tokens, tool_words::runs_commands},
};
use board_protocol::{
    evidence::{
        Claim, CommandEvidence, CommandKind, CommandStatus, ErrorEvidence, EvidenceItem, FileChange,
        MAX_CLAIM, MAX_OUTPUT_PREVIEW,
    },
    ids::UnixMs,
    run::RunUsage,
};
use std::collections::VecDeque;

/// Most calls without an end that are remembered: agents run a few dozen at once. The oldest of more is forgotten, and
/// its end says less.
const MAX_OPEN: usize = 48;
/// Longest id of a call that is kept, in characters: agents make them of about forty.
const MAX_ID: usize = 200;
/// Longest name of a tool that is kept, in characters.
const MAX_TOOL: usize = 100;
/// Longest message of an error, in characters: two lines of a terminal more than a board's sentence has.
const MAX_ERROR: usize = 500;

/// What makes evidence of events, one for each agent process.
#[derive(Debug, Clone, Default)]
pub struct Fold {
    open: VecDeque<Open>,
    /// The hash of the last claim.
    claimed: Option<String>,
    /// The last error, until something succeeds.
    failed: Option<String>,
}

#[derive(Debug, Clone)]
struct Open {
    /// What the end will name: the call, or the tool where the agent does not number its calls.
    name: String,
    id: String,
    at: UnixMs,
    call: Call,
}

impl Fold {
    /// What one event gives: nothing for most, never more than [`board_protocol::evidence::MAX_ITEMS_IN_REPORT`].
    pub fn take(&mut self, event: &AgentEvent, at: UnixMs) -> Vec<EvidenceItem> {
        match event {
            AgentEvent::ToolStarted(started) => self.started(started, at),
            AgentEvent::ToolEnded(ended) => self.ended(ended, at),
            AgentEvent::MessageEnded(message) => self.said(message, at),
            AgentEvent::AgentSettled(settled) => self.settled(settled, at),
            AgentEvent::SessionEnded { .. } => self.forsaken(),
            AgentEvent::RetryStarted(retry) => self.error("model", &retry.error, None, at),
            AgentEvent::RetryEnded { error: Some(error), .. } => self.error("model", error, None, at),
            AgentEvent::CompactionEnded { outcome: CompactionOutcome::Failed, error: Some(error) } => {
                self.error("model", error, None, at)
            }
            _ => Vec::new(),
        }
    }

    fn started(&mut self, started: &ToolStarted, at: UnixMs) -> Vec<EvidenceItem> {
        let name = name_of(&started.call, &started.tool);
        let id = if started.call.is_empty() { format!("{name} {}", at.0) } else { name.clone() };
        let open = Open { name, id, at, call: Call::read(started) };
        let mut items = vec![EvidenceItem::Usage(RunUsage { tools: 1, ..RunUsage::default() })];
        items.extend(open.command(CommandStatus::Started).map(EvidenceItem::Command));
        if self.open.len() >= MAX_OPEN {
            self.open.pop_front();
        }
        self.open.push_back(open);
        items
    }

    fn ended(&mut self, ended: &ToolEnded, at: UnixMs) -> Vec<EvidenceItem> {
        let name = name_of(&ended.call, &ended.tool);
        let known =
            self.open.iter().position(|open| open.name == name).and_then(|index| self.open.remove(index));
        let failed = ended.outcome == ToolOutcome::Failed;
        // Only its id tells which command this was, where the beginning was not seen.
        let open = known.unwrap_or_else(|| Open {
            id: name.clone(),
            name,
            at,
            call: if runs_commands(&ended.tool) && !ended.call.is_empty() {
                Call::Command { line: String::new(), kind: CommandKind::Other }
            } else {
                Call::Other
            },
        });
        let status = if failed { CommandStatus::Failed } else { CommandStatus::Passed };
        if !failed {
            self.failed = None;
        }
        if let Some(mut command) = open.command(status) {
            command.exit_code = Some(exit_code(ended));
            command.duration_ms = ended.duration_ms.or_else(|| {
                let measured = at.0.checked_sub(open.at.0)?;
                (!command.command.is_empty()).then_some(measured)
            });
            command.output_preview =
                Some(texts::lines(&ended.excerpt, MAX_OUTPUT_PREVIEW)).filter(|preview| !preview.is_empty());
            return vec![EvidenceItem::Command(command)];
        }
        if failed {
            let tool = texts::line(&ended.tool, MAX_TOOL);
            let message = if ended.excerpt.trim().is_empty() {
                format!("Tool {tool} failed")
            } else {
                format!("Tool {tool} failed: {}", ended.excerpt)
            };
            return self.error("tool", &message, Some(tool), at);
        }
        let Call::Files(files) = open.call else { return Vec::new() };
        let change = |(path, action)| {
            EvidenceItem::FileChange(FileChange {
                path,
                action,
                tool: texts::line(&ended.tool, MAX_TOOL),
                first_seen_at_ms: at,
                last_seen_at_ms: at,
                count: 1,
            })
        };
        files.into_iter().map(change).collect()
    }

    fn said(&mut self, message: &Message, at: UnixMs) -> Vec<EvidenceItem> {
        let mut usage = RunUsage::default();
        if let Some(told) = message.usage {
            let tokens = Tokens::from(told);
            usage = RunUsage {
                read: tokens.read,
                written: tokens.written,
                cost_micros: tokens.cost_micros,
                ..usage
            };
        }
        let by_model = message.author == Author::Assistant;
        usage.turns = u32::from(by_model);
        let mut items = Vec::new();
        if usage != RunUsage::default() {
            items.push(EvidenceItem::Usage(usage));
        }
        if by_model {
            items.extend(self.claim(&message.text, at));
            match &message.error {
                // What a person stopped did not fail.
                Some(error) if message.stop != Some(StopReason::Aborted) => {
                    items.extend(self.error("model", error, None, at));
                }
                _ => self.failed = None,
            }
        }
        items
    }

    fn settled(&mut self, settled: &Settled, at: UnixMs) -> Vec<EvidenceItem> {
        let mut items = self.forsaken();
        if let Some(text) = &settled.text {
            items.extend(self.claim(text, at));
        }
        if let (Ending::Failed, Some(error)) = (settled.ending, &settled.error) {
            items.extend(self.error("run", error, None, at));
        }
        self.failed = None;
        items
    }

    /// The agent is done, and nothing was heard of the end of these.
    fn forsaken(&mut self) -> Vec<EvidenceItem> {
        let unknown = |open: Open| open.command(CommandStatus::Unknown).map(EvidenceItem::Command);
        std::mem::take(&mut self.open).into_iter().filter_map(unknown).collect()
    }

    fn claim(&mut self, text: &str, at: UnixMs) -> Option<EvidenceItem> {
        let text = texts::line(text, MAX_CLAIM);
        let hash = text_hash(&text);
        if text.is_empty() || self.claimed.as_ref() == Some(&hash) {
            return None;
        }
        self.claimed = Some(hash);
        Some(EvidenceItem::Claim(Claim { at_ms: at, text }))
    }

    /// An error, unless it is the one that was told just now: the message, the attempt and the end of the work say the
    /// same.
    fn error(&mut self, source: &str, message: &str, tool: Option<String>, at: UnixMs) -> Vec<EvidenceItem> {
        let message = texts::line(message, MAX_ERROR);
        if message.is_empty() || self.failed.as_ref() == Some(&message) {
            return Vec::new();
        }
        self.failed = Some(message.clone());
        vec![EvidenceItem::Error(ErrorEvidence { at_ms: at, source: source.to_owned(), message, tool })]
    }
}

impl Open {
    fn command(&self, status: CommandStatus) -> Option<CommandEvidence> {
        let Call::Command { line, kind } = &self.call else { return None };
        Some(CommandEvidence {
            id: self.id.clone(),
            at_ms: self.at,
            command: line.clone(),
            kind: *kind,
            status,
            exit_code: None,
            duration_ms: None,
            output_preview: None,
        })
    }
}

fn name_of(call: &str, tool: &str) -> String {
    let name = if call.is_empty() { tool } else { call };
    texts::line(name, MAX_ID)
}

/// The exit code, where the agent tells it, or where its words begin with it (Claude Code's hooks), else only whether it
/// failed.
fn exit_code(ended: &ToolEnded) -> i32 {
    if let Some(code) = ended.exit_code {
        return code;
    }
    if ended.outcome == ToolOutcome::Succeeded {
        return 0;
    }
    let told =
        ended.excerpt.strip_prefix("Exit code ").and_then(|rest| rest.lines().next()?.trim().parse().ok());
    told.unwrap_or(1)
}

#[cfg(test)]
mod tests;

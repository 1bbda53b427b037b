//! Panes that zellij brings back with a dead session: it runs none of their commands. Ours are run again, or closed.
//!
//! zellij lists panes only while the board's tab is the active one: those in other tabs wait until it is. Every visible instance does this. Running a pane that runs, and closing one that is gone, change nothing.

use super::Board;
use crate::effect::Effect;
use board_protocol::{ids::SessionId, state::HostState};

/// Most panes that are remembered: as many as a session may well have.
const MAX_PANES: usize = 256;

/// A command of ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ours {
    /// An attach client.
    Attach(SessionId),
    /// The link of the layout.
    Link,
}

/// Panes that wait, and those that were run again.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    panes: Vec<(u32, Ours)>,
    /// One that waits again is closed: its command does not run.
    tried: Vec<u32>,
}

impl Waiting {
    /// Whether the command of a pane was run again.
    pub(super) fn was_run(&self, pane: u32) -> bool {
        self.tried.contains(&pane)
    }
}

impl Board {
    /// What a pane's command line says, if it is one of ours. zellij gives words with blanks between them.
    pub(super) fn ours(&self, command: &str) -> Option<Ours> {
        let (runner, args) = self.runner_call(&[])?;
        let rest = command.strip_prefix(runner.as_str())?.strip_prefix(' ')?;
        let rest =
            args.iter().try_fold(rest, |rest, word| rest.strip_prefix(word.as_str())?.strip_prefix(' '))?;
        match rest.split_once(' ') {
            None if rest == "link" => Some(Ours::Link),
            Some(("attach", id)) if !id.contains(' ') => Some(Ours::Attach(SessionId(id.into()))),
            _ => None,
        }
    }

    pub(super) fn note_waiting(&mut self, suspended: &[(u32, String)]) {
        let ours = |(pane, command): &(u32, String)| Some((*pane, self.ours(command)?));
        let panes: Vec<_> = suspended.iter().filter_map(ours).take(MAX_PANES).collect();
        self.waiting.panes = panes;
        self.settle_waiting();
    }

    /// A link is wanted at once, an attach client once the rows tell whether there is something to enter.
    pub(super) fn settle_waiting(&mut self) {
        let current = self.is_current();
        let panes = std::mem::take(&mut self.waiting.panes);
        for (pane, ours) in panes {
            let wanted = match &ours {
                _ if self.panes.opened(pane) => continue,
                Ours::Link => !self.link.is_speaking(self.now),
                Ours::Attach(_) if !current => {
                    self.waiting.panes.push((pane, ours));
                    continue;
                }
                Ours::Attach(id) => self
                    .model
                    .row(id)
                    .is_some_and(|row| matches!(row.host_state, HostState::Starting | HostState::Alive)),
            };
            let first = !self.waiting.tried.contains(&pane);
            if !wanted || !first {
                self.emit(Effect::CloseTerminal(pane));
                continue;
            }
            if self.waiting.tried.len() >= MAX_PANES {
                self.waiting.tried.remove(0);
            }
            self.waiting.tried.push(pane);
            self.emit(Effect::RerunTerminal(pane));
            if let Ours::Attach(session) = ours {
                // Its own name is its command line; without one, the client's title counts.
                self.emit(Effect::RenamePane { pane, name: String::new() });
                // From now on it is entered, watched and closed as one that was opened: the row tells of it a moment later only.
                self.take_over(pane, &session);
            }
        }
    }
}

//! Questions of boards on their way through the machine: to the daemon, to a host or to the
//! file system, and their answers down.

use super::{Machine, Output};
use crate::link::queries::{self, Next, Queries};
use board_protocol::pipe::{DaemonHealth, Down, InstanceId, Query};
use std::time::Duration;

impl Machine {
    /// A board wants to know something; an older question of the same kind is answered no more.
    pub(super) fn on_query(
        &mut self,
        instance: InstanceId,
        number: u64,
        query: Query,
        now: Duration,
        out: &mut Vec<Output>,
    ) {
        if let Some(text) = self.away().filter(|_| !Queries::needs_no_daemon(&query)) {
            self.tell_all(queries::refused(instance, number, text));
            return;
        }
        let (replaced, next) = self.queries.take(instance, number, query, now);
        self.down.forget_answers(instance, replaced);
        self.go_on(next, out);
    }

    /// Why the daemon cannot be asked, if so.
    pub(super) fn away(&self) -> Option<&str> {
        match &self.health {
            DaemonHealth::Connected { .. } => None,
            DaemonHealth::Unreachable { text }
            | DaemonHealth::Incompatible { text }
            | DaemonHealth::ShutDown { text } => Some(text),
        }
    }

    pub(super) fn go_on(&mut self, next: Next, out: &mut Vec<Output>) {
        match next {
            Next::Nothing => {}
            Next::Ask(id, request) => out.push(Output::Ask { id, request }),
            Next::ReadScreen(id, socket) => out.push(Output::ReadScreen { id, socket }),
            Next::LookForAgents(id, preferences) => out.push(Output::LookForAgents { id, preferences }),
            Next::ListDirectories(id, prefix) => out.push(Output::ListDirectories { id, prefix }),
            Next::ReadTranscript(id, source, window) => {
                out.push(Output::ReadTranscript { id, source, window });
            }
            Next::Tell(lines) => self.tell_all(lines),
        }
    }

    pub(super) fn tell_all(&mut self, lines: Vec<Down>) {
        for line in lines {
            self.down.tell(line);
        }
    }
}

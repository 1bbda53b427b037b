//! Questions of boards on their way through the machine: to the daemon or to a host, and their answers down.

use super::{Machine, Output};
use crate::link::queries::{self, Next};
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
        if let Some(text) = self.away() {
            self.tell_all(queries::refused(instance, number, text));
            return;
        }
        let (replaced, id, request) = self.queries.take(instance, number, query, now);
        self.down.forget_answers(instance, replaced);
        out.push(Output::Ask { id, request });
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

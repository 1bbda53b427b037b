//! Signs of life: which working sessions give none any more, and which do again.
//!
//! Called at the end of every turn. It shows a badge and leaves a diagnostic; it never changes a state.

use super::{
    decision::Decision,
    stall::{Activity, Look, resolved_text, stalled_text},
    terminals,
    turn::Turn,
    world::World,
    writer::Coordinator,
};
use board_protocol::{daemon::LogLevel, state::SemanticState};

impl<W: World> Coordinator<W> {
    /// Which working sessions give no sign of life any more, and which do again.
    pub(super) fn look_for_stalls(&mut self, turn: &mut Turn) {
        let (now, uptime) = (self.world.now(), self.world.uptime_ms());
        let mut decision = Decision::default();
        for session in std::mem::take(&mut turn.signs) {
            let Some(record) = self.sessions.get(&session) else { continue };
            let activity = if record.state != SemanticState::Working
                || !record.is_at_work()
                // A server that nobody talks to is silent, and so is a shell.
                || terminals::owner(&self.sessions, record).is_some()
            {
                Activity::Rests
            } else if record.run_is_open() || self.hosts.connection(&session).is_some() {
                Activity::Works
            } else {
                Activity::Unheard
            };
            let look = self.stalls.look(&session, activity, uptime, self.world.stalled_after_ms());
            let shown = match look {
                Look::Same => continue,
                Look::Stalled(ms) => {
                    let grave = (LogLevel::Warn, "service", "provider_stall");
                    decision.note(&session, now, grave, &stalled_text(ms));
                    Some(ms)
                }
                Look::StillStalled(ms) => Some(ms),
                Look::Resolved(ms) => {
                    let grave = (LogLevel::Info, "service", "provider_stall_resolved");
                    decision.note(&session, now, grave, &resolved_text(ms));
                    None
                }
            };
            self.hosts.stalled(&session, shown);
            turn.shown.insert(session);
        }
        self.record(decision, turn);
    }
}

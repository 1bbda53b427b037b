//! The end of an idle program, and the last look before it (decision 14).
//!
//! The daemon decided with what it knew; what has happened since is here: facts that it has not committed, clients that
//! are just coming in, words that are being written, jobs that the program left running. Any of them, and the program goes
//! on; the daemon asks again another time. Called by `supervise` when the daemon orders it.

use super::{
    client::{Client, Phase},
    event_loop::Host,
    words::Draft,
};
use board_protocol::{hello::Role, host::HostFact};
use std::time::Instant;

impl Host {
    /// Ends the program, if nobody needs it now. Nobody can come in once that has begun.
    pub(super) fn reclaim(&mut self, now: Instant) {
        // Whoever has connected already is here first.
        self.accept(now);
        if let Some(reason) = self.needed() {
            tracing::info!("the idle program goes on: {reason}");
            return;
        }
        self.listener = None;
        self.report(HostFact::Reclaimed, now);
        self.stop.ask();
    }

    /// Why the program may not end now.
    fn needed(&mut self) -> Option<&'static str> {
        if self.child.is_none() || self.exit.is_some() || self.stop.is_asked() || self.leave_by.is_some() {
            return Some("it does not run, or ends already");
        }
        if !self.uplink.is_up() || !self.outbox.is_empty() {
            return Some("the daemon has not recorded what happened last");
        }
        if self.clients.iter().any(may_matter) {
            return Some("somebody is in it, or just comes");
        }
        let words = self.writing.is_some() || !self.kept_keys.is_empty() || self.typed_since.is_some();
        if words || self.draft == Draft::Typed {
            return Some("words are on their way to it, or stand in its text field");
        }
        if self.tree.as_mut().is_none_or(super::tree::Tree::has_jobs) {
            return Some("something that it started still runs in the background");
        }
        None
    }
}

/// Whether a connection is somebody who is in the session: an attach pane, or nobody knows what yet. A look at the screen
/// is none, and neither is the agent's own line for what it reports, which pi keeps open for as long as it runs: what it
/// said is known by now, or is in the outbox.
fn may_matter(client: &Client) -> bool {
    match client.phase {
        Phase::Greeting { .. } => true,
        Phase::Ready { role, .. } => !matches!(role, Role::Viewer | Role::Cli | Role::Hook),
        Phase::Leaving { .. } => false,
    }
}

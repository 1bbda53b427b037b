//! The stream of one subscription: snapshots, numbered output, and the output of a host that has no snapshots.

use super::{
    Action, EMPTY_SCREEN, Ending, Jiggle, Machine, Mode, SNAPSHOT_WITHIN, State, sizes,
    snapshot::{Arriving, Whole},
};
use board_protocol::{
    host::AttachMode,
    ids::{Generation, OutputSeq, Size},
    refusal::{Refusal, RefusalKind},
};
use std::time::Instant;

impl Machine {
    pub(super) fn enter(&mut self, mode: Mode) -> Vec<Action> {
        if self.mode.replace(mode) == Some(mode) { Vec::new() } else { vec![Action::Mode(mode)] }
    }

    pub(super) fn go_legacy(&mut self, now: Instant) -> Vec<Action> {
        let mut actions = self.enter(Mode::Legacy);
        self.shown = None;
        let size = self.request.size;
        // Readers never resize.
        let jiggle = match self.request.mode {
            AttachMode::Interactive => Jiggle::armed(size, now),
            AttachMode::ReadOnly => Jiggle::idle(),
        };
        self.state = State::Legacy { jiggle };
        actions.push(Action::Snapshot { size, bytes: EMPTY_SCREEN.to_vec() });
        let early = self.undecided.take();
        if !early.is_empty() {
            actions.push(Action::Output(early));
        }
        actions
    }

    pub(super) fn begin(
        &mut self,
        seq: Option<OutputSeq>,
        size: Size,
        generation: &Generation,
        now: Instant,
    ) -> Vec<Action> {
        // A host sends one unasked after a change of size and to a client that fell behind.
        if !matches!(
            self.state,
            State::Probing { .. } | State::Collecting { .. } | State::Resyncing { .. } | State::Live
        ) {
            return Vec::new();
        }
        let mut actions = self.adopt(generation);
        actions.extend(self.enter(Mode::Protocol));
        self.undecided.take();
        self.shown = None;
        self.state =
            State::Collecting { deadline: now + SNAPSHOT_WITHIN, snapshot: Arriving::new(seq, size) };
        actions
    }

    pub(super) fn frame(&mut self, data: &[u8], now: Instant) -> Vec<Action> {
        match &mut self.state {
            State::Collecting { deadline, snapshot } => {
                *deadline = now + SNAPSHOT_WITHIN;
                if snapshot.frame(data).is_ok() { Vec::new() } else { self.resync(now) }
            }
            State::Live => self.resync(now),
            // The rest of one that was given up.
            _ => Vec::new(),
        }
    }

    pub(super) fn finish(&mut self, next: OutputSeq, now: Instant) -> Vec<Action> {
        let State::Collecting { snapshot, .. } = &mut self.state else {
            return if matches!(self.state, State::Live) { self.resync(now) } else { Vec::new() };
        };
        let whole = std::mem::replace(snapshot, Arriving::new(None, self.request.size)).finish(next);
        let Ok(Whole { shown, size, bytes, after }) = whole else { return self.resync(now) };
        let told = self.condition();
        self.shown = Some(shown);
        self.failed_snapshots = 0;
        self.state = State::Live;
        let mut actions = vec![Action::Snapshot { size, bytes }];
        actions.extend(after.into_iter().map(Action::Output));
        if told != self.condition() {
            actions.push(Action::Condition);
        }
        actions
    }

    /// Live output that simply follows what is shown: it may be shown right from the buffer in which it was read. `false`:
    /// it has to go through [`Machine::on_message`].
    pub fn passes_on(&mut self, seq: OutputSeq) -> bool {
        let follows = matches!(self.state, State::Live) && self.shown.map(OutputSeq::next) == Some(seq);
        if follows {
            self.shown = Some(seq);
        }
        follows
    }

    pub(super) fn output(&mut self, seq: OutputSeq, data: Vec<u8>, now: Instant) -> Vec<Action> {
        match &mut self.state {
            // While reconciling it is what an earlier subscription still sends: shown once, and the cursor moves.
            State::Live | State::Reconciling { .. } => {
                let Some(shown) = self.shown else { return Vec::new() };
                if seq <= shown {
                    return Vec::new();
                }
                if seq == shown.next() {
                    self.shown = Some(seq);
                    return vec![Action::Output(data)];
                }
                if self.is_live() { self.resync(now) } else { Vec::new() }
            }
            State::Collecting { snapshot, .. } => {
                if snapshot.output(seq, data).is_ok() {
                    Vec::new()
                } else {
                    self.resync(now)
                }
            }
            // Nothing was shown yet that it could follow.
            State::Probing { .. } => {
                let mut actions = self.enter(Mode::Protocol);
                actions.extend(self.resync(now));
                actions
            }
            // Left over from before a fresh screen was asked for: its snapshot holds it.
            _ => Vec::new(),
        }
    }

    pub(super) fn unnumbered(&mut self, data: Vec<u8>, now: Instant) -> Vec<Action> {
        match &mut self.state {
            State::Legacy { jiggle } => {
                let resized = sizes(jiggle.on_output(&data, now));
                let mut actions = vec![Action::Output(data)];
                actions.extend(resized);
                actions
            }
            State::Reconciling { .. } | State::Probing { .. } if self.mode != Some(Mode::Protocol) => {
                self.undecided.push(&data);
                Vec::new()
            }
            // Never counted, never shown: the numbered output says it, too.
            _ => Vec::new(),
        }
    }

    pub(super) fn refused(&mut self, refusal: Refusal, now: Instant) -> Vec<Action> {
        match self.state {
            // Without an answer to attach or reconcile there is nothing to show.
            State::Reconciling { .. } => self.end(Ending::Refused(refusal)),
            // Its snapshots are drawn in another way than ours (reference E.1, frame_version_mismatch).
            State::Probing { .. } | State::Collecting { .. } | State::Resyncing { .. } | State::Live
                if refusal.kind == RefusalKind::Version =>
            {
                self.go_legacy(now)
            }
            _ => Vec::new(),
        }
    }
}

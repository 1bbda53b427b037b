//! What happens by itself: one deadline for the whole machine, and what is due when it passes.

use super::{Board, Permission};
use crate::{effect::Effect, input::Visibility, model::BoardRow};
use board_protocol::ids::UnixMs;
use board_text::session;

/// How often the ages of rows are drawn anew while somebody looks. Their smallest step is a minute.
const AGES_MS: u64 = 20_000;
/// How long a row that changed its group is shown lit.
pub(crate) const LIT_MS: u64 = 700;
/// Shortest timer: zellij's own is not exact, and a deadline must not be asked for twice.
const SHORTEST_TIMER_MS: u64 = 10;
/// How much too early a timer may go off and still be the one that was armed.
const EARLY_MS: u64 = 5;

/// What is younger is now.
pub(crate) const NOW_MS: u64 = 60_000;

impl Board {
    /// The next moment at which something happens by itself. A hidden board has none, but for the look after a pane
    /// that it has just opened.
    pub fn next_deadline(&self) -> Option<UnixMs> {
        if self.permission != Permission::Granted {
            return None;
        }
        let check = self.panes.next_check();
        if self.visible == Visibility::Hidden {
            return check;
        }
        let notice = self.notice.as_ref().and_then(|notice| notice.until);
        let lit = self.selection.moved_at.map(|at| after(at, LIT_MS));
        let ages = (self.model.len() > 0).then(|| UnixMs((self.now.0 / AGES_MS + 1) * AGES_MS));
        let link = self.link_deadline();
        let intents = self.pending.next_complaint();
        let views = self.views_deadline();
        let launch = self.launch_deadline();
        let ripe = self.confirm.as_ref().map(|confirm| confirm.ripe_at).filter(|at| *at > self.now);
        [check, notice, lit, ages, link, intents, views, launch, ripe].into_iter().flatten().min()
    }

    /// Does what is due; the board was here last at `before`.
    pub(super) fn pass_deadlines(&mut self, before: UnixMs) {
        if self.permission != Permission::Granted {
            return;
        }
        self.check_panes();
        if self.visible == Visibility::Hidden {
            return;
        }
        if self.notice.as_ref().and_then(|notice| notice.until).is_some_and(|until| until <= self.now) {
            self.notice = None;
            self.changed();
        }
        if self.selection.moved_at.is_some_and(|at| after(at, LIT_MS) <= self.now) {
            self.selection.moved_at = None;
            self.changed();
        }
        if self.now.0 / AGES_MS != self.aged.0 / AGES_MS {
            if self.model.any_differs(self.aged, self.now, step) {
                self.changed();
            }
            self.aged = self.now;
        }
        if self.confirm.as_ref().is_some_and(|confirm| (before..=self.now).contains(&confirm.ripe_at)) {
            self.changed();
        }
        self.watch_link();
        self.watch_intents();
        self.watch_views();
        self.watch_launch();
    }

    /// Timers cannot be taken back. Only the one that was armed last counts: if older ones were followed by new ones,
    /// their number would never shrink.
    pub(super) fn timer(&mut self) {
        self.meters.timer();
        if self.armed.is_some_and(|armed| armed.since(self.now) <= EARLY_MS) {
            self.armed = None;
        }
    }

    pub(super) fn arm_timer(&mut self) {
        let Some(deadline) = self.next_deadline() else { return };
        if self.armed.is_some_and(|armed| armed <= deadline && armed > self.now) {
            return;
        }
        self.armed = Some(deadline);
        let after_ms = deadline.since(self.now).max(SHORTEST_TIMER_MS);
        self.emit(Effect::SetTimer { after_ms });
    }

    /// How long ago a row last did something, in at most four cells.
    pub(crate) fn age(&self, row: &BoardRow) -> String {
        age(self.now.since(row.last_activity_at_ms))
    }
}

pub(super) fn after(at: UnixMs, ms: u64) -> UnixMs {
    UnixMs(at.0.saturating_add(ms))
}

/// An age as a number and its unit: cheap to compare for thousands of rows.
fn step(ms: u64) -> (u64, &'static str) {
    let minutes = ms / NOW_MS;
    match minutes {
        0 => (0, "now"),
        1..60 => (minutes, "m"),
        60..1_440 => (minutes / 60, "h"),
        1_440..525_600 => (minutes / 1_440, "d"),
        // Four cells are enough for 999 years.
        _ => ((minutes / 525_600).min(999), "y"),
    }
}

/// A time as a number and its unit, in at most four cells.
pub(crate) fn age(ms: u64) -> String {
    match step(ms) {
        (0, _) => session::now().to_owned(),
        (number, unit) => format!("{number}{unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::age;

    #[test]
    fn ages_take_four_cells_at_most() {
        let minute = 60_000;
        let table = [
            (0, "now"),
            (minute - 1, "now"),
            (minute, "1m"),
            (59 * minute, "59m"),
            (60 * minute, "1h"),
            (1_439 * minute, "23h"),
            (1_440 * minute, "1d"),
            (364 * 1_440 * minute, "364d"),
            (400 * 1_440 * minute, "1y"),
            (u64::MAX, "999y"),
        ];
        for (ms, text) in table {
            assert_eq!(age(ms), text);
            assert!(text.len() <= 4);
        }
    }
}

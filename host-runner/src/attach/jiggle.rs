//! Makes the program of a host without snapshots draw everything: pure (reference E.12). Legacy only.
//!
//! The terminal is made one cell smaller and held so until the program begins a frame, then it gets its size back: a program
//! that sees its size change draws anew. Programs that draw inside synchronized updates say when they begin (`?2026h`);
//! one that clears the screen (`2J`) has drawn all there is. The guards of the reference:
//!
//! - G1: no frame for six seconds: the size is given back. A frame that comes later gets one fresh hold.
//! - G2: from the first frame, or G1, on there is a budget of four steps; when it is used up the size is given back and it
//!   is over.
//! - G3: whoever leaves gives the size back ([`Jiggle::stop`]).
//! - G4: another size of the pane voids the hold and ends everything: that change makes the program draw.
//! - G5: a start gives an earlier hold back.
//! - G6: a frame without a clear within 900 ms was not the whole picture: each further step of the budget shrinks again.

use board_protocol::ids::Size;
use std::time::{Duration, Instant};

/// How long after the attach it begins: a host with snapshots has answered by then.
const ARM_AFTER: Duration = Duration::from_millis(100);
/// G1.
const FRAME_WITHIN: Duration = Duration::from_secs(6);
/// G2.
const BUDGET: [Duration; 4] = [
    Duration::from_millis(120),
    Duration::from_millis(500),
    Duration::from_millis(1500),
    Duration::from_millis(3000),
];
/// G6.
const CLEAR_WITHIN: Duration = Duration::from_millis(900);
/// A size is never held below these: what a host makes of a smaller one is no change.
const SMALLEST: Size = Size { cols: 20, rows: 5 };
const FRAME: &[u8] = b"\x1b[?2026h";
const CLEAR: &[u8] = b"\x1b[2J";

/// The controller.
#[derive(Debug, Default)]
pub struct Jiggle {
    size: Option<Size>,
    start_at: Option<Instant>,
    hold: Hold,
    frame_by: Option<Instant>,
    frame_seen: Seen,
    /// When G1 gave the size back, a frame may have one hold more.
    second_chance: Seen,
    restored_at: Option<Instant>,
    step_at: Option<Instant>,
    steps: usize,
    /// The end of the last output, where a sequence may have been cut.
    carry: Vec<u8>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Hold {
    #[default]
    Free,
    Held,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Seen {
    #[default]
    No,
    Yes,
}

impl Jiggle {
    /// One that never does anything.
    pub fn idle() -> Self {
        Self::default()
    }

    /// One that begins in a moment. A size that cannot be made smaller makes it idle.
    pub fn armed(size: Size, now: Instant) -> Self {
        if hold_size(size).is_none() {
            return Self::idle();
        }
        Self { size: Some(size), start_at: Some(now + ARM_AFTER), ..Self::default() }
    }

    /// When [`Jiggle::on_time`] is due.
    pub fn next_deadline(&self) -> Option<Instant> {
        [self.start_at, self.frame_by, self.step_at].into_iter().flatten().min()
    }

    /// Carries out what is due. The sizes to tell the host, in order.
    pub fn on_time(&mut self, now: Instant) -> Vec<Size> {
        let due = |at: Option<Instant>| at.is_some_and(|at| now >= at);
        if due(self.start_at) {
            return self.start(now);
        }
        let mut told = Vec::new();
        if due(self.frame_by) {
            self.frame_by = None;
            told.extend(self.restore());
            self.second_chance = Seen::Yes;
            self.start_budget(now);
        }
        if due(self.step_at) {
            told.extend(self.step(now));
        }
        told
    }

    /// The program wrote this.
    pub fn on_output(&mut self, output: &[u8], now: Instant) -> Vec<Size> {
        if self.size.is_none() || self.start_at.is_some() {
            return Vec::new();
        }
        let mut seen = std::mem::take(&mut self.carry);
        seen.extend_from_slice(output);
        let frame = memchr::memmem::find(&seen, FRAME).is_some();
        let clear = memchr::memmem::find(&seen, CLEAR).is_some();
        // One byte less than the longest sequence: a whole one is never found twice.
        self.carry = seen.split_off(seen.len().saturating_sub(FRAME.len() - 1));
        let mut told = Vec::new();
        if frame {
            self.frame_by = None;
            self.frame_seen = Seen::Yes;
        }
        // With both in one piece the clear wins.
        if clear {
            return self.stop();
        }
        if frame {
            if self.hold == Hold::Held {
                told.extend(self.restore());
                self.restored_at = Some(now);
            } else if std::mem::take(&mut self.second_chance) == Seen::Yes {
                told.extend(self.shrink());
            }
            self.start_budget(now);
        }
        told
    }

    /// The pane has another size, which the host is told anyway (G4).
    pub fn on_resize(&mut self) {
        *self = Self::idle();
    }

    /// The end, whatever was going on (G3).
    pub fn stop(&mut self) -> Vec<Size> {
        let told = self.restore();
        *self = Self::idle();
        told.into_iter().collect()
    }

    fn start(&mut self, now: Instant) -> Vec<Size> {
        self.start_at = None;
        // G5.
        let mut told: Vec<Size> = self.restore().into_iter().collect();
        told.extend(self.size);
        told.extend(self.shrink());
        self.frame_by = Some(now + FRAME_WITHIN);
        told.dedup();
        told
    }

    fn start_budget(&mut self, now: Instant) {
        if self.step_at.is_none() && self.steps == 0 {
            self.step_at = BUDGET.first().map(|pause| now + *pause);
        }
    }

    fn step(&mut self, now: Instant) -> Vec<Size> {
        self.steps += 1;
        let Some(pause) = BUDGET.get(self.steps) else { return self.stop() };
        self.step_at = Some(now + *pause);
        let waited = self.restored_at.is_some_and(|at| now.duration_since(at) >= CLEAR_WITHIN);
        if self.frame_seen == Seen::Yes && self.hold == Hold::Free && waited {
            return self.shrink().into_iter().collect();
        }
        Vec::new()
    }

    fn shrink(&mut self) -> Option<Size> {
        let smaller = self.size.and_then(hold_size)?;
        self.hold = Hold::Held;
        Some(smaller)
    }

    /// Once for each hold.
    fn restore(&mut self) -> Option<Size> {
        (std::mem::take(&mut self.hold) == Hold::Held).then_some(self.size).flatten()
    }
}

/// One cell smaller each way, as far as there is room for that.
fn hold_size(size: Size) -> Option<Size> {
    let smaller = |cells: u16, smallest: u16| if cells > smallest + 1 { cells - 1 } else { cells };
    let held = Size { cols: smaller(size.cols, SMALLEST.cols), rows: smaller(size.rows, SMALLEST.rows) };
    (held != size).then_some(held)
}

#[cfg(test)]
#[path = "jiggle/tests.rs"]
mod tests;

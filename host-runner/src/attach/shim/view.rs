//! The two ways to show a session. Part of the loop.
//!
//! Direct: the pane has the session's size, and its bytes go through untouched but for two filters. Composed: it has another
//! size, or its agent waits for something in it and a banner stands on top: the client draws from its own terminal model.
//! From one way to the other it goes by a fresh screen of the host.

use super::{READ_BYTES, Shim};
use crate::{
    attach::{
        banner::Banner,
        boundary::Boundary,
        compose::{self, Corner},
        ime,
        keys::Skipping,
        pointer::Layout,
        sync::SyncWatch,
    },
    terminal::{InputModes, SessionTerminal},
};
use board_protocol::{host::AttachMode, ids::Size, terminals::Waiting};
use std::time::Instant;

/// Smaller panes are composed: the session itself is never made smaller.
const SMALLEST: Size = Size { cols: 20, rows: 5 };
/// A program that has no title any more, because it took it back or because it had none when it kept it (see the filter's
/// titles): the pane has its usual one then.
const NO_TITLE: &[u8] = b"\x1b]2;\x1b\\";
/// Whatever direct mode left behind must not act on what the client draws.
const PREPARE: &[u8] = b"\x18\x1b[?2026l\x1b[r\x1b[?6l\x1b[?7h\x1b[4l\x1b(B\x0f";

pub(super) enum View {
    Direct,
    Composed(Box<Composed>),
}

/// The client's own picture of the session.
pub(super) struct Composed {
    model: SessionTerminal,
    dirty: bool,
    /// What was drawn last.
    corner: Option<Corner>,
    /// What the person's terminal was put into last.
    modes: Option<InputModes>,
}

impl Shim {
    pub(super) fn show_snapshot(&mut self, size: Size, bytes: &[u8]) {
        self.release_ime();
        self.sync = SyncWatch::default();
        self.boundary = Boundary::default();
        let fits = self.pane.cols >= SMALLEST.cols && self.pane.rows >= SMALLEST.rows;
        if size == self.pane && fits && self.banner.is_none() {
            self.view = View::Direct;
            self.typing.drawn(Skipping::Off, None);
            self.tty.show(bytes);
            self.sync.feed(bytes, Instant::now());
        } else {
            let mut model = SessionTerminal::new(size, 0);
            model.feed(bytes);
            // A picture of the same session goes on where the last one was.
            let corner = match &self.view {
                View::Composed(before) if before.model.size() == size => before.corner,
                _ => None,
            };
            self.view = View::Composed(Box::new(Composed { model, dirty: true, corner, modes: None }));
        }
        // The session may have set a title of its own.
        self.set_usual_title();
    }

    pub(super) fn show_output(&mut self, data: &[u8]) {
        match &mut self.view {
            View::Direct => {
                let now = Instant::now();
                let mut fed = std::mem::take(&mut self.shown);
                let shown = match self.ime.pass_whole(data) {
                    Some(whole) => data.get(..whole).unwrap_or(data),
                    None => {
                        self.ime.feed(data, &mut fed);
                        &fed
                    }
                };
                self.sync.feed(shown, now);
                self.boundary.feed(shown);
                self.tty.show(shown);
                self.title_due |= memchr::memmem::find(shown, NO_TITLE).is_some();
                fed.clear();
                fed.shrink_to(READ_BYTES);
                self.shown = fed;
                self.ime_deadline = self.ime.is_waiting().then_some(now + ime::WAIT);
            }
            View::Composed(composed) => {
                composed.model.feed(data);
                composed.dirty = true;
            }
        }
    }

    pub(super) fn release_ime(&mut self) {
        self.ime_deadline = None;
        let mut shown = std::mem::take(&mut self.shown);
        self.ime.release(&mut shown);
        self.sync.feed(&shown, Instant::now());
        self.boundary.feed(&shown);
        self.tty.show(&shown);
        shown.clear();
        self.shown = shown;
    }

    /// The host says what is waited for. A banner comes with the screen that the machine asks for then, and goes with it; in
    /// a pane that is composed anyway it is there at once.
    pub(super) fn show_waiting(&mut self, waiting: Option<Waiting>) {
        let key = self.skip_key.as_ref().filter(|_| self.mode == AttachMode::Interactive);
        self.banner = waiting.map(|waiting| Banner::new(waiting, key));
        if let View::Composed(composed) = &mut self.view {
            composed.dirty = true;
        }
    }

    /// Draws the picture of composed mode once for everything that was read.
    pub(super) fn draw_composed(&mut self) {
        let View::Composed(composed) = &mut self.view else { return };
        if !std::mem::take(&mut composed.dirty) {
            return;
        }
        let banner = self.banner.as_ref();
        self.tty.show(PREPARE);
        let (bytes, corner) = compose::frame(&mut composed.model, self.pane, composed.corner, banner);
        self.tty.show(&bytes);
        composed.corner = Some(corner);
        // Who only looks keeps the terminal's own mouse.
        if self.mode == AttachMode::ReadOnly {
            return;
        }
        let modes = composed.model.input_modes();
        if composed.modes.replace(modes) != Some(modes) {
            self.tty.show(&modes.bytes());
        }
        let above = compose::rows_above(self.pane, banner);
        let shown = banner.filter(|_| above > 0);
        let layout = Layout {
            above,
            skip: shown.and_then(|banner| banner.skip_columns(self.pane.cols)),
            corner,
            size: composed.model.size(),
            encoding: modes.mouse(),
        };
        let skipping = if shown.is_some() { Skipping::On } else { Skipping::Off };
        self.typing.drawn(skipping, Some(layout));
    }
}

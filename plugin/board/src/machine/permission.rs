//! Asking for permission, and doing nothing else until it is there (field reports H4, H6, H8).

use super::Board;
use crate::{
    effect::Effect,
    input::{BoundKey, Granted, Key, KeyCode, Keybinds, Loaded},
    keymap::Room,
    settings::Settings,
};

/// What decision 6 does to Locked mode: Ctrl+G goes to the agent, Ctrl+Alt+G leaves. zellij's KDL wants one node a line.
pub(crate) const FREE_CTRL_G: &str = "keybinds {\n    locked {\n        unbind \"Ctrl g\"\n        bind \"Ctrl Alt g\" {\n            SwitchToMode \"Normal\"\n        }\n    }\n}\n";

/// Whether the person allowed the board to act.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Permission {
    /// Not asked yet.
    Unasked,
    /// Asked; zellij shows its own question.
    Asked,
    /// Allowed.
    Granted,
    /// Refused, or taken back.
    Denied,
}

impl Board {
    pub(super) fn loaded(&mut self, loaded: Loaded) {
        self.settings = Settings::new(loaded.configuration);
        self.speak(self.settings.language);
        self.build = loaded.build;
        self.born = self.now;
        self.permission = Permission::Asked;
        self.emit(Effect::Subscribe);
        self.emit(Effect::RequestPermissions);
        self.changed();
    }

    /// Lines that came before the grant could not be answered, so everything is fetched anew (H8).
    pub(super) fn granted(&mut self, granted: Granted) {
        if self.permission == Permission::Granted && self.me.as_ref() == Some(&granted) {
            return;
        }
        self.permission = Permission::Granted;
        self.me = Some(granted);
        if self.room == Room::Denied {
            self.room = Room::List;
        }
        self.model.forget_place();
        self.link.wait_from(self.now);
        if self.link.up().is_some() {
            self.greet();
        }
        self.free_ctrl_g();
        self.bind_keys();
        self.changed();
    }

    pub(super) fn denied(&mut self) {
        self.permission = Permission::Denied;
        self.room = Room::Denied;
        self.confirm = None;
        self.changed();
    }

    pub(super) fn ask_permission(&mut self) {
        self.permission = Permission::Asked;
        self.room = Room::List;
        self.emit(Effect::RequestPermissions);
        self.changed();
    }

    pub(super) fn keybinds_are(&mut self, keybinds: Keybinds) {
        let ctrl_g = Key::ctrl(KeyCode::Char('g'));
        let bound = keybinds.locked.iter().any(|bound: &BoundKey| bound.key == ctrl_g);
        if !bound {
            self.reconfigured = false;
        }
        self.keeps_ctrl_g = bound;
        self.free_ctrl_g();
        self.note_keys(keybinds);
    }

    /// In a session that was not started by our layout Locked mode keeps Ctrl+G (decision 6). Done once: a
    /// configuration that binds it again at once would otherwise be fought for ever.
    fn free_ctrl_g(&mut self) {
        if self.keeps_ctrl_g && !self.reconfigured && self.permission == Permission::Granted {
            self.reconfigured = true;
            self.emit(Effect::Reconfigure(FREE_CTRL_G.to_owned()));
        }
    }
}

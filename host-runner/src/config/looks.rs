//! Settings of what is seen: of the board in the plugin, and of a status bar beside it. Rows of the table in [`super::keys`].

use super::{
    Colours, Config,
    keys::{Consumer, Key},
    kind::Kind,
    switch::{switch_word, switch_words, switched},
};
use crate::link::bar::{BarPattern, BarTarget};
use board_protocol::{
    look::{Colouring, Density, Look, Paint, Roles},
    pipe::AttachLocked,
};
use board_text::config as texts;
use std::ffi::OsString;

/// What roles look like, where a person said so.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct RoleSettings {
    accent: Option<Paint>,
    warning: Option<Paint>,
    success: Option<Paint>,
    error: Option<Paint>,
    muted: Option<Paint>,
    dim: Option<Paint>,
}

impl Config {
    /// How the board looks, given an environment for `NO_COLOR` (<https://no-color.org>: any value but an empty one).
    pub(crate) fn look(&self, environment: impl Fn(&str) -> Option<OsString>) -> Look {
        let unwanted = environment("NO_COLOR").is_some_and(|value| !value.is_empty());
        let base = if self.colours == Colours::Classic { Roles::CLASSIC } else { Roles::default() };
        let set = &self.roles;
        Look {
            colours: match self.colours {
                _ if unwanted => Colouring::Plain,
                Colours::None => Colouring::Plain,
                Colours::Theme | Colours::Classic => Colouring::Coloured,
            },
            density: self.row_density,
            roles: Roles {
                muted: set.muted.unwrap_or(base.muted),
                accent: set.accent.unwrap_or(base.accent),
                warning: set.warning.unwrap_or(base.warning),
                dim: set.dim.unwrap_or(base.dim),
                success: set.success.unwrap_or(base.success),
                error: set.error.unwrap_or(base.error),
            },
        }
    }
}

/// The word for a role that `colours` decides.
const AS_COLOURS: &str = "default";

/// A setting of one role.
macro_rules! role {
    ($name:literal, $field:ident, $meaning:path) => {
        Key {
            name: $name,
            kind: Kind::Text {
                takes: texts::takes_paint,
                get: |config| {
                    config.roles.$field.map_or_else(|| AS_COLOURS.to_owned(), |paint| paint.to_string())
                },
                set: |config, text| {
                    let paint = Paint::parse(text);
                    let is_known = paint.is_some() || text == AS_COLOURS;
                    if is_known {
                        config.roles.$field = paint;
                    }
                    is_known
                },
            },
            unit: None,
            meaning: $meaning,
            consumer: Consumer::Launch,
        }
    };
}

pub(super) const ROLE_ACCENT: Key = role!("role_accent", accent, texts::role_accent);
pub(super) const ROLE_WARNING: Key = role!("role_warning", warning, texts::role_warning);
pub(super) const ROLE_SUCCESS: Key = role!("role_success", success, texts::role_success);
pub(super) const ROLE_ERROR: Key = role!("role_error", error, texts::role_error);
pub(super) const ROLE_MUTED: Key = role!("role_muted", muted, texts::role_muted);
pub(super) const ROLE_DIM: Key = role!("role_dim", dim, texts::role_dim);

/// The words for densities.
const DENSITIES: [(&str, Density); 2] =
    [("compact", Density::Compact), ("comfortable", Density::Comfortable)];

pub(super) const ROW_DENSITY: Key = Key {
    name: "row_density",
    kind: Kind::Word {
        words: || DENSITIES.iter().map(|(word, _)| *word).collect(),
        get: |config| {
            DENSITIES.iter().find(|(_, density)| *density == config.row_density).map_or("", |(word, _)| *word)
        },
        set: |config, word| {
            let found = DENSITIES.iter().find(|(known, _)| *known == word);
            found.map(|(_, density)| config.row_density = *density).is_some()
        },
    },
    unit: None,
    meaning: texts::row_density,
    consumer: Consumer::Launch,
};

pub(super) const ATTACH_LOCKED: Key = Key {
    name: "attach_locked",
    kind: Kind::Word {
        words: switch_words,
        get: |config| switch_word(config.attach_locked == AttachLocked::Locked),
        set: |config, word| {
            let read = switched(word);
            let locked = |on| if on { AttachLocked::Locked } else { AttachLocked::AsItIs };
            read.map(|on| config.attach_locked = locked(on)).is_some()
        },
    },
    unit: None,
    meaning: texts::attach_locked,
    consumer: Consumer::Launch,
};

/// The word for no status bar.
const OFF: &str = "off";

pub(super) const STATUS_BAR: Key = Key {
    name: "status_bar",
    kind: Kind::Text {
        takes: texts::takes_bar,
        get: |config| config.status_bar.as_ref().map_or_else(|| OFF.to_owned(), ToString::to_string),
        set: |config, text| {
            let target = BarTarget::parse(text);
            let is_known = target.is_some() || text == OFF;
            if is_known {
                config.status_bar = target;
            }
            is_known
        },
    },
    unit: None,
    meaning: texts::status_bar,
    consumer: Consumer::Launch,
};

pub(super) const STATUS_BAR_FORMAT: Key = Key {
    name: "status_bar_format",
    kind: Kind::Text {
        takes: texts::takes_bar_format,
        get: |config| config.status_bar_format.text().to_owned(),
        set: |config, text| {
            BarPattern::parse(text).map(|pattern| config.status_bar_format = pattern).is_some()
        },
    },
    unit: None,
    meaning: texts::status_bar_format,
    consumer: Consumer::Launch,
};

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
const TAKES_PAINT: &str = "`default`, `normal`, `faint`, a colour such as `cyan` or `bright-blue`, a number from 0 to 255, `#rrggbb`, or a colour of the zellij theme: `theme-1` to `theme-4`, `theme-success`, `theme-error`";

/// A setting of one role.
macro_rules! role {
    ($name:literal, $field:ident, $meaning:literal) => {
        Key {
            name: $name,
            kind: Kind::Text {
                takes: TAKES_PAINT,
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
            meaning: || $meaning,
            consumer: Consumer::Launch,
        }
    };
}

pub(super) const ROLE_ACCENT: Key = role!(
    "role_accent",
    accent,
    "The colour on the board of what runs and what is selected. `default` is what `colours` says."
);
pub(super) const ROLE_WARNING: Key =
    role!("role_warning", warning, "The colour on the board of what waits for you.");
pub(super) const ROLE_SUCCESS: Key =
    role!("role_success", success, "The colour on the board of what is done, and of work to look at.");
pub(super) const ROLE_ERROR: Key = role!("role_error", error, "The colour on the board of what failed.");
pub(super) const ROLE_MUTED: Key = role!(
    "role_muted",
    muted,
    "The colour on the board of states that need no attention, such as Queued and Stopped."
);
pub(super) const ROLE_DIM: Key = role!(
    "role_dim",
    dim,
    "The colour on the board of everything that is less than normal text: rules, folders, ages, hints."
);

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
    meaning: || "How many lines a row of the board takes: `compact` is one; `comfortable` is two, of which the second is what the session says, in the whole width. A board of few lines is compact by itself.",
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
    meaning: || "Whether zellij is switched to its Locked mode while you are in a session that the board opened, so that the agent gets every chord. Off, the mode stays as it is and zellij keeps its own chords.",
    consumer: Consumer::Launch,
};

/// The word for no status bar.
const OFF: &str = "off";

pub(super) const STATUS_BAR: Key = Key {
    name: "status_bar",
    kind: Kind::Text {
        takes: "`off`, or `zjstatus:NAME`, where NAME is that of a pipe widget",
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
    meaning: || "The status bar of your zellij session that is told how many sessions stand in which group: `zjstatus:agent_board` fills zjstatus's widget `pipe_agent_board`. `zjstatus` alone is the same.",
    consumer: Consumer::Launch,
};

pub(super) const STATUS_BAR_FORMAT: Key = Key {
    name: "status_bar_format",
    kind: Kind::Text {
        takes: "a text in which every `{word}` is one of those",
        get: |config| config.status_bar_format.text().to_owned(),
        set: |config, text| {
            BarPattern::parse(text).map(|pattern| config.status_bar_format = pattern).is_some()
        },
    },
    unit: None,
    meaning: || "What the status bar shows. `{groups}` is every group that has rows, with its sign, and how many nobody has looked at; `{queued}`, `{working}`, `{needs_input}`, `{idle}`, `{holding}`, `{completed}`, `{failed}` and `{stopped}` are the count of one group, `{unread}` and `{total}` of what they say. A `?` in front says that the daemon cannot be reached and the counts are the last ones known.",
    consumer: Consumer::Launch,
};

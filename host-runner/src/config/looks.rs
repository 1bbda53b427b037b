//! Settings of what is seen: of the board in the plugin, and of a status bar beside it. Rows of the table in [`super::keys`].

use super::{
    keys::{Consumer, Key},
    kind::Kind,
};
use crate::link::bar::{BarPattern, BarTarget};

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
    meaning: "The status bar of your zellij session that is told how many sessions stand in which group: `zjstatus:agent_board` fills zjstatus's widget `pipe_agent_board`. `zjstatus` alone is the same.",
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
    meaning: "What the status bar shows. `{groups}` is every group that has rows, with its sign, and how many nobody has looked at; `{queued}`, `{working}`, `{needs_input}`, `{idle}`, `{holding}`, `{completed}`, `{failed}` and `{stopped}` are the count of one group, `{unread}` and `{total}` of what they say. A `?` in front says that the daemon cannot be reached and the counts are the last ones known.",
    consumer: Consumer::Launch,
};

//! The table of settings: name, type, unit, meaning, and who reads it. A key without a reader does not belong here.

use super::{
    CodeRefs, Colours, ImeFix, MAX_DAY_MS, MAX_SCREEN_LOG_DAYS, MAX_STALLED_AFTER_S,
    kind::Kind,
    looks,
    switch::{switch_word, switch_words, switched},
};
use crate::{
    agents::{AgentKind, AgentTerminals},
    assets::{AttachIn, Layout},
    attach::machine::Snapshots,
    coordinator::{AutoState, ReplyToEnded, warm::MAX_KEPT},
    model::auto_state::AutoDone,
};
use board_protocol::{
    daemon::NoticeWay,
    host::{MAX_HISTORY_LINES, MAX_STOP_GRACE_MS},
    state::GlyphSet,
};
use board_text::Language;
use board_text::config as texts;
use clap::ValueEnum;

/// The words for what a reply does to a session that has ended.
const REPLY_TO_ENDED: [(&str, ReplyToEnded); 3] =
    [("resume", ReplyToEnded::Resume), ("headless", ReplyToEnded::Headless), ("wait", ReplyToEnded::Wait)];

/// The words for the ways in which a terminal tells something.
pub(super) const NOTICE_WAYS: [(&str, NoticeWay); 2] = [("osc9", NoticeWay::Osc9), ("bell", NoticeWay::Bell)];

fn notice_words() -> Vec<&'static str> {
    NOTICE_WAYS.iter().map(|(word, _)| *word).collect()
}

/// The words for glyph sets.
const GLYPHS: [(&str, GlyphSet); 2] = [("unicode", GlyphSet::Unicode), ("ascii", GlyphSet::Ascii)];

/// The words for languages; `auto` is that of the locale.
const LANGUAGES: [(&str, Option<Language>); 4] = [
    ("auto", None),
    ("en", Some(Language::English)),
    ("zh", Some(Language::Chinese)),
    ("ja", Some(Language::Japanese)),
];

/// The words for colours.
const COLOURS: [(&str, Colours); 3] =
    [("theme", Colours::Theme), ("classic", Colours::Classic), ("none", Colours::None)];

/// One setting.
pub(crate) struct Key {
    /// Its name in the file; in upper case behind `AGENT_BOARD_` that of its variable.
    pub(crate) name: &'static str,
    /// Its type, and the field that it sets.
    pub(crate) kind: Kind,
    /// The unit of its number, where it has one.
    pub(crate) unit: Option<fn() -> &'static str>,
    /// What it does, in a sentence or two.
    pub(crate) meaning: fn() -> &'static str,
    /// Who reads it.
    pub(crate) consumer: Consumer,
}

/// Who reads a setting, and so from when on a change counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Consumer {
    /// The command that a person types.
    Command,
    /// The daemon, when it starts.
    Daemon,
    /// A session's host, which the daemon tells when it starts it.
    Host,
    /// The command that a person types, and the daemon for sessions that are started from the board.
    Both,
    /// Whoever hands over the environment of a new session: the command, and a link when it starts.
    Launch,
}

impl Consumer {
    /// When a change counts, for people.
    pub(crate) fn counts(self) -> &'static str {
        match self {
            Self::Command => texts::counts_command(),
            Self::Daemon => texts::counts_daemon(),
            Self::Host => texts::counts_host(),
            Self::Both => texts::counts_both(),
            Self::Launch => texts::counts_launch(),
        }
    }
}

impl Key {
    /// The environment variable that wins over the file.
    pub(crate) fn variable(&self) -> String {
        format!("AGENT_BOARD_{}", self.name.to_uppercase())
    }
}

/// Every setting, in the order in which they are shown.
pub(crate) static KEYS: [Key; 48] = [
    Key {
        name: "history_lines",
        kind: Kind::Number { range: 0..=MAX_HISTORY_LINES, field: |config| &mut config.history_lines },
        unit: Some(texts::unit_lines),
        meaning: texts::history_lines,
        consumer: Consumer::Host,
    },
    Key {
        name: "default_agent",
        kind: Kind::Word {
            words: || AgentKind::ALL.iter().map(|agent| agent.name()).collect(),
            get: |config| config.default_agent.name(),
            set: |config, word| AgentKind::parse(word).map(|agent| config.default_agent = agent).is_ok(),
        },
        unit: None,
        meaning: texts::default_agent,
        consumer: Consumer::Launch,
    },
    Key {
        name: "size",
        kind: Kind::Size { field: |config| &mut config.size },
        unit: Some(texts::unit_size),
        meaning: texts::size,
        consumer: Consumer::Both,
    },
    Key {
        name: "stop_grace_ms",
        kind: Kind::Number { range: 0..=MAX_STOP_GRACE_MS, field: |config| &mut config.stop_grace_ms },
        unit: Some(texts::unit_milliseconds),
        meaning: texts::stop_grace_ms,
        consumer: Consumer::Host,
    },
    Key {
        name: "screen_log_days",
        kind: Kind::Number { range: 0..=MAX_SCREEN_LOG_DAYS, field: |config| &mut config.screen_log_days },
        unit: Some(texts::unit_days),
        meaning: texts::screen_log_days,
        consumer: Consumer::Host,
    },
    Key {
        name: "stalled_after",
        kind: Kind::Number { range: 0..=MAX_STALLED_AFTER_S, field: |config| &mut config.stalled_after },
        unit: Some(texts::unit_seconds),
        meaning: texts::stalled_after,
        consumer: Consumer::Daemon,
    },
    Key {
        name: "max_warm_hosts",
        kind: Kind::Number { range: 0..=MAX_KEPT, field: |config| &mut config.max_warm_hosts },
        unit: Some(texts::unit_processes),
        meaning: texts::max_warm_hosts,
        consumer: Consumer::Daemon,
    },
    Key {
        name: "warm_host_ttl_ms",
        kind: Kind::Number { range: 0..=MAX_DAY_MS, field: |config| &mut config.warm_host_ttl_ms },
        unit: Some(texts::unit_milliseconds),
        meaning: texts::warm_host_ttl_ms,
        consumer: Consumer::Daemon,
    },
    Key {
        name: "warm_host_grace_ms",
        kind: Kind::Number { range: 0..=MAX_DAY_MS, field: |config| &mut config.warm_host_grace_ms },
        unit: Some(texts::unit_milliseconds),
        meaning: texts::warm_host_grace_ms,
        consumer: Consumer::Daemon,
    },
    Key {
        name: "sweep_interval_ms",
        kind: Kind::Number { range: 0..=MAX_DAY_MS, field: |config| &mut config.sweep_interval_ms },
        unit: Some(texts::unit_milliseconds),
        meaning: texts::sweep_interval_ms,
        consumer: Consumer::Daemon,
    },
    Key {
        name: "shell",
        kind: Kind::Path { field: |config| &mut config.shell },
        unit: None,
        meaning: texts::shell,
        consumer: Consumer::Launch,
    },
    Key {
        name: "pi_command",
        kind: Kind::Path { field: |config| &mut config.pi_command },
        unit: None,
        meaning: texts::pi_command,
        consumer: Consumer::Launch,
    },
    Key {
        name: "claude_command",
        kind: Kind::Path { field: |config| &mut config.claude_command },
        unit: None,
        meaning: texts::claude_command,
        consumer: Consumer::Launch,
    },
    Key {
        name: "codex_command",
        kind: Kind::Path { field: |config| &mut config.codex_command },
        unit: None,
        meaning: texts::codex_command,
        consumer: Consumer::Launch,
    },
    Key {
        name: "question_tools",
        kind: Kind::Names { field: |config| &mut config.question_tools },
        unit: None,
        meaning: texts::question_tools,
        consumer: Consumer::Daemon,
    },
    Key {
        name: "auto_state",
        kind: Kind::Word {
            words: switch_words,
            get: |config| switch_word(config.classifier.rules == AutoState::On),
            set: |config, word| {
                let read = switched(word);
                let on = |on| if on { AutoState::On } else { AutoState::Off };
                read.map(|read| config.classifier.rules = on(read)).is_some()
            },
        },
        unit: None,
        meaning: texts::auto_state,
        consumer: Consumer::Daemon,
    },
    Key {
        name: "auto_state_done",
        kind: Kind::Word {
            words: switch_words,
            get: |config| switch_word(config.classifier.done == AutoDone::Allowed),
            set: |config, word| {
                let read = switched(word);
                let may = |may| if may { AutoDone::Allowed } else { AutoDone::Refused };
                read.map(|read| config.classifier.done = may(read)).is_some()
            },
        },
        unit: None,
        meaning: texts::auto_state_done,
        consumer: Consumer::Daemon,
    },
    Key {
        name: "auto_state_command",
        kind: Kind::Command { field: |config| &mut config.auto_state_command },
        unit: None,
        meaning: texts::auto_state_command,
        consumer: Consumer::Daemon,
    },
    Key {
        name: "title_command",
        kind: Kind::Command { field: |config| &mut config.title_command },
        unit: None,
        meaning: texts::title_command,
        consumer: Consumer::Daemon,
    },
    Key {
        name: "summary_command",
        kind: Kind::Command { field: |config| &mut config.summary_command },
        unit: None,
        meaning: texts::summary_command,
        consumer: Consumer::Daemon,
    },
    Key {
        name: "notify",
        kind: Kind::Choices { words: notice_words, field: |config| &mut config.notify },
        unit: None,
        meaning: texts::notify,
        consumer: Consumer::Daemon,
    },
    Key {
        name: "notify_command",
        kind: Kind::Command { field: |config| &mut config.notify_command },
        unit: None,
        meaning: texts::notify_command,
        consumer: Consumer::Daemon,
    },
    Key {
        name: "quiet_hours",
        kind: Kind::Hours { field: |config| &mut config.quiet_hours },
        unit: Some(texts::unit_hours),
        meaning: texts::quiet_hours,
        consumer: Consumer::Daemon,
    },
    Key {
        name: "reply_to_ended",
        kind: Kind::Word {
            words: || REPLY_TO_ENDED.iter().map(|(word, _)| *word).collect(),
            get: |config| {
                let known = REPLY_TO_ENDED.iter().find(|(_, way)| *way == config.reply_to_ended);
                known.map_or("", |(word, _)| *word)
            },
            set: |config, word| {
                let found = REPLY_TO_ENDED.iter().find(|(known, _)| *known == word);
                found.map(|(_, way)| config.reply_to_ended = *way).is_some()
            },
        },
        unit: None,
        meaning: texts::reply_to_ended,
        consumer: Consumer::Daemon,
    },
    Key {
        name: "language",
        kind: Kind::Word {
            words: || LANGUAGES.iter().map(|(word, _)| *word).collect(),
            get: |config| {
                LANGUAGES.iter().find(|(_, known)| *known == config.language).map_or("", |(word, _)| *word)
            },
            set: |config, word| {
                let found = LANGUAGES.iter().find(|(known, _)| *known == word);
                found.map(|(_, language)| config.language = *language).is_some()
            },
        },
        unit: None,
        meaning: texts::language,
        consumer: Consumer::Launch,
    },
    Key {
        name: "glyphs",
        kind: Kind::Word {
            words: || GLYPHS.iter().map(|(word, _)| *word).collect(),
            get: |config| GLYPHS.iter().find(|(_, set)| *set == config.glyphs).map_or("", |(word, _)| *word),
            set: |config, word| {
                let found = GLYPHS.iter().find(|(known, _)| *known == word);
                found.map(|(_, set)| config.glyphs = *set).is_some()
            },
        },
        unit: None,
        meaning: texts::glyphs,
        consumer: Consumer::Launch,
    },
    Key {
        name: "colours",
        kind: Kind::Word {
            words: || COLOURS.iter().map(|(word, _)| *word).collect(),
            get: |config| {
                COLOURS.iter().find(|(_, colours)| *colours == config.colours).map_or("", |(word, _)| *word)
            },
            set: |config, word| {
                let found = COLOURS.iter().find(|(known, _)| *known == word);
                found.map(|(_, colours)| config.colours = *colours).is_some()
            },
        },
        unit: None,
        meaning: texts::colours,
        consumer: Consumer::Launch,
    },
    looks::ROLE_ACCENT,
    looks::ROLE_WARNING,
    looks::ROLE_SUCCESS,
    looks::ROLE_ERROR,
    looks::ROLE_MUTED,
    looks::ROLE_DIM,
    looks::ROW_DENSITY,
    looks::ATTACH_LOCKED,
    looks::STATUS_BAR,
    looks::STATUS_BAR_FORMAT,
    Key {
        name: "detach_keys",
        kind: Kind::Chords { field: |config| &mut config.detach_keys },
        unit: None,
        meaning: texts::detach_keys,
        consumer: Consumer::Command,
    },
    Key {
        name: "skip_keys",
        kind: Kind::Chords { field: |config| &mut config.skip_keys },
        unit: None,
        meaning: texts::skip_keys,
        consumer: Consumer::Command,
    },
    Key {
        name: "ime_fix",
        kind: Kind::Word {
            words: switch_words,
            get: |config| switch_word(config.ime_fix == ImeFix::On),
            set: |config, word| {
                let read = switched(word);
                let fix = |on| if on { ImeFix::On } else { ImeFix::Off };
                read.map(|on| config.ime_fix = fix(on)).is_some()
            },
        },
        unit: None,
        meaning: texts::ime_fix,
        consumer: Consumer::Command,
    },
    Key {
        name: "code_refs",
        kind: Kind::Word {
            words: switch_words,
            get: |config| switch_word(config.code_refs == CodeRefs::On),
            set: |config, word| {
                let read = switched(word);
                let refs = |on| if on { CodeRefs::On } else { CodeRefs::Off };
                read.map(|on| config.code_refs = refs(on)).is_some()
            },
        },
        unit: None,
        meaning: texts::code_refs,
        consumer: Consumer::Daemon,
    },
    Key {
        name: "agent_terminals",
        kind: Kind::Word {
            words: switch_words,
            get: |config| switch_word(config.agent_terminals == AgentTerminals::On),
            set: |config, word| {
                let told = |on| if on { AgentTerminals::On } else { AgentTerminals::Off };
                switched(word).map(|on| config.agent_terminals = told(on)).is_some()
            },
        },
        unit: None,
        meaning: texts::agent_terminals,
        consumer: Consumer::Launch,
    },
    Key {
        name: "terminal_snapshot",
        kind: Kind::Word {
            words: switch_words,
            get: |config| switch_word(config.terminal_snapshot == Snapshots::Wanted),
            set: |config, word| {
                let read = switched(word);
                let wanted = |on| if on { Snapshots::Wanted } else { Snapshots::Off };
                read.map(|on| config.terminal_snapshot = wanted(on)).is_some()
            },
        },
        unit: None,
        meaning: texts::terminal_snapshot,
        consumer: Consumer::Command,
    },
    Key {
        name: "log",
        kind: Kind::LogFilter { field: |config| &mut config.log },
        unit: None,
        meaning: texts::log,
        consumer: Consumer::Daemon,
    },
    Key {
        name: "zellij",
        kind: Kind::Path { field: |config| &mut config.zellij },
        unit: None,
        meaning: texts::zellij,
        consumer: Consumer::Command,
    },
    Key {
        name: "zellij_session",
        kind: Kind::SessionName { field: |config| &mut config.zellij_session },
        unit: None,
        meaning: texts::zellij_session,
        consumer: Consumer::Command,
    },
    Key {
        name: "layout",
        kind: Kind::Word {
            words: || Layout::value_variants().iter().map(|layout| layout.word()).collect(),
            get: |config| config.layout.word(),
            set: |config, word| match Layout::from_str(word, false) {
                Ok(layout) => {
                    config.layout = layout;
                    true
                }
                Err(_) => false,
            },
        },
        unit: None,
        meaning: texts::layout,
        consumer: Consumer::Command,
    },
    Key {
        name: "attach_in",
        kind: Kind::Word {
            words: || AttachIn::ALL.iter().map(|place| place.word()).collect(),
            get: |config| config.attach_in.word(),
            set: |config, word| match AttachIn::ALL.into_iter().find(|place| place.word() == word) {
                Some(place) => {
                    config.attach_in = place;
                    true
                }
                None => false,
            },
        },
        unit: None,
        meaning: texts::attach_in,
        consumer: Consumer::Command,
    },
];

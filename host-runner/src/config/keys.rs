//! The table of settings: name, type, unit, meaning, and who reads it. A key without a reader does not belong here.

use super::{CodeRefs, Colours, ImeFix, MAX_DAY_MS, MAX_STALLED_AFTER_S, kind::Kind};
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

/// The words for switches; the first two are shown, and all are read.
const SWITCH: [(&str, bool); 8] = [
    ("on", true),
    ("off", false),
    ("true", true),
    ("false", false),
    ("yes", true),
    ("no", false),
    ("1", true),
    ("0", false),
];

fn switch_words() -> Vec<&'static str> {
    SWITCH.iter().take(2).map(|(word, _)| *word).collect()
}

const fn switch_word(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}

fn switched(word: &str) -> Option<bool> {
    SWITCH.iter().find(|(known, _)| known.eq_ignore_ascii_case(word.trim())).map(|(_, on)| *on)
}

/// A variable that says the opposite of a setting, under the name by which other boards know it, and that setting. The
/// setting's own variable wins over it.
pub(super) const INVERTED: (&str, &str) = ("AGENT_BOARD_AUTO_STATE_NO_DONE", "auto_state_done");

/// The opposite of a switch's word; what is no such word stays, so that it can be named.
pub(super) fn inverted(word: &str) -> String {
    switched(word).map_or_else(|| word.to_owned(), |on| switch_word(!on).to_owned())
}

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
    pub(crate) unit: Option<&'static str>,
    /// What it does, in a sentence or two.
    pub(crate) meaning: &'static str,
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
    /// Every process when it starts: commands, links and the daemon.
    Everyone,
}

impl Consumer {
    /// When a change counts, for people.
    pub(crate) const fn counts(self) -> &'static str {
        match self {
            Self::Command => "from the next command on",
            Self::Daemon => {
                "once the daemon was restarted (`host-runner shutdown`, then any command; sessions go on)"
            }
            Self::Host => {
                "once the daemon was restarted (`host-runner shutdown`, then any command; sessions go on), and for sessions that start from then on"
            }
            Self::Both => {
                "from the next command on; on the board, once the daemon was restarted (`host-runner shutdown`, then any command; sessions go on)"
            }
            Self::Everyone => {
                "from the next command on; on the board, in zellij sessions that are opened from then on; in what the daemon says, once it was restarted (`host-runner shutdown`, then any command; sessions go on)"
            }
            Self::Launch => {
                "from the next command on; on the board, in zellij sessions that are opened from then on"
            }
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
pub(crate) static KEYS: [Key; 36] = [
    Key {
        name: "history_lines",
        kind: Kind::Number { range: 0..=MAX_HISTORY_LINES, field: |config| &mut config.history_lines },
        unit: Some("lines"),
        meaning: "How many lines a session's terminal keeps above its screen. Memory grows with it.",
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
        meaning: "The agent of a session for which none was named: what `host-runner start` and the board's insert line start. `--agent` wins.",
        consumer: Consumer::Launch,
    },
    Key {
        name: "size",
        kind: Kind::Size { field: |config| &mut config.size },
        unit: Some("columns x rows"),
        meaning: "The size of a new session's terminal until somebody attaches to it. `host-runner start --size` wins.",
        consumer: Consumer::Both,
    },
    Key {
        name: "stop_grace_ms",
        kind: Kind::Number { range: 0..=MAX_STOP_GRACE_MS, field: |config| &mut config.stop_grace_ms },
        unit: Some("milliseconds"),
        meaning: "How long a session that is stopped may take to end after SIGTERM before it gets SIGKILL.",
        consumer: Consumer::Host,
    },
    Key {
        name: "stalled_after",
        kind: Kind::Number { range: 0..=MAX_STALLED_AFTER_S, field: |config| &mut config.stalled_after },
        unit: Some("seconds"),
        meaning: "How long a running session may give no sign of life, neither an event nor output, until its row says `stalled` and its log notes it. It stays Running. 0 never says so; less than 5 counts as 5.",
        consumer: Consumer::Daemon,
    },
    Key {
        name: "max_warm_hosts",
        kind: Kind::Number { range: 0..=MAX_KEPT, field: |config| &mut config.max_warm_hosts },
        unit: Some("processes"),
        meaning: "How many idle agents keep their process. Of more, the ones that were idle longest end theirs, and go on where they were when you attach or reply. Only agents that can do that are ended, and never one that works, asks, is attached, is pinned, has words waiting or has something in its text field. 0 keeps none; with `warm_host_ttl_ms` 0 as well none is ever ended.",
        consumer: Consumer::Daemon,
    },
    Key {
        name: "warm_host_ttl_ms",
        kind: Kind::Number { range: 0..=MAX_DAY_MS, field: |config| &mut config.warm_host_ttl_ms },
        unit: Some("milliseconds"),
        meaning: "How long an idle agent keeps its process, whatever their number. 0: as long as `max_warm_hosts` lets it.",
        consumer: Consumer::Daemon,
    },
    Key {
        name: "warm_host_grace_ms",
        kind: Kind::Number { range: 0..=MAX_DAY_MS, field: |config| &mut config.warm_host_grace_ms },
        unit: Some("milliseconds"),
        meaning: "How long a process that was just started is left alone, idle or not.",
        consumer: Consumer::Daemon,
    },
    Key {
        name: "sweep_interval_ms",
        kind: Kind::Number { range: 0..=MAX_DAY_MS, field: |config| &mut config.sweep_interval_ms },
        unit: Some("milliseconds"),
        meaning: "How often idle processes are looked for, besides every start, attach and the daemon's own start and end. 0: only then. Less than 1000 counts as 1000.",
        consumer: Consumer::Daemon,
    },
    Key {
        name: "shell",
        kind: Kind::Path { field: |config| &mut config.shell },
        unit: None,
        meaning: "The shell that runs the command line of a generic session. Unset, it is `SHELL` of the environment that starts the session, else `/bin/sh`.",
        consumer: Consumer::Launch,
    },
    Key {
        name: "pi_command",
        kind: Kind::Path { field: |config| &mut config.pi_command },
        unit: None,
        meaning: "The pi that sessions of pi run. Unset, it is the first `pi` on `PATH` of the environment that starts the session.",
        consumer: Consumer::Launch,
    },
    Key {
        name: "claude_command",
        kind: Kind::Path { field: |config| &mut config.claude_command },
        unit: None,
        meaning: "The Claude Code that sessions of Claude Code run. Unset, it is the first `claude` on `PATH` of the environment that starts the session.",
        consumer: Consumer::Launch,
    },
    Key {
        name: "codex_command",
        kind: Kind::Path { field: |config| &mut config.codex_command },
        unit: None,
        meaning: "The Codex that runs of Codex use. Unset, it is the first `codex` on `PATH` of the environment that starts the run.",
        consumer: Consumer::Launch,
    },
    Key {
        name: "question_tools",
        kind: Kind::Names { field: |config| &mut config.question_tools },
        unit: None,
        meaning: "Tools by which your agents' extensions ask you something, besides `ask_questions`, `question` and `questionnaire`: while one runs, its session needs an answer.",
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
        meaning: "Whether the built-in classifier reads an agent's last words when a turn has ended, to tell a question from work that is left or finished. It never touches a row that you marked as done or put on hold. Off, a row says what its agent reports.",
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
        meaning: "Whether a classifier, the built-in one or a model, may move a row to Done. Off, only you do; what it takes for finished waits for instructions. `AGENT_BOARD_AUTO_STATE_NO_DONE` is read as its opposite, where its own variable is unset.",
        consumer: Consumer::Daemon,
    },
    Key {
        name: "auto_state_command",
        kind: Kind::Command { field: |config| &mut config.auto_state_command },
        unit: None,
        meaning: "A command that reads an agent's last words after the built-in classifier: it gets a JSON object with `text` on its standard input and prints one with `state` (`needs_input`, `in_progress` or `done`), and optionally `confidence`, `reason` and `question`. It may take 15 seconds and print 16 KiB. Unset, the built-in rules decide alone.",
        consumer: Consumer::Daemon,
    },
    Key {
        name: "title_command",
        kind: Kind::Command { field: |config| &mut config.title_command },
        unit: None,
        meaning: "A command that names a session of an agent: it gets a JSON object with the first words as `text` on its standard input and prints a name, of which four words count. A name that you gave stays.",
        consumer: Consumer::Daemon,
    },
    Key {
        name: "summary_command",
        kind: Kind::Command { field: |config| &mut config.summary_command },
        unit: None,
        meaning: "A command that says in a line what an agent said last, once its turn has ended: it gets a JSON object with `text` on its standard input and prints the line, of which eight words count.",
        consumer: Consumer::Daemon,
    },
    Key {
        name: "notify",
        kind: Kind::Choices { words: notice_words, field: |config| &mut config.notify },
        unit: None,
        meaning: "How your terminal tells you that a session needs an answer, has failed or has finished: `osc9` is a desktop notification with the name and the question, `bell` is the terminal's bell; an empty list (`none` in the environment) is neither. Both by default: not every terminal shows notifications, every terminal has a bell, and most can silence either. Only the terminal where you used a board last is told, and never about the session that you look at.",
        consumer: Consumer::Daemon,
    },
    Key {
        name: "notify_command",
        kind: Kind::Command { field: |config| &mut config.notify_command },
        unit: None,
        meaning: "A command that is run for the same events: it gets a JSON object with `event` (`needs_answer`, `failed` or `finished`), `session`, `name`, `agent`, `cwd`, `state`, `summary`, `question` and `error` on its standard input. It may take 15 seconds; what it prints is not used.",
        consumer: Consumer::Daemon,
    },
    Key {
        name: "quiet_hours",
        kind: Kind::Hours { field: |config| &mut config.quiet_hours },
        unit: Some("local time"),
        meaning: "When neither `notify` nor `notify_command` does anything, for example `22:00-07:00`. What happens meanwhile is not told later: the board shows it.",
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
        meaning: "What a reply does to a session that has ended by itself: `resume` continues it in a terminal and types the words there, `headless` has the agent work on them for one turn without a terminal, `wait` keeps them until you enter the session. Words that wait for a turn without a terminal follow it in another one, except with `wait`.",
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
        meaning: "The language of what the board, attach panes and commands show: English, Chinese or Japanese. `auto` takes that of the locale: the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set, English where it is none of the three. Logs, names of states and what agents read stay English.",
        consumer: Consumer::Everyone,
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
        meaning: "The signs of the board and of `host-runner ls`: `ascii` for terminals that show others two cells wide or not at all.",
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
        meaning: "The colours of states in `host-runner ls` on a terminal: those of your terminal's theme, the fixed ones of `classic`, or none. `NO_COLOR` wins.",
        consumer: Consumer::Command,
    },
    Key {
        name: "detach_keys",
        kind: Kind::Chords { field: |config| &mut config.detach_keys },
        unit: None,
        meaning: "The keys that leave an attach pane, instead of Ctrl+\\ and Ctrl+Left. An agent never gets them. Plain Left leaves as before, where the agent says that its editor is empty.",
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
        meaning: "Whether an attach pane keeps an input method's candidate window still while the agent draws.",
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
        meaning: "Whether rows show the issue and the pull or merge request that they are about, found in their commands, texts and branch. Code hosts of your own are described in `providers.json` beside this file.",
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
        meaning: "Whether agents that start are told of terminals of their own, which they open, read and wait in with tools, and which you see below their session. An agent that asks you before it uses a tool asks before it uses these.",
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
        meaning: "Whether an attach pane asks for the whole screen. `off` shows output as it comes, and makes the agent draw by a change of size: a way out if snapshots are ever wrong.",
        consumer: Consumer::Command,
    },
    Key {
        name: "log",
        kind: Kind::LogFilter { field: |config| &mut config.log },
        unit: None,
        meaning: "What the daemon writes into its log: `error`, `warn`, `info`, `debug`, `trace`, or a filter such as `info,host_runner::coordinator=debug`.",
        consumer: Consumer::Daemon,
    },
    Key {
        name: "zellij",
        kind: Kind::Path { field: |config| &mut config.zellij },
        unit: None,
        meaning: "The zellij that `host-runner up` starts, whatever its version is. Unset, it is the one on `PATH` if its version is supported, else the one that `make setup` installed.",
        consumer: Consumer::Command,
    },
    Key {
        name: "zellij_session",
        kind: Kind::SessionName { field: |config| &mut config.zellij_session },
        unit: None,
        meaning: "The zellij session that `host-runner up` opens or joins outside zellij. `--session` wins.",
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
        meaning: "The arrangement of the board's tab. `--layout` wins.",
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
        meaning: "Where the board shows a session that is entered: in a tab of its own, beside the board, in the board's place, or in a floating pane; `layout` is beside the board in `agent-board-side` and a tab elsewhere. It counts in boards that are opened from then on. A layout of your own gives the plugin this setting itself.",
        consumer: Consumer::Command,
    },
];

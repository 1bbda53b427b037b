//! The configuration: every setting, where its value comes from, and what is wrong with what was set.
//!
//! `$XDG_CONFIG_HOME/agent-board/config.toml`, else `~/.config/agent-board/config.toml`; every key is optional. The
//! environment (`AGENT_BOARD_<KEY>`) wins over the file, the file over the default. An unknown key or a bad value is a
//! warning, never a failure to start; a number outside its range is pulled into it, with a warning.
//!
//! [`keys`] is the one table from which parsing, `host-runner config` and `docs/configuration.md` follow. Nothing here
//! writes.

mod command_line;
#[cfg(test)]
mod document;
mod keys;
mod kind;
mod looks;
mod switch;

use board_text::config as texts;
pub use command_line::CommandLine;
pub(crate) use keys::{KEYS, Key};
pub(crate) use kind::session_name;

use crate::{
    agents::{AgentKind, AgentTerminals},
    assets::{AttachIn, Layout},
    attach::{chord::Chord, machine::Snapshots},
    coordinator::{
        ClassifierSettings, ReplyToEnded,
        notify::{NoticeSettings, QuietHours, Wanted},
        warm::WarmSettings,
    },
    link::bar::{BarPattern, BarTarget},
    model::consult::Consultation,
};
use board_protocol::{
    daemon::NoticeWay,
    host::{HostSettings, MAX_HISTORY_LINES, MAX_STOP_GRACE_MS},
    ids::Size,
    look::Density,
    pipe::AttachLocked,
    state::GlyphSet,
};
use board_text::Language;
use looks::RoleSettings;
use std::{
    collections::BTreeMap,
    ffi::OsString,
    io,
    path::{Path, PathBuf},
    time::Duration,
};

/// Longest configuration file, in bytes: a hand-written one has a few hundred.
const MAX_FILE_BYTES: u64 = 256 * 1024;

/// How long a session may be silent while it works, in seconds: five minutes (field report A4).
const DEFAULT_STALLED_AFTER_S: u32 = 300;
/// The longest such time, in seconds: a day. Whoever wants a longer one does not want to be told.
const MAX_STALLED_AFTER_S: u32 = 86_400;
/// The longest that the logs of sessions' output are kept: a year.
const MAX_SCREEN_LOG_DAYS: u32 = 366;
/// The longest time of a setting in milliseconds: a day.
const MAX_DAY_MS: u32 = 86_400_000;
/// How often idle processes are looked for, in milliseconds (reference D.7).
const DEFAULT_SWEEP_INTERVAL_MS: u32 = 60_000;
/// The shortest such time, in milliseconds: every look costs a turn of the coordinator.
const MIN_SWEEP_INTERVAL_MS: u32 = 1_000;

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// Nobody set it.
    Default,
    /// The configuration file.
    File,
    /// `AGENT_BOARD_<KEY>`.
    Environment,
}

/// Whether the filter of reference E.13 runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImeFix {
    /// It does.
    On,
    /// Output goes through untouched.
    Off,
}

/// Which colours states have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colours {
    /// Those of the terminal's own theme, by role.
    Theme,
    /// The fixed ones of the table of states.
    Classic,
    /// None.
    None,
}

/// Every setting. What each means stands in the table of [`keys`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// Lines of history of a session's terminal, 0 to [`MAX_HISTORY_LINES`].
    pub history_lines: u32,
    /// The size of a new session's terminal until somebody attaches.
    pub size: Size,
    /// How long a program may take to end after SIGTERM, in milliseconds, 0 to [`MAX_STOP_GRACE_MS`].
    pub stop_grace_ms: u32,
    /// How long the log of a session's output is kept, in days, 0 for none, at most [`MAX_SCREEN_LOG_DAYS`].
    pub screen_log_days: u32,
    /// How long a session may say that it works without a sign of life until its row says so, in seconds; 0 for ever.
    pub stalled_after: u32,
    /// How many idle agents keep their process.
    pub max_warm_hosts: u32,
    /// How long an idle one keeps it, in milliseconds; 0 for ever.
    pub warm_host_ttl_ms: u32,
    /// How long a process that was just started is left alone, in milliseconds.
    pub warm_host_grace_ms: u32,
    /// How often idle processes are looked for, in milliseconds; 0 for never by itself.
    pub sweep_interval_ms: u32,
    /// The absolute path of the shell that runs the command line of a generic session; `None` is the launching
    /// environment's `SHELL`.
    pub shell: Option<PathBuf>,
    /// The absolute path of the pi that sessions of pi run; `None` is the first one on `PATH`.
    pub pi_command: Option<PathBuf>,
    /// The absolute path of the Claude Code that its sessions run; `None` is the first `claude` on `PATH`.
    pub claude_command: Option<PathBuf>,
    /// The absolute path of the Codex that its runs use; `None` is the first `codex` on `PATH`.
    pub codex_command: Option<PathBuf>,
    /// Tools by which agents ask a person, besides those that are always known.
    pub question_tools: Vec<String>,
    /// What reads an agent's last words, and what it may make of them.
    pub classifier: ClassifierSettings,
    /// What reads an agent's last words besides the built-in rules.
    pub auto_state_command: Option<CommandLine>,
    /// What makes a session's name of its first words.
    pub title_command: Option<CommandLine>,
    /// What makes a line of an agent's last words.
    pub summary_command: Option<CommandLine>,
    /// How a terminal tells its person that a session needs them.
    pub notify: Vec<String>,
    /// What is run for it.
    pub notify_command: Option<CommandLine>,
    /// When nobody is told.
    pub quiet_hours: Option<QuietHours>,
    /// What a reply to a session that has ended does.
    pub reply_to_ended: ReplyToEnded,
    /// The absolute path of the zellij to use whatever its version is.
    pub zellij: Option<PathBuf>,
    /// The agent of a session for which none was named.
    pub default_agent: AgentKind,
    /// The language that was chosen; `None` is that of the locale.
    pub language: Option<Language>,
    /// Which signs of states the terminal can show.
    pub glyphs: GlyphSet,
    /// The colours of states in what commands print.
    pub colours: Colours,
    /// How many lines a row of the board takes.
    pub(crate) row_density: Density,
    /// What roles of the board look like, where that was set.
    pub(crate) roles: RoleSettings,
    /// Whether attaching switches zellij to Locked mode.
    pub(crate) attach_locked: AttachLocked,
    /// The status bar of a zellij session that is told what the board counts.
    pub(crate) status_bar: Option<BarTarget>,
    /// What it is told.
    pub(crate) status_bar_format: BarPattern,
    /// The keys that leave an attach pane.
    pub detach_keys: Vec<Chord>,
    /// The keys that skip what an agent waits for in a terminal.
    pub skip_keys: Vec<Chord>,
    /// Whether an attach pane keeps input methods' windows still.
    pub ime_fix: ImeFix,
    /// Whether rows show the issue and the change request that they are about.
    pub code_refs: CodeRefs,
    /// Whether agents are told of terminals of their own.
    pub agent_terminals: AgentTerminals,
    /// Whether an attach pane asks for snapshots.
    pub terminal_snapshot: Snapshots,
    /// What the daemon writes into its log, as a filter of `tracing`.
    pub log: String,
    /// The zellij session that `up` opens.
    pub zellij_session: String,
    /// The arrangement of the board's tab.
    pub(crate) layout: Layout,
    /// Where the board shows sessions that are entered.
    pub(crate) attach_in: AttachIn,
    sources: BTreeMap<&'static str, Source>,
    warnings: Vec<String>,
}

impl Default for Config {
    fn default() -> Self {
        let host = HostSettings::default();
        let warm = WarmSettings::default();
        Self {
            history_lines: host.history_lines,
            size: Size::DEFAULT,
            stop_grace_ms: host.stop_grace_ms,
            screen_log_days: host.screen_log_days,
            stalled_after: DEFAULT_STALLED_AFTER_S,
            max_warm_hosts: warm.max,
            warm_host_ttl_ms: u32::try_from(warm.ttl_ms).unwrap_or(MAX_DAY_MS),
            warm_host_grace_ms: u32::try_from(warm.grace_ms).unwrap_or(MAX_DAY_MS),
            sweep_interval_ms: DEFAULT_SWEEP_INTERVAL_MS,
            shell: None,
            pi_command: None,
            claude_command: None,
            codex_command: None,
            question_tools: Vec::new(),
            classifier: ClassifierSettings::default(),
            auto_state_command: None,
            title_command: None,
            summary_command: None,
            notify: keys::NOTICE_WAYS.map(|(word, _)| word.to_owned()).to_vec(),
            notify_command: None,
            quiet_hours: None,
            reply_to_ended: ReplyToEnded::Resume,
            zellij: None,
            default_agent: AgentKind::Generic,
            language: None,
            glyphs: GlyphSet::Unicode,
            colours: Colours::Theme,
            row_density: Density::default(),
            roles: RoleSettings::default(),
            attach_locked: AttachLocked::default(),
            status_bar: None,
            status_bar_format: BarPattern::default(),
            detach_keys: Chord::DEFAULT.to_vec(),
            skip_keys: Chord::SKIP.to_vec(),
            ime_fix: ImeFix::On,
            code_refs: CodeRefs::On,
            agent_terminals: AgentTerminals::On,
            terminal_snapshot: Snapshots::Wanted,
            log: "info".to_owned(),
            zellij_session: "agent-board".to_owned(),
            layout: Layout::default(),
            attach_in: AttachIn::default(),
            sources: BTreeMap::new(),
            warnings: Vec::new(),
        }
    }
}

impl Config {
    /// Reads file and environment of this process. Never fails: what is wrong is a warning.
    pub fn load() -> Self {
        let environment = |name: &str| std::env::var_os(name);
        let Some(path) = file_path(environment) else { return Self::parse(None, environment) };
        match read(&path) {
            Ok(text) => Self::parse(Some(&text), environment),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Self::parse(None, environment),
            Err(error) => {
                let mut config = Self::parse(None, environment);
                config.warnings.insert(0, texts::file_not_used(path.display(), &error));
                config
            }
        }
    }

    /// The settings that follow from the text of a file and from an environment.
    pub fn parse(file: Option<&str>, environment: impl Fn(&str) -> Option<OsString>) -> Self {
        let mut config = Self::default();
        if let Some(text) = file {
            config.take_file(text);
        }
        for key in &KEYS {
            if key.name == switch::INVERTED.1
                && let Some(word) = environment(switch::INVERTED.0).filter(|value| !value.is_empty())
            {
                let given = word.to_str().map(|word| kind::Given::Text(switch::inverted(word)));
                let given = given.unwrap_or(kind::Given::NotText);
                config.take(key, given, Source::Environment, switch::INVERTED.0);
            }
            let variable = key.variable();
            // An empty variable is how a shell unsets one for a single command.
            if let Some(value) = environment(&variable).filter(|value| !value.is_empty()) {
                let given = value.to_str().map(|text| kind::Given::Text(text.to_owned()));
                config.take(key, given.unwrap_or(kind::Given::NotText), Source::Environment, &variable);
            }
        }
        config
    }

    /// What is wrong with the file and the environment, one line each, with what to do.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Where the value of a key comes from.
    pub(crate) fn source(&self, key: &Key) -> Source {
        self.sources.get(key.name).copied().unwrap_or(Source::Default)
    }

    /// What a host is told about its session.
    pub fn host_settings(&self) -> HostSettings {
        HostSettings {
            history_lines: self.history_lines.min(MAX_HISTORY_LINES),
            stop_grace_ms: self.stop_grace_ms.min(MAX_STOP_GRACE_MS),
            screen_log_days: self.screen_log_days.min(MAX_SCREEN_LOG_DAYS),
        }
    }

    /// The language of this process.
    pub fn spoken(&self) -> Language {
        self.language
            .unwrap_or_else(|| Language::from_environment(|name| std::env::var_os(name)?.into_string().ok()))
    }

    /// Which idle processes are kept.
    pub(crate) fn warm(&self) -> WarmSettings {
        WarmSettings {
            max: self.max_warm_hosts,
            ttl_ms: self.warm_host_ttl_ms.into(),
            grace_ms: self.warm_host_grace_ms.into(),
        }
    }

    /// How often idle processes are looked for; `None` for never by itself.
    pub(crate) fn sweep_every(&self) -> Option<Duration> {
        let ms = self.sweep_interval_ms.max(MIN_SWEEP_INTERVAL_MS);
        (self.sweep_interval_ms > 0).then(|| Duration::from_millis(ms.into()))
    }

    /// How a terminal tells its person something.
    pub(crate) fn notice_ways(&self) -> Vec<NoticeWay> {
        let set = |(word, way): (&str, NoticeWay)| self.notify.iter().any(|set| set == word).then_some(way);
        keys::NOTICE_WAYS.into_iter().filter_map(set).collect()
    }

    /// Whether and when the person is told that a session needs them.
    pub(crate) fn notices(&self) -> NoticeSettings {
        let silent = self.notice_ways().is_empty() && self.notify_command.is_none();
        NoticeSettings { wanted: if silent { Wanted::No } else { Wanted::Yes }, quiet: self.quiet_hours }
    }

    /// The commands that are asked about sessions.
    pub(crate) fn consultants(&self) -> BTreeMap<Consultation, CommandLine> {
        let command = |kind| match kind {
            Consultation::AutoState => &self.auto_state_command,
            Consultation::Title => &self.title_command,
            Consultation::Summary => &self.summary_command,
            Consultation::Notice => &self.notify_command,
        };
        Consultation::ALL.into_iter().filter_map(|kind| Some((kind, command(kind).clone()?))).collect()
    }

    fn take_file(&mut self, text: &str) {
        let table = match text.parse::<toml::Table>() {
            Ok(table) => table,
            Err(error) => {
                let line = error
                    .span()
                    .map_or(1, |span| 1 + text.bytes().take(span.start).filter(|b| *b == b'\n').count());
                self.warnings.push(texts::file_no_toml(line, error.message()));
                return;
            }
        };
        for (name, value) in table {
            match KEYS.iter().find(|key| key.name == name) {
                Some(key) => {
                    self.take(key, kind::Given::Toml(value), Source::File, &format!("config.toml: {name}"))
                }
                None => {
                    let name = board_protocol::text::plain_within(&name, 40);
                    self.warnings.push(texts::no_such_setting(format_args!("{name:?}")));
                }
            }
        }
    }

    fn take(&mut self, key: &Key, given: kind::Given, source: Source, place: &str) {
        match key.kind.take(self, given) {
            Ok(clamped) => {
                self.sources.insert(key.name, source);
                if let Some(used) = clamped {
                    self.warnings.push(texts::out_of_range(place, key.kind.takes(), &used));
                }
            }
            Err(found) => self.warnings.push(texts::bad_value(place, &found, key.kind.takes())),
        }
    }
}

/// Whether rows show the issue and the change request that they are about (reference A.12).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CodeRefs {
    /// They do.
    On,
    /// They do not, and nothing looks for them.
    Off,
}

/// The directory of the configuration file, in this process's environment.
pub(crate) fn directory() -> Option<PathBuf> {
    file_path(|name| std::env::var_os(name))?.parent().map(PathBuf::from)
}

/// Where the configuration file is looked for, given an environment. Relative values do not count (XDG base directory
/// specification).
pub fn file_path(environment: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let absolute = |name: &str| environment(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let directory =
        absolute("XDG_CONFIG_HOME").or_else(|| absolute("HOME").map(|home| home.join(".config")))?;
    Some(directory.join("agent-board/config.toml"))
}

fn read(path: &Path) -> io::Result<String> {
    let meta = std::fs::metadata(path)?;
    // A directory or a pipe in its place must not stop a start.
    if !meta.is_file() {
        return Err(io::Error::other(texts::is_no_file()));
    }
    if meta.len() > MAX_FILE_BYTES {
        return Err(io::Error::other(texts::file_too_long(MAX_FILE_BYTES)));
    }
    std::fs::read_to_string(path)
}

#[cfg(test)]
mod tests;

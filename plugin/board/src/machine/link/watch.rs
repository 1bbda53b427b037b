//! A link that does not speak: the board says so, and one instance of the session starts another one.

use super::{Board, Link, Standing};
use crate::model::MAX_ROWS;
use crate::{
    effect::{Effect, LinkCommand},
    machine::{focus::Question, time::after},
    notice::Level,
};
use board_protocol::{ids::UnixMs, pipe::DaemonHealth, text::plain_within};
use board_text::notice as texts;

/// How long a link of the layout may take to speak for the first time.
const FIRST_WAIT_MS: u64 = 2_000;
/// How long after that the board stays quiet about it: right after the permission was given the link's pipe, which has
/// been waiting for the board, is opened anew, and that takes up to three seconds.
const FIRST_PATIENCE_MS: u64 = 2_000;
/// A link pings every few seconds; after this long it is silent.
const SILENCE_MS: u64 = 6_000;
/// Shortest time between two attempts to start a link; doubled with every attempt.
const RETRY_MS: u64 = 5_000;
/// Longest time between two attempts.
const LONGEST_RETRY_MS: u64 = 60_000;
/// How much later than the client before it an instance acts: its link has spoken by then.
const STAGGER_MS: u64 = 700;
/// Longest such wait.
const LONGEST_STAGGER_MS: u64 = 7 * STAGGER_MS;
/// Widest complaint of a link that could not be started, in cells.
const MAX_PROBLEM_COLUMNS: usize = 160;

impl Link {
    pub(in crate::machine) fn is_speaking(&self, now: UnixMs) -> bool {
        self.heard_at.is_some_and(|at| after(at, SILENCE_MS) > now)
    }

    /// From when on the link counts as silent.
    fn silent_from(&self) -> UnixMs {
        match self.heard_at {
            Some(at) => after(at, SILENCE_MS),
            None => after(self.waiting_since, FIRST_WAIT_MS),
        }
    }

    /// From when on the board says that it is silent.
    fn silence_told_from(&self) -> UnixMs {
        match self.heard_at {
            Some(_) => self.silent_from(),
            None => after(self.silent_from(), FIRST_PATIENCE_MS),
        }
    }

    fn attempt_due(&self) -> UnixMs {
        self.silent_from().max(self.next_attempt.unwrap_or_default())
    }
}

/// Once for a session: the lowest client acts first, and the others find its link speaking. (Who is connected cannot be
/// asked: zellij leaves those out who look at the asking plugin.)
fn stagger_ms(client_id: u16) -> u64 {
    u64::from(client_id.saturating_sub(1)).saturating_mul(STAGGER_MS).min(LONGEST_STAGGER_MS)
}

impl Board {
    /// Whether the rows are what the daemon says at this moment.
    pub(crate) fn is_current(&self) -> bool {
        self.link.is_speaking(self.now)
            && matches!(self.link.daemon, Some(DaemonHealth::Connected { .. }) | None)
            && self.model.is_known()
            && !self.link.standing.is_foreign()
    }

    /// Whether there is still hope that the first answer comes by itself.
    pub(crate) fn is_waiting(&self) -> bool {
        !self.link.silence_shown
            && !self.link.standing.is_foreign()
            && matches!(self.link.daemon, Some(DaemonHealth::Connected { .. }) | None)
    }

    pub(in crate::machine) fn link_deadline(&self) -> Option<UnixMs> {
        let resync = self
            .link
            .resync_wanted
            .then(|| self.link.resync_at.map_or(self.now, |at| after(at, super::RESYNC_MS)));
        let silence = (!self.link.silence_shown).then(|| self.link.silence_told_from());
        let attempt = self.runner().is_some().then(|| self.attempt_due());
        [resync, silence, attempt].into_iter().flatten().min()
    }

    fn attempt_due(&self) -> UnixMs {
        let stagger = self.me.as_ref().map_or(0, |me| stagger_ms(me.client_id));
        after(self.link.attempt_due(), stagger)
    }

    pub(in crate::machine) fn watch_link(&mut self) {
        self.resync_if_due();
        if self.link.silent_from() > self.now {
            return;
        }
        if !self.link.silence_shown && self.link.silence_told_from() <= self.now {
            self.link.silence_shown = true;
            self.changed();
        }
        if self.runner().is_some() && self.attempt_due() <= self.now {
            let wait = RETRY_MS.saturating_mul(1 << self.link.attempts.min(10)).min(LONGEST_RETRY_MS);
            self.link.attempts += 1;
            self.link.next_attempt = Some(after(self.now, wait));
            self.changed();
            self.ask(Question::StartLink);
        }
    }

    /// How long ago the link said something, if one ever did.
    pub(crate) fn heard_ago_ms(&self) -> Option<u64> {
        self.link.heard_at.map(|at| self.now.since(at))
    }

    /// The absolute path of the runner and the root: as the link named them, else as the layout did.
    pub(crate) fn runner(&self) -> Option<(&str, Option<&str>)> {
        match &self.link.paths {
            Some((runner, root)) => Some((runner, Some(root))),
            None => self.settings.runner.as_deref().map(|runner| (runner, self.settings.root.as_deref())),
        }
    }

    /// The runner with the arguments that every call of it needs.
    pub(in crate::machine) fn runner_call(&self, command: &[&str]) -> Option<(String, Vec<String>)> {
        let (runner, root) = self.runner()?;
        let mut args = Vec::new();
        if let Some(root) = root {
            args.extend(["--root".to_owned(), root.to_owned()]);
        }
        args.extend(command.iter().map(|&word| word.to_owned()));
        Some((runner.to_owned(), args))
    }

    pub(in crate::machine) fn run_link(&mut self) {
        // The question took a moment; a link that has spoken meanwhile is enough.
        if self.link.is_speaking(self.now) {
            return;
        }
        let Some((runner, args)) = self.runner_call(&["link"]) else { return };
        // zellij sets these in its panes; a command that a plugin runs gets only the server's environment.
        let mut environment = std::collections::BTreeMap::from([("ZELLIJ".to_owned(), "0".to_owned())]);
        if let Some(name) = &self.session_name {
            environment.insert("ZELLIJ_SESSION_NAME".to_owned(), name.clone());
        }
        self.emit(Effect::RunLink(LinkCommand { runner, args, environment }));
    }

    /// A link that was started from here has ended. Another one may serve the session: then its words say so.
    pub(in crate::machine) fn link_ended(&mut self, code: Option<i32>, stderr: &str) {
        if code == Some(0) {
            return;
        }
        let ending = match code {
            Some(code) => texts::exit_code(code),
            None => texts::a_signal().to_owned(),
        };
        let last = stderr.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or(texts::said_nothing());
        self.link.problem = Some(plain_within(&texts::link_ended(ending, last), MAX_PROBLEM_COLUMNS));
        self.changed();
    }

    /// What everybody at the board should know about the way to the daemon, most important first.
    pub(crate) fn troubles(&self) -> Vec<(Level, String)> {
        let mut lines = Vec::new();
        match &self.link.standing {
            Standing::ReadOnly(why) => lines.push((Level::Error, why.text.clone())),
            Standing::Reloading => lines.push((Level::Info, texts::loading_plugin().to_owned())),
            Standing::Unknown | Standing::Fits => {}
        }
        if self.link.silence_shown {
            lines.push((Level::Warn, self.silence()));
        } else {
            match &self.link.daemon {
                Some(DaemonHealth::Unreachable { text } | DaemonHealth::ShutDown { text }) => {
                    lines.push((Level::Warn, text.clone()));
                }
                Some(DaemonHealth::Incompatible { text }) => lines.push((Level::Error, text.clone())),
                Some(DaemonHealth::Connected { .. }) | None => {}
            }
        }
        if self.model.is_overflowed() {
            lines.push((Level::Warn, texts::overflowed(MAX_ROWS)));
        }
        let complaints = self.settings.complaints.iter().chain(self.model.warnings());
        lines.extend(complaints.map(|text| (Level::Warn, text.clone())));
        lines
    }

    fn silence(&self) -> String {
        let what = if self.link.generation.is_some() { texts::fell_silent() } else { texts::none_speaks() };
        match (self.runner(), &self.link.problem) {
            (None, _) => texts::silent_no_runner(what),
            (_, Some(problem)) => format!("{what}; {problem}"),
            _ if self.link.attempts > 2 => texts::silent_often(what, self.link.attempts),
            _ => texts::silent_starting(what),
        }
    }
}

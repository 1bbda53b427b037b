//! The conversation with the link: hello, the board in pages and deltas, health, and what to do when it falls silent.
//!
//! A link is known by its generation. A changed one means that everything starts anew: hello, the whole board, and
//! every unanswered intent with its old id.

mod bar;
mod standing;
mod watch;

pub(crate) use standing::Standing;

use super::{Board, Permission, focus::Question};
use crate::{
    effect::Effect,
    input::{PipeLine, PipeSource},
    model::{Applied, Delta, Page},
};
use board_protocol::{
    hello::BOARD_PROTOCOL,
    ids::{Generation, UnixMs},
    pipe::{
        DOWN_PIPE, DaemonHealth, Down, DownLine, MAX_LINE_BYTES, PaneChange, PaneRequest, PluginHello,
        UP_PIPE, Up, UpLine,
    },
    text::plain_within,
};
use standing::Outline;

/// Shortest time between two requests for the whole board: it costs the link and this interpreter dearly.
const RESYNC_MS: u64 = 1_000;
/// Widest line about the daemon in cells.
const MAX_HEALTH_COLUMNS: usize = 240;

/// What is known of the link.
#[derive(Debug, Default)]
pub(crate) struct Link {
    /// The pipe child through which lines go up.
    up: Option<String>,
    /// The pipe child that was already told who speaks here.
    greeted: Option<String>,
    generation: Option<Generation>,
    /// The link before this one: its last lines may still be on their way.
    retired: Option<Generation>,
    heard_at: Option<UnixMs>,
    waiting_since: UnixMs,
    /// Whether the board already says that the link is silent.
    silence_shown: bool,
    standing: Standing,
    /// Runner and root as the link names them; they win over the layout's.
    paths: Option<(String, String)>,
    pub(super) runner_build: Option<String>,
    /// The agent of what is started here, where the configuration names one.
    pub(super) agent: Option<String>,
    /// Where what is started here runs, if it is not said.
    pub(super) cwd: Option<String>,
    daemon: Option<DaemonHealth>,
    resync_at: Option<UnixMs>,
    resync_wanted: bool,
    attempts: u32,
    next_attempt: Option<UnixMs>,
    problem: Option<String>,
    /// What the status bars of this session are told when the board is closed, once this instance told them something.
    last_text: Option<String>,
}

impl Link {
    pub(super) fn up(&self) -> Option<&str> {
        self.up.as_deref()
    }

    pub(super) fn cwd(&self) -> Option<&str> {
        self.cwd.as_deref()
    }

    pub(crate) fn standing(&self) -> &Standing {
        &self.standing
    }

    pub(crate) fn runner_build(&self) -> Option<&str> {
        self.runner_build.as_deref()
    }

    pub(crate) fn daemon(&self) -> Option<&DaemonHealth> {
        self.daemon.as_ref()
    }

    pub(super) fn wait_from(&mut self, now: UnixMs) {
        self.waiting_since = now;
        self.heard_at = None;
        self.greeted = None;
    }
}

impl Board {
    pub(super) fn pipe(&mut self, line: PipeLine) {
        let (source, Some(payload)) = (line.source, line.payload) else { return };
        let PipeSource::Cli(id) = source else {
            if line.name == super::anywhere::KEY_PIPE {
                self.pressed_anywhere(&payload);
            }
            return;
        };
        match line.name.as_str() {
            UP_PIPE => self.up_opened(id, &payload),
            DOWN_PIPE => self.line_down(&payload, None),
            _ => {}
        }
    }

    /// A link opened its up pipe; its one line says who it is. Before the grant the pipe can be neither kept open nor
    /// answered; its id is remembered.
    fn up_opened(&mut self, id: String, payload: &str) {
        self.emit(Effect::BlockPipe(id.clone()));
        self.line_down(payload, Some(&id));
        if self.link.up.as_ref() != Some(&id) {
            self.link.up = Some(id);
            self.greet();
        }
    }

    /// A line of a link: on the down pipe, or the first one on the up pipe `id`.
    fn line_down(&mut self, payload: &str, id: Option<&str>) {
        if payload.len() > MAX_LINE_BYTES {
            return;
        }
        let pipe = |up: String| id.map_or(up, str::to_owned);
        match serde_json::from_str::<DownLine>(payload) {
            Ok(line) => {
                if self.heard(pipe(line.up), line.link) {
                    self.down(line.down);
                }
            }
            // A link of another protocol may say what this build cannot read; its hello keeps its shape.
            Err(_) => {
                if let Some(outline) = Outline::read(payload)
                    && self.heard(pipe(outline.up), outline.link)
                {
                    self.hello_from(outline.hello);
                }
            }
        }
    }

    /// Notes who spoke and where it is answered (empty: it does not know). `false`: the line is not to be taken.
    fn heard(&mut self, up: String, generation: Generation) -> bool {
        let up = if up.is_empty() { self.link.up.clone() } else { Some(up) };
        if self.permission != Permission::Granted {
            self.link.up = up;
            return false;
        }
        if self.link.retired.as_ref() == Some(&generation) && self.link.is_speaking(self.now) {
            return false;
        }
        self.link.heard_at = Some(self.now);
        if std::mem::take(&mut self.link.silence_shown) {
            self.changed();
        }
        self.link.up = up;
        if self.link.generation.as_ref() != Some(&generation) {
            self.link.retired = self.link.generation.replace(generation);
            self.link.standing = Standing::Unknown;
            self.link.daemon = None;
            self.model.forget_place();
            self.forget_questions();
            self.changed();
            // Another link behind the same pipe id: it has heard nothing yet.
            self.link.greeted = None;
        }
        self.greet();
        true
    }

    /// Tells a pipe child that has not heard it who speaks here, and what may have been lost with the one before.
    pub(super) fn greet(&mut self) {
        if self.permission != Permission::Granted || self.link.up == self.link.greeted {
            return;
        }
        self.link.greeted.clone_from(&self.link.up);
        self.say_hello();
        // A hello is answered with the whole board; it is asked for only if it does not come.
        if !self.model.is_complete() {
            self.link.resync_at = Some(self.now);
            self.want_board();
        }
        self.send_pending();
        self.ask_launch_anew();
    }

    fn say_hello(&mut self) {
        let Some(me) = &self.me else { return };
        let hello = PluginHello {
            versions: BOARD_PROTOCOL,
            build: self.build.clone(),
            server_pid: me.server_pid,
            client_id: me.client_id,
            location: self.location.clone(),
            configuration: self.settings.given.clone(),
            session_name: self.session_name.clone(),
            up_pipe: self.link.up.clone().unwrap_or_default(),
        };
        self.meters.asked(self.now);
        self.send_up(Up::Hello(hello));
    }

    /// The address has become known, or changed: the link must be told, or it addresses nobody.
    pub(super) fn set_location(&mut self, url: &str) {
        if self.location != url {
            url.clone_into(&mut self.location);
            if self.link.greeted.is_some() {
                self.say_hello();
            }
        }
    }

    pub(super) fn send_up(&mut self, up: Up) {
        let (Some(pipe), Some(instance)) = (self.link.up.clone(), self.instance()) else { return };
        // Nothing that the board says can fail to become JSON; the limit is kept by the editor's.
        let Ok(line) = serde_json::to_string(&UpLine { instance, up }) else { return };
        if line.len() <= MAX_LINE_BYTES {
            self.emit(Effect::SendUp { pipe, line });
        }
    }

    fn down(&mut self, down: Down) {
        if !matches!(down, Down::Page { .. }) {
            self.settle();
        }
        match down {
            Down::Hello(hello) => self.hello_from(hello),
            Down::Page { generation, seq, page, pages, rows, warnings } => {
                if !self.link.standing.is_foreign() {
                    let applied =
                        self.model.apply_page(Page { generation, seq, page, pages, rows, warnings });
                    self.applied_to_model(applied);
                }
            }
            Down::Delta { generation, base, seq, upserted, removed, warnings } => {
                if !self.link.standing.is_foreign() {
                    let delta = Delta { generation, base, seq, upserted, removed, warnings };
                    let applied = self.model.apply_delta(delta);
                    self.applied_to_model(applied);
                }
            }
            Down::Daemon(health) => self.daemon_is(health),
            Down::Outcome { instance, command_id, outcome } => self.outcome(instance, &command_id, outcome),
            Down::Pane(request) => self.pane_request(&request),
            Down::Ping { number } => self.send_up(Up::Alive { number }),
            Down::Look { number } => self.ask(Question::Look(number)),
            Down::Goodbye => self.goodbye(),
            Down::StatusBar { instance, text, last_text } => self.status_bar(instance, text, last_text),
            Down::QueryPage { instance, number, page, pages, parts } => {
                let mut parts = parts;
                if !self.launch_page(instance, number, (page, pages), &mut parts) {
                    self.query_page(instance, number, page, pages, parts);
                }
            }
        }
        self.resync_if_due();
    }

    fn applied_to_model(&mut self, applied: Applied) {
        match applied {
            // To arrange and draw every page anew costs more than all the rest of a large board.
            Applied::Partly => self.unsettled = true,
            Applied::Changed => {
                self.unsettled = false;
                self.settle_selection();
                self.enter_awaited();
                self.retitle_tabs();
                self.settle_waiting();
                self.changed();
            }
            Applied::Ignored => {}
            Applied::Gap => {
                self.model.forget_seq();
                self.want_board();
            }
        }
    }

    fn want_board(&mut self) {
        self.link.resync_wanted = true;
        self.resync_if_due();
    }

    /// At most one request a second; a hidden board sends a late one with the link's next line.
    fn resync_if_due(&mut self) {
        let due = self.link.resync_at.is_none_or(|at| super::time::after(at, RESYNC_MS) <= self.now);
        if self.model.is_complete() || self.model.is_loading() {
            self.link.resync_wanted = false;
        }
        if self.link.resync_wanted && due && self.link.up.is_some() {
            self.link.resync_wanted = false;
            self.link.resync_at = Some(self.now);
            self.meters.asked(self.now);
            self.send_up(Up::Resync);
        }
    }

    fn daemon_is(&mut self, health: DaemonHealth) {
        let plain = |text: String| plain_within(&text, MAX_HEALTH_COLUMNS);
        let health = match health {
            DaemonHealth::Connected { build } => DaemonHealth::Connected { build: plain_within(&build, 20) },
            DaemonHealth::Unreachable { text } => DaemonHealth::Unreachable { text: plain(text) },
            DaemonHealth::Incompatible { text } => DaemonHealth::Incompatible { text: plain(text) },
            DaemonHealth::ShutDown { text } => DaemonHealth::ShutDown { text: plain(text) },
        };
        if self.link.daemon.as_ref() != Some(&health) {
            self.link.daemon = Some(health);
            self.changed();
        }
    }

    fn pane_request(&mut self, request: &PaneRequest) {
        if self.me.as_ref().map(|me| me.server_pid) != Some(request.place.server_pid) {
            return;
        }
        let pane = request.place.pane_id;
        match request.change {
            PaneChange::Attached => self.panes.join(pane),
            PaneChange::Detached | PaneChange::Ended => self.panes.leave(pane),
        }
        self.ask(match request.change {
            // Locked since it was opened. This news is a moment old, and the person may have left Locked mode since.
            PaneChange::Attached if self.panes.opened(pane) => return,
            PaneChange::Attached => Question::PaneAttached(pane),
            PaneChange::Detached => Question::PaneDetached(pane),
            PaneChange::Ended => Question::PaneSessionEnded(pane),
        });
    }

    /// The link ends on purpose. Its pipe child is let go, and another link is awaited.
    fn goodbye(&mut self) {
        if let Some(up) = self.link.up.take() {
            self.emit(Effect::UnblockPipe(up));
        }
        self.link.retired = self.link.generation.take();
        self.link.standing = Standing::Unknown;
        self.model.forget_place();
        self.link.wait_from(self.now);
        self.changed();
    }
}

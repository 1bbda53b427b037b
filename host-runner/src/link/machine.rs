//! The link's decisions: when each pipe child starts and ends, what goes down and when, and what becomes of an intent.
//!
//! Pure: [`super::run`] feeds it lines, daemon messages and child exits with the time since the link started, and carries
//! out its outputs. The rules come from what was measured on zellij 0.45.1: one line up and then only listening; down
//! one batch at a time, each acknowledged through a ping before the next one leaves; a child that does not deliver is
//! replaced, never doubled.

mod asking;
mod bars;
mod down;
mod looking;
#[cfg(test)]
mod tests;
mod words;

use super::{
    address::Address,
    asks::{self, Asks},
    bar::Bar,
    mirror::Mirror,
    queries::{self, Queries},
};
use bars::Bars;
use board_protocol::{
    command::EnvVar,
    daemon::{LinkOrder, PaneEvent, Request},
    hello::{Agreement, BOARD_PROTOCOL},
    ids::Generation,
    pipe::{
        DaemonHealth, Down, DownLine, InstanceId, LinkHello, PaneChange, PaneRequest, PluginHello, Up, UpLine,
    },
    refusal::RefusalKind,
    state::SemanticState,
};
use board_text::link as texts;
use down::{DownChild, PAUSE};
use looking::Looks;
use std::{collections::BTreeMap, time::Duration};
pub(crate) use words::{DaemonEvent, Input, Output, Status};

/// First delay before a child that ended is started again; it doubles each time.
const FIRST_RESTART: Duration = Duration::from_millis(250);
/// Longest such delay: after a rename the link should be back before anybody wonders.
const LAST_RESTART: Duration = Duration::from_secs(5);
/// A new up child at a caller's wish at most this often: each one costs every plugin of the session a line.
const ANNOUNCE_EVERY: Duration = Duration::from_secs(1);
/// After this many ends of the up child in a row without a word from a plugin, the session's name is looked up anew.
const ENDS_BEFORE_NAME_IS_DOUBTED: u32 = 2;
/// After this many batches in a row that nobody acknowledged, every instance that is known counts as gone.
const STUCK_BEFORE_ALL_STARTS_ANEW: u32 = 5;
/// More instances than any person has; beyond it the oldest ids are forgotten.
const MAX_INSTANCES: usize = 64;

/// What the machine knows from the start.
#[derive(Debug)]
pub(crate) struct Facts {
    /// This link process.
    pub(crate) link: Generation,
    /// What it says about itself.
    pub(crate) hello: LinkHello,
    /// The zellij server's pid.
    pub(crate) server_pid: u32,
    /// The environment of sessions that are started from this board.
    pub(crate) environment: Vec<EnvVar>,
    /// The session's name as far as it can be known without a plugin.
    pub(crate) session: Option<String>,
    /// When the up child may start first.
    pub(crate) first_up_at: Duration,
    /// The status bar that is told what the board counts, if the configuration names one.
    pub(crate) bar: Option<Bar>,
}

/// One instance of the plugin that said hello.
#[derive(Debug)]
struct Instance {
    /// `None`: it can only be reached by a broadcast.
    address: Option<Address>,
    agreement: Agreement,
}

/// The machine.
#[derive(Debug)]
pub(crate) struct Machine {
    facts: Facts,
    up_alive: bool,
    up_started: Option<Duration>,
    up_restart_at: Option<Duration>,
    up_ends: u32,
    /// The up pipe's id, once an instance told it.
    up_pipe: String,
    instances: BTreeMap<InstanceId, Instance>,
    down: DownChild,
    mirror: Mirror,
    generation: Option<Generation>,
    health: DaemonHealth,
    asks: Asks,
    queries: Queries,
    looks: Looks,
    bars: Bars,
    finished: bool,
}

impl Machine {
    /// A machine that has done nothing yet. The first [`Input::Tick`] starts it.
    pub(crate) fn new(facts: Facts) -> Self {
        Self {
            up_alive: false,
            up_started: None,
            up_restart_at: Some(facts.first_up_at),
            up_ends: 0,
            up_pipe: String::new(),
            instances: BTreeMap::new(),
            down: DownChild::default(),
            mirror: Mirror::default(),
            generation: None,
            health: DaemonHealth::Unreachable { text: texts::connecting().into() },
            asks: Asks::default(),
            queries: Queries::default(),
            looks: Looks::default(),
            bars: Bars::new(facts.bar.clone()),
            finished: false,
            facts,
        }
    }

    /// Takes one input; `now` counts from the start of the link.
    pub(crate) fn on(&mut self, input: Input, now: Duration) -> Vec<Output> {
        let mut out = Vec::new();
        if self.finished {
            return out;
        }
        match input {
            Input::Tick => {}
            Input::Up(line) => self.on_line(*line, now, &mut out),
            Input::UpEnded => self.on_up_ended(now, &mut out),
            Input::DownEnded => self.down.ended(now),
            Input::Daemon(event) => self.on_daemon(event, now, &mut out),
            Input::Missed => self.on_missed(now, &mut out),
            Input::Looked { id, parts } => {
                let next = self.queries.looked(id, parts);
                self.go_on(next, &mut out);
            }
            Input::ScreenRead { id, text } => {
                let next = self.queries.screen_read(id, text.as_deref());
                self.go_on(next, &mut out);
            }
        }
        self.pump(now, &mut out);
        out
    }

    /// The last line to the plugin, if the link ends while the server lives.
    pub(crate) fn goodbye(&self) -> Option<Vec<u8>> {
        if self.wants_down() { encode(&self.envelope(Down::Goodbye)) } else { None }
    }

    /// When [`Input::Tick`] is wanted next.
    pub(crate) fn next_deadline(&self) -> Option<Duration> {
        if self.finished {
            return None;
        }
        let restart = if self.up_alive { None } else { self.up_restart_at };
        let down = if self.wants_down() { self.down.next_deadline(self.is_due()) } else { None };
        [
            restart,
            down,
            self.asks.next_deadline(),
            self.queries.next_deadline(),
            self.looks.next_deadline(),
            self.bar_deadline(),
        ]
        .into_iter()
        .flatten()
        .min()
    }

    /// What the status pane shows.
    pub(crate) fn status(&self) -> Status {
        let count = |state| self.mirror.count(state);
        Status {
            health: self.health.clone(),
            counts: self.mirror.is_known().then(|| {
                [count(SemanticState::Working), count(SemanticState::NeedsInput), self.mirror.unread()]
            }),
            board_listens: !self.instances.is_empty(),
        }
    }

    fn on_line(&mut self, line: UpLine, now: Duration, out: &mut Vec<Output>) {
        let instance = line.instance;
        self.up_ends = 0;
        match line.up {
            Up::Hello(hello) => self.on_hello(instance, hello),
            Up::Resync => {
                self.mirror.forget_sent();
                self.down.forget_pages();
            }
            Up::Alive { number } => {
                self.down.acknowledged(number, now);
                self.bars.alive(instance);
            }
            Up::Goodbye => {
                self.instances.remove(&instance);
                if self.instances.is_empty() {
                    // Nothing may reach an address without an instance: kill before the next line leaves.
                    self.down.stop(now, out);
                    self.finished = true;
                    out.push(Output::StopUp);
                    out.push(Output::Finish);
                }
            }
            Up::Intent { command_id, intent } => {
                if let Some(text) = self.away() {
                    let kind = RefusalKind::HostUnreachable;
                    self.down.tell(asks::refused(instance, command_id, kind, texts::not_done(text)));
                    return;
                }
                let wish = asks::wish(command_id, intent, &self.facts.hello.cwd, &self.facts.environment);
                match self.asks.take(instance, wish, now) {
                    Ok((id, request)) => out.push(Output::Ask { id, request }),
                    Err(outcome) => self.down.tell(*outcome),
                }
            }
            Up::Looking { number, focus } => self.on_looking(instance, number, focus, out),
            Up::Query { number, query } => self.on_query(instance, number, query, now, out),
            Up::QueryDropped { number } => {
                self.queries.forget(instance, number);
                self.down.forget_answers(instance, Some(number));
            }
        }
    }

    fn on_hello(&mut self, instance: InstanceId, hello: PluginHello) {
        if hello.server_pid != self.facts.server_pid {
            // Not our zellij: nothing that it says is about panes that we know.
            return;
        }
        let address = Address::of(&hello);
        let agreement = BOARD_PROTOCOL.agree_with(hello.versions);
        if let Some(name) = hello.session_name.filter(|name| !name.is_empty()) {
            self.facts.session = Some(name);
        }
        if !hello.up_pipe.is_empty() {
            self.up_pipe = hello.up_pipe;
        }
        self.instances.insert(instance, Instance { address, agreement });
        while self.instances.len() > MAX_INSTANCES {
            self.instances.pop_first();
        }
        self.down.introduce();
        self.mirror.forget_sent();
        self.down.forget_pages();
    }

    fn on_up_ended(&mut self, now: Duration, out: &mut Vec<Output>) {
        if !self.up_alive {
            return;
        }
        self.forget_instances(now, out);
        self.up_ends = self.up_ends.saturating_add(1);
        if self.up_ends >= ENDS_BEFORE_NAME_IS_DOUBTED {
            self.facts.session = None;
        }
        self.up_restart_at = Some(now + backoff(self.up_ends));
    }

    /// The up pipe is gone, and with it every way of hearing from an instance: each says hello again on the next one.
    fn forget_instances(&mut self, now: Duration, out: &mut Vec<Output>) {
        self.up_alive = false;
        self.up_pipe.clear();
        self.instances.clear();
        self.down.stop(now, out);
    }

    fn on_missed(&mut self, now: Duration, out: &mut Vec<Output>) {
        let recent = self.up_started.is_some_and(|started| now < started + ANNOUNCE_EVERY);
        if self.up_alive && !recent {
            self.start_up_anew(now, out);
        }
    }

    /// Kills both children; the next one starts when zellij has forgotten them.
    fn start_up_anew(&mut self, now: Duration, out: &mut Vec<Output>) {
        out.push(Output::StopUp);
        self.forget_instances(now, out);
        self.up_restart_at = Some(now + PAUSE);
    }

    fn on_daemon(&mut self, event: DaemonEvent, now: Duration, out: &mut Vec<Output>) {
        match event {
            DaemonEvent::Connected { build, generation } => {
                self.generation = Some(generation);
                self.mirror.expect_full();
                self.set_health(DaemonHealth::Connected { build });
                out.extend(self.asks.again().map(|(id, request)| Output::Ask { id, request }));
            }
            DaemonEvent::Lost(health) => {
                self.set_health(health);
                let text = self.away().unwrap_or_default().to_owned();
                let refused = self.queries.lost(&text);
                self.tell_all(refused);
            }
            DaemonEvent::Board(update) => {
                let Some(generation) = self.generation.clone() else { return };
                if self.mirror.apply(&generation, update).is_err() {
                    // No question of a person has the id 0; the answer is a whole board, not this id's.
                    out.push(Output::Ask { id: 0, request: Request::Subscribe });
                }
            }
            DaemonEvent::Answered { id, answer } => {
                if queries::is_one(id) {
                    let next = self.queries.answered(id, answer);
                    self.go_on(next, out);
                } else if let Some(outcome) = self.asks.answered(id, answer) {
                    self.down.tell(outcome);
                }
            }
            DaemonEvent::Order(LinkOrder::Look { number }) => self.on_look(number, now, out),
            DaemonEvent::Order(LinkOrder::Notify { text, ways }) => {
                let text = board_text::retold(&text).into_owned();
                out.push(Output::Notify { text, ways });
            }
            DaemonEvent::Pane(event) => {
                let (session, place, change) = match event {
                    PaneEvent::Attached { session, place } => (session, place, PaneChange::Attached),
                    PaneEvent::Detached { session, place } => (session, place, PaneChange::Detached),
                    PaneEvent::Ended { session, place } => (session, place, PaneChange::Ended),
                };
                if place.server_pid == self.facts.server_pid {
                    self.down.tell(Down::Pane(PaneRequest { session, place, change }));
                }
            }
        }
    }

    fn set_health(&mut self, health: DaemonHealth) {
        if self.health != health {
            self.health = health;
            self.down.report_health();
        }
    }

    /// Everything that time alone decides.
    fn pump(&mut self, now: Duration, out: &mut Vec<Output>) {
        if self.finished {
            return;
        }
        let late = self.asks.expired(now).into_iter().chain(self.queries.expired(now)).collect();
        self.tell_all(late);
        self.give_up_looks(now, out);
        if !self.up_alive && self.up_restart_at.is_some_and(|at| now >= at) {
            self.up_alive = true;
            self.up_started = Some(now);
            self.up_restart_at = None;
            let line = self.envelope(Down::Hello(self.facts.hello.clone()));
            out.push(Output::StartUp {
                session: self.facts.session.clone(),
                line: encode(&line).unwrap_or_default(),
            });
        }
        if self.wants_down() {
            self.tell_bar(now);
            self.pump_down(now, out);
        }
    }

    fn pump_down(&mut self, now: Duration, out: &mut Vec<Output>) {
        let address = self.common_address();
        self.down.keep_child(now, address, self.facts.session.as_ref(), out);
        if self.down.stuck_in_a_row() >= STUCK_BEFORE_ALL_STARTS_ANEW {
            // Whoever is alive says hello on a fresh up pipe; nobody else is spoken to any more.
            self.start_up_anew(now, out);
            return;
        }
        if !self.down.may_fill(now, self.is_due()) {
            self.down.write(now, &self.up_pipe, &self.facts.link, out);
            return;
        }
        let mut lines = Vec::new();
        if self.down.take_introduction() {
            lines.push(Down::Hello(self.facts.hello.clone()));
        }
        let health_is_due = self.down.take_health();
        if self.somebody_understands() {
            if health_is_due {
                lines.push(Down::Daemon(self.health.clone()));
            }
            lines.extend(self.mirror.lines());
        }
        self.down.fill(lines);
        self.down.write(now, &self.up_pipe, &self.facts.link, out);
    }

    fn wants_down(&self) -> bool {
        self.up_alive && !self.instances.is_empty()
    }

    fn is_due(&self) -> bool {
        self.somebody_understands() && self.mirror.is_due()
    }

    /// An instance of another protocol is only told who speaks, so that it can reload itself.
    fn somebody_understands(&self) -> bool {
        self.instances.values().any(|instance| matches!(instance.agreement, Agreement::Speak(_)))
    }

    /// The one address of all instances, if they have one.
    fn common_address(&self) -> Option<Address> {
        let mut addresses = self.instances.values().map(|instance| instance.address.as_ref());
        let first = addresses.next()??;
        addresses.all(|other| other == Some(first)).then(|| first.clone())
    }

    fn envelope(&self, down: Down) -> DownLine {
        DownLine { up: self.up_pipe.clone(), link: self.facts.link.clone(), down }
    }
}

/// One line of JSON with its line end. `None` when it is over the limit of a line.
fn encode(line: &DownLine) -> Option<Vec<u8>> {
    let mut json = serde_json::to_vec(line).ok()?;
    json.push(b'\n');
    (json.len() <= board_protocol::pipe::MAX_LINE_BYTES).then_some(json)
}

fn backoff(ends: u32) -> Duration {
    let doublings = ends.saturating_sub(1).min(8);
    FIRST_RESTART.saturating_mul(1 << doublings).min(LAST_RESTART)
}

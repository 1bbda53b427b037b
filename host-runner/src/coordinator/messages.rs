//! What the coordinator's thread is told and what it says: closed enums of plain values, without channels inside.
//!
//! The daemon's shell makes inputs and carries outputs out.

use super::{decision::Force, notify::Notice, references::LookForReferences};
use crate::{agents::Prepared, model::consult::Consultation, refs::Snapshot};
use board_protocol::{
    board::{Row, Warning},
    command::{CommandEnvelope, EnvVar},
    daemon::{Answer, PaneEvent},
    host::{HostFact, HostLaunch, HostOrder, HostRegistration},
    ids::{FactSeq, Generation, ProcessIdentity, RunId, SessionId, Token, UnixMs},
    refusal::Refusal,
    run::RunLaunch,
    terminals::{AgentAsk, Wait},
};

/// Names a question until it is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ticket(pub u64);

/// Names one connection of a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConnectionId(pub u64);

/// An environment and its age.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Environment {
    /// The variables.
    pub variables: Vec<EnvVar>,
    /// When it was taken.
    pub taken_at: UnixMs,
}

/// What the file system says about a start, found out before it is decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Preflight {
    /// Directory and program can be used; what the agent's adapter needs, if it needs anything.
    Passed {
        /// What its agent needs.
        prepared: Option<Prepared>,
        /// The name of the linked git worktree that its directory is in.
        worktree: Option<Box<str>>,
    },
    /// They cannot.
    Refused(Refusal),
}

/// A question that changes nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    /// One session in full.
    Show {
        /// What the person typed.
        session: String,
    },
    /// The same without what only the store knows: where it is.
    Locate {
        /// What the person typed.
        session: String,
    },
    /// Why it stands where it stands.
    Explain {
        /// What the person typed.
        session: String,
    },
    /// Its diagnostics.
    Log {
        /// What the person typed.
        session: String,
        /// At most so many.
        limit: u32,
    },
    /// What there is to show for its work.
    Evidence {
        /// What the person typed.
        session: String,
    },
    /// Which issues and change requests it is about.
    References {
        /// What the person typed.
        session: String,
    },
    /// What a launch dialog begins with.
    LaunchPreferences,
    /// Every terminal with open waits.
    Waits,
    /// Whether everything was compared with its processes; asked by [`Input::Reconcile`] alone.
    Reconciled,
    /// A page of everything that the store holds.
    Export {
        /// Where the page before ended.
        after: u64,
    },
    /// The screen that it left.
    LastScreen {
        /// The session.
        session: SessionId,
    },
}

/// A question for a command of the person's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Consult {
    /// What it is asked for.
    pub kind: Consultation,
    /// The session.
    pub session: SessionId,
    /// What the answer will be about: the hash of the last words; for a title the name that it is to replace.
    pub about: String,
    /// What it reads on its standard input.
    pub input: String,
}

/// What the coordinator is told.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// A person's command.
    Command {
        /// Where the outcome goes.
        ticket: Ticket,
        /// The command; its environment was taken out.
        envelope: CommandEnvelope,
        /// The environment to start with.
        environment: Option<Environment>,
        /// What was found out about a start.
        preflight: Option<Preflight>,
    },
    /// An agent asks something about its terminals.
    AgentAsked {
        /// Where the answer goes.
        ticket: Ticket,
        /// The session whose agent it says that it is.
        session: SessionId,
        /// What it knows of that session's secret.
        token: Token,
        /// What; its environment was taken out.
        ask: AgentAsk,
        /// The environment for a terminal that is opened, without what is ours.
        environment: Option<Environment>,
        /// What was found out about that.
        preflight: Option<Preflight>,
    },
    /// A host says which waits are open on its output.
    HostWaits {
        /// Its connection.
        connection: ConnectionId,
        /// All of them, the oldest first.
        waits: Vec<Wait>,
    },
    /// A person ends waits.
    SkipWaits {
        /// Where the answer goes.
        ticket: Ticket,
        /// What the person typed.
        session: String,
    },
    /// A host has ended waits.
    WaitsSkipped {
        /// Its connection.
        connection: ConnectionId,
        /// The number of the order.
        number: u64,
        /// How many there were.
        count: u32,
    },
    /// What hosts have not said by now about waits that they were to end, they are not waited for.
    SkipDue {
        /// Whose question.
        ticket: Ticket,
    },
    /// A question.
    Asked {
        /// Where the answer goes.
        ticket: Ticket,
        /// What.
        question: Question,
    },
    /// A host introduced itself.
    HostRegistered {
        /// Its connection.
        connection: ConnectionId,
        /// The version of the coordinator protocol that it speaks.
        version: u32,
        /// What it said.
        registration: HostRegistration,
    },
    /// A host reported a fact.
    HostReported {
        /// Its connection.
        connection: ConnectionId,
        /// The fact's number.
        seq: FactSeq,
        /// When it happened.
        at: UnixMs,
        /// What happened.
        fact: HostFact,
    },
    /// A session printed something.
    HostActive {
        /// Its host's connection.
        connection: ConnectionId,
        /// When.
        at: UnixMs,
    },
    /// A host's connection closed; everything that it said was delivered before.
    HostLeft {
        /// The connection.
        connection: ConnectionId,
    },
    /// A host's process ended, or it is time to look at it again.
    HostEnded {
        /// The session.
        session: SessionId,
    },
    /// A host process was started.
    HostSpawned {
        /// The session.
        session: SessionId,
        /// The boot.
        generation: Generation,
        /// Its process.
        process: ProcessIdentity,
    },
    /// A host process could not be started.
    HostSpawnFailed {
        /// The session.
        session: SessionId,
        /// The boot.
        generation: Generation,
        /// Why.
        reason: String,
    },
    /// The process of a headless run was started.
    RunSpawned {
        /// The session.
        session: SessionId,
        /// The run.
        run: RunId,
        /// Its process.
        process: ProcessIdentity,
    },
    /// The process of a headless run could not be started.
    RunSpawnFailed {
        /// The session.
        session: SessionId,
        /// The run.
        run: RunId,
        /// Why.
        reason: String,
    },
    /// What was not shown a moment ago is due now.
    ShowDue {
        /// The session.
        session: SessionId,
    },
    /// A person wants a directory forgotten; answered with what the launch dialog begins with then.
    ForgetDirectory {
        /// Where the answer goes.
        ticket: Ticket,
        /// The directory as it stands among the favourites.
        path: String,
    },
    /// A state has lasted long enough to tell the person of it.
    NoticeDue {
        /// The session.
        session: SessionId,
        /// The number of the state.
        number: u64,
    },
    /// A look for code references ended.
    ReferencesFound {
        /// The session.
        session: SessionId,
        /// What was found.
        found: Box<Snapshot>,
        /// What of the person's own providers could not be used, if that was noticed just now.
        complaints: Vec<String>,
    },
    /// A command of the person's own has answered.
    Consulted {
        /// What it was asked for.
        kind: Consultation,
        /// The session.
        session: SessionId,
        /// What the answer is about.
        about: String,
        /// What it printed, or why there is no answer.
        answer: Result<String, String>,
    },
    /// Time to look whether everything is as it is recorded.
    Tick,
    /// The same, because somebody asked for it.
    Reconcile {
        /// Where it is said once it is done.
        ticket: Ticket,
    },
    /// The configuration was read again; what is wrong with it now.
    Configured {
        /// A line each.
        warnings: Vec<String>,
    },
    /// Time to look for processes that nobody needs.
    Sweep,
    /// A person wants everything that runs to end.
    StopAll,
}

/// What the coordinator says, always after the commit that it follows from.
#[derive(Debug, Clone, PartialEq)]
pub enum Output {
    /// The board changed. Comes before answers to the commands that changed it.
    BoardChanged {
        /// New and changed rows.
        upserted: Vec<Row>,
        /// Rows that are gone.
        removed: Vec<SessionId>,
        /// The warnings, when they changed.
        warnings: Option<Vec<Warning>>,
    },
    /// The answer to a ticket.
    Answer {
        /// Which.
        ticket: Ticket,
        /// The answer.
        answer: Result<Answer, Refusal>,
    },
    /// For a connected host.
    Order {
        /// Its connection.
        connection: ConnectionId,
        /// What.
        order: HostOrder,
    },
    /// Close a host's connection: it connects again and says everything that was not acknowledged once more.
    Disconnect {
        /// The connection.
        connection: ConnectionId,
    },
    /// Start a host.
    Spawn(Box<HostLaunch>),
    /// Start the process of a headless run.
    SpawnRun(Box<RunLaunch>),
    /// Say [`Input::HostEnded`] when this process ends.
    Watch {
        /// The session.
        session: SessionId,
        /// Its host, or its run.
        process: ProcessIdentity,
    },
    /// Say [`Input::HostEnded`] a moment later.
    LookAgain {
        /// The session.
        session: SessionId,
    },
    /// Say [`Input::ShowDue`] after this time.
    ShowLater {
        /// The session.
        session: SessionId,
        /// Milliseconds.
        after_ms: u64,
    },
    /// Say [`Input::SkipDue`] after this time.
    SkipLater {
        /// Whose question.
        ticket: Ticket,
        /// Milliseconds.
        after_ms: u64,
    },
    /// Say [`Input::NoticeDue`] after this time.
    NoticeLater {
        /// The session.
        session: SessionId,
        /// The number of the state.
        number: u64,
        /// Milliseconds.
        after_ms: u64,
    },
    /// Tell the person, if they do not look.
    Notify(Box<Notice>),
    /// Signal a process, if it is still exactly this one.
    Signal {
        /// The process.
        process: ProcessIdentity,
        /// How hard.
        force: Force,
    },
    /// For the link of a zellij server.
    TellPane {
        /// The server.
        server_pid: u32,
        /// What.
        event: PaneEvent,
    },
    /// Look for code references, and say [`Input::ReferencesFound`].
    LookForReferences(Box<LookForReferences>),
    /// Run a command of the person's own, and say [`Input::Consulted`], whatever comes of it.
    Consult(Box<Consult>),
    /// How many sessions have a host or a headless run, when that changed.
    Running {
        /// The number.
        hosts: usize,
    },
}

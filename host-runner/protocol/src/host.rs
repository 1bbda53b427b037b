//! A host's socket (attach, screen, events), and what a host and the daemon say to each other.
//!
//! After the hello (host protocol) a connection on a host's socket carries [`ToHost`] one way and [`FromHost`] the
//! other. Order for an attach client: hello, `Attach`, `Reconcile`, `Subscribe`; then `SnapshotBegin`,
//! `SnapshotFrame`s, `SnapshotEnd`, then `Output` without gaps (reference E.3, E.4).

mod launch;

pub use launch::{HostLaunch, HostSettings, LaunchPrompt, MAX_HISTORY_LINES, MAX_STOP_GRACE_MS};

use crate::{
    board::AttachPlace,
    daemon::Stray,
    ids::{FactSeq, Generation, OutputSeq, ProcessIdentity, QueueItemId, SessionId, Size, Token, UnixMs},
    refusal::Refusal,
    run::KeptReport,
    terminals::{TerminalAnswer, TerminalAsk, Wait, Waiting},
};
use serde::{Deserialize, Serialize};

/// Most bytes of snapshot in one [`FromHost::SnapshotFrame`].
pub const MAX_SNAPSHOT_FRAME_BYTES: usize = 256 * 1024;
/// Most bytes of one event of an agent.
pub const MAX_EVENT_BYTES: usize = 256 * 1024;
/// Most bytes of the last screen that a host hands over.
pub const MAX_LAST_SCREEN_BYTES: usize = 64 * 1024;

/// Client to host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToHost {
    /// First message of an attach client after its hello. A second one changes what its terminal looks like, and nothing
    /// else.
    Attach(AttachRequest),
    /// What is the truth, before subscribing? Read-only; answered by [`FromHost::Reconciled`].
    Reconcile,
    /// Send the screen, then everything that follows.
    Subscribe {
        /// The last chunk that the client shows, of this generation; `None` asks for a snapshot.
        since: Option<OutputSeq>,
    },
    /// Bytes that the person typed.
    Input {
        /// As they came from the terminal.
        #[serde(with = "serde_bytes")]
        data: Vec<u8>,
    },
    /// The client's pane has another size now.
    Resize(Size),
    /// The client goes. The connection closes after [`FromHost::Detached`].
    Detach,
    /// The screen as text; answered by [`FromHost::Screen`]. Also allowed to viewers.
    ReadScreen {
        /// How.
        format: ScreenFormat,
        /// Lines of history in front of it.
        scrollback: u32,
    },
    /// An event of the agent, from a hook or an adapter.
    Event(AgentReport),
    /// An agent asks something of its terminal. Since version 4; answered by [`FromHost::Terminal`] with the same id.
    Terminal {
        /// Chosen by the client, unique on this connection.
        id: u64,
        /// The secret of the session that owns the terminal.
        token: Token,
        /// What.
        ask: TerminalAsk,
    },
    /// The person at an attach client ends every wait on this terminal. Since version 4.
    SkipWaits,
}

/// Whether a client may type and resize.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AttachMode {
    /// It may.
    Interactive,
    /// It only looks.
    ReadOnly,
}

/// What an attach client says about itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttachRequest {
    /// The size of its terminal.
    pub size: Size,
    /// Whether it may type.
    pub mode: AttachMode,
    /// The zellij pane that it runs in, if any.
    pub place: Option<AttachPlace>,
    /// The colours and cell size of its terminal, as far as it knows them.
    pub look: TerminalLook,
    /// Whose lines its terminal has scrolled away.
    #[serde(default)]
    pub scrollback: ScrollbackOwner,
}

/// Whose lines the scrollback of a client's terminal holds. A snapshot clears and refills only one of the session's own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScrollbackOwner {
    /// The person's: the client was started from a shell, and what stands above is not ours to clear.
    #[default]
    Person,
    /// The session's: the pane was made for it.
    Session,
}

/// What a client's terminal looks like; the host answers the agent's queries with it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TerminalLook {
    /// Default foreground, 16 bits a channel.
    pub foreground: Option<[u16; 3]>,
    /// Default background, 16 bits a channel.
    pub background: Option<[u16; 3]>,
    /// Cell size in pixels: width, height.
    pub cell_pixels: Option<[u16; 2]>,
}

/// How a screen is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScreenFormat {
    /// Characters only, trailing blanks cut.
    Text,
    /// With SGR sequences.
    Ansi,
}

/// One event of an agent, unparsed: the daemon parses it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentReport {
    /// The session's secret.
    pub token: Token,
    /// The adapter that understands it: the word after `host-runner hook`.
    pub adapter: String,
    /// When it was sent.
    pub at_ms: UnixMs,
    /// The event as the agent sent it.
    #[serde(with = "serde_bytes")]
    pub payload: Vec<u8>,
}

/// Host to client.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FromHost {
    /// The answer to [`ToHost::Reconcile`].
    Reconciled {
        /// The host's generation; a changed one voids the client's cursor and screen.
        generation: Generation,
        /// The newest chunk, if there was output.
        last_seq: Option<OutputSeq>,
        /// The size of the session's terminal.
        size: Size,
    },
    /// A snapshot starts. Everything shown before it is void.
    SnapshotBegin {
        /// The last chunk that the snapshot contains; `None` when the session printed nothing yet.
        snapshot_seq: Option<OutputSeq>,
        /// The size that it was drawn for.
        size: Size,
        /// Whether it replaces one that the client could not go on from.
        cause: SnapshotCause,
        /// The host's generation.
        generation: Generation,
    },
    /// A part of the snapshot, in order.
    SnapshotFrame {
        /// Bytes for a terminal.
        #[serde(with = "serde_bytes")]
        data: Vec<u8>,
    },
    /// The snapshot is complete.
    SnapshotEnd {
        /// The number of the first chunk that follows.
        next_seq: OutputSeq,
    },
    /// Live output.
    Output {
        /// Its number: the previous one plus one.
        seq: OutputSeq,
        /// Bytes for a terminal.
        #[serde(with = "serde_bytes")]
        data: Vec<u8>,
    },
    /// The terminal has another size now; a snapshot follows.
    Resized(Size),
    /// The answer to [`ToHost::ReadScreen`].
    Screen {
        /// Lines, ended by `\n`.
        text: String,
    },
    /// The event was taken: the host passes it on until the daemon has committed it, and writes it to the disk while that is
    /// away.
    EventTaken,
    /// The answer to [`ToHost::Detach`].
    Detached,
    /// The program ended; nothing follows.
    Exited(Exit),
    /// The request was refused; the connection stays.
    Refused(Refusal),
    /// Whether plain Left may detach now (decision 7): sent to attach clients that speak version 2 or later,
    /// whenever it changes, and after their attach if it may. Without a word it may not.
    Editor {
        /// Whether.
        plain_left: PlainLeft,
    },
    /// Output without a number, to attached clients that have not subscribed and speak version 3 or later. It is never part
    /// of the numbered stream: whoever subscribes gets the same bytes in its snapshot or with their numbers.
    Unnumbered {
        /// Bytes for a terminal.
        #[serde(with = "serde_bytes")]
        data: Vec<u8>,
    },
    /// The answer to [`ToHost::Terminal`].
    Terminal {
        /// The id of the question.
        id: u64,
        /// The answer, or why there is none.
        answer: Result<TerminalAnswer, Refusal>,
    },
    /// What an agent waits for on this terminal, or that it does not any more: sent to attach clients that speak version 4 or
    /// later, whenever it changes, and after their attach if there is a wait.
    Waiting(Option<Waiting>),
}

/// [`FromHost::Output`] with its bytes where they were read or made: most of what a host says, without a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LiveOutput<'a> {
    /// Live output.
    Output {
        /// Its number.
        seq: OutputSeq,
        /// Bytes for a terminal.
        #[serde(with = "serde_bytes", borrow)]
        data: &'a [u8],
    },
}

impl<'a> LiveOutput<'a> {
    /// How the body of its frame begins: a map of one entry, and its name.
    const HEAD: &'static [u8] = b"\x81\xa6output";

    /// Reads the body of a frame. `None`: it is another message, or none at all.
    pub fn read(body: &'a [u8]) -> Option<Self> {
        if !body.starts_with(Self::HEAD) {
            return None;
        }
        crate::frame::decode(body).ok()
    }
}

/// What the key Left does in an attach pane.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlainLeft {
    /// It is the agent's.
    #[default]
    Typed,
    /// The agent reported an empty editor and has no use for it there: it detaches.
    Detaches,
}

/// Why a snapshot is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SnapshotCause {
    /// The client asked for it.
    Asked,
    /// The client fell too far behind, or its cursor is not in the ring any more.
    Resync,
    /// The size changed.
    Resize,
}

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// It returned a code.
    Code(i32),
    /// A signal ended it.
    Signal(i32),
}

/// A host introduces itself to the daemon, after its boot and after every reconnect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostRegistration {
    /// Its session.
    pub session: SessionId,
    /// Its generation, as it was told when it was started.
    pub generation: Generation,
    /// The session's secret, as it was told when it was started.
    pub token: Token,
    /// Its own process.
    pub process: ProcessIdentity,
    /// The program's process, once it runs.
    pub child: Option<ProcessIdentity>,
    /// The absolute path of its socket.
    pub socket: String,
    /// The size of its terminal.
    pub size: Size,
    /// Who is attached.
    pub attached: Vec<AttachedClient>,
    /// What the agent's text field holds, where the agent has said that: a daemon that was started since has not heard it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text_field: Option<TextField>,
    /// The open waits on its output: the host owns them, and a daemon that was started since has not heard of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waits: Vec<Wait>,
}

/// What an agent says that its text field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextField {
    /// Nothing.
    Empty,
    /// Something that a person has not sent.
    HasText,
}

/// One attached client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttachedClient {
    /// Whether it may type.
    pub mode: AttachMode,
    /// The zellij pane that it runs in, if any.
    pub place: Option<AttachPlace>,
}

/// Something that happened at a host and may not be lost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HostFact {
    /// The program runs.
    ChildStarted {
        /// Its process.
        child: ProcessIdentity,
    },
    /// The program could not be started.
    ChildStartFailed {
        /// Why, for the person.
        error: String,
    },
    /// The program ended; the host is about to.
    ChildExited {
        /// How.
        exit: Exit,
        /// Its last screen as text, at most [`MAX_LAST_SCREEN_BYTES`].
        last_screen: String,
        /// Processes that left its tree and still run.
        strays: Vec<Stray>,
    },
    /// Clients came or went. The newest list wins.
    AttachedChanged {
        /// Everybody who is attached now.
        attached: Vec<AttachedClient>,
        /// A zellij pane in which a person just detached on purpose.
        left: Option<AttachPlace>,
    },
    /// A person typed a line end in an attach pane.
    PersonTyped,
    /// An agent's event.
    AgentReported(AgentReport),
    /// What became of a person's words that the daemon sent.
    ReplyProgressed {
        /// Which words.
        item: QueueItemId,
        /// How far they are.
        progress: DeliveryProgress,
    },
    /// The host ends its idle program, as [`HostOrder::Reclaim`] asked: [`HostFact::ChildExited`] follows.
    Reclaimed,
    /// A report of a headless run. No host says it: it waits in the spool where a run process found no daemon.
    RunReported(Box<KeptReport>),
}

/// How far words are on their way from a host to its agent (reference E.5).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryProgress {
    /// They are on the host's disk: they will be written once, or it will be said that this is not known.
    Accepted,
    /// They were written to the agent's terminal.
    Applied,
    /// They were not, and will not be; they may be sent again.
    Refused {
        /// Why, for the person.
        reason: String,
    },
}

/// How words are written to an agent's terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Typing {
    /// As a line to a program that reads lines: the words as they are, then a line end.
    Line,
    /// As a paste where the program asked for that (`?2004`), then, once it has taken it, a line end.
    Paste,
}

/// Daemon to host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HostOrder {
    /// The host belongs to the board.
    Adopted,
    /// It does not (another generation took its place, or its row is gone): it ends its program and itself.
    Revoked {
        /// Why, for its log.
        reason: String,
    },
    /// Every fact up to this one is committed.
    Acknowledge {
        /// The last committed fact.
        seq: FactSeq,
    },
    /// Type this, once (the agent's interrupt key).
    Interrupt {
        /// The bytes of the key.
        #[serde(with = "serde_bytes")]
        key: Vec<u8>,
    },
    /// End the program: SIGTERM, four seconds, SIGKILL to the whole tree (decision 13).
    Stop,
    /// Write a person's words to the agent, once, however often this is said.
    Deliver {
        /// Their id.
        item: QueueItemId,
        /// The words.
        text: String,
        /// How.
        typing: Typing,
    },
    /// End the program because nobody has needed it for long, unless somebody does now (decision 14). Sent to hosts that
    /// speak version 6 or later; one that ends it says [`HostFact::Reclaimed`] first, one that does not says nothing.
    Reclaim,
    /// A person ends every wait on this terminal. Sent to hosts that speak version 7 or later; answered by
    /// [`crate::daemon::ToDaemon::WaitsSkipped`].
    SkipWaits {
        /// The number of the question.
        number: u64,
    },
}

/// A fact on disk: written where the daemon cannot be reached, drained by it when it is back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SpooledFact {
    /// The session.
    pub session: SessionId,
    /// The generation of the host; `None` when a hook could not reach the host either.
    pub generation: Option<Generation>,
    /// The number inside the generation; `None` with no generation.
    pub seq: Option<FactSeq>,
    /// When it happened.
    pub at_ms: UnixMs,
    /// What happened.
    pub fact: HostFact,
}

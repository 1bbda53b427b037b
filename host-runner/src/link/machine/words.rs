//! What the link's machine is told, and what it says: closed enums of plain values.
//!
//! Made and carried out by [`super::super::run`] and its neighbours.

use crate::{link::address::Address, transcript::Source};
use board_protocol::{
    board::BoardUpdate,
    daemon::{Answer, ClientFocus, LaunchPreferences, LinkOrder, NoticeWay, PaneEvent, Request},
    ids::Generation,
    pipe::{DaemonHealth, QueryPart, UpLine},
    refusal::Refusal,
    transcript::TranscriptWindow,
};

/// What happened.
#[derive(Debug)]
pub(crate) enum Input {
    /// The loop runs, or a deadline passed.
    Tick,
    /// A line came up.
    Up(Box<UpLine>),
    /// The up child ended.
    UpEnded,
    /// The down child ended.
    DownEnded,
    /// Something about the daemon.
    Daemon(DaemonEvent),
    /// Another link was started for the same zellij server: some instance misses this one.
    Missed,
    /// A host was asked for its screen; `None`: it cannot be read.
    ScreenRead {
        /// The id of the question.
        id: u64,
        /// The screen as text.
        text: Option<String>,
    },
    /// The file system answered a question.
    Looked {
        /// The id of the question.
        id: u64,
        /// The answer.
        parts: Vec<QueryPart>,
    },
}

/// What happened on the daemon's side.
#[derive(Debug)]
pub(crate) enum DaemonEvent {
    /// There is a connection, and the board was subscribed to.
    Connected {
        /// The daemon's build.
        build: String,
        /// Its generation.
        generation: Generation,
    },
    /// There is none.
    Lost(DaemonHealth),
    /// The board changed.
    Board(BoardUpdate),
    /// An answer.
    Answered {
        /// To which question.
        id: u64,
        /// What it says.
        answer: Result<Answer, Refusal>,
    },
    /// The daemon wants something done.
    Order(LinkOrder),
    /// An attach client in a pane of this server came or went.
    Pane(PaneEvent),
}

/// What is to be done, in this order.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Output {
    /// Start the up child and write this line to it.
    StartUp {
        /// The session; `None`: look the name up.
        session: Option<String>,
        /// The one line.
        line: Vec<u8>,
    },
    /// Kill the up child.
    StopUp,
    /// Start the down child.
    StartDown {
        /// The session; `None`: look the name up.
        session: Option<String>,
        /// Whom it addresses; `None`: everybody.
        address: Option<Address>,
    },
    /// Kill the down child with everything that it has not delivered.
    StopDown,
    /// Write to the down child.
    Write(Vec<u8>),
    /// Ask the daemon.
    Ask {
        /// Under this id.
        id: u64,
        /// This.
        request: Request,
    },
    /// Read the screen of the host that listens at this path; answered by [`Input::ScreenRead`].
    ReadScreen {
        /// The id of the question.
        id: u64,
        /// The absolute path of the host's socket.
        socket: String,
    },
    /// Look which agents can be started here; answered by [`Input::Looked`].
    LookForAgents {
        /// The id of the question.
        id: u64,
        /// What the daemon said, as the first part of the answer.
        preferences: Box<LaunchPreferences>,
    },
    /// List directories; answered by [`Input::Looked`].
    ListDirectories {
        /// The id of the question.
        id: u64,
        /// What was typed.
        prefix: String,
    },
    /// Read a part of a transcript; answered by [`Input::Looked`].
    ReadTranscript {
        /// The id of the question.
        id: u64,
        /// What is known about its file.
        source: Box<Source>,
        /// Which part.
        window: TranscriptWindow,
    },
    /// Tell the daemon what the clients of this session look at.
    Looked {
        /// The number of its question.
        number: u64,
        /// What is known.
        clients: Vec<ClientFocus>,
    },
    /// Tell the persons at this session something, through the status pane.
    Notify {
        /// One line.
        text: String,
        /// How.
        ways: Vec<NoticeWay>,
    },
    /// Every board was closed: end, so that the status pane leaves too.
    Finish,
}

/// What the status pane shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Status {
    /// The daemon.
    pub(crate) health: DaemonHealth,
    /// Rows that run, need an answer, are unread.
    pub(crate) counts: Option<[usize; 3]>,
    /// Whether some board listens.
    pub(crate) board_listens: bool,
}

//! What the machine tells the shim: closed, plain values.

use board_protocol::{
    host::{Exit, PlainLeft, ToHost},
    ids::Size,
    refusal::Refusal,
    terminals::Waiting,
};

/// What the shim has to do, in order.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Connect to the host and say hello.
    Dial,
    /// Close the connection.
    HangUp,
    /// Send this.
    Send(ToHost),
    /// Show this screen, drawn for this size, instead of everything before.
    Snapshot {
        /// The size that it was drawn for.
        size: Size,
        /// Bytes for a terminal.
        bytes: Vec<u8>,
    },
    /// Show this after what was shown.
    Output(Vec<u8>),
    /// What the person may know about the connection has changed: see [`super::Machine::condition`].
    Condition,
    /// How output comes from here on. Happens once for every change.
    Mode(Mode),
    /// What was typed while nobody took it will not arrive: another host came.
    InputDropped,
    /// What the key Left does from here on.
    Left(PlainLeft),
    /// What an agent waits for on this terminal, or that it does not any more.
    Waiting(Option<Waiting>),
    /// It is over.
    End(Ending),
}

/// How a host's output comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// A snapshot, then numbered output.
    Protocol,
    /// Unnumbered output, as it comes.
    Legacy,
}

/// Whether the first subscription may be answered by a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Snapshots {
    /// It is tried.
    Wanted,
    /// The kill switch: legacy without a probe, as far as the host can do that.
    Off,
}

/// What the person may know about the connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    /// Nothing.
    Fine,
    /// The host was there and is looked for.
    Lost,
    /// The host is there and its screen does not come; it is asked for again and again.
    NoScreen,
}

/// How an attach ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// The person left.
    Detached,
    /// The program ended.
    Exited(Exit),
    /// The connection was lost and did not come back.
    HostGone,
    /// There never was one.
    NotReachable,
    /// The host speaks another version, or does not want this client.
    Refused(Refusal),
}

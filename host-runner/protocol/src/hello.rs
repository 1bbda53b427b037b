//! The first message in each direction of every socket connection: who speaks, and which versions.

use crate::{
    ids::{Generation, ProcessIdentity},
    refusal::Refusal,
};
use serde::{Deserialize, Serialize};

/// The coordinator protocol (daemon socket). It starts at 3 (reference C.3); a new command kind bumps it. 4 added
/// `Command::Resume`; 5 the state core: verdicts, replies and their queue, names, pins, tags, classification, `Explain`,
/// `Log`, `Export` and `Reconcile`; 6 headless runs, plans, evidence and favourite directories;
/// 7 terminals of agents and waits.
pub const COORDINATOR_PROTOCOL: Versions = Versions { oldest: 3, newest: 7 };

/// The protocol of a host's own socket (attach, events). 2 added `FromHost::Editor`, 3 `FromHost::Unnumbered`,
/// 4 `ToHost::Terminal` and `SkipWaits`, `FromHost::Terminal` and `Waiting`.
pub const HOST_PROTOCOL: Versions = Versions { oldest: 1, newest: 4 };

/// The protocol between link and plugin. 2 added the intents of the state core, `Up::Query` and `Down::QueryPage`;
/// 3 the transcript, the launch dialog and notifications; 4 terminals of agents, waits, and how the board looks.
pub const BOARD_PROTOCOL: Versions = Versions { oldest: 1, newest: 4 };

/// A range of protocol versions that a process speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Versions {
    /// The oldest version, inclusive.
    pub oldest: u32,
    /// The newest version, inclusive.
    pub newest: u32,
}

/// What two version ranges have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agreement {
    /// The newest version that both speak.
    Speak(u32),
    /// The other side is too old for this one.
    TheyAreOlder,
    /// The other side no longer speaks this side's versions.
    TheyAreNewer,
}

impl Versions {
    /// Finds the newest version that both ranges hold.
    pub fn agree_with(self, theirs: Self) -> Agreement {
        if theirs.newest < self.oldest {
            Agreement::TheyAreOlder
        } else if theirs.oldest > self.newest {
            Agreement::TheyAreNewer
        } else {
            Agreement::Speak(self.newest.min(theirs.newest))
        }
    }
}

/// Who opened the connection. It decides which messages the connection may carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// A command of a person or a script.
    Cli,
    /// A zellij link.
    Link,
    /// A host that reports to the daemon.
    Host,
    /// An attach client on a host's socket.
    Attach,
    /// A reader of the screen on a host's socket; not counted as attached.
    Viewer,
    /// A hook that delivers one event on a host's socket.
    Hook,
    /// The MCP server of an agent, on the daemon's socket and on those of the agent's terminals. Since coordinator protocol 7 and host
    /// protocol 4.
    Agent,
}

/// The first frame of whoever connects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// Versions of the protocol of this socket that the client speaks.
    pub versions: Versions,
    /// Who connects.
    pub role: Role,
    /// The client's build, for people and diagnostics: `0.1.0`.
    pub build: String,
    /// The client's generation, where it has one (hosts).
    pub generation: Option<Generation>,
    /// The client's process.
    pub process: ProcessIdentity,
}

/// The first frame of whoever was connected to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HelloReply {
    /// The connection may be used.
    Welcome(Welcome),
    /// It may not; the connection closes after this frame.
    Refused(Refused),
}

/// A hello that was accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Welcome {
    /// The version that both sides speak from here on.
    pub version: u32,
    /// The server's build.
    pub build: String,
    /// The server's generation: a changed one voids everything remembered about the server.
    pub generation: Generation,
    /// The server's process.
    pub process: ProcessIdentity,
}

/// A hello that was not accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    /// Versions that the server speaks, so that the client can tell which side is older.
    pub versions: Versions,
    /// The server's build.
    pub build: String,
    /// The server's process, so that an older daemon can be replaced.
    pub process: ProcessIdentity,
    /// What to tell the person.
    pub refusal: Refusal,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_agree_on_the_newest_common_version() {
        let ours = Versions { oldest: 3, newest: 5 };
        let table = [
            ((1, 2), Agreement::TheyAreOlder),
            ((1, 3), Agreement::Speak(3)),
            ((4, 4), Agreement::Speak(4)),
            ((5, 9), Agreement::Speak(5)),
            ((6, 9), Agreement::TheyAreNewer),
        ];
        for ((oldest, newest), expected) in table {
            assert_eq!(ours.agree_with(Versions { oldest, newest }), expected, "{oldest}..={newest}");
        }
    }

    #[test]
    fn i1_a13_the_coordinator_protocol_starts_at_3_and_hello_carries_it() {
        assert_eq!(COORDINATOR_PROTOCOL.oldest, 3);
        let hello = Hello {
            versions: COORDINATOR_PROTOCOL,
            role: Role::Cli,
            build: "0.1.0".into(),
            generation: None,
            process: ProcessIdentity { pid: 7, start_ticks: 70 },
        };
        let sent = serde_json::to_value(&hello).unwrap();
        assert_eq!(sent["versions"]["oldest"], 3);
        assert_eq!(sent["versions"]["newest"], COORDINATOR_PROTOCOL.newest);
    }
}

//! An agent's side of its events: a stand-in for pi that only waits, and the connection on which its extension would
//! report, spoken by hand, so that the clock starts with the event and not inside a model's turn.

use crate::{World, processes::Process, socket::Wire, wait::eventually};
use board_protocol::{
    hello::{HOST_PROTOCOL, HelloReply, Role},
    host::{AgentReport, FromHost, ToHost},
    ids::{Token, UnixMs},
};
use serde_json::{Value, json};
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    time::{SystemTime, UNIX_EPOCH},
};

/// What `pi` is in a world of the benchmark: as much as is looked at before a start, then a program that waits.
const STAND_IN: &str = "#!/bin/sh\n[ \"$1\" = --version ] && { echo 1.6.0; exit; }\nexec actor wait\n";

/// The events of one session.
pub struct Ear {
    wire: Wire,
    token: Token,
    seq: u64,
}

impl Ear {
    /// Starts a session of pi with this name and connects as its extension does.
    ///
    /// # Panics
    /// It does not start, or its host does not listen.
    pub fn start(world: &World, name: &str) -> Self {
        let pi = world.path("bin/pi");
        fs::write(&pi, STAND_IN).unwrap();
        fs::set_permissions(&pi, fs::Permissions::from_mode(0o755)).unwrap();
        let id = world.start(&["--agent", "pi", "--name", name, "wait for events"]);
        let program = eventually("the program of the session", || program_of(world, &id));
        let variable =
            |name: &str| program.variable(name).expect("the agent's environment names its session");
        let mut wire = Wire::connect(variable("AGENT_BOARD_SOCKET").as_ref());
        let reply = wire.greet(HOST_PROTOCOL, Role::Hook);
        assert!(matches!(reply, HelloReply::Welcome(_)), "{reply:?}");
        let mut ear = Self { wire, token: Token(variable("AGENT_BOARD_TOKEN")), seq: 0 };
        ear.say(json!({"type": "session_start", "generation": 2, "reason": "startup"}));
        ear.taken();
        ear
    }

    /// Reports one event.
    pub fn say(&mut self, mut event: Value) {
        self.seq += 1;
        event["v"] = json!(1);
        event["boot"] = json!("bench");
        event["seq"] = json!(self.seq);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis());
        self.wire.send(&ToHost::Event(AgentReport {
            token: self.token.clone(),
            adapter: "pi".to_owned(),
            at_ms: UnixMs(u64::try_from(now).unwrap_or(u64::MAX)),
            payload: event.to_string().into_bytes(),
        }));
    }

    /// Waits until the host has taken it.
    ///
    /// # Panics
    /// It does not take it.
    pub fn taken(&mut self) {
        let answer = self.wire.receive();
        assert_eq!(answer, Some(FromHost::EventTaken));
    }
}

/// The program that runs in a session.
pub fn program_of(world: &World, id: &str) -> Option<Process> {
    let shown = world.runner(&["show", "--json", id]).ok().json();
    let pid = shown["child"]["pid"].as_u64()?;
    world.processes().into_iter().find(|process| u64::from(process.identity.pid) == pid)
}

//! The daemon: whether it answers, and which build and protocol it is. It is never started here.

use super::{Finding, Scene};
use crate::{
    client::{ClientError, DaemonClient, StartPolicy},
    coordinator::NO_SWEEP,
};
use board_protocol::{
    daemon::Request,
    hello::{COORDINATOR_PROTOCOL, Role, Welcome},
};
use board_text::doctor as texts;
use std::{
    fs,
    time::{Duration, Instant},
};

const NAME: &str = "daemon";
/// A daemon that needs longer to answer a question is busy or starved: its own budget is a few milliseconds.
const SLOW: Duration = Duration::from_millis(500);

/// What was seen of the daemon.
pub(super) enum Look {
    /// There is no root, so there is no daemon.
    NoRoot,
    /// Nobody serves the root.
    Away {
        /// A person shut it down.
        shut_down: bool,
    },
    /// It answered.
    Answers {
        /// The connection, for more questions.
        client: Box<DaemonClient>,
        /// How long a ping took.
        took: Duration,
    },
    /// It is there and does not answer as it should.
    Trouble(ClientError),
}

impl Look {
    /// Whether a daemon serves the root.
    pub(super) fn runs(&self) -> bool {
        matches!(self, Self::Answers { .. } | Self::Trouble(_))
    }
}

/// Connects and pings.
pub(super) fn look(scene: &Scene) -> Look {
    let Some(root) = scene.root() else { return Look::NoRoot };
    match DaemonClient::connect(root, Role::Cli, StartPolicy::Never) {
        Err(ClientError::NotRunning | ClientError::ShutDown) => {
            Look::Away { shut_down: root.shutdown_marker().exists() }
        }
        Err(error) => Look::Trouble(error),
        Ok(mut client) => {
            let start = Instant::now();
            match client.ask(Request::Ping) {
                Ok(_) => Look::Answers { client: Box::new(client), took: start.elapsed() },
                Err(error) => Look::Trouble(error),
            }
        }
    }
}

/// Whether the daemon ends idle processes. One that an agent started never does: its own would be among them (reference
/// D.7). Nothing to say where the settings keep them all, or where there is no daemon.
pub(super) fn check_sweep(scene: &Scene, look: &Look) -> Option<Finding> {
    let Look::Answers { client, .. } = look else { return None };
    let pid = client.welcome().process.pid;
    let environment = fs::read(scene.below(format!("proc/{pid}/environ"))).unwrap_or_default();
    (scene.config.warm().evicts() && never_sweeps(&environment))
        .then(|| Finding::warn("idle agents", texts::sweep_by_agent(), texts::sweep_restart()))
}

fn never_sweeps(environment: &[u8]) -> bool {
    let set = |variable: &[u8]| {
        let value = variable.strip_prefix(NO_SWEEP.as_bytes()).and_then(|rest| rest.strip_prefix(b"="));
        value.is_some_and(|value| !value.is_empty())
    };
    environment.split(|byte| *byte == 0).any(set)
}

/// Reachable, of this build, and quick.
pub(super) fn check(look: &Look) -> Finding {
    match look {
        Look::NoRoot => Finding::ok(NAME, texts::no_root_yet()),
        Look::Away { shut_down: true } => Finding::ok(NAME, texts::daemon_shut_down()),
        Look::Away { shut_down: false } => Finding::ok(NAME, texts::daemon_away()),
        Look::Trouble(error) => Finding::error(NAME, error),
        Look::Answers { client, took } => judge(client.welcome(), *took),
    }
}

fn judge(welcome: &Welcome, took: Duration) -> Finding {
    let Welcome { version, build, process, .. } = welcome;
    let newest = COORDINATOR_PROTOCOL.newest;
    let found = texts::daemon_found(build, version, process.pid, took.as_millis());
    let restart = texts::daemon_restart();
    if build != crate::BUILD || *version != newest {
        let ours = texts::daemon_this_build(crate::BUILD, newest);
        return Finding::warn(NAME, format!("{found}; {ours}"), restart);
    }
    if took > SLOW {
        return Finding::warn(NAME, texts::daemon_slow(&found), texts::daemon_why_slow());
    }
    Finding::ok(NAME, found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{doctor::Status, process};
    use board_protocol::ids::Generation;

    #[test]
    fn a_daemon_that_an_agent_started_is_known_by_its_environment() {
        assert!(never_sweeps(b"PATH=/bin\0AGENT_BOARD_NO_SWEEP=1\0HOME=/"));
        for none in
            [&b""[..], b"AGENT_BOARD_NO_SWEEP=\0", b"NOT_AGENT_BOARD_NO_SWEEP=1", b"AGENT_BOARD_NO_SWEEPS=1"]
        {
            assert!(!never_sweeps(none), "{}", String::from_utf8_lossy(none));
        }
    }

    #[test]
    fn another_build_and_a_slow_answer_are_said() {
        let welcome = |build: &str| Welcome {
            version: COORDINATOR_PROTOCOL.newest,
            build: build.into(),
            generation: Generation("g".into()),
            process: process::own_identity(),
        };
        let quick = Duration::from_millis(3);
        assert_eq!(judge(&welcome(crate::BUILD), quick).status, Status::Ok);
        assert_eq!(judge(&welcome("0.0.1"), quick).status, Status::Warn);
        assert_eq!(judge(&welcome(crate::BUILD), SLOW * 2).status, Status::Warn);
        let older = Welcome { version: COORDINATOR_PROTOCOL.newest - 1, ..welcome(crate::BUILD) };
        assert_eq!(judge(&older, quick).status, Status::Warn);
    }
}

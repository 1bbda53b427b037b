//! Links: which zellij servers have one, whether the server around this terminal does, and how old the environment is that
//! sessions get when they are started from a board (decision 12).

use super::{Finding, Scene, finding::span};
use crate::{
    link::{self, Boards},
    process,
    zellij::server,
};
use board_protocol::ids::ProcessIdentity;
use board_text::doctor as texts;
use std::{fs, path::Path};

const NAME: &str = "link";
const ENVIRONMENT: &str = "link environment";
/// From this age on, in seconds, an environment is worth a word: keys, agents and displays change from day to day.
const OLD: u64 = 2 * 24 * 3600;
/// Clock ticks per second in `/proc`: the kernel's `USER_HZ`, 100 on every architecture that we build for.
const TICKS_PER_SECOND: u64 = 100;

/// Every link of this root.
pub(super) fn check(scene: &Scene) -> Vec<Finding> {
    let Some(root) = scene.root() else {
        return vec![Finding::ok(NAME, texts::no_root_yet())];
    };
    let running: Vec<_> = link::seats(root.sockets())
        .into_iter()
        .filter_map(|seat| {
            let owner = seat.owner.filter(|owner| process::is_running(*owner))?;
            Some((seat.server_pid, owner, seat.boards))
        })
        .collect();
    let own = server::among_ancestors(std::process::id()).map(|server| server.identity.pid);
    let mut found = Vec::new();
    match own {
        Some(pid) if !running.iter().any(|(server, ..)| *server == pid) => {
            found.push(Finding::warn(NAME, texts::link_none_here(pid), texts::link_open_here()))
        }
        None if running.is_empty() => {
            found.push(Finding::ok(NAME, texts::link_none()));
        }
        _ => {}
    }
    let uptime = uptime(&scene.text("proc/uptime"));
    for (server, owner, boards) in running {
        let here = if own == Some(server) { texts::link_this_terminal() } else { "" };
        found.push(round_trip(&texts::link_serves(owner.pid, server, here), boards));
        found.push(environment(server, owner, uptime));
    }
    found
}

/// Whether a board answers the link.
fn round_trip(what: &str, boards: Option<Boards>) -> Finding {
    match boards {
        Some(Boards::Answer) => Finding::ok(NAME, texts::link_answered(what)),
        Some(Boards::Silent) => Finding::warn(NAME, texts::link_unanswered(what), texts::link_look()),
        None => Finding::unknown(NAME, texts::link_says_nothing(what), texts::link_older()),
    }
}

/// The environment of a link is the one that its zellij server was started with.
fn environment(server: u32, owner: ProcessIdentity, uptime: Option<u64>) -> Finding {
    let started = process::identify(server).map(|server| server.start_ticks / TICKS_PER_SECOND);
    let variables = fs::read(format!("/proc/{}/environ", owner.pid)).unwrap_or_default();
    judge(
        server,
        uptime.zip(started).map(|(now, then)| now.saturating_sub(then)),
        dead_agent(&variables).as_deref(),
    )
}

fn judge(server: u32, age: Option<u64>, dead_agent: Option<&str>) -> Finding {
    let aged = match age {
        Some(age) => texts::environment_old(span(age)),
        None => texts::environment_age_unknown().to_owned(),
    };
    let found = texts::environment_found(server, &aged);
    let advice = texts::environment_advice();
    if let Some(socket) = dead_agent {
        return Finding::warn(ENVIRONMENT, texts::environment_agent_gone(&found, socket), advice);
    }
    match age {
        Some(age) if age >= OLD => Finding::warn(ENVIRONMENT, found, advice),
        Some(_) => Finding::ok(ENVIRONMENT, found),
        None => Finding::unknown(ENVIRONMENT, found, advice),
    }
}

/// The path of an ssh agent that is named in an environment and is not there any more.
fn dead_agent(environment: &[u8]) -> Option<String> {
    let prefix = b"SSH_AUTH_SOCK=".as_slice();
    let value = environment.split(|byte| *byte == 0).find_map(|variable| variable.strip_prefix(prefix))?;
    let path = std::str::from_utf8(value).ok().filter(|path| path.starts_with('/'))?;
    (!Path::new(path).exists()).then(|| path.to_owned())
}

/// Seconds since the machine booted.
fn uptime(text: &str) -> Option<u64> {
    text.split('.').next()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::Status;

    #[test]
    fn an_old_environment_or_a_dead_ssh_agent_is_said() {
        for (age, dead, status) in [
            (Some(60), None, Status::Ok),
            (Some(OLD), None, Status::Warn),
            (Some(60), Some("/tmp/gone"), Status::Warn),
            (None, None, Status::Unknown),
        ] {
            assert_eq!(judge(7, age, dead).status, status, "{age:?} {dead:?}");
        }
        assert!(judge(7, Some(3 * 24 * 3600), None).found.contains("3 days"));
    }

    #[test]
    fn the_round_trip_is_what_the_link_says() {
        assert_eq!(round_trip("", Some(Boards::Answer)).status, Status::Ok);
        assert_eq!(round_trip("", Some(Boards::Silent)).status, Status::Warn);
        assert_eq!(round_trip("", None).status, Status::Unknown);
    }

    #[test]
    fn an_ssh_agent_is_dead_when_its_socket_is_gone() {
        let there = std::env::temp_dir();
        let alive = format!("A=b\0SSH_AUTH_SOCK={}\0", there.display());
        assert_eq!(dead_agent(alive.as_bytes()), None);
        assert_eq!(dead_agent(b"SSH_AUTH_SOCK=/nonexistent/a\0X=").as_deref(), Some("/nonexistent/a"));
        assert_eq!(dead_agent(b"X_SSH_AUTH_SOCK=/nonexistent/a\0"), None);
        assert_eq!(dead_agent(b""), None);
        assert_eq!(uptime("123.45 67.8\n"), Some(123));
        assert_eq!(uptime(""), None);
    }
}

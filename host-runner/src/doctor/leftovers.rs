//! What earlier processes left behind: facts in the spool, sockets without a listener, locks of links that are gone, and
//! stores that were kept aside.

use super::{Finding, Scene, daemon::Look, finding::count};
use crate::{link, process, root::BoardRoot, spool};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

/// A running daemon takes facts from the spool within seconds; older ones are stuck.
const STUCK_AFTER: Duration = Duration::from_secs(60);
/// Most files that one line names.
const MAX_NAMED: usize = 8;

/// Spool, sockets, locks and stores.
pub(super) fn check(scene: &Scene, daemon: &Look) -> Vec<Finding> {
    let Some(root) = scene.root() else { return Vec::new() };
    vec![spooled(root, daemon), sockets(root, &scene.text("proc/net/unix")), locks(root), stores(root)]
}

fn spooled(root: &BoardRoot, daemon: &Look) -> Finding {
    let name = "spool";
    let waiting = spool::waiting(root);
    if waiting.facts == 0 {
        return Finding::ok(name, "empty");
    }
    let found = format!("{} wait for the daemon", count(waiting.facts, "fact"));
    match daemon {
        Look::Away { .. } | Look::NoRoot => {
            Finding::ok(name, format!("{found}, which takes them when it starts"))
        }
        _ if waiting.oldest < STUCK_AFTER => Finding::ok(name, found),
        _ => Finding::warn(
            name,
            format!("{found} although it runs"),
            format!("Its log says why: {}", root.logs().join("daemon.log").display()),
        ),
    }
}

fn sockets(root: &BoardRoot, listening: &str) -> Finding {
    let name = "dead sockets";
    let alive: BTreeSet<&str> = listening.lines().filter_map(|line| line.split_whitespace().nth(7)).collect();
    if alive.is_empty() {
        return Finding::unknown(
            name,
            "the kernel does not list sockets here",
            "Nothing; a dead socket does no harm",
        );
    }
    let dead: Vec<PathBuf> = files(root.sockets())
        .filter(|path| path.extension().is_some_and(|extension| extension == "sock"))
        // A daemon that ended leaves its socket to the next one.
        .filter(|path| *path != root.daemon_socket())
        .filter(|path| !path.to_str().is_some_and(|path| alive.contains(path)))
        .collect();
    leftover(name, "socket", "of a host that was killed", &dead)
}

fn locks(root: &BoardRoot) -> Finding {
    let dead: Vec<PathBuf> = link::seats(root.sockets())
        .into_iter()
        .filter(|seat| !seat.owner.is_some_and(process::is_running))
        .map(|seat| seat.path)
        .collect();
    leftover("dead locks", "lock", "of a link that was killed", &dead)
}

fn stores(root: &BoardRoot) -> Finding {
    let kept: Vec<PathBuf> = files(root.directory())
        .filter(|path| {
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("board.db.damaged-"))
        })
        .collect();
    leftover("damaged stores", "file", "of a store that was damaged and kept aside", &kept)
}

fn leftover(name: &'static str, noun: &str, of: &str, files: &[PathBuf]) -> Finding {
    let number = u64::try_from(files.len()).unwrap_or(u64::MAX);
    if number == 0 {
        return Finding::ok(name, "none");
    }
    let mut named: Vec<_> = files.iter().take(MAX_NAMED).map(|path| path.display().to_string()).collect();
    if files.len() > MAX_NAMED {
        named.push("…".to_owned());
    }
    Finding::warn(
        name,
        format!("{} {of}", count(number, noun)),
        format!("Remove when you do not need it: rm {}", named.join(" ")),
    )
}

fn files(directory: &Path) -> impl Iterator<Item = PathBuf> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths.into_iter()
}

//! What earlier processes left behind: facts in the spool, sockets without a listener, locks of links that are gone, and
//! stores that were kept aside.

use super::{Finding, Scene, daemon::Look};
use crate::{link, process, root::BoardRoot, spool};
use board_text::doctor as texts;
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
        return Finding::ok(name, texts::spool_empty());
    }
    let found = texts::spool_waits(waiting.facts);
    match daemon {
        Look::Away { .. } | Look::NoRoot => Finding::ok(name, texts::spool_no_daemon(&found)),
        _ if waiting.oldest < STUCK_AFTER => Finding::ok(name, found),
        _ => Finding::warn(
            name,
            texts::spool_stuck(&found),
            texts::spool_log(root.logs().join("daemon.log").display()),
        ),
    }
}

fn sockets(root: &BoardRoot, listening: &str) -> Finding {
    let name = "dead sockets";
    let alive: BTreeSet<&str> = listening.lines().filter_map(|line| line.split_whitespace().nth(7)).collect();
    if alive.is_empty() {
        return Finding::unknown(name, texts::sockets_not_listed(), texts::sockets_no_harm());
    }
    let dead: Vec<PathBuf> = files(root.sockets())
        .filter(|path| path.extension().is_some_and(|extension| extension == "sock"))
        // A daemon that ended leaves its socket to the next one.
        .filter(|path| *path != root.daemon_socket())
        .filter(|path| !path.to_str().is_some_and(|path| alive.contains(path)))
        .collect();
    leftover(name, texts::leftover_sockets, &dead)
}

fn locks(root: &BoardRoot) -> Finding {
    let dead: Vec<PathBuf> = link::seats(root.sockets())
        .into_iter()
        .filter(|seat| !seat.owner.is_some_and(process::is_running))
        .map(|seat| seat.path)
        .collect();
    leftover("dead locks", texts::leftover_locks, &dead)
}

fn stores(root: &BoardRoot) -> Finding {
    let kept: Vec<PathBuf> = files(root.directory())
        .filter(|path| {
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("board.db.damaged-"))
        })
        .collect();
    leftover("damaged stores", texts::leftover_stores, &kept)
}

fn leftover(name: &'static str, what: fn(u64) -> String, files: &[PathBuf]) -> Finding {
    let number = u64::try_from(files.len()).unwrap_or(u64::MAX);
    if number == 0 {
        return Finding::ok(name, texts::none());
    }
    let mut named: Vec<_> = files.iter().take(MAX_NAMED).map(|path| path.display().to_string()).collect();
    if files.len() > MAX_NAMED {
        named.push("…".to_owned());
    }
    Finding::warn(name, what(number), texts::leftover_remove(named.join(" ")))
}

fn files(directory: &Path) -> impl Iterator<Item = PathBuf> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths.into_iter()
}

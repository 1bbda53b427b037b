//! The one thing that must outlive a reload: that it was done, and for which build (field report H16).
//!
//! zellij keeps nothing of an instance that reloads itself, so a small file in the plugin's own cache directory does. It
//! is named by server and pane, and counts for a minute only: pids come again, and a file that is older says nothing
//! about this life.

use board_protocol::ids::UnixMs;
use std::{fs, io};

/// How long a reload is remembered. Loading takes about a second; later the file on disk may be another one again.
const REMEMBERED_MS: u64 = 60_000;

/// Where zellij mounts the plugin's own cache directory.
fn path(server_pid: u32, plugin_id: u32) -> String {
    format!("/cache/reloaded-{server_pid}-{plugin_id}")
}

/// Notes that a pane is about to load `build`.
///
/// # Errors
///
/// When the file cannot be written. Then nothing may be reloaded: it might be repeated for ever.
pub(crate) fn remember(server_pid: u32, plugin_id: u32, build: &str, now: UnixMs) -> io::Result<()> {
    fs::write(path(server_pid, plugin_id), format!("{}\n{build}", now.0))
}

/// The build that a pane has just been reloaded for. A note that is too old is removed.
pub(crate) fn recall(server_pid: u32, plugin_id: u32, now: UnixMs) -> Option<String> {
    let path = path(server_pid, plugin_id);
    let note = fs::read_to_string(&path).ok()?;
    let recalled = note.split_once('\n').and_then(|(at, build)| {
        let at = UnixMs(at.parse().ok()?);
        (at <= now && now.since(at) <= REMEMBERED_MS).then(|| build.to_owned())
    });
    if recalled.is_none() {
        // It would only have been in the way; if it stays, it does no harm.
        let _ = fs::remove_file(&path);
    }
    recalled
}

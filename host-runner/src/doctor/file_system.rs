//! The file system below the root: its type, and how much room it has.

use super::{Finding, Scene};
use crate::store;
use board_text::doctor as texts;
use rustix::fs::statvfs;
use std::path::Path;

const NAME: &str = "file system";
/// Below this much room, in bytes, the store is about to fail: a day of many agents writes some tens of MiB.
const LITTLE_ROOM: u64 = 100 * 1024 * 1024;

/// Looks at the root, or at the directory in which it would be made.
pub(super) fn check(scene: &Scene) -> Finding {
    if !scene.answers() {
        return Finding::fail(NAME, texts::fs_silent(), texts::fs_mend_mount());
    }
    let Some(existing) =
        scene.directory.as_deref().and_then(|root| root.ancestors().find(|directory| directory.exists()))
    else {
        return Finding::unknown(NAME, texts::root_unknown(), texts::root_set());
    };
    let kind = kind(&scene.text("proc/self/mountinfo"), existing)
        .unwrap_or_else(|| texts::fs_unknown_type().to_owned());
    let free = match statvfs(existing) {
        Ok(found) => found.f_bavail.saturating_mul(found.f_frsize),
        Err(error) => {
            let text = texts::fs_no_answer(existing.display(), error);
            return Finding::fail(NAME, text, texts::fs_own_disk());
        }
    };
    let found = texts::fs_free(&kind, free / (1024 * 1024));
    if free < LITTLE_ROOM {
        return Finding::warn(NAME, texts::fs_full(&found, existing.display()), texts::fs_make_room());
    }
    if store::on_network(existing) {
        return Finding::warn(NAME, texts::fs_network(&found), texts::fs_network_advice());
    }
    Finding::ok(NAME, texts::fs_wal(&found))
}

/// The type of the file system that holds `path`, from `/proc/self/mountinfo`; later mounts cover earlier ones.
fn kind(mountinfo: &str, path: &Path) -> Option<String> {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    mountinfo
        .lines()
        .filter_map(|line| {
            let (mount, source) = line.split_once(" - ")?;
            let point = unescaped(mount.split(' ').nth(4)?);
            path.starts_with(&point).then(|| (point.len(), source.split(' ').next().unwrap_or_default()))
        })
        .max_by_key(|(length, _)| *length)
        .map(|(_, kind)| kind.to_owned())
}

/// The kernel writes blanks in paths as `\040`.
fn unescaped(text: &str) -> String {
    text.replace("\\040", " ").replace("\\011", "\t").replace("\\012", "\n").replace("\\134", "\\")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_mount_point_decides() {
        let mounts = "\
1 0 8:1 / / rw - ext4 /dev/sda1 rw
2 1 0:5 / /srv\\040x rw shared:1 - nfs4 host:/export rw
3 2 0:6 / /srv\\040x/deep rw - fuse.sshfs host: rw
junk
";
        for (path, expected) in [
            ("/elsewhere", Some("ext4")),
            ("/srv x/a", Some("nfs4")),
            ("/srv x/deep", Some("fuse.sshfs")),
            ("/srv x/deeper", Some("nfs4")),
        ] {
            assert_eq!(kind(mounts, Path::new(path)).as_deref(), expected, "{path}");
        }
        assert_eq!(kind("", Path::new("/")), None);
    }
}

//! The end of the logs of sessions' output: a log whose session has printed nothing for the days that the configuration
//! gives is deleted. Started by the daemon, once a day.
//!
//! It needs to know no session: a host that prints again begins a new log. It looks at files of that name only, follows
//! no link, and a disk that does not answer holds up nothing but its own thread.

use crate::root::{BoardRoot, SCREEN_LOG_PREFIX};
use std::{
    fs, io,
    path::Path,
    time::{Duration, SystemTime},
};

/// How often is looked.
const EVERY: Duration = Duration::from_secs(24 * 60 * 60);

/// Looks now and every day from then on, for as long as the daemon runs. With 0 days whatever is there goes.
pub(super) async fn tidy(root: BoardRoot, days: u32) {
    let age = Duration::from_secs(u64::from(days) * 24 * 60 * 60);
    loop {
        let logs = root.logs();
        // A thread of its own: one that never comes back must not be waited for at the daemon's end.
        let looked = std::thread::Builder::new().name("screen-logs".to_owned()).spawn(move || {
            match delete_older(&logs, SystemTime::now().checked_sub(age)) {
                Ok(0) => {}
                Ok(count) => tracing::info!(count, "old logs of screens were deleted"),
                Err(error) => tracing::warn!("old logs of screens cannot be looked for: {error}"),
            }
        });
        if let Err(error) = looked {
            tracing::warn!("old logs of screens are not looked for: {error}");
        }
        tokio::time::sleep(EVERY).await;
    }
}

/// Deletes what was written last before `limit`; nothing without one. Returns how many files went.
fn delete_older(logs: &Path, limit: Option<SystemTime>) -> io::Result<usize> {
    let Some(limit) = limit else { return Ok(0) };
    let mut count = 0;
    for entry in fs::read_dir(logs)?.flatten() {
        let name = entry.file_name();
        let is_ours = name.to_str().is_some_and(|name| name.starts_with(SCREEN_LOG_PREFIX));
        // Of the entry itself, not of what a link points to.
        let Ok(meta) = entry.metadata() else { continue };
        let is_old = meta.modified().is_ok_and(|at| at <= limit);
        if is_ours && is_old && meta.is_file() && fs::remove_file(entry.path()).is_ok() {
            count += 1;
        }
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;

    #[test]
    fn d11_logs_of_the_screen_that_nothing_was_added_to_for_days_go_and_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        let day = Duration::from_secs(24 * 60 * 60);
        let now = SystemTime::now();
        for (name, age) in
            [("screen-old.log", 8), ("screen-new.log", 6), ("host-old.log", 8), ("daemon.log", 400)]
        {
            let file = File::create(directory.path().join(name)).unwrap();
            file.set_modified(now - day * age).unwrap();
        }
        fs::create_dir(directory.path().join("screen-directory")).unwrap();
        std::os::unix::fs::symlink("host-old.log", directory.path().join("screen-link.log")).unwrap();
        assert_eq!(delete_older(directory.path(), None).unwrap(), 0);
        assert_eq!(delete_older(directory.path(), Some(now - day * 7)).unwrap(), 1);
        let mut left: Vec<_> =
            fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(
            left,
            ["daemon.log", "host-old.log", "screen-directory", "screen-link.log", "screen-new.log"]
        );
    }
}

//! Deadlines of which one contains another: who waits for whom, in one place, so that nobody calls healthy what hangs or
//! hung what is healthy.
//!
//! Read by the daemon, its clients and the link. Deadlines that contain nothing stay beside their users.

use std::time::Duration;

/// How long an agent's program may take to say its version, where no file says it.
pub(crate) const VERSION: Duration = Duration::from_millis(1_800);
/// How long the search for a program may take, its question for a version included.
pub(crate) const PROGRAM: Duration = Duration::from_millis(2_000);
/// How long a file system may take to answer for a directory; one that hangs (a dead network mount) must not keep anybody
/// waiting.
pub(crate) const DIRECTORY: Duration = Duration::from_millis(1_000);
/// How long a person waits at the board for the outcome of a key.
pub(crate) const BOARD_ANSWER: Duration = Duration::from_secs(3);
/// The same for a key that starts a session, for which both of the above are asked.
pub(crate) const BOARD_START: Duration = Duration::from_secs(4);
/// How long a command of the command line waits for its answer (reference C.4).
pub(crate) const COMMAND: Duration = Duration::from_secs(5);

const fn contains(outer: Duration, inner: Duration) -> bool {
    outer.as_millis() > inner.as_millis()
}

// Whoever waits for a start waits longer than everything that is asked for it.
const _: () = assert!(contains(PROGRAM, VERSION));
const _: () = assert!(BOARD_START.as_millis() > DIRECTORY.as_millis() + PROGRAM.as_millis());
const _: () = assert!(contains(BOARD_START, BOARD_ANSWER));
const _: () = assert!(contains(COMMAND, BOARD_START));

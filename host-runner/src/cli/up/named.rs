//! Which zellij session belongs to this board: two boards of one person must not end up in one.
//!
//! Called by `up` outside zellij. A server tells its board by the environment that it was started with; one that tells
//! nothing was started by somebody else, and a session of that name is joined as it always was.

use crate::{cli::Failure, root::BoardRoot, zellij::server::Server};
use board_protocol::refusal::{Refusal, RefusalKind};
use board_text::cli as texts;
use std::{
    ffi::OsStr,
    fs,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

/// Who chose the name of the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Chosen {
    /// The person, for this command.
    Here,
    /// The configuration, or nobody.
    Before,
}

/// The name of the session to open for this board.
///
/// # Errors
/// The person asked for a session that shows another board.
pub(super) fn session(
    wanted: &str,
    chosen: Chosen,
    root: &BoardRoot,
    running: impl Fn(&str) -> Option<Server>,
) -> Result<String, Failure> {
    let shown = running(wanted).and_then(|server| root_of(&server));
    match (shown.filter(|shown| !is_same(shown, root.directory())), chosen) {
        (None, _) => Ok(wanted.to_owned()),
        (Some(_), Chosen::Before) => Ok(format!("{wanted}-{}", root.tag())),
        (Some(other), Chosen::Here) => {
            let text = texts::up_other_board(wanted, other.display());
            Err(Refusal::new(RefusalKind::WrongState, text).into())
        }
    }
}

/// The board root in the environment that a server was started with.
fn root_of(server: &Server) -> Option<PathBuf> {
    let environment = fs::read(format!("/proc/{}/environ", server.identity.pid)).ok()?;
    root_in(&environment)
}

fn root_in(environment: &[u8]) -> Option<PathBuf> {
    environment
        .split(|byte| *byte == 0)
        .find_map(|variable| variable.strip_prefix(b"AGENT_BOARD_ROOT="))
        .map(|value| PathBuf::from(OsStr::from_bytes(value)))
        .filter(|root| root.is_absolute())
}

fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    real(one) == real(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process;
    use std::{
        process::{Child, Command, Stdio},
        time::{Duration, Instant},
    };

    /// A process that stands for a server which was started for a board.
    struct Stand(Child);

    impl Stand {
        fn of(root: Option<&Path>) -> Self {
            let mut command = Command::new("sleep");
            command.arg("600").stdin(Stdio::null()).env_remove("AGENT_BOARD_ROOT");
            if let Some(root) = root {
                command.env("AGENT_BOARD_ROOT", root);
            }
            let stand = Self(command.spawn().unwrap());
            // The kernel lets a parent go on a moment before the environment of the new program can be read.
            let environment = format!("/proc/{}/environ", stand.0.id());
            let deadline = Instant::now() + Duration::from_secs(60);
            while fs::read(&environment).unwrap().is_empty() {
                assert!(Instant::now() < deadline, "{environment} stays empty");
                std::thread::yield_now();
            }
            stand
        }

        fn server(&self) -> Server {
            Server {
                identity: process::identify(self.0.id()).unwrap(),
                socket: "/x/contract_version_1/b".into(),
            }
        }
    }

    impl Drop for Stand {
        fn drop(&mut self) {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }

    #[test]
    fn a_session_of_another_board_is_not_joined() {
        let (ours, theirs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let root = BoardRoot::open(ours.path()).unwrap();
        let name = |stand: Option<&Stand>, chosen| {
            session("board", chosen, &root, |_| stand.map(Stand::server)).map_err(|error| error.to_string())
        };
        for chosen in [Chosen::Here, Chosen::Before] {
            assert_eq!(name(None, chosen).as_deref(), Ok("board"), "nothing runs");
            assert_eq!(
                name(Some(&Stand::of(None)), chosen).as_deref(),
                Ok("board"),
                "a zellij of the person"
            );
            assert_eq!(name(Some(&Stand::of(Some(ours.path()))), chosen).as_deref(), Ok("board"), "our own");
        }
        let other = Stand::of(Some(theirs.path()));
        let named = name(Some(&other), Chosen::Before).unwrap();
        assert_eq!(named, format!("board-{}", root.tag()));
        let refused = name(Some(&other), Chosen::Here).unwrap_err();
        assert!(refused.contains(&theirs.path().display().to_string()) && refused.contains("--session"));
    }

    #[test]
    fn a_root_that_is_no_path_of_the_system_says_nothing() {
        assert_eq!(root_in(b"A=1\0AGENT_BOARD_ROOT=/r\0"), Some(PathBuf::from("/r")));
        assert_eq!(root_in(b"AGENT_BOARD_ROOT=r\0"), None);
        assert_eq!(root_in(b"XAGENT_BOARD_ROOT=/r\0"), None);
        assert_eq!(root_in(b""), None);
    }
}

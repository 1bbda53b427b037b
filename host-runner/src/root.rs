//! The board root: where everything durable lies, who may use it, and where its sockets are.
//!
//! Called by every role before anything else. A root belongs to one user of one machine; anyone else is refused with a
//! text that says what to do. It never deletes anything.

mod look;

pub(crate) use look::{Mark, Seen};

use board_protocol::ids::{Generation, SessionId};
use board_text::root as texts;
use rustix::process::getuid;
use std::{
    fs, io,
    os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt},
    os::unix::net::UnixListener,
    path::{Path, PathBuf},
};
use uuid::Uuid;

/// Longest path that the kernel binds a socket to (`sun_path` without its NUL).
const MAX_SOCKET_PATH_BYTES: usize = 107;
/// Longest file name that we put into the socket directory: `<session>.<8 of generation>.sock`.
const LONGEST_SOCKET_NAME: usize = SessionId::LENGTH + 1 + 8 + 5;

/// The name of the daemon's socket.
const DAEMON_SOCKET: &str = "daemon.sock";
/// The beginning of the name of a log of a session's output, among the logs.
pub(crate) const SCREEN_LOG_PREFIX: &str = "screen-";

/// Why a root cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RootError {
    /// Neither the root nor a home directory is known.
    #[error("{}", texts::unknown())]
    Unknown,
    /// It is somebody else's.
    #[error("{}", texts::foreign(path.display(), owner, caller))]
    Foreign {
        /// The directory.
        path: PathBuf,
        /// Who owns it.
        owner: u32,
        /// Who asked.
        caller: u32,
    },
    /// It was made on another machine (a shared home directory).
    #[error("{}", texts::other_machine(path.display(), theirs, ours))]
    OtherMachine {
        /// The root.
        path: PathBuf,
        /// The machine id in the root.
        theirs: String,
        /// This machine's id.
        ours: String,
    },
    /// Something else stands where a directory should be.
    #[error("{}", texts::not_ours(path.display(), what))]
    NotOurs {
        /// The path.
        path: PathBuf,
        /// What is wrong with it.
        what: &'static str,
    },
    /// The file system says no.
    #[error("{}", texts::io(path.display(), source))]
    Io {
        /// The path.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}

/// A root that was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardRoot {
    directory: PathBuf,
    sockets: PathBuf,
}

impl BoardRoot {
    /// Finds the root in the environment: `AGENT_BOARD_ROOT`, `XDG_STATE_HOME/agent-board`,
    /// `~/.local/state/agent-board`. Relative values do not count (XDG base directory specification).
    ///
    /// # Errors
    /// [`RootError::Unknown`], and what [`BoardRoot::open`] says.
    pub fn from_environment() -> Result<Self, RootError> {
        Self::open(&Self::directory_from_environment().ok_or(RootError::Unknown)?)
    }

    /// Where [`BoardRoot::from_environment`] looks. Nothing is opened.
    pub fn directory_from_environment() -> Option<PathBuf> {
        let absolute =
            |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        absolute("AGENT_BOARD_ROOT")
            .or_else(|| absolute("XDG_STATE_HOME").map(|state| state.join("agent-board")))
            .or_else(|| absolute("HOME").map(|home| home.join(".local/state/agent-board")))
    }

    /// Makes the root's directories if they are missing (0700) and checks owner, machine and type.
    ///
    /// # Errors
    /// Every [`RootError`] but `Unknown`.
    pub fn open(directory: &Path) -> Result<Self, RootError> {
        private_directory(directory)?;
        check_machine(directory)?;
        for name in ["spool", "logs", "sessions"] {
            private_directory(&directory.join(name))?;
        }
        let sockets = socket_directory(directory)?;
        Ok(Self { directory: directory.to_owned(), sockets })
    }

    /// The root itself.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Six letters that tell this root from the person's other ones, the same for ever.
    pub(crate) fn tag(&self) -> String {
        hash(&self.directory, 6)
    }

    /// The store.
    pub fn database(&self) -> PathBuf {
        self.directory.join("board.db")
    }

    /// The daemon's single-instance lock.
    pub fn daemon_lock(&self) -> PathBuf {
        self.directory.join("daemon.lock")
    }

    /// The daemon's socket.
    pub fn daemon_socket(&self) -> PathBuf {
        self.sockets.join(DAEMON_SOCKET)
    }

    /// The socket of one boot of a session's host.
    pub fn host_socket(&self, session: &SessionId, generation: &Generation) -> PathBuf {
        let short: String = generation.0.chars().filter(char::is_ascii_hexdigit).take(8).collect();
        self.sockets.join(format!("{session}.{short}.sock"))
    }

    /// Where facts wait for the daemon.
    pub fn spool(&self) -> PathBuf {
        self.directory.join("spool")
    }

    /// Where agents keep the transcripts of sessions that the board started. Never deleted from.
    pub fn sessions(&self) -> PathBuf {
        self.directory.join("sessions")
    }

    /// Where one boot of a session's host writes down what became of a person's words. It goes with that host.
    pub fn deliveries(&self, session: &SessionId, generation: &Generation) -> PathBuf {
        let name: String = generation.0.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
        self.sessions().join(format!("{session}.{name}.words"))
    }

    /// Where daemon and hosts write what went wrong.
    pub fn logs(&self) -> PathBuf {
        self.directory.join("logs")
    }

    /// The newest output of a session, for finding faults (reference D.11).
    pub fn screen_log(&self, session: &SessionId) -> PathBuf {
        self.logs().join(format!("{SCREEN_LOG_PREFIX}{session}.log"))
    }

    /// The marker that keeps links and hosts from restarting a daemon that a person shut down (decision 17).
    pub fn shutdown_marker(&self) -> PathBuf {
        self.directory.join("shut-down")
    }
}

/// Makes a directory 0700 if it is missing; refuses a link, a file and somebody else's directory; takes group and world
/// rights away from one of ours.
fn private_directory(path: &Path) -> Result<(), RootError> {
    let io_error = |source| RootError::Io { path: path.to_owned(), source };
    if let Err(error) = fs::DirBuilder::new().recursive(true).mode(0o700).create(path)
        && error.kind() != io::ErrorKind::AlreadyExists
    {
        return Err(io_error(error));
    }
    let seen = fs::symlink_metadata(path).map_err(io_error)?;
    // The root itself may be a link that its owner made; what it points to is checked all the same.
    let meta = if seen.is_symlink() { fs::metadata(path).map_err(io_error)? } else { seen };
    if !meta.is_dir() {
        return Err(RootError::NotOurs { path: path.to_owned(), what: texts::is_a_file() });
    }
    let caller = getuid().as_raw();
    if meta.uid() != caller {
        return Err(RootError::Foreign { path: path.to_owned(), owner: meta.uid(), caller });
    }
    if meta.permissions().mode() & 0o077 != 0 {
        fs::set_permissions(path, fs::Permissions::from_mode(0o700)).map_err(io_error)?;
    }
    Ok(())
}

/// The first process on a machine writes the machine's id into the root; every later one compares.
fn check_machine(directory: &Path) -> Result<(), RootError> {
    let Some(ours) = machine_id() else { return Ok(()) };
    let path = directory.join("machine");
    match fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path) {
        Ok(mut file) => {
            io::Write::write_all(&mut file, ours.as_bytes()).map_err(|source| RootError::Io { path, source })
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let theirs =
                fs::read_to_string(&path).map_err(|source| RootError::Io { path: path.clone(), source })?;
            let theirs = theirs.trim();
            // Empty: the first process died between creating and writing.
            if theirs.is_empty() {
                return fs::write(&path, &ours).map_err(|source| RootError::Io { path, source });
            }
            if theirs == ours {
                return Ok(());
            }
            Err(RootError::OtherMachine { path: directory.to_owned(), theirs: theirs.to_owned(), ours })
        }
        Err(source) => Err(RootError::Io { path, source }),
    }
}

/// `/etc/machine-id`, else the host name: without either, machines cannot be told apart.
fn machine_id() -> Option<String> {
    let id = fs::read_to_string("/etc/machine-id").unwrap_or_default();
    let id = id.trim();
    if !id.is_empty() {
        return Some(id.to_owned());
    }
    let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
    (!name.is_empty()).then_some(name)
}

/// `<root>/run` if its paths fit and its file system can bind sockets, else a directory in `/tmp` named after user and
/// root. Never `XDG_RUNTIME_DIR`: it is deleted at the last logout while agents live on.
fn socket_directory(root: &Path) -> Result<PathBuf, RootError> {
    let preferred = root.join("run");
    private_directory(&preferred)?;
    let fits = preferred.as_os_str().len() + 1 + LONGEST_SOCKET_NAME <= MAX_SOCKET_PATH_BYTES;
    if fits && (holds_a_socket(&preferred) || can_bind(&preferred)) {
        return Ok(preferred);
    }
    let fallback = fallback_socket_directory(root);
    refuse_link(&fallback)?;
    private_directory(&fallback)?;
    refuse_link(&fallback)?;
    let pointer = root.join("sockets-are-in");
    fs::write(&pointer, fallback.as_os_str().as_encoded_bytes())
        .map_err(|source| RootError::Io { path: pointer, source })?;
    Ok(fallback)
}

/// The first hexadecimal digits of a hash of a root's path.
fn hash(root: &Path, digits: usize) -> String {
    let hash = Uuid::new_v5(&Uuid::NAMESPACE_URL, root.as_os_str().as_encoded_bytes()).simple().to_string();
    hash.chars().take(digits).collect()
}

fn fallback_socket_directory(root: &Path) -> PathBuf {
    PathBuf::from(format!("/tmp/agent-board-{}-{}", getuid().as_raw(), hash(root, 12)))
}

/// In a directory that everybody can write, a link of somebody else's must not lead us anywhere.
fn refuse_link(path: &Path) -> Result<(), RootError> {
    match fs::symlink_metadata(path) {
        Ok(meta) if meta.is_symlink() => {
            Err(RootError::NotOurs { path: path.to_owned(), what: texts::is_a_link() })
        }
        _ => Ok(()),
    }
}

/// Whether the daemon's socket stands there: where one stands, the next one can.
fn holds_a_socket(directory: &Path) -> bool {
    fs::symlink_metadata(directory.join(DAEMON_SOCKET)).is_ok_and(|meta| meta.file_type().is_socket())
}

/// Some file systems (certain network and FUSE mounts) cannot hold sockets: only trying tells.
fn can_bind(directory: &Path) -> bool {
    // A name of its own for each process, so that two first starts do not disturb each other.
    let probe = directory.join(format!("p{}", std::process::id()));
    let _ = fs::remove_file(&probe);
    let bound = UnixListener::bind(&probe);
    let _ = fs::remove_file(&probe);
    bound.err().is_none_or(|error| !tells_of_the_file_system(&error))
}

/// Whether a bind failed because the file system cannot hold sockets. A full or read-only disk, or a process without
/// descriptors, says nothing about that: if it moved the sockets, a running daemon would not be found, and a second one
/// would declare its sessions dead.
fn tells_of_the_file_system(error: &io::Error) -> bool {
    use rustix::io::Errno;
    let passing = [
        Errno::NOSPC,
        Errno::DQUOT,
        Errno::ROFS,
        Errno::MFILE,
        Errno::NFILE,
        Errno::NOMEM,
        Errno::NOBUFS,
        Errno::ADDRINUSE,
        Errno::INTR,
    ];
    !Errno::from_io_error(error).is_some_and(|errno| passing.contains(&errno))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_root_is_private_and_can_be_opened_again() {
        let parent = tempfile::tempdir().unwrap();
        let directory = parent.path().join("a/b");
        let root = BoardRoot::open(&directory).unwrap();
        assert_eq!(fs::metadata(&directory).unwrap().permissions().mode() & 0o777, 0o700);
        assert_eq!(BoardRoot::open(&directory).unwrap(), root);
        assert!(root.daemon_socket().starts_with(&directory));
    }

    #[test]
    fn rights_of_others_are_taken_away() {
        let parent = tempfile::tempdir().unwrap();
        let directory = parent.path().join("root");
        fs::create_dir(&directory).unwrap();
        fs::set_permissions(&directory, fs::Permissions::from_mode(0o777)).unwrap();
        BoardRoot::open(&directory).unwrap();
        assert_eq!(fs::metadata(&directory).unwrap().permissions().mode() & 0o777, 0o700);
    }

    #[test]
    fn a_root_of_another_machine_is_refused() {
        let parent = tempfile::tempdir().unwrap();
        BoardRoot::open(parent.path()).unwrap();
        fs::write(parent.path().join("machine"), "elsewhere").unwrap();
        let refused = BoardRoot::open(parent.path()).unwrap_err();
        assert!(matches!(refused, RootError::OtherMachine { .. }), "{refused}");
    }

    #[test]
    fn a_path_too_long_for_a_socket_moves_the_sockets_not_the_root() {
        let parent = tempfile::tempdir().unwrap();
        let directory = parent.path().join("x".repeat(100));
        let root = BoardRoot::open(&directory).unwrap();
        let socket = root.host_socket(&SessionId("0123456789".into()), &Generation("abcdef01-2345".into()));
        assert!(socket.as_os_str().len() <= MAX_SOCKET_PATH_BYTES, "{}", socket.display());
        assert!(root.database().starts_with(&directory));
        UnixListener::bind(&socket).unwrap();
        fs::remove_dir_all(socket.parent().unwrap()).unwrap();
    }

    // A full disk made the probe fail, and from then on every command looked for the daemon somewhere else.
    #[test]
    fn a_probe_that_fails_for_a_passing_reason_does_not_move_the_sockets() {
        let parent = tempfile::tempdir().unwrap();
        let root = BoardRoot::open(parent.path()).unwrap();
        // Nothing can be bound here: EADDRINUSE.
        fs::create_dir(parent.path().join("run").join(format!("p{}", std::process::id()))).unwrap();
        assert_eq!(BoardRoot::open(parent.path()).unwrap(), root);
        assert!(!parent.path().join("sockets-are-in").exists());
        for (errno, moves) in [(28, false), (30, false), (24, false), (122, false), (1, true), (95, true)] {
            assert_eq!(tells_of_the_file_system(&io::Error::from_raw_os_error(errno)), moves, "{errno}");
        }
    }

    #[test]
    fn a_file_in_the_way_is_named() {
        let parent = tempfile::tempdir().unwrap();
        let file = parent.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(BoardRoot::open(&file).unwrap_err().to_string().contains("file"));
    }
}

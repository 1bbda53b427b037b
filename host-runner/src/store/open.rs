//! Opening the store: durability settings, the schema gate, and what happens to a file that is no database any more.

use super::{
    Store, error::StoreError, load::Loaded, place::Footprint, rebuild, references, retain::Growth, schema,
    work,
};
use board_protocol::ids::{SessionId, Token};
use rusqlite::Connection;
use std::{
    collections::BTreeMap,
    fs, io,
    os::unix::fs::{OpenOptionsExt, PermissionsExt},
    path::Path,
    time::Duration,
};

/// How long SQLite waits for a lock that somebody else's tool has on the file.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(2);
/// Longest write-ahead log that stays on the disk once its pages are in the database: SQLite's own thousand pages.
const MAX_IDLE_LOG_BYTES: u32 = 4 * 1024 * 1024;
/// `statfs` types of file systems on which WAL's shared memory does not work or is not safe: NFS, SMB, CIFS, SMB2, 9P,
/// FUSE, Ceph, Lustre, AFS, VirtualBox and VMware shares (`linux/magic.h`).
const NETWORK_FILE_SYSTEMS: [u32; 12] = [
    0x6969,
    0x517B,
    0xFF53_4D42,
    0xFE53_4D42,
    0x0102_1997,
    0x6573_5546,
    0x00C3_6400,
    0x0BD0_0BD0,
    0x5346_414F,
    0x6B41_4653,
    0x786F_4256,
    0xBACB_ACBC,
];

/// An open store with what it holds.
#[derive(Debug)]
pub struct Opened {
    /// The store.
    pub store: Store,
    /// What it holds.
    pub loaded: Loaded,
}

impl Store {
    /// Opens the database at `path`, makes it if it is missing, and loads every session. A damaged file is put aside
    /// under a name with `aside` in it, and what can be read of it takes its place, with a warning.
    ///
    /// # Errors
    /// [`StoreError::Newer`], or the file cannot be used at all.
    pub fn open(path: &Path, aside: &str) -> Result<Opened, StoreError> {
        match Self::open_and_load(path) {
            Err(error) if error.is_damage() => {
                let rebuilt = rebuild::replace(path, aside, None)?;
                let mut opened = Self::open_and_load(path)?;
                opened.loaded.warnings.push(rebuilt.warning(&error, opened.loaded.sessions.len()));
                Ok(opened)
            }
            other => other,
        }
    }

    fn open_and_load(path: &Path) -> Result<Opened, StoreError> {
        let mut store = Self::open_file(path)?;
        let loaded = store.load()?;
        Ok(Opened { store, loaded })
    }

    /// Opens the file and brings its schema up to date; no session is read yet.
    pub(super) fn open_file(path: &Path) -> Result<Self, StoreError> {
        make_private(path)?;
        let mut connection = Connection::open(path)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        let mode = if on_network(path) { "TRUNCATE" } else { "WAL" };
        connection.pragma_update(None, "journal_mode", mode)?;
        // A reply follows its commit, and a commit survives a power cut.
        connection.pragma_update(None, "synchronous", "FULL")?;
        // What one large transaction made of the log is given back.
        connection.pragma_update(None, "journal_size_limit", MAX_IDLE_LOG_BYTES)?;
        schema::migrate(&mut connection, path)?;
        let growth = Growth::of(&connection)?;
        let tallies = work::tallies(&connection)?;
        let references = references::all(&connection)?;
        let tokens = all_tokens(&connection);
        let footprint = Footprint::of(path);
        Ok(Self {
            connection,
            path: path.to_owned(),
            growth,
            footprint,
            tokens,
            owner: None,
            tallies,
            references,
        })
    }
}

/// Every secret that can be read; each is asked for again when its host comes.
fn all_tokens(connection: &Connection) -> BTreeMap<SessionId, Token> {
    let Ok(mut statement) = connection.prepare("SELECT session, token FROM tokens") else {
        return BTreeMap::new();
    };
    let rows = statement.query_map([], |row| Ok((SessionId(row.get(0)?), Token(row.get(1)?))));
    rows.map(|rows| rows.flatten().collect()).unwrap_or_default()
}

/// SQLite creates files with the umask's rights; ours is 0600 from the start.
pub(super) fn make_private(path: &Path) -> Result<(), StoreError> {
    let io_error = |source| StoreError::Io { path: path.to_owned(), source };
    match fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            fs::set_permissions(path, fs::Permissions::from_mode(0o600)).map_err(io_error)
        }
        Err(error) => Err(io_error(error)),
    }
}

/// Whether the file system that holds `path` is one on which WAL cannot be used.
pub(crate) fn on_network(path: &Path) -> bool {
    let Ok(found) = rustix::fs::statfs(path) else { return false };
    // The kernel's type is a 32-bit magic number in a wider, sometimes signed field.
    u32::try_from(found.f_type & 0xFFFF_FFFF).is_ok_and(|kind| NETWORK_FILE_SYSTEMS.contains(&kind))
}

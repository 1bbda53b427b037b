//! `host-runner host`: reads one launch from standard input and runs it. The daemon starts this; people do not.

use super::Failure;
use crate::{host, kernel, root::BoardRoot};
use anyhow::Context as _;
use board_protocol::{frame::FrameReader, host::HostLaunch};
use board_text::cli as texts;
use serde::de::DeserializeOwned;
use std::{
    fs,
    io::{self, Read, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};
use tracing_subscriber::fmt::MakeWriter;

/// Most bytes that one host may log: a diagnosis, not a record (field report F8).
const MAX_LOG_BYTES: u64 = 256 * 1024;

/// Arguments of `host`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {}

/// Carries the command out.
pub(super) fn run(_args: Args) -> Result<(), Failure> {
    // What it says is read by others, each in a language of their own; also with options in front of its name.
    board_text::set_language(board_text::Language::English);
    kernel::close_inherited();
    kernel::keep_memory();
    let prepared = host::prepare().context(texts::cannot_catch_signals())?;
    let launch: HostLaunch = read_launch(&mut io::stdin().lock(), "host", "host-runner start")?;
    let root = BoardRoot::open(Path::new(&launch.root)).context(texts::root_unusable())?;
    Log::keep(root.logs().join(format!("host-{}.log", launch.session)));
    host::run(prepared, root, launch).context(texts::host_failed())?;
    Ok(())
}

/// Reads what the daemon gives a `role` on its standard input; people use `instead`.
pub(super) fn read_launch<T: DeserializeOwned>(
    input: &mut impl Read,
    role: &str,
    instead: &str,
) -> Result<T, Failure> {
    let mut reader = FrameReader::new();
    let mut chunk = [0; 16 * 1024];
    loop {
        match reader.next_message() {
            Ok(Some(launch)) => return Ok(launch),
            Ok(None) => {}
            Err(error) => return Err(Failure::Usage(texts::launch_none(&error))),
        }
        match input.read(&mut chunk).context(texts::launch_unreadable())? {
            0 => {
                return Err(Failure::Usage(texts::launch_by_daemon(role, instead)));
            }
            count => reader.push(chunk.get(..count).unwrap_or_default()),
        }
    }
}

/// A log file that exists only once there is something to say, and stops growing at its limit.
pub(super) struct Log(PathBuf);

impl Log {
    /// Writes what this process says there.
    pub(super) fn keep(path: PathBuf) {
        // Complaining about a full disk on standard error, which is on the same disk, would be a panic.
        tracing_subscriber::fmt()
            .with_writer(Self(path))
            .log_internal_errors(false)
            .with_ansi(false)
            .with_max_level(tracing::Level::INFO)
            .init();
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Box<dyn Write>;

    fn make_writer(&'a self) -> Self::Writer {
        let full = fs::metadata(&self.0).is_ok_and(|meta| meta.len() > MAX_LOG_BYTES);
        let file = fs::OpenOptions::new().create(true).append(true).mode(0o600).open(&self.0);
        match file {
            Ok(file) if !full => Box::new(file),
            _ => Box::new(io::sink()),
        }
    }
}

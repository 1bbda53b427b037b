//! `host-runner adopt`: a conversation that was begun outside the board goes on as a row; prints its id.
//!
//! Exit codes: 0 it is a row, 1 refused, 2 usage, 3 no daemon, 4 it does not answer.

use super::{Failure, session};
use crate::{client::launching_environment, config::Config};
use anyhow::Context;
use board_protocol::command::{AdoptSession, Command};
use board_text::cli as texts;
use serde_json::Value;
use std::{
    fs::File,
    io::{BufRead, BufReader, Read},
    path::{Path, PathBuf},
};

/// Longest first line of a conversation that is read for its directory, in bytes; pi writes a few hundred.
const MAX_HEADER_BYTES: u64 = 65_536;

/// Arguments of `adopt`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The file of the conversation, which pi keeps below ~/.pi/agent/sessions. Leave pi there first: two processes that
    /// write one conversation spoil it.
    file: PathBuf,
    /// Whose conversation it is; only pi continues one from its file.
    #[arg(long, value_name = "A", default_value = "pi")]
    agent: String,
    /// Where it goes on, instead of where it was.
    #[arg(long, value_name = "D")]
    cwd: Option<PathBuf>,
    /// Your words for it, as soon as it waits for them.
    prompt: Option<String>,
}

/// Carries the command out.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    let shown = args.file.display().to_string();
    // The same file by another path would be another row.
    let file =
        args.file.canonicalize().map_err(|error| Failure::Usage(texts::adopt_unreadable(&shown, &error)))?;
    let header = header(&file).map_err(|why| Failure::Usage(texts::adopt_no_pi(&shown, &why)))?;
    let cwd = match args.cwd {
        Some(cwd) => std::path::absolute(cwd).context(texts::which_directory())?,
        None => match header.get("cwd").and_then(Value::as_str) {
            Some(cwd) if Path::new(cwd).is_dir() => PathBuf::from(cwd),
            _ => std::env::current_dir().context(texts::adopt_cwd_gone())?,
        },
    };
    let adopted = AdoptSession {
        agent: args.agent,
        transcript: utf8(file)?,
        cwd: utf8(cwd)?,
        size: Some(Config::load().size),
        prompt: args.prompt,
    };
    let mut client = session::connect()?;
    let id = session::carry_out(&mut client, Command::Adopt(adopted), Some(launching_environment()))?;
    session::print(&format!("{id}\n"))
}

fn utf8(path: PathBuf) -> Result<String, Failure> {
    let told = |path: std::ffi::OsString| Failure::Usage(texts::adopt_not_utf8(Path::new(&path).display()));
    path.into_os_string().into_string().map_err(told)
}

/// The first line of a conversation: `{"type":"session", …}` in every version of pi.
fn header(file: &Path) -> Result<Value, String> {
    // A pipe without a writer would never let go of whoever opens it.
    if !file.metadata().map_err(|error| error.to_string())?.is_file() {
        return Err(texts::adopt_no_file().to_owned());
    }
    let open = File::open(file).map_err(|error| error.to_string())?;
    let mut line = String::new();
    BufReader::new(open.take(MAX_HEADER_BYTES)).read_line(&mut line).map_err(|error| error.to_string())?;
    let header: Value = serde_json::from_str(&line).map_err(|_| texts::adopt_no_json().to_owned())?;
    match header.get("type").and_then(Value::as_str) {
        Some("session") => Ok(header),
        _ => Err(texts::adopt_no_session().to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_conversation_is_known_by_its_first_line() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("one.jsonl");
        for (text, cwd) in [
            (
                "{\"type\":\"session\",\"version\":3,\"id\":\"a\",\"cwd\":\"/tmp\"}\n{\"type\":\"message\"}\n",
                Ok(Some("/tmp")),
            ),
            ("{\"type\":\"session\"}", Ok(None)),
            ("{\"type\":\"message\"}\n", Err(())),
            ("a note\n", Err(())),
            ("", Err(())),
        ] {
            fs::write(&file, text).unwrap();
            let found = header(&file).map_err(drop);
            let found = found.as_ref().map(|header| header.get("cwd").and_then(Value::as_str));
            assert_eq!(found, cwd.as_ref().copied(), "{text}");
        }
        assert!(header(directory.path()).is_err(), "a directory");
        assert!(header(&directory.path().join("none")).is_err());
        let pipe = directory.path().join("pipe");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RWXU).unwrap();
        assert!(header(&pipe).is_err(), "a pipe is not waited for");
    }
}

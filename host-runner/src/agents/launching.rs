//! What launching has in common for the agents that take a prompt: the search for the program, the files that it loads,
//! the checks of what a person asked for, and where the words go.
//!
//! Called by the adapters, which know their agent's command line, and by hosts and runs, which start it: a host writes a
//! prompt that is too long for a command line. Only [`prepare`], [`install`] and [`write_prompt`] touch files.

use super::{LaunchPlan, LaunchRequest, Prepared, program::AgentProgram, variable};
use crate::program::FALLBACK_PATH;
use board_protocol::{
    command::{EnvVar, Launch},
    refusal::{Refusal, RefusalKind},
};
use board_text::agents as texts;
use std::{
    ffi::{OsStr, OsString},
    fs, io,
    os::unix::{
        ffi::OsStringExt,
        fs::{DirBuilderExt, OpenOptionsExt},
    },
    path::{Path, PathBuf},
};
use uuid::Uuid;

/// Longest prompt passed as an argument, in bytes. Linux takes at most 128 KiB in one argument; a quarter of that keeps
/// clear of it and `ps` readable.
pub const LONGEST_ARGUMENT: usize = 32 * 1024;
/// The variable that names the file of a prompt that is too long for an argument.
pub const PROMPT_FILE_VARIABLE: &str = "AGENT_BOARD_PROMPT_FILE";

/// The launching shell's environment, as far as a program can have it (decision 12). A prompt of an earlier life is none
/// of this one's.
pub(crate) fn inherited(environment: &[EnvVar]) -> impl Iterator<Item = (OsString, OsString)> + '_ {
    let text = |bytes: &[u8]| OsString::from_vec(bytes.to_vec());
    environment
        .iter()
        // A name with '=' or NUL cannot be one; std would refuse the whole start.
        .filter(|var| {
            !var.name.is_empty() && !var.name.iter().any(|b| matches!(b, b'=' | 0)) && !var.value.contains(&0)
        })
        .map(move |var| (text(&var.name), text(&var.value)))
        .filter(|(name, _)| name != PROMPT_FILE_VARIABLE)
}
/// Longest name of a model, in bytes: providers' names have a few dozen.
const MAX_MODEL_BYTES: usize = 200;
/// How much of a prompt names the session and stands on its row, in characters.
pub(super) const MAX_WORDS: usize = 500;
/// How much of the hash of an adapter's files names their directory, in characters.
const HASH_CHARACTERS: usize = 12;

/// Finds the agent for this environment and has the file written that it loads; `loads` is what that is called.
pub(super) fn prepare(
    agent: &'static AgentProgram,
    environment: &[EnvVar],
    loads: &str,
    root: &Path,
    install: impl FnOnce() -> io::Result<Installed>,
) -> Result<Prepared, Refusal> {
    let path = OsStr::new(variable(environment, "PATH").unwrap_or(FALLBACK_PATH));
    let found = match variable(environment, agent.variable).map(Path::new) {
        Some(program) if program.is_absolute() => agent.at(program, path),
        _ => agent.find(path),
    };
    let found = found.map_err(|problem| Refusal::new(RefusalKind::MissingProgram, problem.to_string()))?;
    let installed = install().map_err(|error| {
        let text = texts::cannot_write_below(loads, root.display(), &error);
        Refusal::new(RefusalKind::Internal, text)
    })?;
    let terminals = installed.terminals.map(|path| text(agent, path.into())).transpose()?;
    Ok(Prepared {
        program: text(agent, found.program.into())?,
        extension: text(agent, installed.loaded.into())?,
        terminals,
    })
}

/// What an adapter has put below the root for its agent.
#[derive(Debug, Default)]
pub(super) struct Installed {
    /// The file that the agent loads.
    pub(super) loaded: PathBuf,
    /// What tells it of its terminals on its command line, if that does.
    pub(super) terminals: Option<PathBuf>,
}

/// The words of a launch. Without any the agent opens with an empty editor, and its row waits for instructions.
pub(super) fn task<'a>(agent: &AgentProgram, launch: &'a Launch) -> Result<&'a str, Refusal> {
    let AgentProgram { called, file, .. } = agent;
    let Launch::Task(task) = launch else {
        return Err(bad(texts::needs_prompt(called, file)));
    };
    Ok(task)
}

/// What was prepared for a launch.
pub(super) fn prepared<'a>(
    agent: &AgentProgram,
    request: &LaunchRequest<'a>,
) -> Result<&'a Prepared, Refusal> {
    request.prepared.ok_or_else(|| {
        let text = texts::not_looked_for_start(agent.called);
        Refusal::new(RefusalKind::Internal, text)
    })
}

/// A name goes on a command line: it is one word, and no option. `hint` says which names there are.
pub(super) fn check_model(model: &str, hint: &str) -> Result<(), Refusal> {
    let is_name = !model.is_empty()
        && model.len() <= MAX_MODEL_BYTES
        && !model.starts_with('-')
        && !model.chars().any(|c| c.is_control() || c.is_whitespace());
    if is_name { Ok(()) } else { Err(bad(texts::no_model(format_args!("{model:?}"), hint))) }
}

/// A command line, and the beginning of the words for the row.
pub(super) fn plan(agent: &AgentProgram, argv: Vec<OsString>, task: &str) -> Result<LaunchPlan, Refusal> {
    let argv = argv.into_iter().map(|argument| text(agent, argument)).collect::<Result<_, _>>()?;
    Ok(LaunchPlan { argv, words: task.trim().chars().take(MAX_WORDS).collect() })
}

fn text(agent: &AgentProgram, path: OsString) -> Result<String, Refusal> {
    path.into_string().map_err(|path| bad(texts::path_not_utf8(path.display(), agent.called)))
}

pub(super) fn bad(text: impl Into<String>) -> Refusal {
    Refusal::new(RefusalKind::BadInput, text)
}

/// Writes an adapter's files below `root` and returns their directory. It depends on the contents: another build of ours
/// never changes what a running session reads again.
pub(super) fn install(root: &Path, agent: &str, files: &[(&str, &str)]) -> io::Result<PathBuf> {
    let contents: String = files.iter().map(|(_, text)| *text).collect();
    let hash = Uuid::new_v5(&Uuid::NAMESPACE_OID, contents.as_bytes()).simple().to_string();
    let hash = hash.get(..HASH_CHARACTERS).unwrap_or(&hash);
    let directory = root.join("adapters").join(format!("{agent}-{hash}"));
    fs::DirBuilder::new().recursive(true).mode(0o700).create(&directory)?;
    for (name, text) in files {
        let path = directory.join(name);
        if fs::read(&path).is_ok_and(|there| there == text.as_bytes()) {
            continue;
        }
        // Two starts may do this at once: each writes a file of its own and renames it over the other's equal one.
        let own = directory.join(format!("{name}.{}", Uuid::new_v4().simple()));
        private_file(&own, text)?;
        fs::rename(&own, &path)?;
    }
    Ok(directory)
}

/// Writes a prompt to a private file that does not exist yet.
///
/// # Errors
/// It exists, or cannot be written.
pub fn write_prompt(path: &Path, prompt: &str) -> io::Result<()> {
    private_file(path, prompt)
}

fn private_file(path: &Path, contents: &str) -> io::Result<()> {
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    io::Write::write_all(&mut file, contents.as_bytes())
}

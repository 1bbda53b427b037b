//! The command line, one file per command. It parses, asks the daemon or a host, prints, and turns what went wrong into
//! an exit code: 0 done, 1 refused, 2 usage, 3 not reachable, 4 timed out.

mod adopt;
mod attach;

mod completions;
mod config;
mod daemon;
mod doctor;
mod done;
mod evidence;
mod explain;
mod export;
mod failure;
mod favourites;
mod help;
#[path = "hold.rs"]
mod holding;
mod hook;
mod host;
mod interrupt;
mod link;
mod log;
mod ls;
mod mcp;
mod orphans;
mod paint;
mod pin;
mod plan;
mod queue;
mod reconcile;
mod refs;
mod rename;
mod reply;
mod rm;
mod run;
mod screen;
mod session;
mod show;
mod shutdown;
mod skip_wait;
mod start;
mod stop;
mod tag;
mod transcript;
mod tree;
mod unhold;
mod up;
mod usage;
mod visit;
mod wait;
mod waits;

use board_text::cli as texts;
use board_text::{Language, language};
pub use failure::Failure;

use crate::{
    config::Config,
    root::{BoardRoot, RootError},
};
use board_protocol::refusal::{Refusal, RefusalKind};
use clap::{FromArgMatches, Parser, Subcommand};
use std::{path::PathBuf, process::ExitCode, sync::OnceLock};

/// What `--root` said, for every part of this process. Set once, before the command runs.
static ROOT_OPTION: OnceLock<PathBuf> = OnceLock::new();

/// See, start, stop and enter your coding agents from one place in zellij. Without a command it opens the board, as `up`.
#[derive(Debug, Parser)]
#[command(name = "host-runner", version, max_term_width = MAX_HELP_COLUMNS)]
pub struct Cli {
    #[command(flatten)]
    root: RootOption,
    #[command(subcommand)]
    command: Option<Command>,
}

/// The option that every command has.
#[derive(Debug, clap::Args)]
struct RootOption {
    /// Where the board keeps everything, instead of $AGENT_BOARD_ROOT or ~/.local/state/agent-board.
    #[arg(long, global = true, value_name = "DIR", value_parser = absolute)]
    root: Option<PathBuf>,
}

/// How wide help is at most: longer lines are hard to read.
const MAX_HELP_COLUMNS: usize = 100;

#[derive(Debug, Subcommand)]
enum Command {
    /// Open the board: in a new zellij session, or as a tab of the one you are in.
    Up(up::Args),
    /// Start a session in the background and print its id.
    Start(start::Args),
    /// Have an agent work for one turn without a terminal, and print the session's id.
    Run(run::Args),
    /// Put a conversation that you had with pi elsewhere on the board, and print its id.
    Adopt(adopt::Args),
    /// List the directories in which you start most, or forget one.
    Favourites(favourites::Args),
    /// List the sessions.
    Ls(ls::Args),
    /// Everything about one session.
    Show(show::Args),
    /// Print a session's screen.
    Screen(screen::Args),
    /// Enter a session; Ctrl+\ leaves it running.
    Attach(attach::Args),
    /// Give the agent your words: at once if it waits, else in their turn.
    Reply(reply::Args),
    /// Show what waits for an agent, and change it.
    Queue(queue::Args),
    /// Have an agent plan first, and decide about its plan.
    Plan(plan::Args),
    /// Send the agent's interrupt key.
    Interrupt(interrupt::Args),
    /// End a session's agent; its row stays.
    Stop(stop::Args),
    /// Say that sessions are done; only a person moves them from there.
    Done(done::Args),
    /// Put sessions on hold; only a person moves them from there.
    #[command(name = "hold")]
    Holding(holding::Args),
    /// Take sessions off hold; what waits for them is sent.
    Unhold(unhold::Args),
    /// Take a session off the board; a running one is stopped first.
    Rm(rm::Args),
    /// Print everything that the store holds, as JSON lines.
    Export(export::Args),
    /// Wait until sessions are in one of some states.
    Wait(wait::Args),
    /// List what agents wait for in their terminals.
    Waits(waits::Args),
    /// End what an agent waits for in a terminal, or in all terminals of a session; the agent is told.
    SkipWait(skip_wait::Args),
    /// Why a session stands where it stands, and what moved it in the last 24 hours.
    Explain(explain::Args),
    /// What there is to show for a session's work: commands, changed files, errors, claims, cost.
    Evidence(evidence::Args),
    /// Show which issue and change request a session is about
    Refs(refs::Args),
    /// Compare every session with its processes now, and print what had to change.
    Reconcile(reconcile::Args),
    /// Print what was refused, unclear or failed with a session.
    Log(log::Args),
    /// Print what was said in a session, from its agent's own file.
    Transcript(transcript::Args),
    /// List processes that sessions left behind, or end them.
    Orphans(orphans::Args),
    /// Say that you have looked at a session, or that you have not.
    Visit(visit::Args),
    /// Give a session another name.
    Rename(rename::Args),
    /// Put a session first in its group.
    Pin(pin::Args),
    /// Give a session tags, or take them away.
    Tag(tag::Args),
    /// End the daemon; sessions go on unless told otherwise.
    Shutdown(shutdown::Args),
    /// Check everything that the board needs, and say what to do; changes nothing.
    Doctor(doctor::Args),
    /// Print every setting, its value, where it comes from and what it means.
    Config(config::Args),
    /// Print the completion script of a shell.
    Completions(completions::Args),
    /// Run the daemon in the foreground (it is started on demand).
    Daemon(daemon::Args),
    /// Connect a zellij session with the daemon (the layout starts it).
    Link(link::Args),
    /// Deliver one agent event from standard input; always succeeds, prints nothing.
    Hook(hook::Args),
    /// Serve an agent its own terminals as tools of the Model Context Protocol (its agent starts it).
    Mcp(mcp::Args),
    /// Own one session's terminal (the daemon starts it).
    #[command(hide = true)]
    Host(host::Args),
}

/// A path as seen from where the command was typed; it need not exist.
fn absolute(path: &str) -> Result<PathBuf, String> {
    std::path::absolute(path).map_err(|error| texts::give_directory(&error))
}

/// The board root of this process: `--root` before the environment. Opened and checked.
///
/// # Errors
/// What [`RootError`] says, as a failure with its exit code.
pub fn board_root() -> Result<BoardRoot, Failure> {
    let opened = match ROOT_OPTION.get() {
        Some(directory) => BoardRoot::open(directory),
        None => BoardRoot::from_environment(),
    };
    opened.map_err(|error| match error {
        RootError::Unknown => Failure::Usage(error.to_string()),
        RootError::Foreign { .. } | RootError::OtherMachine { .. } | RootError::NotOurs { .. } => {
            Failure::Refused(Refusal::new(RefusalKind::Forbidden, error.to_string()))
        }
        // Its text has the reason in it; as a chain of causes that would be printed twice.
        RootError::Io { .. } => Failure::Other(anyhow::Error::msg(error.to_string())),
    })
}

/// The board root that this process would use, unopened and unchecked.
fn root_directory() -> Option<PathBuf> {
    ROOT_OPTION.get().cloned().or_else(BoardRoot::directory_from_environment)
}

/// The command line cannot be read, or asks for help: clap says so, and exits with 2 or 0.
fn not_read(error: &clap::Error) -> ExitCode {
    match usage::said(error) {
        Some(text) if language() != Language::English => {
            eprint!("{text}");
            ExitCode::from(2)
        }
        _ => error.exit(),
    }
}

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    // Before anything is said. Nobody reads what a hook says, and it has no time for a file.
    let first = std::env::args_os().nth(1);
    if first.as_ref().is_none_or(|command| command != "hook") {
        board_text::set_language(Config::load().spoken());
    }
    let read = tree::tree(first.as_deref()).try_get_matches();
    let cli = match read.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => return not_read(&error),
    };
    if let Some(root) = cli.root.root {
        // The first and only caller.
        let _ = ROOT_OPTION.set(root);
    }
    let result = match cli.command {
        None => up::run_without_arguments(),
        Some(Command::Up(args)) => up::run(args),
        Some(Command::Start(args)) => start::run(args),
        Some(Command::Run(args)) => run::run(args),
        Some(Command::Adopt(args)) => adopt::run(args),
        Some(Command::Favourites(args)) => favourites::run(args),
        Some(Command::Ls(args)) => ls::run(args),
        Some(Command::Show(args)) => show::run(args),
        Some(Command::Screen(args)) => screen::run(args),
        Some(Command::Attach(args)) => attach::run(args),
        Some(Command::Reply(args)) => reply::run(args),
        Some(Command::Queue(args)) => queue::run(args),
        Some(Command::Plan(args)) => plan::run(args),
        Some(Command::Interrupt(args)) => interrupt::run(args),
        Some(Command::Stop(args)) => stop::run(args),
        Some(Command::Done(args)) => done::run(args),
        Some(Command::Holding(args)) => holding::run(args),
        Some(Command::Unhold(args)) => unhold::run(args),
        Some(Command::Rm(args)) => rm::run(args),
        Some(Command::Export(args)) => export::run(args),
        Some(Command::Wait(args)) => wait::run(args),
        Some(Command::Waits(args)) => waits::run(args),
        Some(Command::SkipWait(args)) => skip_wait::run(args),
        Some(Command::Explain(args)) => explain::run(args),
        Some(Command::Evidence(args)) => evidence::run(args),
        Some(Command::Refs(args)) => refs::run(args),
        Some(Command::Reconcile(args)) => reconcile::run(args),
        Some(Command::Log(args)) => log::run(args),
        Some(Command::Transcript(args)) => transcript::run(args),
        Some(Command::Orphans(args)) => orphans::run(args),
        Some(Command::Visit(args)) => visit::run(args),
        Some(Command::Rename(args)) => rename::run(args),
        Some(Command::Pin(args)) => pin::run(args),
        Some(Command::Tag(args)) => tag::run(args),
        Some(Command::Shutdown(args)) => shutdown::run(args),
        Some(Command::Doctor(args)) => doctor::run(args),
        Some(Command::Config(args)) => config::run(args),
        Some(Command::Completions(args)) => completions::run(args),
        Some(Command::Daemon(args)) => daemon::run(args),
        Some(Command::Link(args)) => link::run(args),
        Some(Command::Hook(args)) => hook::run(args),
        Some(Command::Mcp(args)) => mcp::run(args),
        Some(Command::Host(args)) => host::run(args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if !matches!(failure, Failure::Told(_)) {
                eprintln!("host-runner: {failure}");
            }
            failure.exit_code()
        }
    }
}

//! `host-runner start`: makes a session, starts it in the background, prints its id.

use super::{Failure, session};
use crate::{agents::AgentKind, client::launching_environment, config::Config, program::own_program};
use anyhow::Context;
use board_protocol::{
    command::{Command, Launch, StartSession},
    ids::{SessionId, Size},
};
use board_text::cli as texts;
use std::{os::unix::process::CommandExt, path::PathBuf};

/// Arguments of `start`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Which agent runs it; without one, the setting default_agent.
    #[arg(long, value_name = "A")]
    agent: Option<String>,
    /// The model that the agent shall use, in the agent's own words; without one, the agent's default.
    #[arg(long, value_name = "M")]
    model: Option<String>,
    /// How hard the model shall think, in the agent's own words: pi takes off, minimal, low, medium, high, xhigh, max; Claude Code takes low, medium, high, xhigh, max.
    #[arg(long, value_name = "T")]
    thinking: Option<String>,
    /// Its name; without one it is named after what it runs.
    #[arg(long, value_name = "N")]
    name: Option<String>,
    /// Where it runs, instead of here.
    #[arg(long, value_name = "D")]
    cwd: Option<PathBuf>,
    /// The size of its terminal until somebody attaches, as COLUMNSxROWS.
    #[arg(long, value_name = "CxR", value_parser = parse_size)]
    size: Option<Size>,
    /// Enter it at once.
    #[arg(long)]
    attach: bool,
    /// What to do: a command line for your shell, or a prompt for an agent; - reads it from standard input. An agent that gets no prompt opens with an empty editor.
    #[arg(value_name = "TASK", conflicts_with = "command")]
    task: Option<String>,
    /// A program and its arguments, taken literally; for an agent, a prompt that begins with a hyphen.
    #[arg(last = true, value_name = "CMD")]
    command: Vec<String>,
}

fn parse_size(text: &str) -> Result<Size, String> {
    let size = Size::parse(text).ok_or(texts::start_size())?;
    if size != size.clamped() {
        return Err(texts::start_size_range().to_owned());
    }
    Ok(size)
}

/// Carries the command out.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    let here = std::env::current_dir().context(texts::cwd_gone())?;
    let cwd = match &args.cwd {
        Some(cwd) => std::path::absolute(cwd).context(texts::which_directory())?,
        None => here,
    };
    let cwd =
        cwd.into_os_string().into_string().map_err(|_| Failure::Usage(texts::cwd_not_utf8().to_owned()))?;
    let config = Config::load();
    let agent = args.agent.unwrap_or_else(|| config.default_agent.name().to_owned());
    let launch = match (args.task, args.command) {
        (Some(task), _) if task == "-" => Launch::Task(session::standard_input("task")?),
        (Some(task), _) => Launch::Task(task),
        (None, words) if words.is_empty() && agent == AgentKind::Generic.name() => {
            let text = texts::start_nothing();
            return Err(Failure::Usage(text.to_owned()));
        }
        (None, words) if words.is_empty() => Launch::Task(String::new()),
        (None, words) => literal(&agent, words),
    };
    let size = args.size.unwrap_or(config.size);
    let start = StartSession {
        name: args.name,
        agent,
        launch,
        cwd,
        size: Some(size),
        model: args.model,
        thinking: args.thinking,
        tags: Vec::new(),
        remember: Default::default(),
    };
    let mut client = session::connect()?;
    let id = session::carry_out(&mut client, Command::Start(start), Some(launching_environment()))?;
    session::print(&format!("{id}\n"))?;
    if args.attach { attach(&id) } else { Ok(()) }
}

/// What stands behind `--`: a program for a generic session, one prompt for an agent.
fn literal(agent: &str, mut words: Vec<String>) -> Launch {
    match words.pop() {
        Some(prompt) if words.is_empty() && agent != AgentKind::Generic.name() => Launch::Task(prompt),
        last => {
            words.extend(last);
            Launch::Argv(words)
        }
    }
}

/// Becomes `attach`: from here on there is nothing left for this process to do.
fn attach(session: &SessionId) -> Result<(), Failure> {
    let root = super::board_root()?;
    let program = own_program().context(texts::start_own_program())?;
    let error = std::process::Command::new(program)
        .arg("attach")
        .arg(session.as_str())
        .env("AGENT_BOARD_ROOT", root.directory())
        .exec();
    Err(anyhow::Error::new(error).context(texts::start_cannot_attach()).into())
}

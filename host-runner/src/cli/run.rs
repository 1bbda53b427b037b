//! `host-runner run`: has an agent work for one turn without a terminal, and prints the session's id; with `--wait`, what
//! it said last.
//!
//! Exit codes with `--wait`: 0 it has ended well or asks something, 1 it failed or was stopped, 3 the daemon cannot be
//! reached, 4 not in time. With the hidden `--turn` this is the process that drives the agent: the daemon starts it with
//! a launch on its standard input; people do not.

use super::{Failure, host::Log, session, wait};
use crate::{
    client::{coordinator_is_off, launching_environment},
    config::Config,
    kernel,
    root::BoardRoot,
    run,
};
use anyhow::Context as _;
use board_protocol::{
    board::Row,
    command::{Command, CommandOutcome},
    daemon::{Answer, Request, SessionDetail},
    refusal::{Refusal, RefusalKind},
    run::{RunKind, RunLaunch, RunRequest},
    state::SemanticState,
};
use board_text::cli as texts;
use board_text::{Language, retold, set_language};
use serde_json::json;
use std::{
    io,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// The states in which nothing of a run goes on.
const AT_REST: [SemanticState; 6] = [
    SemanticState::NeedsInput,
    SemanticState::Idle,
    SemanticState::Holding,
    SemanticState::Completed,
    SemanticState::Failed,
    SemanticState::Stopped,
];

/// Arguments of `run`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Which agent works; without one, the setting default_agent.
    #[arg(long, value_name = "A", conflicts_with = "session")]
    agent: Option<String>,
    /// A session that has ended: the same conversation goes on. Its id, a unique beginning of it, or its unique name.
    #[arg(long, value_name = "SESSION")]
    session: Option<String>,
    /// Where it works, instead of here.
    #[arg(long, value_name = "D", conflicts_with = "session")]
    cwd: Option<PathBuf>,
    /// The session's name; without one it is named after the prompt.
    #[arg(long, value_name = "N", conflicts_with = "session")]
    name: Option<String>,
    /// The model that the agent shall use, in the agent's own words.
    #[arg(long, value_name = "M")]
    model: Option<String>,
    /// How hard the model shall think, in the agent's own words.
    #[arg(long, value_name = "T")]
    thinking: Option<String>,
    /// The tools that the agent may use, in the agent's own words; without this, its own choice.
    #[arg(long, value_name = "X")]
    tools: Option<String>,
    /// Wait for its end, and print what it said last instead of the id.
    #[arg(long)]
    wait: bool,
    /// Give up waiting after this time (exit code 4): a number of seconds, or 500ms, 30s, 5m, 1h30m. The agent works on.
    #[arg(long, value_name = "DURATION", value_parser = wait::parse_duration, requires = "wait")]
    timeout: Option<Duration>,
    /// What to do; - reads it from standard input.
    #[arg(value_name = "PROMPT", required_unless_present = "turn", allow_hyphen_values = false)]
    prompt: Option<String>,
    /// Drive one turn (the daemon starts it).
    #[arg(long, hide = true, exclusive = true)]
    turn: bool,
    #[command(flatten)]
    output: session::Output,
}

/// Carries the command out.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    if args.turn {
        return turn();
    }
    if args.wait && coordinator_is_off() {
        let text = texts::run_no_daemon();
        return Err(Failure::Refused(Refusal::new(RefusalKind::WrongState, text)));
    }
    let deadline = args.timeout.map(|timeout| Instant::now() + timeout);
    let mut client = session::connect()?;
    let request = request(&args, &mut client)?;
    let outcome = client.command(Command::Run(request), Some(launching_environment()))?;
    let (id, notice) = match outcome {
        CommandOutcome::Applied { session, notice } => (session, notice),
        CommandOutcome::Refused(refusal) => return Err(refusal.into()),
    };
    if !args.wait {
        return if args.output.json {
            session::print_json(&json!({ "session": id, "notice": notice }))
        } else {
            session::say(notice.as_deref());
            session::print(&format!("{id}\n"))
        };
    }
    session::say(notice.as_deref());
    // Whoever gives up waiting has to know what still works.
    eprintln!("{}", texts::run_works(&id));
    let row = wait::for_one(client, &id, &AT_REST, deadline)?;
    let mut client = session::connect()?;
    let detail = session::find(&mut client, id.as_str())?;
    let words = last_words(&mut client, &detail)?;
    if args.output.json {
        session::print_json(&json!({
            "session": row.id,
            "state": row.state,
            "text": words,
            "error": row.error,
            "question": row.question,
            "tokens_read": detail.agent.tokens_read,
            "tokens_written": detail.agent.tokens_written,
            "cost_micros": detail.agent.cost_micros,
        }))?;
    } else if let Some(words) = &words {
        session::print(&format!("{words}\n"))?;
    }
    ended(&row)
}

fn request(args: &Args, client: &mut crate::client::DaemonClient) -> Result<RunRequest, Failure> {
    let prompt = match args.prompt.as_deref() {
        Some("-") => session::standard_input("prompt")?,
        Some(prompt) => prompt.to_owned(),
        None => String::new(),
    };
    let mut request = RunRequest {
        prompt,
        model: args.model.clone(),
        thinking: args.thinking.clone(),
        tools: args.tools.clone(),
        ..RunRequest::default()
    };
    if let Some(session) = &args.session {
        request.kind = RunKind::Reply;
        request.session = Some(session::find(client, session)?.row.id);
        return Ok(request);
    }
    let here = std::env::current_dir().context(texts::cwd_gone())?;
    let cwd = match &args.cwd {
        Some(cwd) => std::path::absolute(cwd).context(texts::which_directory())?,
        None => here,
    };
    request.cwd = cwd.into_os_string().into_string().map_err(|_| {
        let text = texts::cwd_not_utf8();
        Failure::Usage(text.to_owned())
    })?;
    request.name.clone_from(&args.name);
    request.agent = args.agent.clone().unwrap_or_else(|| Config::load().default_agent.name().to_owned());
    Ok(request)
}

/// What it said last: as much as the board keeps. The whole of it is in the agent's transcript.
fn last_words(
    client: &mut crate::client::DaemonClient,
    detail: &SessionDetail,
) -> Result<Option<String>, Failure> {
    let claim = match client.ask(Request::Evidence { session: detail.row.id.0.clone() })? {
        Answer::Evidence(mut evidence) => evidence.claims.pop().map(|claim| claim.text),
        _ => None,
    };
    Ok(claim.or_else(|| detail.agent.preview.clone()))
}

fn ended(row: &Row) -> Result<(), Failure> {
    match row.state {
        SemanticState::Failed | SemanticState::Stopped => {
            let why = row.error.as_deref().map(|error| format!(": {}", retold(error))).unwrap_or_default();
            let text = texts::is_in_state(&row.id, &row.name, row.state.label()) + &why;
            Err(Failure::Refused(Refusal::new(RefusalKind::WrongState, text)))
        }
        _ => Ok(()),
    }
}

/// Drives one turn.
fn turn() -> Result<(), Failure> {
    // What it reports is written down, as with the daemon.
    set_language(Language::English);
    kernel::close_inherited();
    let prepared = run::prepare().context(texts::cannot_catch_signals())?;
    let launch: RunLaunch =
        super::host::read_launch(&mut io::stdin().lock(), "run --turn", "host-runner run")?;
    let root = BoardRoot::open(Path::new(&launch.root)).context(texts::root_unusable())?;
    Log::keep(root.logs().join(format!("run-{}.log", launch.session)));
    run::run(prepared, root, launch).context(texts::run_failed())?;
    Ok(())
}

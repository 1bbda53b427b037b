//! `host-runner reply`: gives an agent words of the person, at once or in their turn. Exit code 0: they are kept,
//! whatever happens next; 1: they were refused; 2: the arguments do not hold together; 3: the daemon cannot be reached.

use super::{Failure, queue, session};
use crate::client::launching_environment;
use board_protocol::{
    command::{Command, CommandOutcome, MAX_TASK_BYTES, ReplyDelivery},
    daemon::SessionDetail,
};
use serde_json::json;
use std::io::Read;

/// Arguments of `reply`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The session: its id, a unique beginning of it, or its unique name.
    session: String,
    /// At once, also while the agent works. Refused when nobody is there to read it.
    #[arg(long, conflicts_with = "queue")]
    now: bool,
    /// In its turn, when the agent waits for instructions, and behind what is queued already.
    #[arg(long)]
    queue: bool,
    /// As JSON: the session's id, what there is to say, and what is still on its way.
    #[arg(long)]
    json: bool,
    /// The words, taken literally, options in front of them; - reads them from standard input. Without --now and --queue they go at once if the
    /// agent waits, else in their turn; a session that has ended by itself is continued with them.
    #[arg(value_name = "TEXT", required = true, allow_hyphen_values = true)]
    text: Vec<String>,
}

/// Carries the command out.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    let text = words(args.text)?;
    let delivery = match (args.now, args.queue) {
        (true, _) => ReplyDelivery::Now,
        (false, true) => ReplyDelivery::Queue,
        (false, false) => ReplyDelivery::Auto,
    };
    let mut client = session::connect()?;
    let id = session::find(&mut client, &args.session)?.row.id;
    // A session that has ended goes on in the environment of whoever replies.
    let environment = (delivery == ReplyDelivery::Auto).then(launching_environment);
    let command = Command::Reply { session: id.clone(), text, delivery };
    let notice = match client.command(command, environment)? {
        CommandOutcome::Applied { notice, .. } => notice,
        CommandOutcome::Refused(refusal) => return Err(refusal.into()),
    };
    if !args.json {
        if let Some(notice) = notice {
            eprintln!("host-runner: {notice}");
        }
        return Ok(());
    }
    let SessionDetail { queue, .. } = session::find(&mut client, id.as_str())?;
    let answer = json!({"session": id, "notice": notice, "queue": queue::as_json(&queue)});
    session::print(&format!("{answer:#}\n"))
}

/// Options that are easily put behind the words.
const OPTIONS: [&str; 3] = ["--now", "--queue", "--json"];

/// The words of the command line, or those of standard input: the kernel takes at most 128 KiB in one argument.
pub(super) fn words(arguments: Vec<String>) -> Result<String, Failure> {
    // Everything behind the first word is words. Whoever put an option there meant one, and must not find it in a prompt.
    if let [_, .., last] = arguments.as_slice()
        && OPTIONS.contains(&last.as_str())
    {
        return Err(Failure::Usage(format!(
            "{last} stands behind the words: put options in front of them, or the words into quotes"
        )));
    }
    if arguments != ["-"] {
        return Ok(arguments.join(" "));
    }
    let mut text = String::new();
    // One byte more than is allowed, so that the refusal is about the limit.
    let most = u64::try_from(MAX_TASK_BYTES).unwrap_or(u64::MAX).saturating_add(1);
    std::io::stdin()
        .take(most)
        .read_to_string(&mut text)
        .map_err(|error| Failure::Usage(format!("the words on standard input cannot be read: {error}")))?;
    Ok(text)
}

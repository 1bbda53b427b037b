//! `host-runner reply`: gives an agent words of the person, at once or in their turn. Exit code 0: they are kept,
//! whatever happens next; 1: they were refused; 2: the arguments do not hold together; 3: the daemon cannot be reached.

use super::{Failure, session};
use crate::client::launching_environment;
use board_protocol::{
    command::{Command, CommandOutcome, ReplyDelivery},
    daemon::SessionDetail,
};
use board_text::cli as texts;
use serde_json::json;

/// Arguments of `reply`.
#[derive(Debug, clap::Args)]
#[command(mut_arg("json", |json| {
    json.help("As JSON: the session's id, what there is to say, and what is still on its way")
}))]
pub(super) struct Args {
    /// The session: its id, a unique beginning of it, or its unique name.
    session: String,
    /// At once, also while the agent works. Refused when nobody is there to read it.
    #[arg(long, conflicts_with = "queue")]
    now: bool,
    /// In its turn, when the agent waits for instructions, and behind what is queued already.
    #[arg(long)]
    queue: bool,
    #[command(flatten)]
    output: session::Output,
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
    if !args.output.json {
        session::say(notice.as_deref());
        return Ok(());
    }
    let SessionDetail { queue, .. } = session::find(&mut client, id.as_str())?;
    session::print_json(&json!({"session": id, "notice": notice, "queue": queue}))
}

/// Options that are easily put behind the words.
const OPTIONS: [&str; 3] = ["--now", "--queue", "--json"];

/// The words of the command line, or those of standard input.
pub(super) fn words(arguments: Vec<String>) -> Result<String, Failure> {
    // Everything behind the first word is words. Whoever put an option there meant one, and must not find it in a prompt.
    if let [_, .., last] = arguments.as_slice()
        && OPTIONS.contains(&last.as_str())
    {
        return Err(Failure::Usage(texts::reply_option_behind(last)));
    }
    if arguments == ["-"] { session::standard_input("words") } else { Ok(arguments.join(" ")) }
}

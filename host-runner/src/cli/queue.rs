//! `host-runner queue`: what waits for an agent, and what a person changes about it. Exit codes as those of `reply`.

use super::{Failure, reply, session};
use crate::fresh;
use board_protocol::{
    board::MAX_SENTENCE_COLUMNS,
    command::Command,
    daemon::{QueuedReply, ReplyKind, ReplyProgress},
    ids::{QueueItemId, SessionId, UnixMs},
    text::{age_words, plain_within},
};
use board_text::cli as texts;

/// Arguments of `queue`.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(mut_arg("json", |json| json.help("As JSON: an array of replies, the next one first")))]
pub(super) struct Args {
    /// The session: its id, a unique beginning of it, or its unique name.
    #[arg(required = true)]
    session: Option<String>,
    #[command(flatten)]
    output: session::Output,
    #[command(subcommand)]
    change: Option<Change>,
}

/// What is changed.
#[derive(Debug, clap::Subcommand)]
enum Change {
    /// Put other words in the place of those that wait.
    Edit {
        /// The session.
        session: String,
        /// The reply: its id, or a unique beginning of it.
        item: String,
        /// The new words, taken literally; - reads them from standard input.
        #[arg(value_name = "TEXT", required = true, allow_hyphen_values = true)]
        text: Vec<String>,
        #[command(flatten)]
        output: session::Output,
    },
    /// Send a reply earlier or later than the others.
    Move {
        /// The session.
        session: String,
        /// The reply: its id, or a unique beginning of it.
        item: String,
        /// Its new place: 1 is sent next.
        #[arg(value_parser = clap::value_parser!(u32).range(1..))]
        place: u32,
        #[command(flatten)]
        output: session::Output,
    },
    /// Take a reply out.
    Rm {
        /// The session.
        session: String,
        /// The reply: its id, or a unique beginning of it.
        item: String,
        #[command(flatten)]
        output: session::Output,
    },
    /// Send a reply at once, also while the agent works; one that may have arrived is sent a second time.
    Send {
        /// The session.
        session: String,
        /// The reply: its id, or a unique beginning of it.
        item: String,
        #[command(flatten)]
        output: session::Output,
    },
    /// Take everything out that is not being written already.
    Clear {
        /// The session.
        session: String,
        #[command(flatten)]
        output: session::Output,
    },
}

/// Carries the command out.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    match (args.change, args.session) {
        (Some(change), _) => carry_out(change),
        (None, Some(name)) => show(&name, args.output),
        (None, None) => Err(Failure::Usage(texts::queue_name_session().to_owned())),
    }
}

fn show(name: &str, output: session::Output) -> Result<(), Failure> {
    let detail = session::find(&mut session::connect()?, name)?;
    if output.json {
        return session::print_json(&detail.queue);
    }
    let now = fresh::now();
    let lines: Vec<String> = detail.queue.iter().map(|reply| format!("{}\n", line(reply, now))).collect();
    session::print(&lines.concat())
}

/// One reply for people.
pub(super) fn line(reply: &QueuedReply, now: UnixMs) -> String {
    let age = age_words(now.since(reply.at_ms));
    let text = plain_within(&reply.text.replace('\n', " ⏎ "), MAX_SENTENCE_COLUMNS);
    format!("{}  {age:>4}  {:<8}  {}{text}", reply.id, progress(reply.progress), kind(reply.kind))
}

/// What words are that are not only the person's own.
fn kind(kind: ReplyKind) -> &'static str {
    match kind {
        ReplyKind::Reply => "",
        ReplyKind::PlanRequest => texts::queue_asks_plan(),
        ReplyKind::PlanApproval => texts::queue_approves_plan(),
        ReplyKind::PlanChange => texts::queue_sends_back(),
    }
}

const fn progress(progress: ReplyProgress) -> &'static str {
    match progress {
        ReplyProgress::Waiting => "waits",
        ReplyProgress::Sent | ReplyProgress::Accepted => "written",
        ReplyProgress::Applied => "arrived",
        ReplyProgress::AcceptedUnknown => "unknown",
    }
}

fn carry_out(change: Change) -> Result<(), Failure> {
    type Make = Box<dyn FnOnce(SessionId, QueueItemId) -> Command>;
    let (name, item, output, make): (_, _, _, Make) = match change {
        Change::Clear { session, output } => {
            return session::change_and_say(&session, output, |session| Command::ClearQueue { session });
        }
        Change::Edit { session, item, text, output } => {
            let text = reply::words(text)?;
            (session, item, output, Box::new(|session, item| Command::EditQueued { session, item, text }))
        }
        Change::Move { session, item, place, output } => {
            let place = place.saturating_sub(1);
            let make = move |session, item| Command::MoveQueued { session, item, place };
            (session, item, output, Box::new(make))
        }
        Change::Rm { session, item, output } => {
            (session, item, output, Box::new(|session, item| Command::RemoveQueued { session, item }))
        }
        Change::Send { session, item, output } => {
            (session, item, output, Box::new(|session, item| Command::SendQueued { session, item }))
        }
    };
    let mut client = session::connect()?;
    let detail = session::find(&mut client, &name)?;
    let item = named(&detail.queue, &item)?;
    session::carry_out_and_say(&mut client, make(detail.row.id, item), output)
}

/// The reply that a person names. One that is not there is named to the daemon, which says that it is gone.
fn named(queue: &[QueuedReply], name: &str) -> Result<QueueItemId, Failure> {
    let mut found = queue.iter().filter(|reply| reply.id.as_str().starts_with(name));
    match (found.next(), found.next()) {
        (Some(reply), None) => Ok(reply.id.clone()),
        (None, _) => Ok(QueueItemId(name.to_owned())),
        (Some(_), Some(_)) => Err(Failure::Usage(texts::queue_several(name))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(id: &str, text: &str, progress: ReplyProgress) -> QueuedReply {
        let kind = ReplyKind::Reply;
        QueuedReply { id: QueueItemId(id.into()), text: text.into(), at_ms: UnixMs(0), progress, kind }
    }

    #[test]
    fn a_line_says_which_how_old_how_far_and_what() {
        let now = UnixMs(61_000);
        let waits = reply("00000000aa", "go on\nthen \u{1b}[2J stop", ReplyProgress::Waiting);
        assert_eq!(line(&waits, now), "00000000aa    1m  waits     go on ⏎ then stop");
        let unknown = reply("00000000bb", "go on", ReplyProgress::AcceptedUnknown);
        assert_eq!(line(&unknown, now), "00000000bb    1m  unknown   go on");
    }

    #[test]
    fn a_reply_is_named_by_the_beginning_of_its_id() {
        let queue = [
            reply("0a00000001", "x", ReplyProgress::Waiting),
            reply("0b00000001", "y", ReplyProgress::Waiting),
        ];
        assert_eq!(named(&queue, "0b").unwrap().as_str(), "0b00000001");
        assert_eq!(named(&queue, "ff").unwrap().as_str(), "ff");
        assert!(matches!(named(&queue, "0"), Err(Failure::Usage(_))));
    }
}

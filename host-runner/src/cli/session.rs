//! What the commands about one session share: the daemon, which session is meant, and the outcome of a command.

use super::Failure;
use crate::client::{ClientError, DaemonClient, StartPolicy};
use anyhow::Context;
use board_protocol::{
    command::{Command, CommandOutcome, EnvVar, MAX_TASK_BYTES},
    daemon::{Answer, Request, SessionDetail},
    hello::Role,
    ids::SessionId,
    refusal::Refusal,
};
use board_text::cli as texts;
use serde::Serialize;
use serde_json::json;
use std::io::{Read, Write};

/// Connects as a person's command: a missing daemon is started.
pub(super) fn connect() -> Result<DaemonClient, Failure> {
    Ok(DaemonClient::connect(&super::board_root()?, Role::Cli, StartPolicy::Person)?)
}

/// The session that a person names by id, unique id prefix or unique name.
pub(super) fn find(client: &mut DaemonClient, session: &str) -> Result<SessionDetail, Failure> {
    match client.ask(Request::Show { session: session.to_owned() })? {
        Answer::Session(detail) => Ok(*detail),
        _ => Err(ClientError::Unexpected(board_text::client::a_session()).into()),
    }
}

/// Sends a command and says what the daemon wants the person to know.
pub(super) fn carry_out(
    client: &mut DaemonClient,
    command: Command,
    environment: Option<Vec<EnvVar>>,
) -> Result<SessionId, Failure> {
    match client.command(command, environment)? {
        CommandOutcome::Applied { session, notice } => {
            say(notice.as_deref());
            Ok(session)
        }
        CommandOutcome::Refused(refusal) => Err(refusal.into()),
    }
}

/// Names one session, makes a command of it, and carries that out.
pub(super) fn change(session: &str, command: impl FnOnce(SessionId) -> Command) -> Result<(), Failure> {
    let mut client = connect()?;
    let id = find(&mut client, session)?.row.id;
    carry_out(&mut client, command(id), None)?;
    Ok(())
}

/// What became of one of several sessions.
#[derive(Debug, Serialize)]
struct Told {
    /// Its id; what was typed where no session was found.
    session: String,
    /// `applied` or `refused`.
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refusal: Option<Refusal>,
}

/// Names several sessions, makes a command of each, and carries them out one after the other. One that is refused does
/// not keep the others from happening; the last refusal is what the command fails with. JSON is an array with one object
/// a session, in the order in which they were named.
pub(super) fn change_each(
    sessions: &[String],
    output: Output,
    command: impl Fn(SessionId) -> Command,
) -> Result<(), Failure> {
    let mut client = connect()?;
    let mut told = Vec::new();
    for session in sessions {
        let outcome = match find(&mut client, session) {
            Ok(detail) => client.command(command(detail.row.id), None)?,
            Err(Failure::Refused(refusal)) => CommandOutcome::Refused(refusal),
            Err(other) => return Err(other),
        };
        told.push(match outcome {
            CommandOutcome::Applied { session, notice } => {
                Told { session: session.0, outcome: "applied", notice, refusal: None }
            }
            CommandOutcome::Refused(refusal) => {
                Told { session: session.clone(), outcome: "refused", notice: None, refusal: Some(refusal) }
            }
        });
    }
    if output.json {
        print_json(&told)?;
    } else {
        told.iter().for_each(|told| say(told.notice.as_deref()));
    }
    let mut refusals: Vec<Refusal> = told.into_iter().filter_map(|told| told.refusal).collect();
    let Some(last) = refusals.pop() else { return Ok(()) };
    for refusal in refusals {
        eprintln!("host-runner: {}", refusal.retold());
    }
    Err(last.into())
}

/// How a command says what it did.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(super) struct Output {
    /// As JSON.
    #[arg(long)]
    pub(super) json: bool,
}

/// Words of which one may begin with a hyphen (`-tag`, `-s:done`). The parser hands over everything behind the first of
/// them, so `--json` is looked for here; nothing else may begin with two hyphens.
///
/// # Errors
/// Another option, which is a slip of the keyboard.
pub(super) fn words_that_may_begin_with_a_hyphen(
    words: Vec<String>,
    mut output: Output,
    command: &str,
) -> Result<(Vec<String>, Output), Failure> {
    let mut kept = Vec::new();
    for word in words {
        if word == "--json" {
            output.json = true;
        } else if word.starts_with("--") {
            return Err(Failure::Usage(texts::no_option(&word, command)));
        } else {
            kept.push(word);
        }
    }
    Ok((kept, output))
}

/// [`change`], and where JSON was asked for, says which session was changed and what there is to know about it.
pub(super) fn change_and_say(
    session: &str,
    output: Output,
    command: impl FnOnce(SessionId) -> Command,
) -> Result<(), Failure> {
    let mut client = connect()?;
    let id = find(&mut client, session)?.row.id;
    carry_out_and_say(&mut client, command(id), output)
}

/// [`carry_out`] for a command of one session, which is all that it prints: with JSON as [`change_and_say`].
pub(super) fn carry_out_and_say(
    client: &mut DaemonClient,
    command: Command,
    output: Output,
) -> Result<(), Failure> {
    match client.command(command, None)? {
        CommandOutcome::Applied { session, notice } if output.json => {
            print_json(&json!({ "session": session, "notice": notice }))
        }
        CommandOutcome::Applied { notice, .. } => {
            say(notice.as_deref());
            Ok(())
        }
        CommandOutcome::Refused(refusal) => Err(refusal.into()),
    }
}

/// Says what the daemon wants the person to know, beside what a command prints.
pub(super) fn say(notice: Option<&str>) {
    if let Some(notice) = notice {
        eprintln!("host-runner: {}", board_text::retold(notice));
    }
}

/// Words of a person from standard input, for the kernel takes at most 128 KiB in one argument; `what` they are.
pub(super) fn standard_input(what: &str) -> Result<String, Failure> {
    let mut text = String::new();
    // One byte more than is allowed, so that the refusal is about the limit.
    let most = u64::try_from(MAX_TASK_BYTES).unwrap_or(u64::MAX).saturating_add(1);
    std::io::stdin()
        .take(most)
        .read_to_string(&mut text)
        .map_err(|error| Failure::Usage(texts::stdin_unreadable(what, &error)))?;
    Ok(text)
}

/// Prints what a command was asked for as JSON, in lines that a person can read as well.
pub(super) fn print_json(what: &impl Serialize) -> Result<(), Failure> {
    let json = serde_json::to_string_pretty(what).map_err(anyhow::Error::from)?;
    print(&format!("{json}\n"))
}

/// Prints what a command was asked for. A reader that has seen enough (`| head`) is no failure.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other.context(texts::cannot_print())?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_may_stand_behind_words_with_hyphens_and_slips_are_told() {
        let words = |words: &[&str]| {
            let words = words.iter().map(|word| (*word).to_owned()).collect();
            words_that_may_begin_with_a_hyphen(words, Output { json: false }, "ls")
        };
        let (kept, output) = words(&["s:run", "-s:done", "--json"]).unwrap();
        assert_eq!(
            (kept.as_slice(), output.json),
            (["s:run", "-s:done"].map(str::to_owned).as_slice(), true)
        );
        assert!(!words(&["-x"]).unwrap().1.json);
        assert!(matches!(words(&["--jsno"]), Err(Failure::Usage(_))));
    }
}

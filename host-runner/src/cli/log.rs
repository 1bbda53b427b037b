//! `host-runner log`: what was refused, unclear or failed with a session, newest last.

use super::{Failure, session};
use crate::columns::padded_left;
use crate::{client::ClientError, fresh};
use board_protocol::{
    command::Command,
    daemon::{Answer, LogLevel, LogLine, Request},
    ids::UnixMs,
    text::{age_words, plain},
};
use board_text::cli as texts;
use board_text::retold;

/// Lines that are printed where nothing else was asked for: a person reads the newest ones (reference A.9).
const DEFAULT_LINES: u32 = 50;

/// Arguments of `log`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The session: its id, a unique beginning of it, or its unique name.
    session: String,
    /// At most so many lines, the newest ones.
    #[arg(long, visible_alias = "tail", value_name = "N", default_value_t = DEFAULT_LINES)]
    limit: u32,
    /// Forget all of them instead of printing them.
    #[arg(long, conflicts_with = "limit")]
    clear: bool,
    #[command(flatten)]
    output: session::Output,
}

/// Carries the command out.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    if args.clear {
        return session::change_and_say(&args.session, args.output, |session| Command::ClearLog { session });
    }
    let request = Request::Log { session: args.session, limit: args.limit };
    let Answer::Log(lines) = session::connect()?.ask(request)? else {
        return Err(ClientError::Unexpected(board_text::client::diagnostics()).into());
    };
    if args.output.json {
        session::print_json(&lines)
    } else {
        session::print(&as_text(&lines, fresh::now()))
    }
}

fn as_text(lines: &[LogLine], now: UnixMs) -> String {
    lines.iter().map(|line| as_line(line, now)).collect()
}

fn as_line(line: &LogLine, now: UnixMs) -> String {
    let mut level = line.level.name().to_owned();
    // The one to be seen at a glance.
    if line.level == LogLevel::Error {
        level.make_ascii_uppercase();
    }
    let age = texts::ago(age_words(now.since(line.at_ms)));
    let said = plain(&format!("{} {}: {}", line.source, line.code, retold(&line.message)));
    format!("{}  {level:<5}  {said}\n", padded_left(&age, 8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_when_how_grave_who_and_what() {
        let line = LogLine {
            at_ms: UnixMs(60_000),
            level: LogLevel::Error,
            source: "queue".into(),
            code: "accepted_unknown".into(),
            message: "whether it arrived is \u{1b}[31mnot known".into(),
        };
        let text = as_text(&[line.clone(), LogLine { level: LogLevel::Info, ..line }], UnixMs(240_000));
        assert_eq!(
            text,
            "  3m ago  ERROR  queue accepted_unknown: whether it arrived is not known\n  \
               3m ago  info   queue accepted_unknown: whether it arrived is not known\n"
        );
    }
}

//! `host-runner waits`: what agents wait for in their terminals.

use super::{Failure, session};
use crate::{client::ClientError, fresh};
use board_protocol::{
    daemon::{Answer, Request},
    ids::UnixMs,
    needle,
    terminals::TerminalWaits,
    text::{age_words, plain},
};
use board_text::terminals as texts;

/// Arguments of `waits`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    output: session::Output,
}

/// Carries the command out.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    let Answer::Waits(all) = session::connect()?.ask(Request::Waits)? else {
        return Err(ClientError::Unexpected(board_text::client::waits()).into());
    };
    if args.output.json { session::print_json(&all) } else { session::print(&as_text(&all, fresh::now())) }
}

/// One line for each wait: the terminal, its age, whose agent waits, and for what.
fn as_text(all: &[TerminalWaits], now: UnixMs) -> String {
    if all.is_empty() {
        return format!("{}\n", texts::no_waits());
    }
    let lines = all.iter().flat_map(|terminal| {
        let of = format!("{}/{}", plain(&terminal.parent_name), plain(&terminal.title));
        terminal.waits.iter().map(move |wait| {
            let age = age_words(now.since(wait.since_ms));
            format!("{}  {age:>4}  {of}  {}\n", terminal.terminal, needle::visible(&wait.needle))
        })
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use board_protocol::{ids::SessionId, terminals::Wait};

    #[test]
    fn g3_every_wait_has_a_line_with_its_whole_needle_and_nothing_that_a_terminal_would_obey() {
        let needle = format!("ready\u{1b}[2J{}", "x".repeat(200));
        let waits = vec![
            Wait { needle, since_ms: UnixMs(1_000) },
            Wait { needle: "^Listening on (.*)$".into(), since_ms: UnixMs(61_000) },
        ];
        let all = [TerminalWaits {
            terminal: SessionId("00000000t1".into()),
            title: "dev\u{7}".into(),
            parent: SessionId("00000000p1".into()),
            parent_name: "fix".into(),
            waits,
        }];
        let expected = format!(
            "00000000t1    1m  fix/dev  ready␛[2J{}\n00000000t1    1s  fix/dev  ^Listening on (.*)$\n",
            "x".repeat(200)
        );
        assert_eq!(as_text(&all, UnixMs(62_000)), expected);
        assert_eq!(as_text(&[], UnixMs(0)), "No agent waits for anything in a terminal.\n");
    }
}

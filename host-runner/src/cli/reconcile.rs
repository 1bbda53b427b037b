//! `host-runner reconcile`: compares every session with its processes now, and says what had to change.
//!
//! The daemon does the same on every tick and whenever a host leaves; this is for a person who does not want to wait, or
//! to believe. Exit codes: 0 compared, 1 refused, 3 no daemon, 4 it does not answer.

use super::{Failure, session};
use crate::client::{ClientError, WholeBoard};
use board_protocol::{
    board::Row,
    daemon::{Answer, Request},
};
use board_text::cli as texts;
use serde_json::json;

/// Arguments of `reconcile`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    output: session::Output,
}

/// Carries the command out.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    let before = session::connect()?.board()?;
    match session::connect()?.ask(Request::Reconcile)? {
        Answer::Ready => {}
        _ => return Err(ClientError::Unexpected(board_text::client::comparison_end()).into()),
    }
    let after = session::connect()?.board()?;
    let changed = changed(&before, &after);
    if args.output.json {
        let json = json!({ "compared": before.rows.len(), "changed": changed });
        let json = serde_json::to_string_pretty(&json).map_err(anyhow::Error::from)?;
        return session::print(&format!("{json}\n"));
    }
    session::print(&as_text(&before, &changed))
}

/// The rows that stand elsewhere, or whose process is another, than before. What an agent did meanwhile may be among
/// them. A row that is gone was waiting for the end of its program.
fn changed<'a>(before: &'a WholeBoard, after: &'a WholeBoard) -> Vec<&'a Row> {
    let stands = |row: &Row| (row.state, row.process_state, row.host_state);
    let now = |row: &'a Row| after.rows.get(&row.id).unwrap_or(row);
    let moved = |row: &&Row| after.rows.get(&row.id).is_none_or(|later| stands(later) != stands(row));
    before.rows.values().filter(moved).map(now).collect()
}

fn as_text(before: &WholeBoard, changed: &[&Row]) -> String {
    let all = before.rows.len();
    let mut text = texts::reconcile_done(all, changed.len());
    text.push('\n');
    for row in changed {
        text.push_str(format!("{}  {}  {}  {}", row.id, row.name, row.state.label(), row.summary).trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{
        Live, row,
        samples::{after, exited, started},
    };
    use board_protocol::host::Exit;

    fn board(rows: Vec<Row>) -> WholeBoard {
        let rows = rows.into_iter().map(|row| (row.id.clone(), row)).collect();
        WholeBoard { rows, warnings: Vec::new() }
    }

    #[test]
    fn what_stands_elsewhere_or_is_gone_is_told_and_a_new_name_is_not() {
        let runs = row(&after([started(1)]), &Live::default());
        let ended = row(&after([started(1), exited(2, Exit::Code(3))]), &Live::default());
        let renamed = Row { name: "other".into(), ..runs.clone() };
        let before = board(vec![runs.clone()]);
        assert_eq!(changed(&before, &before), Vec::<&Row>::new());
        assert_eq!(changed(&before, &board(vec![renamed])), Vec::<&Row>::new());
        let later = board(vec![ended.clone()]);
        assert_eq!(changed(&before, &later), [&ended]);
        assert_eq!(changed(&before, &board(Vec::new())), [&runs]);
        let text = as_text(&before, &changed(&before, &later));
        assert!(text.starts_with("1 session compared, 1 changed\n"), "{text}");
        assert!(text.contains("exit code 3"), "{text}");
    }
}

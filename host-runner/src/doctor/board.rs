//! What the daemon says about the board: its warnings, rows that cannot be vouched for, and processes that left their
//! session's tree (decision 16).

use super::{Finding, Scene, daemon::Look};
use crate::client::{ClientError, DaemonClient};
use board_protocol::{
    board::Row,
    daemon::{Answer, Request},
};
use board_text::doctor as texts;

/// Most sessions whose strays are listed one by one.
const MAX_LISTED: usize = 20;

/// Asks. Without a daemon nothing is known of strays.
pub(super) fn check(scene: &Scene, look: &mut Look) -> Vec<Finding> {
    match look {
        Look::NoRoot => Vec::new(),
        Look::Away { .. } | Look::Trouble(_) => {
            vec![Finding::unknown("strays", texts::strays_no_daemon(), texts::strays_start_daemon())]
        }
        Look::Answers { client, .. } => match ask(scene, client) {
            Ok(found) => found,
            Err(error) => vec![Finding::error("board", error)],
        },
    }
}

fn ask(scene: &Scene, client: &mut DaemonClient) -> Result<Vec<Finding>, ClientError> {
    let board = client.board()?;
    // What is wrong with the configuration is said once, by its own check.
    let mut found: Vec<Finding> = board
        .warnings
        .iter()
        .filter(|warning| !scene.config.warnings().contains(&warning.text))
        .map(|warning| Finding::warn("board", &warning.text, texts::board_line()))
        .collect();
    for row in board.rows.values() {
        if let Some(doubt) = &row.doubt {
            found.push(Finding::warn(
                "board",
                format!("{} ({}): {doubt}", row.name, row.id),
                texts::show_or_stop(&row.id),
            ));
        }
    }
    let with_strays: Vec<&Row> = board.rows.values().filter(|row| row.strays > 0).collect();
    for row in with_strays.iter().take(MAX_LISTED) {
        found.push(strays(row, client)?);
    }
    if with_strays.is_empty() {
        let rows = u64::try_from(board.rows.len()).unwrap_or(u64::MAX);
        found.push(Finding::ok("strays", texts::strays_none(rows)));
    }
    Ok(found)
}

fn strays(row: &Row, client: &mut DaemonClient) -> Result<Finding, ClientError> {
    let Answer::Session(detail) = client.ask(Request::Show { session: row.id.to_string() })? else {
        return Err(ClientError::Unexpected(board_text::client::a_session()));
    };
    let listed: Vec<_> =
        detail.strays.iter().map(|stray| format!("{} {}", stray.process.pid, stray.command)).collect();
    let pids: Vec<_> = detail.strays.iter().map(|stray| stray.process.pid.to_string()).collect();
    Ok(Finding::warn(
        "strays",
        texts::strays_left(&row.name, &row.id, listed.len(), listed.join("; ")),
        texts::strays_kill(pids.join(" ")),
    ))
}

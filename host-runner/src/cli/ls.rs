//! `host-runner ls`: every session, grouped as on the board.

use super::{Failure, session};
use crate::{config::Config, fresh};
use board_protocol::{
    board::{Row, row_order},
    ids::UnixMs,
    state::{GlyphSet, ProcessState, SemanticState},
    text::plain_within,
};
use unicode_width::UnicodeWidthStr;

/// Widest name in the list; longer ones are cut so that summaries stay aligned.
const NAME_COLUMNS: usize = 32;
/// Columns in front of the summary, besides the name: indent, glyph, id, age, gaps.
const OTHER_COLUMNS: usize = 2 + 1 + 1 + 10 + 2 + 2 + 4 + 2;

/// Arguments of `ls`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// As JSON: an array of sessions.
    #[arg(long)]
    json: bool,
}

/// Carries the command out.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    let board = session::connect()?.board()?;
    let mut rows: Vec<Row> = board.rows.into_values().collect();
    rows.sort_by(row_order);
    if args.json {
        let json = serde_json::to_string_pretty(&rows).map_err(anyhow::Error::from)?;
        return session::print(&format!("{json}\n"));
    }
    for warning in &board.warnings {
        eprintln!("host-runner: {}", warning.text);
    }
    let width = rustix::termios::tcgetwinsize(std::io::stdout()).ok().map(|size| usize::from(size.ws_col));
    let width = width.filter(|width| *width > 0);
    session::print(&as_text(&rows, fresh::now(), Config::load().glyphs, width))
}

/// The list for people; lines are cut to `width` cells where one is known.
fn as_text(rows: &[Row], now: UnixMs, glyphs: GlyphSet, width: Option<usize>) -> String {
    if rows.is_empty() {
        return "No sessions. Start one: host-runner start 'COMMAND LINE'\n".to_owned();
    }
    let names: Vec<String> = rows.iter().map(|row| plain_within(&row.name, NAME_COLUMNS)).collect();
    let name_width = names.iter().map(|name| name.width()).max().unwrap_or(0);
    let summary_width = width.map(|width| width.saturating_sub(OTHER_COLUMNS + name_width).max(1));
    let mut text = String::new();
    let mut group: Option<SemanticState> = None;
    for (row, name) in rows.iter().zip(&names) {
        if group != Some(row.state) {
            if group.is_some() {
                text.push('\n');
            }
            group = Some(row.state);
            let count = rows.iter().filter(|other| other.state == row.state).count();
            text.push_str(&format!("{} ({count})\n", row.state.label()));
        }
        let summary = match summary_width {
            Some(width) => plain_within(&row.summary, width),
            None => row.summary.clone(),
        };
        let age = relative(row.last_activity_at_ms, now);
        let gap = " ".repeat(name_width - name.width());
        let line = format!("  {} {}  {name}{gap}  {age:>4}  {summary}", glyph(row, glyphs), row.id);
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn glyph(row: &Row, set: GlyphSet) -> &'static str {
    let facts = row.state.facts();
    let [read, unread] = match (set, row.process_state) {
        (GlyphSet::Ascii, _) => facts.ascii,
        (GlyphSet::Unicode, ProcessState::Alive) => facts.glyphs,
        (GlyphSet::Unicode, ProcessState::Exited) => facts.glyphs_not_alive,
    };
    if row.unread { unread } else { read }
}

/// How long ago, in the largest unit that fits (reference B.10).
pub(super) fn relative(at: UnixMs, now: UnixMs) -> String {
    let seconds = now.since(at) / 1000;
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{}m", seconds / 60),
        3600..86_400 => format!("{}h", seconds / 3600),
        _ => format!("{}d", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use board_protocol::{board::Revival, ids::SessionId, state::HostState};

    fn row(id: &str, name: &str, state: SemanticState, summary: &str) -> Row {
        Row {
            id: SessionId(id.into()),
            name: name.into(),
            agent: "generic".into(),
            state,
            process_state: ProcessState::Alive,
            host_state: HostState::Alive,
            busy: true,
            summary: summary.into(),
            question: None,
            error: None,
            cwd: "/".into(),
            pinned: false,
            unread: state == SemanticState::Failed,
            created_at_ms: UnixMs(0),
            last_activity_at_ms: UnixMs(0),
            revival: Revival::RunsAgain,
            ended: None,
            attached: 0,
            places: Vec::new(),
            strays: 0,
            doubt: None,
            revision: 0,
            tags: Vec::new(),
            queued: 0,
            stalled_ms: None,
            errors: 0,
            background: 0,
        }
    }

    #[test]
    fn rows_are_grouped_and_aligned_by_cells() {
        let rows = [
            row("0000000001", "build", SemanticState::Working, "cargo build"),
            row("0000000002", "修复", SemanticState::Working, "make"),
            row("0000000003", "x", SemanticState::Failed, "exit code 3 and a long story"),
        ];
        let text = as_text(&rows, UnixMs(61_000), GlyphSet::Unicode, Some(50));
        let expected = "\
Running (2)
  ● 0000000001  build    1m  cargo build
  ● 0000000002  修复     1m  make

Failed (1)
  ✖ 0000000003  x        1m  exit code 3 and a lo…
";
        assert_eq!(text, expected);
        assert!(as_text(&[], UnixMs(0), GlyphSet::Ascii, None).contains("host-runner start"));
    }

    #[test]
    fn ages_use_the_largest_unit() {
        let table = [(0, "0s"), (59, "59s"), (60, "1m"), (3599, "59m"), (3600, "1h"), (86_400, "1d")];
        for (seconds, text) in table {
            assert_eq!(relative(UnixMs(0), UnixMs(seconds * 1000)), text);
        }
        assert_eq!(relative(UnixMs(5), UnixMs(0)), "0s");
    }
}

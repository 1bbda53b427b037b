//! `host-runner ls`: every session, grouped as on the board.

use super::{
    Failure,
    paint::{colours, painted},
    session,
};
use crate::{
    config::{Colours, Config},
    fresh,
};
use board_protocol::{
    board::{Row, row_order},
    filter::Filter,
    group::{Group, grouped},
    ids::UnixMs,
    state::{GlyphSet, ProcessState},
    text::{age_words, plain_within, stalled_words},
};
use unicode_width::UnicodeWidthStr;

/// Widest name in the list; longer ones are cut so that summaries stay aligned.
const NAME_COLUMNS: usize = 32;
/// Columns in front of the summary, besides the name: indent, glyph, id, age, gaps.
const OTHER_COLUMNS: usize = 2 + 1 + 1 + 10 + 2 + 2 + 4 + 2;

/// Arguments of `ls`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Only those that fit every word: text in name, summary or directory; s:STATE and -s:STATE (any beginning of a
    /// state's name: s:run, -s:done); #TAG and -#TAG; diag:stalled; evidence:error; queued:yes; review:ready.
    #[arg(allow_hyphen_values = true, value_name = "FILTER")]
    filter: Vec<String>,
    #[command(flatten)]
    output: session::Output,
}

/// Carries the command out.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    let (words, output) = session::words_that_may_begin_with_a_hyphen(args.filter, args.output, "ls")?;
    let filter = Filter::parse(&words.join(" "));
    let board = session::connect()?.board()?;
    let all = board.rows.len();
    let mut rows: Vec<Row> = board.rows.into_values().filter(|row| filter.fits(row)).collect();
    rows.sort_by(row_order);
    if output.json {
        return session::print_json(&rows);
    }
    for warning in &board.warnings {
        session::say(Some(&warning.text));
    }
    let width = rustix::termios::tcgetwinsize(std::io::stdout()).ok().map(|size| usize::from(size.ws_col));
    let width = width.filter(|width| *width > 0);
    if rows.is_empty() && all > 0 {
        eprintln!("host-runner: none of {all} sessions fits. Without words, ls lists them all");
        return Ok(());
    }
    let config = Config::load();
    let colours = colours(config.colours);
    session::print(&as_text(&rows, fresh::now(), (config.glyphs, colours), width))
}

/// The list for people; lines are cut to `width` cells where one is known.
fn as_text(
    rows: &[Row],
    now: UnixMs,
    (glyphs, colours): (GlyphSet, Colours),
    width: Option<usize>,
) -> String {
    if rows.is_empty() {
        return "No sessions. Start one: host-runner start 'COMMAND LINE'\n".to_owned();
    }
    let name_width = rows.iter().map(|row| name(row).width()).max().unwrap_or(0);
    let look = Look { now, glyphs, colours, name_width, width };
    let groups = grouped(rows).into_iter().map(|group| group_as_text(&group, look));
    groups.collect::<Vec<_>>().join("\n")
}

/// What every line of one list has in common.
#[derive(Clone, Copy)]
struct Look {
    now: UnixMs,
    glyphs: GlyphSet,
    colours: Colours,
    name_width: usize,
    width: Option<usize>,
}

fn group_as_text(group: &Group<'_>, look: Look) -> String {
    let mut text = format!("{} ({})\n", painted(group.state.label(), group.state, look.colours), group.len());
    for folder in &group.folders {
        if group.spans_folders() {
            text.push_str(&format!(" {}\n", folder.cwd));
        }
        for nest in &folder.rows {
            text.push_str(row_as_text(nest.row, look).trim_end());
            text.push('\n');
        }
    }
    text
}

fn row_as_text(row: &Row, look: Look) -> String {
    let name = name(row);
    let gap = " ".repeat(look.name_width.saturating_sub(name.width()));
    let age = age_words(look.now.since(row.last_activity_at_ms));
    let said = format!("{}{}", badges(row), row.summary);
    let said = match look.width {
        Some(width) => plain_within(&said, width.saturating_sub(OTHER_COLUMNS + look.name_width).max(1)),
        None => said,
    };
    format!(
        "  {} {}  {name}{gap}  {age:>4}  {said}",
        painted(glyph(row, look.glyphs), row.state, look.colours),
        row.id
    )
}

fn name(row: &Row) -> String {
    plain_within(&row.name, NAME_COLUMNS)
}

/// What stands in front of the summary because it must not be overlooked, and the tags to filter by.
fn badges(row: &Row) -> String {
    let errors = match row.errors {
        0 => None,
        1 => Some("1 error".to_owned()),
        many => Some(format!("{many} errors")),
    };
    let tags = row.tags.iter().map(|tag| format!("#{tag}"));
    let rests = row.resumes_on_attach.then(|| "resumes on attach".to_owned());
    let badges = row.stalled_ms.map(stalled_words).into_iter().chain(errors).chain(rests).chain(tags);
    badges.map(|badge| format!("{badge} · ")).collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use board_protocol::{
        board::Revival,
        ids::SessionId,
        state::{HostState, SemanticState},
    };

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
            headless: false,
            resumes_on_attach: false,
            review: None,
            plan: board_protocol::plan::PlanStatus::None,
            references: Vec::new(),
            worktree: None,
            parent: None,
            waiting: None,
        }
    }

    #[test]
    fn rows_are_grouped_and_aligned_by_cells() {
        let rows = [
            row("0000000001", "build", SemanticState::Working, "cargo build"),
            row("0000000002", "修复", SemanticState::Working, "make"),
            row("0000000003", "x", SemanticState::Failed, "exit code 3 and a long story"),
        ];
        let text = as_text(&rows, UnixMs(61_000), (GlyphSet::Unicode, Colours::None), Some(50));
        let expected = "\
Running (2)
  ● 0000000001  build    1m  cargo build
  ● 0000000002  修复     1m  make

Failed (1)
  ✖ 0000000003  x        1m  exit code 3 and a lo…
";
        assert_eq!(text, expected);
        // Folders are named once a state spans several; silence is told in front of what the row says.
        let mut rows = rows;
        rows[1].cwd = "/srv".into();
        rows[1].stalled_ms = Some(300_000);
        rows[1].errors = 2;
        rows[1].resumes_on_attach = true;
        rows[1].tags = vec!["later".into()];
        let expected = "\
Running (2)
 /
  ● 0000000001  build    1m  cargo build
 /srv
  ● 0000000002  修复     1m  stalled 5m · 2 errors · resumes on attach · #later · make
";
        assert_eq!(as_text(&rows[..2], UnixMs(61_000), (GlyphSet::Unicode, Colours::None), None), expected);
        let bright = as_text(&rows[2..], UnixMs(61_000), (GlyphSet::Ascii, Colours::Theme), None);
        assert!(
            bright.contains("\u{1b}[31mFailed\u{1b}[0m (1)\n  \u{1b}[31mX\u{1b}[0m 0000000003"),
            "{bright}"
        );
        assert!(
            as_text(&[], UnixMs(0), (GlyphSet::Ascii, Colours::None), None).contains("host-runner start")
        );
    }
}

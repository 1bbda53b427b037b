//! `host-runner ls`: every session, grouped as on the board.

use super::{
    Failure,
    paint::{colours, painted},
    session,
};
use crate::columns::padded;
use crate::{
    config::{Colours, Config},
    fresh,
};
use board_protocol::{
    board::Row,
    filter::Filter,
    group::{Group, grouped_where},
    ids::{SessionId, UnixMs},
    state::{GlyphSet, ProcessState},
    text::{age_words, plain_within, stalled_words},
};
use board_text::cli as texts;
use board_text::terminals;
use std::collections::BTreeSet;
use unicode_width::UnicodeWidthStr;

/// Widest name in the list; longer ones are cut so that summaries stay aligned.
const NAME_COLUMNS: usize = 32;
/// How far a terminal of an agent stands to the right of its session.
const NESTED: &str = "  ";
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
    let groups = grouped_where(board.rows.values(), |row| filter.fits(row));
    if output.json {
        return session::print_json(&lines(&groups).collect::<Vec<&Row>>());
    }
    // Filters see what scripts see, whatever language is spoken.
    let fitting: BTreeSet<SessionId> =
        board.rows.values().filter(|row| filter.fits(*row)).map(|row| row.id.clone()).collect();
    let rows: Vec<Row> = board.rows.into_values().map(Row::retold).collect();
    let groups = grouped_where(rows.iter(), |row| fitting.contains(&row.id));
    for warning in &board.warnings {
        session::say(Some(&warning.text));
    }
    let width = rustix::termios::tcgetwinsize(std::io::stdout()).ok().map(|size| usize::from(size.ws_col));
    let width = width.filter(|width| *width > 0);
    if groups.is_empty() && all > 0 {
        eprintln!("{}", texts::ls_none_fits(all));
        return Ok(());
    }
    let config = Config::load();
    let colours = colours(config.colours);
    session::print(&as_text(&groups, fresh::now(), (config.glyphs, colours), width))
}

/// Every row as the list shows it, terminals of agents below their session.
fn lines<'a>(groups: &'a [Group<'_>]) -> impl Iterator<Item = &'a Row> {
    let nests = groups.iter().flat_map(|group| &group.folders).flat_map(|folder| &folder.rows);
    nests.flat_map(|nest| std::iter::once(nest.row).chain(nest.terminals.iter().copied()))
}

/// The list for people; lines are cut to `width` cells where one is known.
fn as_text(
    groups: &[Group<'_>],
    now: UnixMs,
    (glyphs, colours): (GlyphSet, Colours),
    width: Option<usize>,
) -> String {
    if groups.is_empty() {
        return format!("{}\n", texts::ls_none());
    }
    let name_width = lines(groups).map(|row| name(row).width()).max().unwrap_or(0);
    let look = Look { now, glyphs, colours, name_width, width };
    let groups = groups.iter().map(|group| group_as_text(group, look));
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
            text.push_str(row_as_text(nest.row, "", look).trim_end());
            text.push('\n');
            for terminal in &nest.terminals {
                text.push_str(row_as_text(terminal, NESTED, look).trim_end());
                text.push('\n');
            }
        }
    }
    text
}

fn row_as_text(row: &Row, indent: &str, look: Look) -> String {
    let name = padded(&name(row), look.name_width);
    let age = age_words(look.now.since(row.last_activity_at_ms));
    let said = format!("{}{}", badges(row), row.summary);
    let said = match look.width {
        Some(width) => {
            let others = OTHER_COLUMNS + indent.len() + look.name_width;
            plain_within(&said, width.saturating_sub(others).max(1))
        }
        None => said,
    };
    format!(
        "  {indent}{} {}  {name}  {age:>4}  {said}",
        painted(glyph(row, look.glyphs), row.state, look.colours),
        row.id
    )
}

fn name(row: &Row) -> String {
    plain_within(&row.name, NAME_COLUMNS)
}

/// What stands in front of the summary because it must not be overlooked, and the tags to filter by.
fn badges(row: &Row) -> String {
    let errors = (row.errors > 0).then(|| texts::ls_errors(row.errors));
    let tags = row.tags.iter().map(|tag| format!("#{tag}"));
    let rests = row.resumes_on_attach.then(|| texts::ls_resumes().to_owned());
    let waits = row.waiting.as_ref().map(|waiting| terminals::waits_for(&waiting.needle));
    let badges =
        row.stalled_ms.map(stalled_words).into_iter().chain(errors).chain(waits).chain(rests).chain(tags);
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
    use board_protocol::group::grouped;
    use board_protocol::{
        board::Revival,
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
        let text = as_text(&grouped(&rows), UnixMs(61_000), (GlyphSet::Unicode, Colours::None), Some(50));
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
        assert_eq!(
            as_text(&grouped(&rows[..2]), UnixMs(61_000), (GlyphSet::Unicode, Colours::None), None),
            expected
        );
        let bright = as_text(&grouped(&rows[2..]), UnixMs(61_000), (GlyphSet::Ascii, Colours::Theme), None);
        assert!(
            bright.contains("\u{1b}[31mFailed\u{1b}[0m (1)\n  \u{1b}[31mX\u{1b}[0m 0000000003"),
            "{bright}"
        );
        assert!(
            as_text(&[], UnixMs(0), (GlyphSet::Ascii, Colours::None), None).contains("host-runner start")
        );
    }

    #[test]
    fn g3_terminals_of_an_agent_stand_indented_below_their_session_and_in_no_count() {
        let waiting =
            board_protocol::terminals::Waiting { needle: "ready".into(), since_ms: UnixMs(0), count: 1 };
        let session =
            Row { waiting: Some(waiting.clone()), ..row("0000000001", "fix", SemanticState::Idle, "Fixed.") };
        let terminal = Row {
            parent: Some(session.id.clone()),
            waiting: Some(waiting),
            ..row("0000000002", "dev", SemanticState::Working, "npm run dev")
        };
        let rows = [terminal, session];
        let expected = "\
Needs instructions (1)
  · 0000000001  fix    1m  waits for ready · Fixed.
    ● 0000000002  dev    1m  waits for ready · npm ru…
";
        let groups = grouped(&rows);
        let text = as_text(&groups, UnixMs(61_000), (GlyphSet::Unicode, Colours::None), Some(54));
        assert_eq!(text, expected);
        let ids: Vec<&str> = lines(&groups).map(|row| row.id.as_str()).collect();
        assert_eq!(ids, ["0000000001", "0000000002"]);
    }
}

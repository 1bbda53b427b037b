//! `host-runner transcript`: what was said in a session, from the file that its agent keeps.

use super::{Failure, explain::utc, session};
use crate::transcript::{PAGE_ITEMS, Places, Source, Transcript, transcript};
use board_protocol::{
    board::Row,
    refusal::{Refusal, RefusalKind},
    text::plain,
    transcript::{TranscriptItem, TranscriptRole},
};
use board_text::cli as texts;
use serde_json::json;
use std::ops::Range;

/// Most lines of a tool's answer that are printed for people; JSON has them all.
const OUTPUT_LINES: usize = 20;

/// Arguments of `transcript`.
#[derive(Debug, clap::Args)]
#[command(mut_arg("json", |json| json.help("As JSON: id, name, cwd, first, total, pages, incomplete, items")))]
pub(super) struct Args {
    /// The session: its id, a unique beginning of it, or its unique name.
    session: String,
    /// The Nth page of 50 items, counted from the oldest one; without it the newest 50 items.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "all")]
    page: Option<u32>,
    /// All of it.
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    output: session::Output,
}

/// Carries the command out.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    let places = Places::of(&super::board_root()?);
    let detail = session::find(&mut session::connect()?, &args.session)?;
    let source = Source::of(&detail);
    let refuse = |text| Refusal::new(RefusalKind::WrongState, text);
    let found = transcript(&source, &places).map_err(refuse)?;
    let range = match args.page.map(|page| usize::try_from(page).unwrap_or(usize::MAX)) {
        Some(page) if page > found.pages() => {
            let text = texts::transcript_no_page(page, found.pages());
            return Err(Refusal::new(RefusalKind::BadInput, text).into());
        }
        Some(page) => found.page(page),
        None if args.all => 0..found.items.len(),
        None => found.newest(),
    };
    if args.output.json {
        let row = &detail.row;
        return session::print_json(&json!({
            "id": row.id,
            "name": row.name,
            "cwd": found.cwd,
            "first": range.start,
            "total": found.items.len(),
            "pages": found.pages(),
            "incomplete": found.incomplete,
            "items": found.items.get(range).unwrap_or_default(),
        }));
    }
    session::print(&as_text(&detail.row, &found, range))
}

fn as_text(row: &Row, found: &Transcript, range: Range<usize>) -> String {
    let mut text = format!("{} ({})", plain(&row.name), row.id);
    if let Some(cwd) = found.cwd.as_ref().filter(|cwd| **cwd != row.cwd) {
        text.push_str(&texts::transcript_cwd(plain(cwd)));
    }
    text.push('\n');
    if found.incomplete && range.start == 0 {
        text.push_str(&format!("{}\n", texts::transcript_long()));
    }
    if found.items.is_empty() {
        text.push_str(&format!("\n{}\n", texts::transcript_empty()));
    }
    if range.start > 0 {
        let page = range.start.div_ceil(PAGE_ITEMS);
        text.push_str(&format!("{}\n", texts::transcript_earlier(range.start, page)));
    }
    text.extend(found.items.get(range.clone()).unwrap_or_default().iter().map(item));
    let later = found.items.len() - range.end;
    if later > 0 {
        text.push_str(&format!("\n{}\n", texts::transcript_later(later, range.end / PAGE_ITEMS + 1)));
    }
    text
}

/// A heading, and below it what was said; what a tool answered stands indented.
fn item(item: &TranscriptItem) -> String {
    let at = item.at_ms.map(|at| format!(" · {}", utc(at))).unwrap_or_default();
    let failed = if item.failed { texts::transcript_failed() } else { "" };
    let running = item.role == TranscriptRole::Tool && item.output.is_none();
    let running = if running { texts::transcript_no_answer() } else { "" };
    let mut text = format!("\n{}{at}{failed}{running}\n", item.label_said());
    text.extend(item.text.lines().map(|line| format!("{line}\n")));
    if let Some(output) = &item.output {
        let count = output.lines().count();
        text.extend(output.lines().take(OUTPUT_LINES).map(|line| format!("  │ {line}\n")));
        if count > OUTPUT_LINES {
            text.push_str(&format!("  │ {}\n", texts::transcript_more_lines(count - OUTPUT_LINES)));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{
        Live, row,
        samples::{after, started},
    };
    use board_protocol::ids::UnixMs;

    #[test]
    fn b13_a_page_is_read_from_the_top_and_says_what_is_around_it() {
        let said = |role, label: &str, text: &str| TranscriptItem {
            role,
            label: label.into(),
            text: text.into(),
            output: None,
            failed: false,
            at_ms: Some(UnixMs(0)),
        };
        let mut tool = said(TranscriptRole::Tool, "bash", "make");
        (tool.output, tool.failed) = (Some("one\ntwo".into()), true);
        let found = Transcript {
            items: vec![
                said(TranscriptRole::You, "you", "build it\nnow"),
                tool,
                said(TranscriptRole::Tool, "bash", "sleep 9"),
            ],
            cwd: Some("/elsewhere".into()),
            incomplete: true,
        };
        let row = row(&after([started(1)]), &Live::default());
        let expected = "\
sample (0000000001) · session cwd: /elsewhere
(the file is long: its beginning, or lines of it, were not read)

you · 1970-01-01 00:00:00
build it
now

bash · 1970-01-01 00:00:00 · failed
make
  │ one
  │ two

bash · 1970-01-01 00:00:00 · no answer yet
sleep 9
";
        assert_eq!(as_text(&row, &found, 0..3), expected);
        let part = as_text(&row, &found, 1..2);
        assert!(part.contains("(↑ 1 earlier: --page 1, or --all)"), "{part}");
        assert!(part.contains("(↓ 1 later: --page 1)"), "{part}");
        let empty = as_text(&row, &Transcript::default(), 0..0);
        assert!(empty.ends_with("\nSession transcript empty yet.\n"), "{empty}");
    }
}

//! `host-runner explain`: why a session stands where it stands, and what moved it in the last 24 hours.

use super::{Failure, session};
use crate::columns::{padded, padded_left};
use crate::{client::ClientError, fresh};
use board_protocol::{
    daemon::{Answer, Explanation, Request, StateChange},
    ids::UnixMs,
    text::{age_words, plain},
};
use board_text::cli as texts;
use board_text::retold;

/// Arguments of `explain`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The session: its id, a unique beginning of it, or its unique name.
    session: String,
    #[command(flatten)]
    output: session::Output,
}

/// Carries the command out.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    let Answer::Explanation(explanation) =
        session::connect()?.ask(Request::Explain { session: args.session })?
    else {
        return Err(ClientError::Unexpected(board_text::client::an_explanation()).into());
    };
    if args.output.json {
        session::print_json(&explanation)
    } else {
        session::print(&as_text(&explanation, fresh::now()))
    }
}

fn as_text(explanation: &Explanation, now: UnixMs) -> String {
    let Explanation { row, changes, evidence, known_since_ms } = explanation;
    let mut text = texts::explain_is(plain(&row.name), &row.id, row.state.label());
    match changes.last() {
        Some(last) if last.to == row.state => {
            text.push_str(&texts::explain_since(age_words(now.since(last.at_ms))));
            let last = last.clone().retold();
            text.push_str(&format!("\n  {}\n  {}\n", plain(&last.event), last.rule));
        }
        _ => text.push('\n'),
    }
    if let Some(doubt) = &row.doubt {
        text.push_str(&format!("  {}\n", texts::explain_doubt(plain(&retold(doubt)))));
    }
    text.push_str(&format!("\n{}\n", texts::explain_who()));
    for line in evidence {
        let age = texts::ago(age_words(now.since(line.at_ms)));
        let line = line.clone().retold();
        let (source, age) = (padded(&plain(&line.source), 14), padded_left(&age, 8));
        text.push_str(&format!("  {source} {age}  {}\n", plain(&line.what)));
    }
    text.push_str(&format!("\n{}\n", texts::explain_changes()));
    if let Some(since) = known_since_ms {
        text.push_str(&format!("  {}\n", texts::explain_unknown_before(utc(*since))));
    }
    text.extend(changes.iter().map(|change| change_as_text(change, now)));
    text
}

fn change_as_text(change: &StateChange, now: UnixMs) -> String {
    let from = change.from.map(|from| format!("{} -> ", from.label())).unwrap_or_default();
    let age = texts::ago(age_words(now.since(change.at_ms)));
    let change = change.clone().retold();
    format!(
        "  {} {}  {from}{}\n{:33}{}\n{:33}{}\n",
        utc(change.at_ms),
        padded_left(&age, 8),
        change.to.label(),
        "",
        plain(&change.event),
        "",
        plain(&change.rule)
    )
}

/// A moment as `2026-11-30 17:05:09`, in UTC: the same on every machine that a report is read on. The date follows from
/// the days since 1970 by Howard Hinnant's algorithm for the proleptic Gregorian calendar, whose year begins in March.
pub(super) fn utc(at: UnixMs) -> String {
    let seconds = at.0 / 1000;
    let (days, second) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{
        Live, row,
        samples::{after, started},
    };
    use board_protocol::{daemon::EvidenceLine, state::SemanticState};

    #[test]
    fn moments_are_dates() {
        let table = [
            (0, "1970-01-01 00:00:00"),
            (951_782_400, "2000-02-29 00:00:00"),
            (1_709_251_199, "2024-02-29 23:59:59"),
            (1_709_251_200, "2024-03-01 00:00:00"),
            (1_798_761_599, "2026-12-31 23:59:59"),
            (4_107_542_400, "2100-03-01 00:00:00"),
        ];
        for (seconds, text) in table {
            assert_eq!(utc(UnixMs(seconds * 1000)), text);
        }
    }

    #[test]
    fn an_explanation_is_read_from_the_top() {
        let change = |at, from, to, event: &str, rule: &str| StateChange {
            at_ms: UnixMs(at),
            from,
            to,
            event: event.into(),
            rule: rule.into(),
        };
        let line = |source: &str, at, what: &str| EvidenceLine {
            source: source.into(),
            at_ms: UnixMs(at),
            what: what.into(),
        };
        let explanation = Explanation {
            row: row(&after([started(1)]), &Live::default()),
            changes: vec![
                change(0, None, SemanticState::Queued, "person: started it", "New ones are Queued."),
                change(
                    60_000,
                    Some(SemanticState::Queued),
                    SemanticState::Working,
                    "process start: pid 77",
                    "Programs are Running.",
                ),
            ],
            evidence: vec![line("process start", 60_000, "pid 77"), line("person", 0, "started it")],
            known_since_ms: None,
        };
        let expected = "\
sample (0000000001) is Running since 1m ago
  process start: pid 77
  Programs are Running.

Who said what last; the first one decides
  process start    1m ago  pid 77
  person           2m ago  started it

Changes in the last 24 hours, and the one before them (UTC)
  1970-01-01 00:00:00   2m ago  Queued
                                 person: started it
                                 New ones are Queued.
  1970-01-01 00:01:00   1m ago  Queued -> Running
                                 process start: pid 77
                                 Programs are Running.
";
        assert_eq!(as_text(&explanation, UnixMs(120_000)), expected);
        let unknown = Explanation { known_since_ms: Some(UnixMs(0)), changes: Vec::new(), ..explanation };
        assert!(
            as_text(&unknown, UnixMs(9)).contains("nothing is known of the time before 1970-01-01 00:00:00")
        );
    }
}

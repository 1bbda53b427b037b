//! `host-runner evidence`: what there is to show for a session's work, newest last.

use super::{Failure, session};
use crate::columns::{padded, padded_left};
use crate::{client::ClientError, fresh};
use board_protocol::{
    daemon::{Answer, Request},
    evidence::{CommandEvidence, CommandKind, CommandStatus, Evidence, FileAction, Review},
    ids::UnixMs,
    run::RunUsage,
    text::{age_words, cost_words, is_plain, plain},
};
use board_text::cli as texts;
use board_text::retold;

/// Most lines of what a command printed.
const PREVIEW_LINES: usize = 5;

/// Arguments of `evidence`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The session: its id, a unique beginning of it, or its unique name.
    session: String,
    #[command(flatten)]
    output: session::Output,
}

/// How wide an age, what became of a command, and its kind are, in cells.
const AGE_COLUMNS: usize = 8;
const STATUS_COLUMNS: usize = 8;
const KIND_COLUMNS: usize = 7;

/// Carries the command out.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    let Answer::Evidence(evidence) = session::connect()?.ask(Request::Evidence { session: args.session })?
    else {
        return Err(ClientError::Unexpected(board_text::client::evidence()).into());
    };
    if args.output.json {
        session::print_json(&evidence)
    } else {
        session::print(&as_text(&evidence, fresh::now()))
    }
}

fn as_text(evidence: &Evidence, now: UnixMs) -> String {
    let mut text = format!("{}\n", review_words(&evidence.review));
    if let Some(usage) = usage_words(&evidence.usage) {
        text.push_str(&format!("{usage}\n"));
    }
    let mut section = |title: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            text.push_str(&format!("\n{title}\n{}", lines.concat()));
        }
    };
    let files = evidence.file_changes.iter().map(|file| {
        let action = match file.action {
            FileAction::Edited => texts::evidence_edited(),
            FileAction::Written => texts::evidence_written(),
            FileAction::Deleted => texts::evidence_deleted(),
            FileAction::Unknown => texts::evidence_changed(),
        };
        let times = if file.count > 1 { texts::evidence_times(file.count) } else { String::new() };
        timed(file.last_seen_at_ms, now, &format!("{} {}{times}", padded(action, STATUS_COLUMNS), file.path))
    });
    section(texts::evidence_changed_files(), files.collect());
    section(
        texts::evidence_commands(),
        evidence.commands.iter().map(|command| command_lines(command, now)).collect(),
    );
    let errors = evidence
        .errors
        .iter()
        .map(|error| timed(error.at_ms, now, &format!("{}: {}", error.source, retold(&error.message))));
    section(texts::evidence_errors(), errors.collect());
    let says = evidence.claims.last().map(|claim| timed(claim.at_ms, now, &claim.text));
    section(texts::evidence_it_says(), says.into_iter().collect());
    if evidence.dropped > 0 {
        text.push_str(&format!("\n{}\n", texts::evidence_older(evidence.dropped)));
    }
    if let Some(transcript) = &evidence.transcript {
        text.push_str(&format!("\n{}\n", texts::evidence_transcript(plain(transcript))));
    }
    text
}

/// The review in one line: how it came out, and how much there is.
pub(super) fn review_words(review: &Review) -> String {
    let ready = match (review.ready, review.outcome.as_str()) {
        (true, "ready") | (false, _) => "",
        (true, _) => texts::evidence_ready(),
    };
    let failed = match review.failed_commands {
        0 => String::new(),
        failed => texts::evidence_failed(failed),
    };
    texts::evidence_review(
        review.outcome_said(),
        ready,
        texts::evidence_count_files(review.file_changes),
        texts::evidence_count_commands(review.commands),
        failed,
        texts::evidence_count_errors(review.errors),
    )
}

fn usage_words(usage: &RunUsage) -> Option<String> {
    if *usage == RunUsage::default() {
        return None;
    }
    let cost = usage.cost_micros.map(|micros| format!(", {}", cost_words(micros)));
    Some(texts::evidence_usage(
        texts::evidence_count_tokens(usage.read),
        usage.written,
        cost.unwrap_or_default(),
        texts::evidence_count_answers(usage.turns),
        texts::evidence_count_calls(usage.tools),
    ))
}

fn command_lines(command: &CommandEvidence, now: UnixMs) -> String {
    let status = match command.status {
        CommandStatus::Started => texts::evidence_running(),
        CommandStatus::Passed => texts::evidence_passed(),
        CommandStatus::Failed => texts::evidence_command_failed(),
        CommandStatus::Unknown => texts::evidence_unknown(),
    };
    let kind = match command.kind {
        CommandKind::Test => texts::evidence_test(),
        CommandKind::Build => texts::evidence_build(),
        CommandKind::Lint => texts::evidence_lint(),
        CommandKind::Git => texts::evidence_git(),
        CommandKind::Install => texts::evidence_install(),
        CommandKind::Other => "",
    };
    let line =
        if command.command.is_empty() { texts::evidence_beginning_not_seen() } else { &command.command };
    let took = command.duration_ms.map(|ms| match ms {
        0..1_000 => format!(" ({ms} ms)"),
        _ => format!(" ({})", age_words(ms)),
    });
    let exit = command.exit_code.filter(|code| *code > 1).map(texts::evidence_exit);
    let what = format!(
        "{} {} {}{}{}",
        padded(status, STATUS_COLUMNS),
        padded(kind, KIND_COLUMNS),
        line.replace('\n', " ↵ "),
        exit.unwrap_or_default(),
        took.unwrap_or_default()
    );
    let mut text = timed(command.at_ms, now, &what);
    let preview = command.output_preview.as_deref().unwrap_or_default();
    let printed: Vec<&str> = preview.lines().filter(|line| !line.trim().is_empty()).collect();
    for line in printed.iter().take(PREVIEW_LINES) {
        text.push_str(&format!("{:20}| {}\n", "", plain(line)));
    }
    text
}

/// A line behind its age.
fn timed(at: UnixMs, now: UnixMs, text: &str) -> String {
    let age = texts::ago(age_words(now.since(at)));
    format!("{}  {}\n", padded_left(&age, AGE_COLUMNS), aligned(text))
}

/// Plain text that keeps the columns it was made with.
fn aligned(text: &str) -> String {
    text.chars().filter(|c| is_plain(*c)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use board_protocol::evidence::{Claim, ErrorEvidence, FileChange};

    #[test]
    fn a8_evidence_reads_from_the_review_to_the_last_words() {
        let at = UnixMs(60_000);
        let evidence = Evidence {
            review: Review {
                ready: true,
                outcome: "holding".into(),
                file_changes: 1,
                commands: 2,
                failed_commands: 1,
                errors: 1,
                ..Review::default()
            },
            commands: vec![
                CommandEvidence {
                    id: "a".into(),
                    at_ms: at,
                    command: "npm test\nnpm run lint".into(),
                    kind: CommandKind::Test,
                    status: CommandStatus::Failed,
                    exit_code: Some(2),
                    duration_ms: Some(12_345),
                    output_preview: Some("2 failed\n\n  at x.js\u{1b}[31m".into()),
                },
                CommandEvidence {
                    id: "b".into(),
                    at_ms: at,
                    command: "ls".into(),
                    kind: CommandKind::Other,
                    status: CommandStatus::Passed,
                    exit_code: Some(0),
                    duration_ms: Some(7),
                    output_preview: None,
                },
            ],
            file_changes: vec![FileChange {
                path: "src/a.rs".into(),
                action: FileAction::Edited,
                tool: "edit".into(),
                first_seen_at_ms: at,
                last_seen_at_ms: at,
                count: 3,
            }],
            errors: vec![ErrorEvidence {
                at_ms: at,
                source: "model".into(),
                message: "overloaded".into(),
                tool: None,
            }],
            claims: vec![Claim { at_ms: at, text: "Fixed.".into() }],
            usage: RunUsage { read: 10, written: 2, cost_micros: Some(12_300), turns: 1, tools: 3 },
            dropped: 4,
            transcript: Some("/s.jsonl".into()),
            summary: None,
        };
        let expected = "\
holding, ready for a look: 1 changed file, 2 commands (1 failed), 1 error
10 tokens read, 2 written, $0.0123; 1 answer, 3 tool calls

Changed files
  1m ago  edited   src/a.rs (3 times)

Commands
  1m ago  FAILED   test    npm test ↵ npm run lint [exit 2] (12s)
                    | 2 failed
                    | at x.js
  1m ago  passed           ls (7 ms)

Errors
  1m ago  model: overloaded

It says
  1m ago  Fixed.

4 older items are counted, but not kept

Transcript: /s.jsonl
";
        assert_eq!(as_text(&evidence, UnixMs(120_000)), expected);
        let nothing = Evidence {
            review: Review { outcome: "queued".into(), ..Review::default() },
            ..Evidence::default()
        };
        assert_eq!(as_text(&nothing, at), "queued: 0 changed files, 0 commands, 0 errors\n");
    }
}

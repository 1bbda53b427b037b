//! `host-runner show`: everything about one session.

use super::{Failure, evidence::review_words, queue, session};
use crate::columns::padded;
use crate::{
    client::{ClientError, DaemonClient},
    fresh,
    model::last_visible_line,
};
use board_protocol::{
    board::{Revival, Row},
    daemon::{AgentDetail, Answer, Request, SessionDetail, event_retold},
    ids::UnixMs,
    text::{age_words, cost_words, plain, stalled_words},
};
use board_text::cli as texts;
use board_text::retold;
use serde_json::{Value, json};

/// How wide the names of lines are, in cells.
const LABEL_COLUMNS: usize = 12;

/// Arguments of `show`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The session: its id, a unique beginning of it, or its unique name.
    session: String,
    #[command(flatten)]
    output: session::Output,
}

/// Carries the command out.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    let mut client = session::connect()?;
    let detail = session::find(&mut client, &args.session)?;
    let last_line = last_line(&mut client, &detail)?;
    if args.output.json {
        let mut shown = as_json(&detail);
        if let Some(fields) = shown.as_object_mut() {
            fields.insert("last_line".into(), json!(last_line));
        }
        session::print_json(&shown)
    } else {
        session::print(&as_text(&detail, last_line, fresh::now()))
    }
}

/// The last line on the screen of a session that has ended.
fn last_line(client: &mut DaemonClient, detail: &SessionDetail) -> Result<Option<String>, Failure> {
    if detail.row.ended.is_none() {
        return Ok(None);
    }
    match client.ask(Request::LastScreen { session: detail.row.id.clone() })? {
        Answer::Screen { text } => Ok(text.as_deref().and_then(last_visible_line)),
        _ => Err(ClientError::Unexpected(board_text::client::a_screen()).into()),
    }
}

/// The row's fields with the others beside them.
fn as_json(detail: &SessionDetail) -> Value {
    let mut shown = json!(detail.row);
    if let Some(fields) = shown.as_object_mut() {
        fields.insert("argv".into(), json!(detail.argv));
        fields.insert("host".into(), json!(detail.host));
        fields.insert("child".into(), json!(detail.child));
        fields.insert("environment_at_ms".into(), json!(detail.environment_at_ms));
        fields.insert("stray_processes".into(), json!(detail.strays));
        fields.insert("agent_detail".into(), json!(detail.agent));
        fields.insert("queue".into(), json!(detail.queue));
        fields.insert("diagnostics".into(), json!(detail.diagnostics));
        fields.insert("classification".into(), json!(detail.classification));
        fields.insert("waits".into(), json!(detail.waits));
    }
    shown
}

fn as_text(detail: &SessionDetail, last_line: Option<String>, now: UnixMs) -> String {
    let row = &detail.row.clone().retold();
    let mut lines = vec![
        (texts::show_label_id(), row.id.to_string()),
        (texts::show_label_name(), row.name.clone()),
        (texts::show_label_agent(), row.agent.clone()),
        (texts::show_label_state(), row.state.label().to_owned()),
        (texts::show_label_summary(), row.summary.clone()),
    ];
    let mut optional = |name, value: Option<String>| lines.extend(value.map(|value| (name, value)));
    optional(texts::show_label_question(), row.question.clone());
    optional(texts::show_label_error(), row.error.clone());
    optional(texts::show_label_ended(), ended(row));
    optional(texts::show_label_process(), row.resumes_on_attach.then(|| texts::show_was_idle().to_owned()));
    optional(texts::show_label_last_line(), last_line);
    optional(texts::show_label_doubt(), row.doubt.clone());
    optional(texts::show_label_silence(), row.stalled_ms.map(stalled_words));
    optional(texts::show_label_tags(), (!row.tags.is_empty()).then(|| row.tags.join(" ")));
    optional(texts::show_label_pinned(), row.pinned.then(|| texts::yes().to_owned()));
    optional(texts::show_label_terminal_of(), row.parent.as_ref().map(ToString::to_string));
    for wait in &detail.waits {
        optional(
            texts::show_label_waits_for(),
            Some(texts::show_wait(&wait.needle, ago(wait.since_ms, now))),
        );
    }
    optional(texts::show_label_command(), Some(shell_words(&detail.argv)));
    optional(texts::show_label_directory(), Some(row.cwd.clone()));
    optional(texts::show_label_started(), Some(ago(row.created_at_ms, now)));
    optional(texts::show_label_active(), Some(ago(row.last_activity_at_ms, now)));
    optional(
        texts::show_label_environment(),
        detail.environment_at_ms.map(|at| texts::show_taken(ago(at, now))),
    );
    optional(texts::show_label_attached(), (row.attached > 0).then(|| row.attached.to_string()));
    optional(
        texts::show_label_host(),
        detail.host.as_ref().map(|host| texts::show_host(host.process.pid, &host.socket)),
    );
    optional(texts::show_label_program(), detail.child.map(|child| texts::pid(child.pid)));
    let agent = &detail.agent;
    optional(texts::show_label_model(), agent.model.clone());
    optional(texts::show_label_transcript(), agent.transcript.clone());
    for question in agent.questions.iter().skip(1) {
        optional(texts::show_label_also_asks(), Some(question.clone()));
    }
    optional(texts::show_label_said(), agent.preview.clone());
    let plan = row.plan;
    optional(texts::show_label_plan(), (!plan.is_none()).then(|| texts::show_plan(plan.words(), &row.id)));
    for reply in &detail.queue {
        optional(texts::show_label_queued(), Some(queue::line(reply, now)));
    }
    optional(
        texts::show_label_agents(),
        (agent.children > 0).then(|| texts::show_children(agent.children_done, agent.children)),
    );
    optional(
        texts::show_label_background(),
        (row.background > 0).then(|| texts::show_background(row.background)),
    );
    optional(texts::show_label_tokens(), tokens(agent));
    optional(texts::show_label_review(), row.review.as_ref().map(review_words));
    optional(texts::show_label_evidence(), evidence(agent, now));
    optional(
        texts::show_label_classified(),
        detail.classification.clone().map(|result| result.retold().reason),
    );
    for line in &agent.diagnostics {
        let text = format!("{} {}: {}", ago(line.at_ms, now), line.code, retold(&line.detail));
        optional(texts::show_label_diagnostic(), Some(text));
    }
    for stray in &detail.strays {
        optional(texts::show_label_left_behind(), Some(texts::show_stray(stray.process.pid, &stray.command)));
    }
    lines.iter().map(|(name, value)| format!("{} {}\n", padded(name, LABEL_COLUMNS), plain(value))).collect()
}

/// How it ended, and whether entering it goes on with the same conversation (field report F4).
fn ended(row: &Row) -> Option<String> {
    let ended = row.ended.as_ref()?;
    Some(match row.revival {
        Revival::Resumes => texts::show_ended_resumes(ended),
        Revival::RunsAgain => ended.clone(),
    })
}

/// What its answers cost.
fn tokens(agent: &AgentDetail) -> Option<String> {
    if agent.tokens_read == 0 && agent.tokens_written == 0 {
        return None;
    }
    let cost = agent.cost_micros.map(|micros| format!(", {}", cost_words(micros)));
    Some(texts::show_tokens(agent.tokens_read, agent.tokens_written, cost.unwrap_or_default()))
}

/// What decided the state, and when.
fn evidence(agent: &AgentDetail, now: UnixMs) -> Option<String> {
    let evidence = agent.evidence.as_ref()?;
    let age = agent.evidence_at_ms.map(|at| format!(" ({})", ago(at, now))).unwrap_or_default();
    Some(format!("{}{age}", event_retold(evidence)))
}

/// Arguments so that a person could paste them into a shell.
fn shell_words(argv: &[String]) -> String {
    let word = |argument: &String| {
        let simple = !argument.is_empty()
            && argument.chars().all(|c| c.is_ascii_alphanumeric() || "-_./=:,@%+".contains(c));
        if simple { argument.clone() } else { format!("'{}'", argument.replace('\'', r"'\''")) }
    };
    argv.iter().map(word).collect::<Vec<_>>().join(" ")
}

/// How long ago, in the largest unit that fits (reference B.10).
fn ago(at: UnixMs, now: UnixMs) -> String {
    texts::ago(age_words(now.since(at)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{
        Live, row,
        samples::{after, exited, started},
    };
    use board_protocol::host::Exit;

    #[test]
    fn f4_an_ended_row_that_can_go_on_says_so() {
        let lived = after([started(1)]);
        let dead = after([started(1), exited(2, Exit::Code(0))]);
        let shown = |record, revival| ended(&Row { revival, ..row(record, &Live::default()) });
        assert_eq!(shown(&dead, Revival::Resumes).as_deref(), Some("exit code 0; resumes on attach"));
        assert_eq!(shown(&dead, Revival::RunsAgain).as_deref(), Some("exit code 0"));
        assert_eq!(shown(&lived, Revival::Resumes), None);
    }

    #[test]
    fn arguments_are_quoted_for_a_shell() {
        let argv = ["/bin/sh", "-c", "echo 'it works'", ""].map(str::to_owned);
        assert_eq!(shell_words(&argv), r"/bin/sh -c 'echo '\''it works'\''' ''");
    }
}

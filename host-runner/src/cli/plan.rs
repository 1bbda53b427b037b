//! `host-runner plan`: has an agent plan, and decides about its plan. Exit code 0: done or kept; 1: refused, with what to
//! do instead; 2: the arguments do not hold together; 3: the daemon cannot be reached.

use super::{Failure, reply, session};
use crate::{client::launching_environment, fresh};
use board_protocol::{
    command::{Command, CommandOutcome},
    daemon::SessionDetail,
    ids::UnixMs,
    plan::{Plan, PlanStatus, PlanStep},
    text::age_words,
};
use board_text::cli as texts;
use serde_json::json;

/// Arguments of `plan`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    step: Step,
}

/// What a person does.
#[derive(Debug, clap::Subcommand)]
enum Step {
    /// Have the agent plan, and only plan; the row asks you when the plan is there.
    Request {
        /// The session: its id, a unique beginning of it, or its unique name.
        session: String,
        #[command(flatten)]
        output: session::Output,
        /// What it shall plan, taken literally, options in front of it; - reads it from standard input.
        #[arg(value_name = "TEXT", required = true, allow_hyphen_values = true)]
        text: Vec<String>,
    },
    /// Approve the plan: the agent carries it out.
    Approve {
        /// The session.
        session: String,
        #[command(flatten)]
        output: session::Output,
    },
    /// Send the plan back: the agent plans anew.
    Change {
        /// The session.
        session: String,
        #[command(flatten)]
        output: session::Output,
        /// What shall be different, taken literally, options in front of it; - reads it from standard input.
        #[arg(value_name = "TEXT", required = true, allow_hyphen_values = true)]
        text: Vec<String>,
    },
    /// Print the plan and where it stands.
    Show {
        /// The session.
        session: String,
        #[command(flatten)]
        output: session::Output,
    },
    /// Forget the plan, and take back what the agent does not have yet.
    Reset {
        /// The session.
        session: String,
        #[command(flatten)]
        output: session::Output,
    },
}

/// Carries the command out.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    let (name, output, step) = match args.step {
        Step::Show { session, output } => return show(&session, output),
        Step::Request { session, output, text } => {
            (session, output, PlanStep::Request { text: reply::words(text)? })
        }
        Step::Approve { session, output } => (session, output, PlanStep::Approve),
        Step::Change { session, output, text } => {
            (session, output, PlanStep::Change { text: reply::words(text)? })
        }
        Step::Reset { session, output } => (session, output, PlanStep::Reset),
    };
    let mut client = session::connect()?;
    let id = session::find(&mut client, &name)?.row.id;
    // A session that has ended goes on in the environment of whoever speaks to it.
    let environment = (step != PlanStep::Reset).then(launching_environment);
    let command = Command::Plan { session: id.clone(), step };
    let notice = match client.command(command, environment)? {
        CommandOutcome::Applied { notice, .. } => notice,
        CommandOutcome::Refused(refusal) => return Err(refusal.into()),
    };
    if !output.json {
        session::say(notice.as_deref());
        return Ok(());
    }
    let SessionDetail { plan, .. } = session::find(&mut client, id.as_str())?;
    session::print_json(&json!({"session": id, "notice": notice, "plan": plan.unwrap_or_default()}))
}

fn show(name: &str, output: session::Output) -> Result<(), Failure> {
    let detail = session::find(&mut session::connect()?, name)?;
    let plan = detail.plan.unwrap_or_default();
    if output.json {
        return session::print_json(&plan);
    }
    session::print(&page(detail.row.id.as_str(), &plan, fresh::now()))
}

/// The plan for people: where it stands, what to do, the plan itself, and how it came there.
fn page(id: &str, plan: &Plan, now: UnixMs) -> String {
    let mut lines = vec![status(plan, now)];
    lines.extend(next(id, plan.status));
    for (title, text) in [("changes", &plan.change_request), ("plan", &plan.text)] {
        if let Some(text) = text {
            lines.push(format!("\n{title}:"));
            lines.extend(text.lines().map(|line| format!("  {}", line.replace('\t', "  "))));
        }
    }
    if !plan.history.is_empty() {
        lines.push("\nhistory:".to_owned());
    }
    for change in &plan.history {
        let age = age_words(now.since(change.at_ms));
        let note = change.note.as_deref().map(|note| format!(": {}", note.replace('\n', " ")));
        lines.push(format!(
            "  {age:>4}  {:<8}  {}{}",
            change.action,
            change.to.name(),
            note.unwrap_or_default()
        ));
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn status(plan: &Plan, now: UnixMs) -> String {
    let words = plan.status.words();
    match plan.updated_at_ms {
        Some(at) => texts::plan_age(words, age_words(now.since(at))),
        None => words.to_owned(),
    }
}

/// The command that comes next, where a person is waited for.
fn next(id: &str, status: PlanStatus) -> Option<String> {
    Some(match status {
        PlanStatus::None => texts::plan_how_to_ask(id),
        PlanStatus::AwaitingApproval => texts::plan_how_to_decide(id),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use board_protocol::plan::PlanChange;

    #[test]
    fn a_page_says_where_the_plan_stands_what_to_do_and_what_it_is() {
        let plan = Plan {
            status: PlanStatus::AwaitingApproval,
            updated_at_ms: Some(UnixMs(1_000)),
            text: Some("1. look\n2. mend".into()),
            history: vec![PlanChange {
                at_ms: UnixMs(1_000),
                from: PlanStatus::None,
                to: PlanStatus::PlanRequested,
                action: "request".into(),
                run: None,
                note: Some("the\nlogin".into()),
            }],
            ..Plan::default()
        };
        let shown = page("0a", &plan, UnixMs(61_000));
        let expected = "a plan awaits approval (for 1m)
to decide: host-runner plan approve 0a, or host-runner plan change 0a TEXT

plan:
  1. look
  2. mend

history:
    1m  request   plan_requested: the login
";
        assert_eq!(shown, expected);
        let none = page("0a", &Plan::default(), UnixMs(0));
        assert_eq!(none, "no plan\nto ask for one: host-runner plan request 0a TEXT\n");
    }
}

//! The plan of one session: an agent plans, a person approves or sends it back, the agent carries it out (reference A.11).
//! Pure.
//!
//! The record itself is [`board_protocol::plan::Plan`]; here is what may happen to it. [`check`] is asked before a fact is
//! made (`coordinator::plans`), [`apply`] is the reducer's. What is shown of a row with a plan follows from its state; this
//! file moves no row.

use board_protocol::{
    ids::{RunId, UnixMs},
    plan::{MAX_PLAN_BYTES, MAX_PLAN_HISTORY, Plan, PlanChange, PlanStatus},
    text::plain_lines,
};
use board_text::model as texts;
use serde::{Deserialize, Serialize};

pub mod prompts;

/// Longest note in the history of a plan, in characters (reference A.11).
pub const MAX_NOTE_CHARACTERS: usize = 240;

/// Something that happens to a plan. Part of the journal: never renamed or reused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlanMove {
    /// A person asked for one.
    Requested {
        /// What is to be planned.
        text: String,
        /// The run that makes it, where it is made without a terminal.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        run: Option<RunId>,
    },
    /// The agent answered with one, or has rested once more while one awaits approval.
    Ready {
        /// The plan, made by [`kept_text`]; `None` keeps the one that there is.
        text: Option<String>,
        /// The run that made it, where that had no terminal.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        run: Option<RunId>,
    },
    /// A person approved it.
    Approved,
    /// A person sent it back.
    ChangesRequested {
        /// What shall be different.
        text: String,
        /// The run that makes the next one, where it is made without a terminal.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        run: Option<RunId>,
    },
    /// The agent is told to carry it out.
    Executing {
        /// The run that does, where it has no terminal.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        run: Option<RunId>,
    },
    /// A person took the words about it back before the agent had them.
    Withdrawn,
    /// A person forgets it, or the conversation that it belongs to is left.
    Reset,
}

/// Why a step of a plan is none. The texts of the first two are those of reference A.11.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// Only one that waits for it can be approved.
    #[error("{}", texts::plan_not_awaiting())]
    NotAwaiting,
    /// A plan is sent back with words.
    #[error("{}", texts::plan_empty_change())]
    EmptyChange,
    /// A plan is asked for with words.
    #[error("{}", texts::plan_empty_request())]
    EmptyRequest,
    /// There is none.
    #[error("{}", texts::plan_none())]
    NoPlan,
    /// Only an approved one is carried out.
    #[error("{}", texts::plan_not_approved())]
    NotApproved,
}

/// Whether this may happen to the plan.
///
/// # Errors
/// Why not.
pub fn check(plan: &Plan, step: &PlanMove) -> Result<(), PlanError> {
    let refuse_if = |bad, error| if bad { Err(error) } else { Ok(()) };
    match step {
        PlanMove::Requested { text, .. } => refuse_if(text.trim().is_empty(), PlanError::EmptyRequest),
        PlanMove::Ready { text, .. } => refuse_if(text.is_none() && plan.text.is_none(), PlanError::NoPlan),
        PlanMove::Approved => refuse_if(plan.status != PlanStatus::AwaitingApproval, PlanError::NotAwaiting),
        PlanMove::ChangesRequested { text, .. } => {
            refuse_if(text.trim().is_empty(), PlanError::EmptyChange)?;
            refuse_if(plan.status.is_none(), PlanError::NoPlan)
        }
        PlanMove::Executing { .. } => refuse_if(plan.status != PlanStatus::Approved, PlanError::NotApproved),
        PlanMove::Withdrawn => refuse_if(!is_under_way(plan.status), PlanError::NoPlan),
        PlanMove::Reset => refuse_if(plan.status.is_none(), PlanError::NoPlan),
    }
}

/// What becomes of the plan. What may not happen changes nothing, so that a replayed journal cannot fail.
pub(super) fn apply(plan: &mut Plan, step: &PlanMove, at: UnixMs) {
    if check(plan, step).is_err() {
        return;
    }
    let from = plan.status;
    let (to, action, run, note) = match step {
        PlanMove::Requested { text, run } => {
            let history = std::mem::take(&mut plan.history);
            *plan = Plan { history, plan_run: run.clone(), ..Plan::default() };
            (PlanStatus::PlanRequested, "request", run.clone(), Some(text.as_str()))
        }
        PlanMove::Ready { text, run } => {
            if text.is_some() {
                plan.text.clone_from(text);
                plan.plan_run.clone_from(run);
            }
            plan.approved_at_ms = None;
            (PlanStatus::AwaitingApproval, "ready", run.clone(), None)
        }
        PlanMove::Approved => {
            plan.approved_at_ms = Some(at);
            (PlanStatus::Approved, "approve", None, None)
        }
        PlanMove::ChangesRequested { text, run } => {
            plan.change_request = Some(kept_text(text));
            plan.approved_at_ms = None;
            plan.execution_run = None;
            (PlanStatus::ChangesRequested, "change", run.clone(), Some(text.as_str()))
        }
        PlanMove::Executing { run } => {
            plan.execution_run.clone_from(run);
            (PlanStatus::ExecutingApprovedPlan, "execute", run.clone(), None)
        }
        PlanMove::Withdrawn => {
            plan.approved_at_ms = None;
            plan.execution_run = None;
            // Without a plan there is nothing to go back to.
            let to = if plan.text.is_some() { PlanStatus::AwaitingApproval } else { PlanStatus::None };
            (to, "withdraw", None, None)
        }
        PlanMove::Reset => {
            let history = std::mem::take(&mut plan.history);
            *plan = Plan { history, ..Plan::default() };
            (PlanStatus::None, "reset", None, None)
        }
    };
    plan.status = to;
    plan.updated_at_ms = Some(at);
    let note = note.map(|note| note.trim().chars().take(MAX_NOTE_CHARACTERS).collect());
    plan.history.push(PlanChange { at_ms: at, from, to, action: action.to_owned(), run, note });
    let surplus = plan.history.len().saturating_sub(MAX_PLAN_HISTORY);
    plan.history.drain(..surplus);
}

/// Whether words about it are with the agent, or on their way there.
const fn is_under_way(status: PlanStatus) -> bool {
    matches!(
        status,
        PlanStatus::PlanRequested
            | PlanStatus::Approved
            | PlanStatus::ChangesRequested
            | PlanStatus::ExecutingApprovedPlan
    )
}

/// Whether the next end of a turn is the plan.
pub const fn awaits_plan(status: PlanStatus) -> bool {
    matches!(status, PlanStatus::PlanRequested | PlanStatus::ChangesRequested)
}

/// Whether what waits in the queue stays there: while a plan is made or decided, no ordinary words are sent by themselves.
pub const fn keeps_replies(status: PlanStatus) -> bool {
    awaits_plan(status) || matches!(status, PlanStatus::AwaitingApproval | PlanStatus::Approved)
}

/// A plan as it is kept: its line breaks, no other control characters, at most [`MAX_PLAN_BYTES`].
pub fn kept_text(text: &str) -> String {
    plain_lines(text.trim(), MAX_PLAN_BYTES).0
}

#[cfg(test)]
mod tests;

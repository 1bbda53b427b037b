//! Steering: an agent plans, a person approves or sends the plan back, the agent carries it out (reference A.11).

use crate::ids::{RunId, UnixMs};
use board_text::state as texts;
use serde::{Deserialize, Serialize};

/// Longest plan that is kept, in bytes; the whole of it is in the agent's transcript.
pub const MAX_PLAN_BYTES: usize = 16 * 1024;
/// Most steps of its history that are kept.
pub const MAX_PLAN_HISTORY: usize = 50;

/// Where a plan stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlanStatus {
    /// There is none.
    #[default]
    None,
    /// The agent was asked for one.
    PlanRequested,
    /// It is there, and a person decides.
    AwaitingApproval,
    /// A person approved it.
    Approved,
    /// A person sent it back.
    ChangesRequested,
    /// The agent carries it out.
    ExecutingApprovedPlan,
}

impl PlanStatus {
    /// Every one.
    pub const ALL: [Self; 6] = [
        Self::None,
        Self::PlanRequested,
        Self::AwaitingApproval,
        Self::Approved,
        Self::ChangesRequested,
        Self::ExecutingApprovedPlan,
    ];

    /// Where it stands, for people.
    pub fn words(self) -> &'static str {
        match self {
            Self::None => texts::no_plan(),
            Self::PlanRequested => texts::plan_requested(),
            Self::AwaitingApproval => texts::awaiting_approval(),
            Self::Approved => texts::approved(),
            Self::ChangesRequested => texts::changes_requested(),
            Self::ExecutingApprovedPlan => texts::executing_approved_plan(),
        }
    }

    /// Whether there is no plan.
    pub const fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }

    /// Its name in JSON and in the filter (`steer:awaiting_approval`).
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::PlanRequested => "plan_requested",
            Self::AwaitingApproval => "awaiting_approval",
            Self::Approved => "approved",
            Self::ChangesRequested => "changes_requested",
            Self::ExecutingApprovedPlan => "executing_approved_plan",
        }
    }
}

/// What a person does with a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlanStep {
    /// Asks for one: the agent only plans.
    Request {
        /// What it shall plan, taken literally.
        text: String,
    },
    /// Approves it, and has it carried out.
    Approve,
    /// Sends it back.
    Change {
        /// What shall be different, taken literally.
        text: String,
    },
    /// Forgets it.
    Reset,
}

/// A session's plan.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Plan {
    /// Where it stands.
    pub status: PlanStatus,
    /// When that last changed.
    pub updated_at_ms: Option<UnixMs>,
    /// The plan, at most [`MAX_PLAN_BYTES`].
    pub text: Option<String>,
    /// The run that made it.
    pub plan_run: Option<RunId>,
    /// When a person approved it.
    pub approved_at_ms: Option<UnixMs>,
    /// What shall be different.
    pub change_request: Option<String>,
    /// The run that carries it out.
    pub execution_run: Option<RunId>,
    /// Every step, newest last, at most [`MAX_PLAN_HISTORY`].
    pub history: Vec<PlanChange>,
}

/// One step of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanChange {
    /// When.
    pub at_ms: UnixMs,
    /// From where.
    pub from: PlanStatus,
    /// To where.
    pub to: PlanStatus,
    /// What was done: `request`, `ready`, `approve`, `change`, `execute`, `reset`.
    pub action: String,
    /// The run that it is about.
    pub run: Option<RunId>,
    /// A note, at most 240 characters.
    pub note: Option<String>,
}

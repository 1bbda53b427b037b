//! Which changes are allowed, and the one place that makes them.
//!
//! [`decide`](decide::decide), [`report`](report::decide_report), [`listen`](listen::listen) and
//! [`reconcile`](reconcile::reconcile) are pure: state and input in, facts and effects out. [`Coordinator`] is the single writer around them: decide, commit, reply, act.
//!
//! Invariant: state changes only through the coordinator's commit. · A reply follows its commit.

pub mod decide;
pub mod decision;
mod finish;
mod flood;
mod hearing;
mod hosts;
mod labels;
pub mod listen;
pub mod messages;
mod recent;
pub mod reconcile;
mod replies;
pub mod report;
mod turn;
mod verdicts;
mod warnings;
mod writer;

pub use messages::{ConnectionId, Environment, Input, Output, Preflight, Question, Ticket};
pub use writer::{Coordinator, World};

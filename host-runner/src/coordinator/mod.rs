//! Which changes are allowed, and the one place that makes them.
//!
//! [`decide`](decide::decide), [`report`](report::decide_report), [`listen`](listen::listen) and
//! [`reconcile`](reconcile::reconcile) are pure: state and input in, facts and effects out. [`Coordinator`] is the single writer around them: decide, commit, reply, act.
//!
//! Invariant: state changes only through the coordinator's commit. · A reply follows its commit.

mod classifying;
pub mod decide;
pub mod decision;
mod finish;
mod flood;
pub mod guard;
mod hearing;
mod hosts;
mod labels;
pub mod listen;
pub mod messages;
pub mod mirror;
mod recent;
pub mod reconcile;
mod replies;
pub mod report;
mod runs;
mod turn;
mod validate;
mod verdicts;
mod warnings;
mod writer;

pub use messages::{ConnectionId, Environment, Input, Output, Preflight, Question, Ticket};
pub use writer::{AutoState, ClassifierSettings, Coordinator, World};

//! Which changes are allowed, and the one place that makes them.
//!
//! [`decide`](decide::decide), [`report`](report::decide_report), [`listen`](listen::listen) and
//! [`reconcile`](reconcile::reconcile) are pure: state and input in, facts and effects out. [`Coordinator`] is the single writer around them: decide, commit, reply, act.
//!
//! Invariant: state changes only through the coordinator's commit. · A reply follows its commit.

mod adopt;
mod boot;
mod classifying;
mod commands;
mod consulting;
pub mod decide;
pub mod decision;
pub mod deliver;
mod ended;
mod evidence;
mod explain;
mod exports;
mod finish;
mod flood;
pub mod guard;
mod headless;
mod hearing;
mod hosts;
mod labels;
pub mod listen;
pub mod messages;
pub mod mirror;
pub mod notify;
mod owned;
mod plans;
mod queues;
mod recent;
pub mod reconcile;
mod references;
mod replies;
pub mod report;
mod runs;
mod signs;
mod stall;
mod sweep;
mod terminals;
mod tidying;
mod turn;
mod validate;
mod verdicts;
mod waits;
pub mod warm;
mod warnings;
mod world;
mod writer;

pub use messages::{ConnectionId, Consult, Environment, Input, Output, Preflight, Question, Ticket};
pub use references::LookForReferences;
pub use sweep::NO_SWEEP;
pub(crate) use terminals::{launch as terminal_launch, without_ours};
pub use tidying::Quiet;
pub use world::{AutoState, ClassifierSettings, ReplyToEnded, RunSettings, World};
pub use writer::Coordinator;

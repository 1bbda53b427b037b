//! One file per agent.
//!
//! - [`event`] what any agent can report, in words that are no agent's own
//! - [`pi`] pi: how it is found and launched, the extension that it loads, what that reports

pub mod event;
pub mod pi;

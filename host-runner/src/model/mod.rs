//! What a session is, and how facts change it. Pure: no clock, ids, files or threads.
//!
//! Called by the coordinator, which decides facts and applies them, by the store, which replays them, and by whoever
//! shows rows. Reading order: [`SessionRecord`], [`Fact`], [`apply`], [`row`].

mod agent;
pub mod auto_state;
pub mod command;
pub mod consult;
pub mod evidence;
mod explain;
mod fact;
mod find;
mod last_line;
mod name;
pub mod needs_input;
pub mod news;
pub mod outcome;
pub mod plan;
mod planning;
mod queue;
mod redact;
mod reduce;
pub mod run;
mod session;
mod summary;
mod tool_commands;
pub mod tool_words;
mod view;

#[cfg(test)]
pub(crate) mod samples;

pub use agent::{AgentRecord, Evidence, OpenQuestion, Summarised};
pub use explain::{Before, Told, Voice, tell};
pub use fact::{Fact, FactKind, HostMet, Lift, Medium, SessionBegun};
pub use find::find;
pub use last_line::last_visible_line;
pub use name::{MAX_TAGS, given_name, given_tag, slug, unused};
pub use queue::{MAX_QUEUED, MAX_QUEUED_BYTES, QueuedItem, ReplyQueue, ReplyTrace};
pub use redact::redacted;
pub use reduce::apply;
pub use session::{
    AfterStop, Ending, HostRecord, SessionRecord, Sessions, StateSource, StopRequest, StopStanding,
};
pub use summary::{ending_text, exit_text, reason_on, summary};
pub use view::{Doing, Live, SHOWN_DIAGNOSTICS, can_auto_drain, detail, is_busy, is_unread, row, waiting};

//! Evidence: what there is to show for a session's work (reference A.8). Pure.
//!
//! [`Fold`] makes items of what an agent reports: the daemon has one for each agent in a terminal, a run process one for
//! its worker. Nothing here moves a row, and what cannot be read makes no item.

mod calls;
mod fold;
mod texts;

pub use fold::Fold;

//! Evidence: what there is to show for a session's work (reference A.8). Pure.
//!
//! [`Fold`] makes items of what an agent reports: the daemon has one for each agent in a terminal, a run process one for
//! its worker. [`place`] and [`Tally`] say what is kept of them, the store keeps it, and [`assemble`] makes the answer
//! to whoever asks. Nothing here moves a row, and what cannot be read makes no item.

mod answer;
mod bound;
mod calls;
mod fold;
mod ledger;
mod texts;

pub use answer::{Standing, assemble};
pub use bound::bounded;
pub use fold::Fold;
pub use ledger::{Kept, Place, Tally, place};

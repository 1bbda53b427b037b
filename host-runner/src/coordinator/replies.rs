//! Words of a person for an agent: at once, or in their turn (reference A.10, D.4, D.10). Pure.
//!
//! Called by [`super::decide`].

use super::decide::{Allowed, Given, wrong_state};
use crate::model::SessionRecord;
use board_protocol::{command::Command, refusal::Refusal};

/// Decides one of these commands.
///
/// # Errors
/// The refusal that the person reads.
pub(super) fn decide(
    record: &SessionRecord,
    _command: &Command,
    _given: Given<'_>,
) -> Result<Allowed, Refusal> {
    Err(wrong_state(record, "cannot do that in this build"))
}

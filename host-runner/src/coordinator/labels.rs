//! What a person may write on a row: its name, its pin, its tags, and whether it was looked at. Pure.
//!
//! Called by [`super::decide`]. None of these moves the row to another group.

use super::{
    decide::{Allowed, Given, allowed},
    decision::Decision,
};
use crate::model::{FactKind, MAX_TAGS, SessionRecord, given_name, given_tag, is_unread};
use board_protocol::{
    command::Pin,
    refusal::{Refusal, RefusalKind},
};
use std::collections::BTreeSet;

/// A person looked at it.
pub(super) fn visit(record: &SessionRecord, given: Given<'_>) -> Allowed {
    let mut decision = Decision::default();
    if is_unread(record) {
        decision.record(&record.id, given.now, FactKind::SessionVisited);
    }
    allowed(record, decision)
}

/// Nobody looked at what it said last.
pub(super) fn mark_unread(record: &SessionRecord, given: Given<'_>) -> Result<Allowed, Refusal> {
    if record.spoke_at.is_none() {
        let text = format!("{} has said nothing yet that could be unread", record.name);
        return Err(Refusal::new(RefusalKind::NoChange, text));
    }
    let mut decision = Decision::default();
    if !is_unread(record) {
        decision.record(&record.id, given.now, FactKind::SessionUnvisited);
    }
    Ok(allowed(record, decision))
}

/// Its diagnostics are forgotten.
pub(super) fn clear_log(record: &SessionRecord) -> Allowed {
    let mut decision = Decision::default();
    decision.cleared.push(record.id.clone());
    allowed(record, decision)
}

/// Gives it another name.
pub(super) fn rename(record: &SessionRecord, name: &str, given: Given<'_>) -> Result<Allowed, Refusal> {
    let name = given_name(name)?;
    let mut decision = Decision::default();
    if name != record.name {
        decision.record(&record.id, given.now, FactKind::SessionRenamed { name });
    }
    Ok(allowed(record, decision))
}

/// Pins or unpins it.
pub(super) fn set_pin(record: &SessionRecord, pin: Pin, given: Given<'_>) -> Result<Allowed, Refusal> {
    let mut decision = Decision::default();
    if record.pinned != (pin == Pin::Pinned) {
        decision.record(&record.id, given.now, FactKind::PinSet { pin });
    }
    Ok(allowed(record, decision))
}

/// Adds and removes tags. A tag in both lists is removed.
pub(super) fn tag(
    record: &SessionRecord,
    add: &[String],
    remove: &[String],
    given: Given<'_>,
) -> Result<Allowed, Refusal> {
    let mut tags: BTreeSet<String> = record.tags.iter().cloned().collect();
    for tag in add {
        tags.insert(given_tag(tag)?);
    }
    for tag in remove {
        tags.remove(&given_tag(tag)?);
    }
    if tags.len() > MAX_TAGS {
        let text = format!(
            "a session has at most {MAX_TAGS} tags. Remove some: host-runner tag {} -- -OLD",
            record.id
        );
        return Err(Refusal::new(RefusalKind::Limit, text));
    }
    let tags: Vec<String> = tags.into_iter().collect();
    let mut decision = Decision::default();
    if tags != record.tags {
        decision.record(&record.id, given.now, FactKind::TagsSet { tags });
    }
    Ok(allowed(record, decision))
}

//! What a person may write on a row: its name, its pin, its tags, and whether it was looked at. Pure.
//!
//! Called by [`super::decide`]. None of these moves the row to another group; each is a `patch_fields` at the gate, and
//! one that changes nothing is done already.

use super::{
    decide::{Allowed, Given, allowed},
    decision::Decision,
    terminals, verdicts,
};
use crate::model::{
    Fact, FactKind, MAX_TAGS, SessionRecord, Sessions,
    command::{PatchField, PatchNews, StateKind},
    given_name, given_tag, is_unread,
};
use board_protocol::{
    command::Pin,
    ids::SessionId,
    refusal::{Refusal, RefusalKind},
};
use board_text::coordinator as texts;
use board_text::terminals as terminal_texts;
use std::collections::BTreeSet;

/// A person looked at it.
pub(super) fn visit(record: &SessionRecord, given: Given<'_>) -> Result<Allowed, Refusal> {
    let news = is_unread(record).then_some(FactKind::SessionVisited);
    patch(record, PatchField::VisitedAt, news, given)
}

/// Nobody looked at what it said last.
pub(super) fn mark_unread(record: &SessionRecord, given: Given<'_>) -> Result<Allowed, Refusal> {
    if record.spoke_at.is_none() {
        let text = texts::nothing_unread(&record.name);
        return Err(Refusal::new(RefusalKind::NoChange, text));
    }
    let news = (!is_unread(record)).then_some(FactKind::SessionUnvisited);
    patch(record, PatchField::VisitedAt, news, given)
}

/// Its diagnostics are forgotten.
pub(super) fn clear_log(record: &SessionRecord) -> Allowed {
    let mut decision = Decision::default();
    decision.cleared.push(record.id.clone());
    allowed(record, decision)
}

/// Gives it another name.
pub(super) fn rename(
    sessions: &Sessions,
    record: &SessionRecord,
    name: &str,
    given: Given<'_>,
) -> Result<Allowed, Refusal> {
    let name = given_name(name)?;
    let taken = sessions.values().find(|other| other.name == name && other.id != record.id);
    let notice = taken.map(|other| shared_name(&name, &other.id));
    let news = (name != record.name).then_some(FactKind::SessionRenamed { name });
    Ok(Allowed { notice, ..patch(record, PatchField::Name, news, given)? })
}

/// Two rows of one name: that is allowed, and has a price.
pub(super) fn shared_name(name: &str, other: &SessionId) -> String {
    texts::same_name(name, other)
}

/// Pins or unpins it.
pub(super) fn set_pin(
    sessions: &Sessions,
    record: &SessionRecord,
    pin: Pin,
    given: Given<'_>,
) -> Result<Allowed, Refusal> {
    let news = (record.pinned != (pin == Pin::Pinned)).then_some(FactKind::PinSet { pin });
    let ends = news.is_some() && pin == Pin::Unpinned && terminals::is_over(sessions, record, given.now);
    let notice = ends.then(|| terminal_texts::unpinned_ends().to_owned());
    Ok(Allowed { notice, ..patch(record, PatchField::Pinned, news, given)? })
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
        let text = texts::too_many_tags_remove(MAX_TAGS, &record.id);
        return Err(Refusal::new(RefusalKind::Limit, text));
    }
    let tags: Vec<String> = tags.into_iter().collect();
    let news = (tags != record.tags).then_some(FactKind::TagsSet { tags });
    patch(record, PatchField::Tags, news, given)
}

/// The tags that a new session is given, each once and in order.
pub(super) fn checked_tags(tags: &[String]) -> Result<Vec<String>, Refusal> {
    let tags = tags.iter().map(|tag| given_tag(tag)).collect::<Result<BTreeSet<String>, _>>()?;
    if tags.len() > MAX_TAGS {
        let text = texts::too_many_tags(MAX_TAGS);
        return Err(Refusal::new(RefusalKind::Limit, text));
    }
    Ok(tags.into_iter().collect())
}

/// One field, if whoever asks may change it. What is so already is no fault of a person's.
fn patch(
    record: &SessionRecord,
    field: PatchField,
    fact: Option<FactKind>,
    given: Given<'_>,
) -> Result<Allowed, Refusal> {
    let news = if fact.is_some() { PatchNews::Changes } else { PatchNews::Nothing };
    let mut decision = Decision::default();
    match verdicts::admit(record, StateKind::PatchFields { fields: vec![field], news }, given) {
        Ok(()) => {}
        Err(refusal) if refusal.kind == RefusalKind::NoChange => return Ok(allowed(record, decision)),
        Err(refusal) => return Err(refusal),
    }
    decision.facts.extend(fact.map(|kind| Fact { session: record.id.clone(), at: given.now, kind }));
    Ok(allowed(record, decision))
}

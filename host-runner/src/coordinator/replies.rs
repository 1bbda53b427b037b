//! Words of a person for an agent: at once, or in their turn (reference A.10, D.4, D.10). Pure.
//!
//! Called by [`super::decide`]. It only puts words into the queue and takes them out; that they leave for the agent is
//! the business of [`super::deliver`], which sees them in the same turn.

use super::{
    decide::{self, Allowed, Given, allowed, wrong_state},
    decision::Decision,
    deliver::{Block, block, block_about_a_plan},
    headless,
    world::ReplyToEnded,
};
use crate::model::{FactKind, MAX_QUEUED, MAX_QUEUED_BYTES, QueuedItem, SessionRecord};
use board_protocol::{
    board::{MAX_NAME_COLUMNS, Revival},
    command::{Command, MAX_TASK_BYTES, ReplyDelivery},
    daemon::{LogLevel, ReplyKind, ReplyProgress},
    host::Typing,
    ids::{QueueItemId, SessionId},
    plan::PlanStatus,
    refusal::{Refusal, RefusalKind},
    run::RunKind,
    state::{CommandSource, SemanticState},
    text::plain_within,
};
use board_text::coordinator as texts;
// What a person is told who answers a question with a reply (reference D.4).
use board_text::notice::answer_there;

/// Longest line that the kernel hands to a program for which it puts lines together, in bytes (`termios(3)`).
const MAX_LINE_BYTES: usize = 4095;

/// Decides one of these commands.
///
/// # Errors
/// The refusal that the person reads.
pub(super) fn decide(
    record: &SessionRecord,
    command: &Command,
    given: Given<'_>,
) -> Result<Allowed, Refusal> {
    if given.source != CommandSource::Person {
        let text = texts::person_only_words();
        return Err(Refusal::new(RefusalKind::SourceNotAllowed, text));
    }
    match command {
        Command::Reply { text, delivery, .. } => reply(record, text, *delivery, given),
        Command::EditQueued { item, text, .. } => edit(record, item, text, given),
        Command::MoveQueued { item, place, .. } => {
            let item = waiting(record, item)?.id.clone();
            one_fact(record, FactKind::ReplyMoved { item, place: *place }, given)
        }
        Command::RemoveQueued { item, .. } => {
            let item = at_rest(record, item)?.id.clone();
            one_fact(record, FactKind::ReplyRemoved { item }, given)
        }
        Command::SendQueued { item, .. } => send(record, item, given),
        Command::ClearQueue { .. } => clear(record, given),
        _ => Err(wrong_state(record, texts::no_such_command())),
    }
}

fn reply(
    record: &SessionRecord,
    text: &str,
    delivery: ReplyDelivery,
    given: Given<'_>,
) -> Result<Allowed, Refusal> {
    let text = checked(text)?;
    has_room(record, text.len(), 1)?;
    if record.leaves_when_ended() {
        return Err(wrong_state(record, texts::nothing_can_be_said()));
    }
    if delivery != ReplyDelivery::Queue && record.plan.status == PlanStatus::AwaitingApproval {
        return Err(decide_the_plan(record));
    }
    let mut notices = Vec::new();
    let item = given.fresh.item.clone();
    let mut answer = match delivery {
        ReplyDelivery::Now => {
            may_be_hurried(record, given, &texts::leave_now_away(&record.id))?;
            put(record, &item, &text, delivery, given)
        }
        ReplyDelivery::Queue => put(record, &item, &text, delivery, given),
        ReplyDelivery::Auto
            if wakes(record)
                && record.queue.waiting().next().is_none()
                && given.runs.reply_to_ended == ReplyToEnded::Headless =>
        {
            let wish = headless::Wish {
                prompt: &text,
                kind: RunKind::Reply,
                item: None,
                model: None,
                thinking: None,
                tools: None,
            };
            notices.push(texts::works_on_words(&record.id));
            headless::said(record, wish, given)?
        }
        ReplyDelivery::Auto if wakes(record) && given.runs.reply_to_ended == ReplyToEnded::Resume => {
            // Older words go first, and these behind them.
            let older = record.queue.waiting().next().is_some();
            let placed = if older { ReplyDelivery::Queue } else { delivery };
            let mut answer = put(record, &item, &text, placed, given);
            let resumed = decide::resume(record, given)?;
            answer.decision.facts.extend(resumed.decision.facts);
            answer.decision.effects.extend(resumed.decision.effects);
            notices.push(texts::continued_for_words(&record.id));
            answer
        }
        ReplyDelivery::Auto => put(record, &item, &text, at_once_or_queued(record, given), given),
    };
    if notices.is_empty() {
        notices.extend(waits(record, delivery, given));
    }
    notices.extend(taken_literally(&text));
    notices.extend(too_long_a_line(record, &text));
    note_waiting(record, delivery, &item, given, &mut answer.decision);
    answer.notice = (!notices.is_empty()).then(|| notices.join(". "));
    Ok(answer)
}

/// Free words must not answer by accident what only a decision answers.
fn decide_the_plan(record: &SessionRecord) -> Refusal {
    let id = &record.id;
    wrong_state(record, &texts::plan_decide(id))
}

/// That words wait, and for what, in the session's log.
fn note_waiting(
    record: &SessionRecord,
    delivery: ReplyDelivery,
    item: &QueueItemId,
    given: Given<'_>,
    decision: &mut Decision,
) {
    let Some(why) = waits(record, delivery, given) else { return };
    let text = format!("{item}: {why}");
    decision.note(&record.id, given.now, (LogLevel::Info, "queue", "follow_up_queued"), &text);
    if block(record, &given.sight, ReplyDelivery::Now) == Some(Block::HostAway) {
        let text = texts::is_sent(item, Block::HostAway.why());
        decision.note(&record.id, given.now, (LogLevel::Info, "queue", "waiting_for_pty"), &text);
    }
}

/// Whether a reply continues the session: it ended by itself, and its agent can go on. One that a person stopped waits
/// until they start it again (field reports D11, F16).
fn wakes(record: &SessionRecord) -> bool {
    !record.is_at_work()
        && record.agent.revival() == Revival::Resumes
        && record.state != SemanticState::Stopped
}

/// What stands behind other words, or comes while a turn runs, stands in the queue; so does what an open question or an
/// end keeps away from the agent. Anything else passes in a moment, and the words are still the answer to what the agent
/// said last.
fn at_once_or_queued(record: &SessionRecord, given: Given<'_>) -> ReplyDelivery {
    if record.queue.waiting().next().is_some() {
        return ReplyDelivery::Queue;
    }
    match block(record, &given.sight, ReplyDelivery::Auto) {
        Some(
            Block::Turn | Block::Question | Block::Ended | Block::Stopping | Block::InFlight | Block::Plan,
        ) => ReplyDelivery::Queue,
        _ => ReplyDelivery::Auto,
    }
}

fn put(
    record: &SessionRecord,
    item: &QueueItemId,
    text: &str,
    delivery: ReplyDelivery,
    given: Given<'_>,
) -> Allowed {
    let mut decision = Decision::default();
    let (item, text, kind) = (item.clone(), text.to_owned(), ReplyKind::Reply);
    let fact = FactKind::ReplyQueued { item, text, delivery, kind };
    decision.record(&record.id, given.now, fact);
    allowed(record, decision)
}

/// Why the words are not written at once, for the person who wrote them.
fn waits(record: &SessionRecord, delivery: ReplyDelivery, given: Given<'_>) -> Option<String> {
    let before = record.queue.waiting().count();
    let effective = if delivery == ReplyDelivery::Auto { at_once_or_queued(record, given) } else { delivery };
    let blocked = block(record, &given.sight, effective);
    if record.run_is_open() {
        let next = if given.runs.reply_to_ended == ReplyToEnded::Wait {
            texts::next_entered()
        } else {
            texts::next_turn()
        };
        return Some(texts::kept_headless(next));
    }
    if !record.is_live() {
        let how = match (record.state, record.agent.revival()) {
            (SemanticState::Stopped, Revival::Resumes) => texts::stopped_enter(),
            (SemanticState::Stopped, Revival::RunsAgain) => texts::stopped_run(),
            (_, Revival::Resumes) => texts::ended_enter(),
            (_, Revival::RunsAgain) => texts::ended_run(),
        };
        return Some(texts::kept(how));
    }
    if before > 0 && delivery != ReplyDelivery::Now {
        let why = blocked.map(|block| block.why());
        return Some(match why {
            Some(why) => texts::queued_behind_until(before, why),
            None => texts::queued_behind(before),
        });
    }
    blocked.map(|block| texts::queued(block.why()))
}

/// `!` and `/` at the beginning mean something to most agents. They are sent as they are, and said (field report D5).
fn taken_literally(text: &str) -> Option<String> {
    let (sign, meaning) = match text.chars().next() {
        Some('!') => ('!', texts::sign_shell()),
        Some('/') => ('/', texts::sign_command()),
        _ => return None,
    };
    Some(texts::begins_with_sign(sign, meaning))
}

/// A line that a program for which the kernel puts lines together would get cut; its host does not write it then.
fn too_long_a_line(record: &SessionRecord, text: &str) -> Option<String> {
    let longest = text.split('\n').map(str::len).max().unwrap_or(0);
    (record.agent.typing() == Typing::Line && longest > MAX_LINE_BYTES)
        .then(|| texts::line_too_long(longest, MAX_LINE_BYTES))
}

fn edit(
    record: &SessionRecord,
    item: &QueueItemId,
    text: &str,
    given: Given<'_>,
) -> Result<Allowed, Refusal> {
    let text = checked(text)?;
    let old = waiting(record, item)?;
    has_room(record, text.len().saturating_sub(old.text.len()), 0)?;
    let item = old.id.clone();
    let mut answer = one_fact(record, FactKind::ReplyEdited { item, text: text.clone() }, given)?;
    answer.notice = taken_literally(&text);
    Ok(answer)
}

fn send(record: &SessionRecord, item: &QueueItemId, given: Given<'_>) -> Result<Allowed, Refusal> {
    let item = at_rest(record, item)?;
    if item.kind.is_reply() {
        may_be_hurried(record, given, texts::stay_in_queue())?;
    }
    // Words that may have arrived are written a second time because the person says so, and only then.
    let again_as = (item.progress == ReplyProgress::AcceptedUnknown).then(|| given.fresh.item.clone());
    let mut answer = one_fact(record, FactKind::ReplyHurried { item: item.id.clone(), again_as }, given)?;
    let blocked = block(record, &given.sight, ReplyDelivery::Now);
    answer.notice = blocked.map(|block| texts::sent(block.why()));
    Ok(answer)
}

fn clear(record: &SessionRecord, given: Given<'_>) -> Result<Allowed, Refusal> {
    let mut decision = Decision::default();
    for item in record.queue.items.iter().filter(|item| is_at_rest(item)) {
        decision.record(&record.id, given.now, FactKind::ReplyRemoved { item: item.id.clone() });
    }
    if decision.facts.is_empty() {
        let text = texts::nothing_waits(shown(record));
        return Err(Refusal::new(RefusalKind::NoChange, text));
    }
    let on_its_way = record.queue.on_its_way().is_some();
    let notice = on_its_way.then(|| texts::one_being_written().to_owned());
    Ok(Allowed { notice, ..allowed(record, decision) })
}

/// Whether words may go to the agent while it works.
fn may_be_hurried(record: &SessionRecord, given: Given<'_>, keep: &str) -> Result<(), Refusal> {
    refuse_hurry(record, block(record, &given.sight, ReplyDelivery::Now), keep)
}

fn refuse_hurry(record: &SessionRecord, blocked: Option<Block>, keep: &str) -> Result<(), Refusal> {
    let refuse = |kind, text: String| Err(Refusal::new(kind, text));
    match blocked {
        Some(Block::Question) => refuse(RefusalKind::WrongState, answer_there().to_owned()),
        Some(Block::Plan) => Err(decide_the_plan(record)),
        Some(Block::Ended | Block::Stopping | Block::Resting) => {
            Err(wrong_state(record, &texts::nobody_reads(keep)))
        }
        Some(Block::HostAway) => {
            refuse(RefusalKind::HostUnreachable, texts::host_away_words(shown(record), keep))
        }
        Some(Block::HostOutdated) => refuse(RefusalKind::Version, texts::host_older_words(shown(record))),
        _ => Ok(()),
    }
}

/// The same for words about a plan, which may answer what the row waits for.
pub(super) fn may_be_hurried_about_a_plan(record: &SessionRecord, given: Given<'_>) -> Result<(), Refusal> {
    let blocked = block_about_a_plan(record, &given.sight, ReplyDelivery::Now);
    let keep = texts::plan_waits_on(&record.id);
    refuse_hurry(record, blocked, &keep)
}

/// Words as they will be written: line ends as `\n`, none of them at the end.
pub(super) fn checked(text: &str) -> Result<String, Refusal> {
    let text = text.replace("\r\n", "\n");
    let text = text.trim_end();
    if text.trim().is_empty() {
        return Err(Refusal::new(RefusalKind::BadInput, texts::empty_words()));
    }
    if text.len() > MAX_TASK_BYTES {
        let text = texts::words_too_long(text.len(), MAX_TASK_BYTES);
        return Err(Refusal::new(RefusalKind::Limit, text));
    }
    if let Some(control) = text.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\t')) {
        let text = texts::words_control(format_args!("{:04X}", u32::from(control)));
        return Err(Refusal::new(RefusalKind::BadInput, text));
    }
    Ok(text.to_owned())
}

pub(super) fn has_room(record: &SessionRecord, bytes: usize, items: usize) -> Result<(), Refusal> {
    let queue = &record.queue;
    let refuse = |what: String| {
        let text = texts::too_many_wait(&what, shown(record), &record.id);
        Err(Refusal::new(RefusalKind::Limit, text))
    };
    if queue.items.len() + items > MAX_QUEUED {
        return refuse(texts::replies(queue.items.len()));
    }
    if queue.bytes() + bytes > MAX_QUEUED_BYTES {
        return refuse(texts::reply_bytes(queue.bytes(), MAX_QUEUED_BYTES));
    }
    Ok(())
}

fn find<'a>(record: &'a SessionRecord, item: &QueueItemId) -> Result<&'a QueuedItem, Refusal> {
    record.queue.get(item).ok_or_else(|| {
        let named = plain_within(item.as_str(), MAX_NAME_COLUMNS);
        let text = texts::no_such_words(&named, shown(record), &record.id);
        Refusal::new(RefusalKind::BadInput, text)
    })
}

fn is_at_rest(item: &QueuedItem) -> bool {
    matches!(item.progress, ReplyProgress::Waiting | ReplyProgress::AcceptedUnknown)
}

/// Words that the host does not have at this moment.
fn at_rest<'a>(record: &'a SessionRecord, item: &QueueItemId) -> Result<&'a QueuedItem, Refusal> {
    let item = find(record, item)?;
    if is_at_rest(item) {
        return Ok(item);
    }
    let text = texts::being_written(&item.id, shown(record));
    Err(Refusal::new(RefusalKind::NoChange, text))
}

/// Words that wait for their turn.
fn waiting<'a>(record: &'a SessionRecord, item: &QueueItemId) -> Result<&'a QueuedItem, Refusal> {
    let item = at_rest(record, item)?;
    if item.progress == ReplyProgress::Waiting {
        return Ok(item);
    }
    let text = texts::may_have_arrived(&item.id, shown(record));
    Err(Refusal::new(RefusalKind::WrongState, text))
}

fn one_fact(record: &SessionRecord, fact: FactKind, given: Given<'_>) -> Result<Allowed, Refusal> {
    let mut decision = Decision::default();
    decision.record(&record.id, given.now, fact);
    Ok(allowed(record, decision))
}

fn shown(record: &SessionRecord) -> String {
    let id: &SessionId = &record.id;
    format!("{id} ({})", record.name)
}

#[cfg(test)]
mod tests;

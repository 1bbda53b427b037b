//! A conversation that an agent had elsewhere comes to the board (reference D.4, C.5 `adopt_session`). Pure.
//!
//! Called by [`super::decide`]. A process that runs in a foreign terminal cannot be taken into one of ours: what is
//! adopted is the file of the conversation, which a host of its own continues. It never touches that file itself.

use super::{
    decide::{self, Allowed, Given, MAX_CWD_BYTES, begin, transcript},
    replies, verdicts,
};
use crate::{
    agents::AgentKind,
    model::{FactKind, SessionRecord, Sessions, command::StateKind, unused},
};
use board_protocol::{
    command::{AdoptSession, Launch, ReplyDelivery, StartSession},
    daemon::{LogLevel, ReplyKind},
    ids::SessionId,
    refusal::{Refusal, RefusalKind},
};
use board_text::coordinator as texts;

/// What such a row is called (reference D.4).
const NAME: &str = "background-session";
/// What it says until its agent has said something (reference C.5).
const SAYS: &str = "Backgrounded session";

/// Decides it.
///
/// # Errors
/// The refusal that the person reads.
pub(super) fn decide(
    sessions: &Sessions,
    asked: &AdoptSession,
    given: Given<'_>,
) -> Result<Allowed, Refusal> {
    let agent = AgentKind::parse(&asked.agent)?;
    if agent != AgentKind::Pi {
        let text = texts::adopt_pi_only(agent.name());
        return Err(Refusal::new(RefusalKind::BadInput, text));
    }
    let file = &asked.transcript;
    if file.len() > MAX_CWD_BYTES || !file.starts_with('/') || file.chars().any(char::is_control) {
        return Err(Refusal::new(RefusalKind::BadInput, texts::adopt_absolute()));
    }
    let prompt = asked.prompt.as_deref().map(replies::checked).transpose()?;
    let mut taken = None;
    for record in sessions.values().filter(|record| record.agent == agent) {
        if keeps(record, file, given)? {
            taken = Some(record);
        }
    }
    let mut allowed = match taken {
        Some(record) => again(record, prompt.as_deref(), given)?,
        None => anew(sessions, asked, given)?,
    };
    let session: SessionId = allowed.session.clone();
    allowed.decision.record(&session, given.now, FactKind::SessionAdopted);
    if let Some(text) = prompt {
        let (item, delivery) = (given.fresh.item.clone(), ReplyDelivery::Queue);
        let grave = (LogLevel::Info, "queue", "follow_up_queued");
        let why = texts::adopt_sent_later(&item);
        allowed.decision.note(&session, given.now, grave, &why);
        allowed.decision.record(
            &session,
            given.now,
            FactKind::ReplyQueued { item, text, delivery, kind: ReplyKind::Reply },
        );
    }
    Ok(allowed)
}

/// Whether this row's conversation is kept in that file.
fn keeps(record: &SessionRecord, file: &str, given: Given<'_>) -> Result<bool, Refusal> {
    Ok(match &record.agent_record.transcript {
        Some(kept) => kept == file,
        None => transcript(given, &record.id)? == file,
    })
}

/// The row is there: it waits for instructions, and has a host.
fn again(record: &SessionRecord, prompt: Option<&str>, given: Given<'_>) -> Result<Allowed, Refusal> {
    verdicts::admit(record, StateKind::AdoptSession, given)?;
    if let Some(text) = prompt {
        replies::has_room(record, text.len(), 1)?;
    }
    let resumed = decide::resume(record, given)?;
    Ok(Allowed { notice: Some(texts::adopt_is_there(decide::shown(record))), ..resumed })
}

fn anew(sessions: &Sessions, asked: &AdoptSession, given: Given<'_>) -> Result<Allowed, Refusal> {
    let start = StartSession {
        name: Some(unused(NAME.to_owned(), |name| sessions.values().any(|record| record.name == name))),
        agent: asked.agent.clone(),
        launch: Launch::Task(SAYS.to_owned()),
        cwd: asked.cwd.clone(),
        size: asked.size,
        model: None,
        thinking: None,
        tags: Vec::new(),
        remember: Default::default(),
    };
    begin(sessions, &start, Some(&asked.transcript), given)
}

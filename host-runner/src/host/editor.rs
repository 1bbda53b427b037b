//! May plain Left detach, and may a person's words be written? The host follows what the agent reports about its editor and tells attach clients (decision 7).
//!
//! The daemon is not asked: it may be away, and the answer has to be there when the key comes.

use super::{
    client::{ClientId, Phase},
    event_loop::Host,
    words::Draft,
};
use crate::agents::{
    AgentKind,
    event::{AgentEvent, EditorState},
    questions::QuestionTools,
};
use board_protocol::host::{AgentReport, FromHost, PlainLeft};
use std::time::Instant;

/// The first version of the host's protocol that has [`FromHost::Editor`].
const KNOWS_EDITOR: u32 = 2;

/// What one report says about the agent's text field, if it says anything.
fn editor_after(report: &AgentReport) -> Option<(AgentKind, EditorState)> {
    let agent = AgentKind::parse(&report.adapter).ok()?;
    let parsed = agent.read(&report.payload, &QuestionTools::default())?;
    let newest = parsed.events.iter().rev().find_map(|event| match event {
        AgentEvent::EditorChanged(state) => Some(*state),
        // A fresh screen of the agent: it will say what its editor holds.
        AgentEvent::SessionStarted(_) | AgentEvent::SessionEnded { .. } => Some(EditorState::Unknown),
        _ => None,
    })?;
    Some((agent, newest))
}

/// What one report says about plain Left, if it says anything.
fn plain_left_after(report: &AgentReport) -> Option<PlainLeft> {
    let (agent, newest) = editor_after(report)?;
    Some(match newest {
        EditorState::Empty if agent.plain_left_is_free() => PlainLeft::Detaches,
        EditorState::Empty | EditorState::HasText | EditorState::Unknown => PlainLeft::Typed,
    })
}

impl Host {
    /// Takes what a report says about the editor.
    pub(super) fn follow_editor(&mut self, report: &AgentReport, now: Instant) {
        if let Some((_, state)) = editor_after(report) {
            self.editor = state;
            self.draft = if state == EditorState::HasText { Draft::Typed } else { Draft::None };
            self.write_on(now);
        }
        if let Some(plain_left) = plain_left_after(report)
            && plain_left != self.plain_left
        {
            self.plain_left = plain_left;
            self.tell_editor(None, now);
        }
    }

    /// Tells one attach client, or all of them.
    pub(super) fn tell_editor(&mut self, only: Option<ClientId>, now: Instant) {
        let message = FromHost::Editor { plain_left: self.plain_left };
        for client in &mut self.clients {
            let knows = matches!(client.phase, Phase::Ready { version, .. } if version >= KNOWS_EDITOR);
            let meant = only.is_none_or(|id| id == client.id);
            if client.attached.is_some()
                && knows
                && meant
                && let Err(error) = client.send(&message)
            {
                client.drop_at_once(now, &error);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use board_protocol::ids::{Token, UnixMs};

    #[test]
    fn only_an_empty_editor_of_an_agent_that_has_no_use_for_left_gives_it_away() {
        let table = [
            ("pi", r#"{"type":"editor","state":"empty"}"#, Some(PlainLeft::Detaches)),
            ("pi", r#"{"type":"editor","state":"text"}"#, Some(PlainLeft::Typed)),
            ("pi", r#"{"type":"editor","state":"unknown"}"#, Some(PlainLeft::Typed)),
            ("pi", r#"{"type":"session_start","reason":"new"}"#, Some(PlainLeft::Typed)),
            ("pi", r#"{"type":"agent_start"}"#, None),
            ("pi", "no JSON", None),
            ("generic", r#"{"type":"editor","state":"empty"}"#, None),
            ("nobody", r#"{"type":"editor","state":"empty"}"#, None),
        ];
        for (adapter, payload, expected) in table {
            let report = AgentReport {
                token: Token("t".into()),
                adapter: adapter.into(),
                at_ms: UnixMs(1),
                payload: payload.into(),
            };
            assert_eq!(plain_left_after(&report), expected, "{adapter} {payload}");
        }
    }
}

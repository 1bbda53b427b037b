//! Which session a person means: by id, by unique id prefix, or by unique name. Pure.

use super::session::{SessionRecord, Sessions};
use board_protocol::{
    ids::SessionId,
    refusal::{Refusal, RefusalKind},
};
use board_text::model as texts;

/// Most sessions that an ambiguous answer lists.
const LISTED: usize = 5;

/// Finds the session that `text` names. A complete id wins over a name, a name over an id prefix: a session called
/// `deadbeef` can be reached although another id begins that way.
///
/// # Errors
/// None or several fit; the refusal says which.
pub fn find<'a>(sessions: &'a Sessions, text: &str) -> Result<&'a SessionRecord, Refusal> {
    if let Some(record) = SessionId::parse(text).and_then(|id| sessions.get(&id)) {
        return Ok(record);
    }
    let named = sessions.values().filter(|record| record.name == text).collect::<Vec<_>>();
    let prefixed = || {
        sessions
            .range(SessionId(text.to_owned())..)
            .map(|(_, record)| record)
            .take_while(|record| record.id.as_str().starts_with(text))
    };
    let fitting = if named.is_empty() && !text.is_empty() { prefixed().collect() } else { named };
    match fitting.as_slice() {
        [] => Err(Refusal::new(RefusalKind::UnknownSession, texts::no_session(format!("{text:?}")))),
        [record] => Ok(record),
        several => {
            let mut listed: Vec<String> = several
                .iter()
                .take(LISTED)
                .map(|record| format!("{} ({})", record.id, record.name))
                .collect();
            if several.len() > LISTED {
                listed.push("…".to_owned());
            }
            Err(Refusal::new(
                RefusalKind::AmbiguousSession,
                texts::several_sessions(format!("{text:?}"), several.len(), listed.join(", ")),
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::samples::{begun, session};

    #[test]
    fn sessions_are_found_by_id_prefix_and_name() {
        let mut sessions = Sessions::new();
        for (id, name) in
            [("aaaa000001", "one"), ("aaaa000002", "two"), ("bbbb000001", "two"), ("cccc000001", "aaaa")]
        {
            begun(&mut sessions, id, name);
        }
        let found = |text: &str| {
            find(&sessions, text).map(|record| record.id.clone()).map_err(|refusal| refusal.kind)
        };
        let table = [
            ("aaaa000001", Ok(session("aaaa000001"))),
            ("bbbb", Ok(session("bbbb000001"))),
            ("one", Ok(session("aaaa000001"))),
            // A name wins over a prefix.
            ("aaaa", Ok(session("cccc000001"))),
            ("aaa", Err(RefusalKind::AmbiguousSession)),
            ("two", Err(RefusalKind::AmbiguousSession)),
            ("", Err(RefusalKind::UnknownSession)),
            ("zz", Err(RefusalKind::UnknownSession)),
            ("aaaa000009", Err(RefusalKind::UnknownSession)),
        ];
        for (text, expected) in table {
            assert_eq!(found(text), expected, "{text:?}");
        }
        let refusal = find(&sessions, "two").unwrap_err();
        assert!(
            refusal.text.contains("aaaa000002 (two)") && refusal.text.contains("bbbb000001"),
            "{refusal}"
        );
    }
}

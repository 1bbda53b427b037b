//! Which session a person means: by id, by unique id prefix, or by unique name. Pure.

use super::session::{SessionRecord, Sessions};
use board_protocol::{
    ids::SessionId,
    refusal::{Refusal, RefusalKind},
};

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
        [] => Err(Refusal::new(
            RefusalKind::UnknownSession,
            format!("there is no session {text:?}. host-runner ls shows those there are"),
        )),
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
                format!("{text:?} fits {} sessions: {}. Give an id", several.len(), listed.join(", ")),
            ))
        }
    }
}

//! Makes a hook's event small enough to be passed on. A tool's answer may be megabytes (a file that was read, a
//! picture), and half of an event cannot be read at all. Pure; called by `host-runner hook`.

use crate::agents::shorten::shorten;
use serde_json::Value;

/// Longest event that the hook reads, in bytes: a prompt of 1 MiB with every character escaped, or a picture.
pub const MAX_RAW_BYTES: usize = 8 * 1024 * 1024;
/// Events up to this length, in bytes, go on as they are: nearly all of them.
const SMALL: usize = 16 * 1024;

/// What stands in front of a tool's answer. Inside a text its quotes would be escaped, and as a key further inside
/// something what stands before it is no whole event.
const ANSWER: &[u8] = br#","tool_response":"#;

/// The event, shortened at every level if it is long. One that is no JSON stays as it is.
pub fn condense(payload: Vec<u8>) -> Vec<u8> {
    if payload.len() <= SMALL {
        return payload;
    }
    let Some(mut event) = serde_json::from_slice(&payload).ok().or_else(|| without_answer(&payload)) else {
        return payload;
    };
    if let Some(fields) = event.as_object_mut() {
        fields.remove("tool_response");
    }
    shorten(&mut event);
    event.to_string().into_bytes()
}

/// An event that broke off inside a tool's answer, without that: it was too long, or the time was up.
fn without_answer(payload: &[u8]) -> Option<Value> {
    let at = payload.windows(ANSWER.len()).position(|window| window == ANSWER)?;
    let mut whole = payload.get(..at)?.to_vec();
    whole.push(b'}');
    serde_json::from_slice(&whole).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::shorten::KEPT_CHARACTERS;
    use board_protocol::host::MAX_EVENT_BYTES;
    use serde_json::json;

    #[test]
    fn a_small_event_and_what_is_none_stay_as_they_are() {
        let small = br#"{"hook_event_name":"Stop","tool_response":{"a":1}}"#.to_vec();
        assert_eq!(condense(small.clone()), small);
        let broken = vec![b'{'; SMALL + 1];
        assert_eq!(condense(broken.clone()), broken);
    }

    #[test]
    fn a_long_event_keeps_what_the_board_reads() {
        let long = "\u{1f600}".repeat(100_000);
        let event = json!({
            "hook_event_name": "PostToolUse", "session_id": "s", "tool_use_id": "t",
            "tool_input": {"file_path": "/a/b.rs", "content": long, "many": vec![1; 1000]},
            "tool_response": {"content": long}, "last_assistant_message": format!("First. {long} Which one?"),
        });
        let short = condense(event.to_string().into_bytes());
        assert!(short.len() < MAX_EVENT_BYTES, "{}", short.len());
        let read: Value = serde_json::from_slice(&short).unwrap();
        assert_eq!(
            (&read["hook_event_name"], &read["tool_use_id"]),
            (&event["hook_event_name"], &json!("t"))
        );
        assert_eq!(read["tool_input"]["file_path"], "/a/b.rs");
        let said = read["last_assistant_message"].as_str().unwrap();
        assert!(said.starts_with("First.") && said.ends_with("Which one?"), "{said}");
        assert!(read.get("tool_response").is_none());
    }

    #[test]
    fn an_event_that_broke_off_inside_an_answer_is_read_without_it() {
        let input = json!({"command": "cat x", "why": "a \",\"tool_response\":\" in a text"});
        let head = format!(r#"{{"hook_event_name":"PostToolUse","session_id":"s","tool_input":{input}"#);
        let cut = format!(r#"{head},"tool_response":{{"stdout":"{}"#, "x".repeat(SMALL));
        let read: Value = serde_json::from_slice(&condense(cut.into_bytes())).unwrap();
        assert_eq!((&read["hook_event_name"], &read["tool_input"]), (&json!("PostToolUse"), &input));
        let inside = format!(r#"{{"a":{{"b":1,"tool_response":"{}"#, "x".repeat(SMALL)).into_bytes();
        assert_eq!(condense(inside.clone()), inside);
    }

    #[test]
    fn whatever_comes_it_fits() {
        let long = "x".repeat(100_000);
        let many: serde_json::Map<String, Value> =
            (0..50).map(|number| (format!("k{number}"), json!(long))).collect();
        let mut deep = json!(many);
        for _ in 0..3 {
            deep = json!(vec![deep; 3]);
        }
        assert!(condense(deep.to_string().into_bytes()).len() < 27 * 50 * (2 * KEPT_CHARACTERS + 20));
    }
}

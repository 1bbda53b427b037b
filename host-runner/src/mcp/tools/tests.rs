//! The tools as a client sees them: names, schemas, annotations.

use super::*;
use serde_json::json;

fn listed() -> Vec<Value> {
    definitions().as_array().unwrap().clone()
}

#[test]
fn the_eight_tools_have_schemas_for_what_they_take_and_what_they_answer() {
    let names: Vec<String> = listed().iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect();
    let expected = [
        "terminal_open",
        "terminal_send",
        "terminal_read",
        "terminal_wait_for",
        "terminal_signal",
        "terminal_resize",
        "terminal_list",
        "terminal_close",
    ];
    assert_eq!(names, expected);
    for tool in listed() {
        let name = &tool["name"];
        // A root of another type is hidden from clients of earlier revisions.
        assert_eq!(tool["inputSchema"]["type"], "object", "{name}");
        assert_eq!(tool["outputSchema"]["type"], "object", "{name}: {}", tool["outputSchema"]);
        assert_eq!(tool["inputSchema"]["additionalProperties"], json!(false), "{name}");
        let description = tool["description"].as_str().unwrap();
        assert!(description.contains("Example"), "{name}");
        let described = tool["inputSchema"]["properties"].as_object().is_none_or(|properties| {
            properties
                .values()
                .all(|property| property.get("description").is_some() || property.get("$ref").is_some())
        });
        assert!(described, "{name}: {}", tool["inputSchema"]);
    }
}

#[test]
fn what_a_tool_takes_is_what_the_issue_says() {
    let fields = |name: &str| {
        let tool = listed().into_iter().find(|tool| tool["name"] == name).unwrap();
        let mut all: Vec<String> = tool["inputSchema"]["properties"]
            .as_object()
            .map(|properties| properties.keys().cloned().collect())
            .unwrap_or_default();
        all.sort();
        let mut required: Vec<String> = tool["inputSchema"]["required"]
            .as_array()
            .map(|names| names.iter().map(|name| name.as_str().unwrap().to_owned()).collect())
            .unwrap_or_default();
        required.sort();
        (all.join(" "), required.join(" "))
    };
    let table = [
        ("terminal_open", "cols command cwd env rows title", ""),
        ("terminal_send", "enter id keys text", "id text"),
        ("terminal_read", "from id lines screen", "id"),
        ("terminal_wait_for", "id needle timeout_ms", "id needle"),
        ("terminal_signal", "id signal", "id signal"),
        ("terminal_resize", "cols id rows", "cols id rows"),
        ("terminal_list", "", ""),
        ("terminal_close", "id", "id"),
    ];
    for (name, all, required) in table {
        assert_eq!(fields(name), (all.to_owned(), required.to_owned()), "{name}");
    }
}

#[test]
fn only_tools_that_look_say_that_they_change_nothing() {
    for tool in listed() {
        let looks =
            matches!(tool["name"].as_str().unwrap(), "terminal_read" | "terminal_wait_for" | "terminal_list");
        assert_eq!(tool["annotations"]["readOnlyHint"], json!(looks), "{}", tool["name"]);
    }
}

// Reference G.2: the description of the tool says that a person may skip.
#[test]
fn the_description_of_the_wait_mentions_the_skip_and_its_default() {
    let tool = listed().into_iter().find(|tool| tool["name"] == "terminal_wait_for").unwrap();
    assert!(tool["description"].as_str().unwrap().contains("Skipped by user while waiting for"));
    assert_eq!(tool["inputSchema"]["properties"]["timeout_ms"]["default"], 10_000);
    let kinds: Vec<&str> = tool["outputSchema"]["oneOf"]
        .as_array()
        .unwrap()
        .iter()
        .map(|kind| kind["properties"]["kind"]["const"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["found", "timeout", "exited", "skipped"]);
}

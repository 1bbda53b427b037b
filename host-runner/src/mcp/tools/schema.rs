//! Schemas as every client and provider understands them. Pure.
//!
//! Called by [`super::define`]. What our types are made into is right, and uses words that some providers of models refuse:
//! formats of Rust's integers, `null` as a second type of what may be left away, and choices as alternatives.

use rmcp::model::JsonObject;
use serde_json::{Value, json};

/// What a tool takes: every provider reads this.
pub(super) fn of_input(schema: &JsonObject) -> JsonObject {
    let mut schema = schema.clone();
    // A tool without arguments has an empty list of them, not none.
    schema.entry("properties").or_insert_with(|| json!({}));
    simplify(&mut schema, Null::LeftAway);
    schema
}

/// What a tool answers: only clients read this.
pub(super) fn of_output(schema: &JsonObject) -> JsonObject {
    let mut schema = schema.clone();
    simplify(&mut schema, Null::Kept);
    schema
}

/// What becomes of `null` beside another type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Null {
    /// It stays: it is answered.
    Kept,
    /// It goes: whoever has nothing to say leaves the argument away.
    LeftAway,
}

fn simplify(schema: &mut JsonObject, null: Null) {
    if schema.get("format").and_then(Value::as_str).is_some_and(|format| format.contains("int")) {
        schema.remove("format");
    }
    if null == Null::LeftAway
        && let Some(Value::Array(types)) = schema.get("type")
        && let Some(first) = types.iter().find(|kind| *kind != "null").cloned()
    {
        schema.insert("type".to_owned(), first);
    }
    if let Some(words) = choices(schema) {
        schema.remove("oneOf");
        schema.insert("type".to_owned(), json!("string"));
        schema.insert("enum".to_owned(), words);
    }
    for value in schema.values_mut() {
        within(value, null);
    }
}

fn within(value: &mut Value, null: Null) {
    match value {
        Value::Object(schema) => simplify(schema, null),
        Value::Array(schemas) => schemas.iter_mut().for_each(|schema| within(schema, null)),
        _ => {}
    }
}

/// The words of alternatives that are one word each.
fn choices(schema: &JsonObject) -> Option<Value> {
    let alternatives = schema.get("oneOf")?.as_array()?;
    let words: Option<Vec<&Value>> =
        alternatives.iter().map(|one| one.get("const").filter(|word| word.is_string())).collect();
    words.map(|words| json!(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(value: Value) -> JsonObject {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn what_is_taken_has_one_type_and_plain_choices() {
        let ours = object(json!({"type": "object", "properties": {
            "from": {"type": ["integer", "null"], "format": "uint64", "minimum": 0},
            "signal": {"oneOf": [{"const": "INT", "type": "string", "description": "x"}, {"const": "HUP", "type": "string"}]},
        }}));
        let expected = json!({"type": "object", "properties": {
            "from": {"type": "integer", "minimum": 0},
            "signal": {"type": "string", "enum": ["INT", "HUP"]},
        }});
        assert_eq!(Value::Object(of_input(&ours)), expected);
        assert_eq!(
            Value::Object(of_input(&object(json!({"type": "object"})))),
            json!({"type": "object", "properties": {}})
        );
    }

    #[test]
    fn what_is_answered_may_be_null() {
        let ours = object(json!({"properties": {"code": {"type": ["integer", "null"], "format": "int32"}}}));
        assert_eq!(
            Value::Object(of_output(&ours)),
            json!({"properties": {"code": {"type": ["integer", "null"]}}})
        );
    }
}

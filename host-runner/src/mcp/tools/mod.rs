//! The eight tools: one file each, with its name, its description, what it takes, what it answers, and what it does.
//!
//! Called by [`super::server`], which speaks the protocol, and by the adapter of an agent without that protocol, which
//! shows the same tools ([`definitions`]).

mod close;
mod list;
mod open;
mod read;
mod resize;
mod schema;
mod send;
mod signal;
mod wait_for;

use super::{desk::Desk, results::Answered, trouble::Trouble};
use rmcp::{
    RoleServer,
    handler::server::tool::{schema_for_input, schema_for_output},
    model::{JsonObject, Tool, ToolAnnotations},
    schemars::JsonSchema,
    service::RequestContext,
};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// What a call came to.
pub(super) type Outcome = Result<Answered, Trouble>;

/// All of them.
pub(super) fn all() -> Vec<Tool> {
    vec![
        open::tool(),
        send::tool(),
        read::tool(),
        wait_for::tool(),
        signal::tool(),
        resize::tool(),
        list::tool(),
        close::tool(),
    ]
}

/// All of them as the protocol lists them.
pub(crate) fn definitions() -> Value {
    serde_json::to_value(all()).unwrap_or_default()
}

/// Calls one. `None`: there is no such tool.
pub(super) async fn call(
    desk: &Desk,
    name: &str,
    arguments: JsonObject,
    request: &RequestContext<RoleServer>,
) -> Option<Outcome> {
    Some(match name {
        open::NAME => open::call(desk, arguments).await,
        send::NAME => send::call(desk, arguments).await,
        read::NAME => read::call(desk, arguments).await,
        wait_for::NAME => wait_for::call(desk, arguments, request).await,
        signal::NAME => signal::call(desk, arguments).await,
        resize::NAME => resize::call(desk, arguments).await,
        list::NAME => list::call(desk, arguments).await,
        close::NAME => close::call(desk, arguments).await,
        _ => return None,
    })
}

/// What a tool does to the world, for clients that ask a person before some.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// It only looks.
    Looks,
    /// It may do whatever the program does with it.
    Acts,
    /// It changes the terminal; the same again changes nothing more.
    Settles,
    /// It ends a program; the same again changes nothing more.
    Ends,
}

fn define<Takes, Answers>(
    name: &'static str,
    title: &str,
    description: impl Into<std::borrow::Cow<'static, str>>,
    effect: Effect,
) -> Tool
where
    Takes: JsonSchema + 'static,
    Answers: JsonSchema + 'static,
{
    // What a tool takes is a structure, so that its schema is always one of an object (a test looks at all of them).
    let takes = schema_for_input::<Takes>().unwrap_or_default();
    let annotations = ToolAnnotations::with_title(title)
        .read_only(effect == Effect::Looks)
        .destructive(matches!(effect, Effect::Acts | Effect::Ends))
        .idempotent(effect != Effect::Acts)
        .open_world(effect == Effect::Acts);
    Tool::new(name, description, schema::of_input(&takes))
        .with_title(title)
        .with_raw_output_schema(schema::of_output(&schema_for_output::<Answers>()).into())
        .with_annotations(annotations)
}

/// What a tool was called with.
fn read_arguments<T: DeserializeOwned>(name: &str, arguments: JsonObject) -> Result<T, Trouble> {
    serde_json::from_value(Value::Object(arguments)).map_err(|error| Trouble(format!("{name}: {error}")))
}

#[cfg(test)]
mod tests;

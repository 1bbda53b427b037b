//! `terminal_wait_for`: waits until something appears in a terminal, its program ends, the person skips, or time is up.
//!
//! The host owns the wait. This file keeps one connection open for it: when the call is cancelled, or the client goes, the
//! wait is taken back.

use super::{Effect, Outcome, define, read_arguments};
use crate::mcp::{
    desk::{Desk, Found, told},
    host::{HostConnection, Lost},
    results::{Answered, Wait},
    trouble::Trouble,
};
use board_protocol::terminals::{
    AgentTerminal, DEFAULT_WAIT_MS, MAX_NEEDLE_BYTES, MAX_WAIT_MS, MIN_WAIT_MS, TerminalAnswer, TerminalAsk,
    WaitEnd,
};
use rmcp::{
    RoleServer,
    model::{JsonObject, ProgressNotificationParam, Tool},
    schemars::{self, JsonSchema},
    service::RequestContext,
};
use serde::Deserialize;
use std::time::Duration;
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep};

pub(super) const NAME: &str = "terminal_wait_for";

/// How much later than its time a wait's end may come from the host before the host counts as hung.
const GRACE: Duration = Duration::from_secs(10);
/// How often a client that asked for it hears that a wait goes on. Clients give up after a minute of silence.
const PROGRESS: Duration = Duration::from_secs(5);

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// The terminal's id.
    id: String,
    /// A regular expression (Rust's `regex` syntax, case-sensitive; `(?i)` in front ignores case) for the plain text of the
    /// output. One that is no regular expression is taken literally.
    #[schemars(length(min = 1, max = 4096))]
    needle: String,
    /// How long to wait at most, in milliseconds: 100 to 86400000; 10000 without it.
    #[serde(default = "usual")]
    #[schemars(range(min = 100, max = 86_400_000))]
    timeout_ms: u64,
}

const fn usual() -> u64 {
    DEFAULT_WAIT_MS
}

pub(super) fn tool() -> Tool {
    let description = "Waits until `needle` appears in the output of one of your terminals, and answers at once if it is there already. The answer's `kind` is `found` (with line, column and match), `timeout` (the program goes on), `exited` (the program ended first), or `skipped`: the person sees on their board what you wait for and can end the wait; you are then told \"Skipped by user while waiting for …\". A skipped wait is neither a failure nor a timeout: the person wants you to go on, so do not wait for the same thing again; call terminal_read to see where the program stands. The whole transcript that is kept (1 MiB) is searched, so take a needle that earlier output does not contain.\n\nExamples: {\"id\": \"3f9a01c2d4\", \"needle\": \"Local:.*http\"}; {\"id\": \"3f9a01c2d4\", \"needle\": \"(?i)tests? (passed|failed)\", \"timeout_ms\": 300000}.";
    define::<Arguments, Wait>(NAME, "Wait for output of a terminal", description, Effect::Looks)
}

pub(super) async fn call(
    desk: &Desk,
    arguments: JsonObject,
    request: &RequestContext<RoleServer>,
) -> Outcome {
    let Arguments { id, needle, timeout_ms } = read_arguments(NAME, arguments)?;
    if needle.is_empty() || needle.len() > MAX_NEEDLE_BYTES {
        return Err(Trouble(format!("the needle is empty or longer than {MAX_NEEDLE_BYTES} bytes")));
    }
    let timeout_ms = timeout_ms.clamp(MIN_WAIT_MS, MAX_WAIT_MS);
    let (end, literal) = match desk.find(&id).await? {
        Found::Live(connection) => {
            let wait = Request { id: &id, needle: &needle, timeout_ms };
            match wait.run(desk, connection, request).await? {
                Some(end) => end,
                None => (exited(&needle, desk.ended(&id).await.ok().as_deref()), None),
            }
        }
        Found::Ended(terminal) => (exited(&needle, Some(&terminal)), None),
    };
    let wait = Wait::of(end, literal).ok_or_else(|| Trouble::new("the wait was taken back"))?;
    Ok(Answered::new(wait.message.clone(), &wait))
}

/// A wait that is asked for.
struct Request<'a> {
    id: &'a str,
    needle: &'a str,
    timeout_ms: u64,
}

impl Request<'_> {
    /// How it ended; `None`: the host went without a word.
    async fn run(
        &self,
        desk: &Desk,
        mut connection: HostConnection,
        request: &RequestContext<RoleServer>,
    ) -> Result<Option<(WaitEnd, Option<String>)>, Trouble> {
        let ask = TerminalAsk::WaitFor { needle: self.needle.to_owned(), timeout_ms: self.timeout_ms };
        let answer = async {
            connection.send(ask).await?;
            connection.answer().await
        };
        let longest = Duration::from_millis(self.timeout_ms) + GRACE;
        let answer = tokio::select! {
            answer = answer => answer,
            () = request.ct.cancelled() => return taken_back(connection).await,
            () = desk.client_gone.wait() => return taken_back(connection).await,
            never = self.tell(request) => match never {},
            () = sleep(longest) => {
                connection.cancel().await;
                return Err(Trouble::new("the terminal's host did not end the wait in its time. Try again"));
            }
        };
        match answer {
            Ok(TerminalAnswer::Waited { end, literal }) => Ok(Some((end, literal))),
            Ok(_) => Err(Trouble::new("the terminal's host gave another answer. Try again")),
            Err(Lost::Gone) => Ok(None),
            Err(lost) => Err(told(self.id, lost)),
        }
    }

    /// Says every few seconds that the wait goes on, to a client that asked for that.
    async fn tell(&self, request: &RequestContext<RoleServer>) -> std::convert::Infallible {
        let Some(token) = request.meta.get_progress_token() else { return std::future::pending().await };
        let begun = Instant::now();
        let mut ticks = interval_at(begun + PROGRESS, PROGRESS);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            let waited = u32::try_from(begun.elapsed().as_millis()).unwrap_or(u32::MAX);
            let total = u32::try_from(self.timeout_ms).unwrap_or(u32::MAX);
            let told = ProgressNotificationParam::new(token.clone(), f64::from(waited))
                .with_total(f64::from(total))
                .with_message("still waiting");
            // A client that is gone is heard of elsewhere.
            let _ = request.peer.notify_progress(told).await;
        }
    }
}

async fn taken_back<T>(connection: HostConnection) -> Result<T, Trouble> {
    connection.cancel().await;
    Err(Trouble::new("the wait was taken back"))
}

/// The end of a wait on a terminal that has ended, from what the daemon says about it.
fn exited(needle: &str, terminal: Option<&AgentTerminal>) -> WaitEnd {
    let how = terminal.and_then(|terminal| terminal.ended.as_deref()).unwrap_or_default();
    let number = |before: &str| {
        let digits = how.strip_prefix(before)?.split(' ').next()?;
        digits.parse::<i32>().ok()
    };
    WaitEnd::Exited { needle: needle.to_owned(), exit_code: number("exit code "), signal: number("signal ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::exit_text;
    use board_protocol::{
        host::Exit,
        ids::{SessionId, Size},
        state::HostState,
    };

    #[test]
    fn an_ended_terminal_tells_its_code_or_its_signal() {
        let terminal = |ended: Option<String>| AgentTerminal {
            id: SessionId::parse("0123456789").unwrap(),
            title: String::new(),
            cwd: String::new(),
            command: String::new(),
            host_state: HostState::Exited,
            socket: None,
            ended,
            size: Size::DEFAULT,
        };
        let of = |ended| match exited("x", Some(&terminal(ended))) {
            WaitEnd::Exited { exit_code, signal, .. } => (exit_code, signal),
            other => panic!("{other:?}"),
        };
        for (exit, expected) in [
            (Exit::Code(0), (Some(0), None)),
            (Exit::Code(3), (Some(3), None)),
            (Exit::Code(127), (Some(127), None)),
            (Exit::Signal(9), (None, Some(9))),
            (Exit::Signal(99), (None, Some(99))),
        ] {
            assert_eq!(of(Some(exit_text(exit))), expected, "{exit:?}");
        }
        assert_eq!(of(Some("its host ended unexpectedly".into())), (None, None));
        assert_eq!(of(None), (None, None));
    }
}

//! An agent at its terminal's host: asks, and waits for answers by their ids.

use super::{Board, Client, Host};
use board_protocol::{
    hello::Role,
    host::{FromHost, HostLaunch, ToHost},
    ids::Token,
    refusal::Refusal,
    terminals::{Parent, TerminalAnswer, TerminalAsk, TextPage, WaitEnd},
};
use std::collections::BTreeMap;

/// The secret of the session that owns the terminal.
pub(crate) const OWNER: &str = "the parent's secret";

pub(crate) struct Agent {
    pub(crate) client: Client,
    last: u64,
    answers: BTreeMap<u64, Result<TerminalAnswer, Refusal>>,
}

/// A terminal of an agent that runs this.
pub(crate) fn terminal(board: &Board, script: &str) -> Host {
    owned(board, board.shell(script))
}

/// Starts this for an agent.
pub(crate) fn owned(board: &Board, mut launch: HostLaunch) -> Host {
    launch.parent = Some(Parent { session: host_runner::fresh::session_id(), token: Token(OWNER.into()) });
    board.start(launch)
}

impl Agent {
    pub(crate) fn connect(host: &Host) -> Self {
        Self { client: Client::connect(host, Role::Agent), last: 0, answers: BTreeMap::new() }
    }

    /// Asks; the result is the question's id.
    pub(crate) fn ask(&mut self, ask: TerminalAsk) -> u64 {
        self.last += 1;
        self.client.send(&ToHost::Terminal { id: self.last, token: Token(OWNER.into()), ask });
        self.last
    }

    pub(crate) fn answer(&mut self, id: u64) -> Result<TerminalAnswer, Refusal> {
        loop {
            if let Some(answer) = self.answers.remove(&id) {
                return answer;
            }
            match self.client.receive() {
                FromHost::Terminal { id, answer } => assert!(self.answers.insert(id, answer).is_none()),
                other => panic!("an agent hears {other:?}"),
            }
        }
    }

    pub(crate) fn get(&mut self, ask: TerminalAsk) -> Result<TerminalAnswer, Refusal> {
        let id = self.ask(ask);
        self.answer(id)
    }

    pub(crate) fn send(&mut self, text: &str) {
        assert_eq!(self.get(TerminalAsk::Send { data: text.into() }), Ok(TerminalAnswer::Done));
    }

    pub(crate) fn read(&mut self, from: Option<u64>, lines: u32) -> TextPage {
        match self.get(TerminalAsk::Read { from, lines }) {
            Ok(TerminalAnswer::Text(page)) => page,
            other => panic!("no text: {other:?}"),
        }
    }

    pub(crate) fn wait_for(&mut self, needle: &str) -> u64 {
        self.ask(TerminalAsk::WaitFor { needle: needle.into(), timeout_ms: 80_000 })
    }

    /// How a wait ended.
    pub(crate) fn end(&mut self, id: u64) -> WaitEnd {
        match self.answer(id) {
            Ok(TerminalAnswer::Waited { end, .. }) => end,
            other => panic!("no end of a wait: {other:?}"),
        }
    }

    /// Waits until this appears.
    pub(crate) fn see(&mut self, needle: &str) -> (u64, u32, String) {
        let id = self.wait_for(needle);
        found(self.end(id))
    }
}

/// Where a wait found its needle, and what.
pub(crate) fn found(end: WaitEnd) -> (u64, u32, String) {
    match end {
        WaitEnd::Found { line, column, matched, .. } => (line, column, matched),
        other => panic!("not found: {other:?}"),
    }
}

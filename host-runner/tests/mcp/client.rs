//! An MCP client of a few lines: it knows nothing but JSON-RPC.

use crate::{PATIENCE, board::Board};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::{Duration, Instant},
};

const RUNNER: &str = env!("CARGO_BIN_EXE_host-runner");

/// A server, and the client's end of it.
pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Value>,
    /// Answers that came before somebody asked for them.
    answers: BTreeMap<u64, Value>,
    /// Notifications of the server.
    told: Vec<Value>,
    next: u64,
}

impl Client {
    /// One in a session of this board, after its greeting.
    pub(crate) fn of(board: &Board) -> Self {
        let mut client = Self::start(&board.environment());
        client.greet();
        client
    }

    /// One with this environment, not greeted yet.
    pub(crate) fn start(environment: &[(&str, String)]) -> Self {
        let mut command = Command::new(RUNNER);
        command.arg("mcp").env_clear().env("PATH", std::env::var_os("PATH").unwrap());
        command.envs(environment.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in output.lines() {
                // What is no JSON has no place on this stream.
                let _ = sender.send(serde_json::from_str(&line.unwrap()).expect("only the protocol"));
            }
        });
        let input = child.stdin.take();
        Self { child, input, lines, answers: BTreeMap::new(), told: Vec::new(), next: 1 }
    }

    fn greet(&mut self) {
        let client = json!({"name": "test", "version": "1"});
        let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
        let greeted = self.ask("initialize", params);
        assert_eq!(greeted["result"]["protocolVersion"], "2025-06-18", "{greeted}");
        self.notify("notifications/initialized", json!({}));
    }

    fn write(&mut self, message: &Value) {
        writeln!(self.input.as_mut().unwrap(), "{message}").unwrap();
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.write(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request and does not wait.
    pub(crate) fn send(&mut self, method: &str, params: Value) -> u64 {
        let id = self.next;
        self.next += 1;
        self.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// Calls a tool and does not wait.
    pub(crate) fn begin(&mut self, tool: &str, arguments: Value) -> u64 {
        self.send("tools/call", json!({"name": tool, "arguments": arguments}))
    }

    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        self.answer(id)
    }

    /// The answer to this request.
    pub(crate) fn answer(&mut self, id: u64) -> Value {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(answer) = self.answers.remove(&id) {
                return answer;
            }
            self.take(end.saturating_duration_since(Instant::now()));
        }
    }

    /// Takes the next line of the server.
    fn take(&mut self, within: Duration) {
        let line = self.lines.recv_timeout(within).expect("a line in time");
        match line.get("id").and_then(Value::as_u64).filter(|_| line.get("method").is_none()) {
            Some(id) => {
                self.answers.insert(id, line);
            }
            None => self.told.push(line),
        }
    }

    /// The next notification of this kind.
    pub(crate) fn notification(&mut self, method: &str) -> Value {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(at) = self.told.iter().position(|told| told["method"] == method) {
                return self.told.remove(at);
            }
            let left = end.saturating_duration_since(Instant::now());
            self.take(left);
        }
    }

    /// Whether this request has been answered so far.
    pub(crate) fn is_answered(&self, id: u64) -> bool {
        self.answers.contains_key(&id)
    }

    /// What a tool answered: its structure. It has to have succeeded.
    pub(crate) fn structure(&mut self, id: u64) -> Value {
        let answer = self.answer(id);
        let result = &answer["result"];
        assert_ne!(result["isError"], json!(true), "{answer}");
        assert!(
            result["content"][0]["text"].is_string(),
            "a text for those that read no structures: {answer}"
        );
        result["structuredContent"].clone()
    }

    /// Calls a tool that succeeds.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let id = self.begin(tool, arguments);
        self.structure(id)
    }

    /// Calls a tool that fails, and gives what it says.
    pub(crate) fn refused(&mut self, tool: &str, arguments: Value) -> String {
        let id = self.begin(tool, arguments);
        let answer = self.answer(id);
        assert_eq!(answer["result"]["isError"], json!(true), "{answer}");
        answer["result"]["content"][0]["text"].as_str().unwrap().to_owned()
    }

    /// Goes away, and gives how the server ended and what it said on standard error.
    pub(crate) fn leave(mut self) -> (ExitStatus, String) {
        drop(self.input.take());
        let mut said = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        (self.child.wait().unwrap(), said)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

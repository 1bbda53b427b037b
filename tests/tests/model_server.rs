//! The loopback model server, asked by a client of a few lines that shows every piece of the HTTP body as it came.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use anyhow::{Context, bail};
use e2e::model_server::{Chunking, Gate, Heard, ModelServer, Part, Step, Usage};
use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    time::Duration,
};

const DEADLINE: Duration = Duration::from_secs(90);

/// One exchange: the status, then the pieces of a chunked body.
struct Client {
    stream: BufReader<TcpStream>,
    status: u16,
    headers: Vec<String>,
}

impl Client {
    fn ask(server: &ModelServer, request: &Value) -> Self {
        Self::send(server, "POST", "/v1/chat/completions", &request.to_string())
    }

    fn send(server: &ModelServer, method: &str, path: &str, body: &str) -> Self {
        let mut stream = TcpStream::connect(server.address()).unwrap();
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
        let length = body.len();
        write!(stream, "{method} {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}")
            .unwrap();
        let mut client = Self { stream: BufReader::new(stream), status: 0, headers: Vec::new() };
        // The head may not come yet: a hanging answer has none.
        if client.stream.get_ref().peek(&mut [0]).is_ok() {
            client.read_head();
        }
        client
    }

    fn read_head(&mut self) {
        loop {
            let mut line = String::new();
            self.stream.read_line(&mut line).unwrap();
            let line = line.trim_end().to_lowercase();
            match line.strip_prefix("http/1.1 ") {
                Some(status) => self.status = status[..3].parse().unwrap(),
                None if line.is_empty() => return,
                None => self.headers.push(line),
            }
        }
    }

    /// The next piece of a chunked body; `None` at its orderly end.
    fn piece(&mut self) -> anyhow::Result<Option<Vec<u8>>> {
        let mut line = String::new();
        if self.stream.read_line(&mut line)? == 0 {
            bail!("the connection broke");
        }
        let length = usize::from_str_radix(line.trim(), 16).context("a chunk's length")?;
        let mut piece = vec![0; length + 2];
        self.stream.read_exact(&mut piece)?;
        piece.truncate(length);
        Ok((length > 0).then_some(piece))
    }

    fn pieces(&mut self) -> anyhow::Result<Vec<Vec<u8>>> {
        let mut pieces = Vec::new();
        while let Some(piece) = self.piece()? {
            pieces.push(piece);
        }
        Ok(pieces)
    }

    fn events(&mut self) -> Vec<Value> {
        events(&self.pieces().unwrap().concat())
    }
}

/// The events of a whole stream; it must end with `[DONE]`.
fn events(stream: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(stream).unwrap();
    let mut data: Vec<&str> = text.split("\n\n").filter_map(|event| event.strip_prefix("data: ")).collect();
    assert_eq!(data.pop(), Some("[DONE]"), "{text}");
    data.into_iter().map(|event| serde_json::from_str(event).unwrap()).collect()
}

fn said(events: &[Value]) -> String {
    events.iter().filter_map(|event| event.pointer("/choices/0/delta/content")?.as_str()).collect()
}

fn question(text: &str) -> Value {
    json!({
        "model": "fake", "stream": true,
        "messages": [{"role": "system", "content": "s"}, {"role": "user", "content": [{"type": "text", "text": text}]}],
        "tools": [{"type": "function", "function": {"name": "bash"}}],
    })
}

#[test]
fn steps_are_said_in_order_and_requests_are_kept() {
    let server = ModelServer::start().unwrap();
    server.push(Step::text("one").costing(Usage { input: 7, output: 3 }));
    server.push(Step::text("two"));
    let first = Client::ask(&server, &question("a")).events();
    assert_eq!(said(&first), "one");
    assert_eq!(first.last().unwrap()["usage"]["total_tokens"], 10);
    assert_eq!(first[first.len() - 2].pointer("/choices/0/finish_reason"), Some(&json!("stop")));
    assert_eq!(said(&Client::ask(&server, &question("b")).events()), "two");
    let requests = server.requests();
    assert_eq!(requests.iter().map(|r| r.last_text("user").unwrap()).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!((requests[0].messages().len(), requests[0].tools()), (2, vec!["bash"]));
    assert_eq!(server.steps_left(), 0);
}

#[test]
fn tool_calls_carry_their_ids_names_and_arguments_in_pieces() {
    let server = ModelServer::start().unwrap();
    let arguments = json!({"command": "echo \u{1f600} ".repeat(30)});
    let call = |id: &str| Part::ToolCall { id: id.into(), name: "bash".into(), arguments: arguments.clone() };
    server.push(Step::stream([Part::Text("Two:".into()), call("c1"), call("c2")]));
    let events = Client::ask(&server, &question("a")).events();
    for (index, id) in ["c1", "c2"].iter().enumerate() {
        let deltas: Vec<&Value> = events
            .iter()
            .filter_map(|event| event.pointer("/choices/0/delta/tool_calls/0"))
            .filter(|call| call["index"] == index)
            .collect();
        assert_eq!((&deltas[0]["id"], &deltas[0]["function"]["name"]), (&json!(id), &json!("bash")));
        let text: String = deltas.iter().filter_map(|d| d["function"]["arguments"].as_str()).collect();
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), arguments);
        assert!(deltas.len() > 3, "in pieces");
    }
    assert!(
        events.iter().any(|event| event.pointer("/choices/0/finish_reason") == Some(&json!("tool_calls")))
    );
}

#[test]
fn a_closed_gate_keeps_the_rest_back() {
    let server = ModelServer::start().unwrap();
    let gate = Gate::new();
    server.push(Step::slow("first", &gate, "second"));
    let mut client = Client::ask(&server, &question("a"));
    let mut stream = Vec::new();
    while !String::from_utf8_lossy(&stream).contains("first") {
        stream.extend(client.piece().unwrap().unwrap());
    }
    client.stream.get_ref().set_read_timeout(Some(Duration::from_millis(50))).unwrap();
    assert!(client.piece().is_err(), "nothing comes through a closed gate");
    client.stream.get_ref().set_read_timeout(Some(DEADLINE)).unwrap();
    gate.open();
    stream.extend(client.pieces().unwrap().concat());
    assert_eq!(said(&events(&stream)), "firstsecond");
    server.wait_until("a whole answer", DEADLINE, |asked| asked[0].heard == Heard::Whole).unwrap();
}

#[test]
fn odd_pieces_split_characters_and_lines_and_lose_nothing() {
    let server = ModelServer::start().unwrap();
    for size in [1, 3, 7] {
        server.push(Step::text("\u{1f600} ünïcode\n\nlines").chunked(Chunking::Bytes(size)));
        let pieces = Client::ask(&server, &question("a")).pieces().unwrap();
        assert!(pieces.iter().all(|piece| piece.len() <= size));
        assert!(
            size > 1 || pieces.iter().any(|piece| std::str::from_utf8(piece).is_err()),
            "split characters"
        );
        assert_eq!(said(&events(&pieces.concat())), "\u{1f600} ünïcode\n\nlines");
    }
}

#[test]
fn errors_come_as_statuses_inside_the_stream_and_as_a_broken_connection() {
    let server = ModelServer::start().unwrap();
    server.push(Step::status(429, "slow down").with_header("retry-after", "3"));
    server.push(Step::overloaded());
    server.push(Step::fails_midway("half", "server_error: broke"));
    server.push(Step::breaks_midway("half"));
    let limited = Client::ask(&server, &question("a"));
    assert_eq!(limited.status, 429);
    assert!(limited.headers.contains(&"retry-after: 3".to_owned()), "{:?}", limited.headers);
    assert_eq!(Client::ask(&server, &question("a")).status, 529);
    let midway = Client::ask(&server, &question("a")).pieces().unwrap().concat();
    assert!(String::from_utf8(midway).unwrap().ends_with(
        "data: {\"error\":{\"code\":null,\"message\":\"server_error: broke\",\"type\":\"server_error\"}}\n\n"
    ));
    assert!(Client::ask(&server, &question("a")).pieces().is_err());
}

#[test]
fn a_hanging_answer_is_released_or_abandoned() {
    let server = ModelServer::start().unwrap();
    let gate = Gate::new();
    server.push(Step::hang(&gate));
    server.push(Step::hang(&gate));
    let body = question("a").to_string();
    let mut stream = TcpStream::connect(server.address()).unwrap();
    write!(
        stream,
        "POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    server.wait_for_requests(1, DEADLINE).unwrap();
    drop(stream);
    server.wait_until("an abandoned answer", DEADLINE, |asked| asked[0].heard == Heard::Abandoned).unwrap();
    let mut client = std::thread::scope(|scope| {
        let asking = scope.spawn(|| Client::ask(&server, &question("b")));
        server.wait_for_requests(2, DEADLINE).unwrap();
        gate.open();
        asking.join().unwrap()
    });
    assert_eq!((client.status, said(&client.events())), (200, String::new()));
}

#[test]
fn a_condition_chooses_the_step_and_always_repeats_it() {
    let server = ModelServer::start().unwrap();
    server.push(Step::text("for b").when(|request| request.last_text("user").as_deref() == Some("b")));
    server.push(Step::text("for all").always());
    let ask = |text| said(&Client::ask(&server, &question(text)).events());
    assert_eq!([ask("a"), ask("b"), ask("b"), ask("c")], ["for all", "for b", "for all", "for all"]);
}

#[test]
fn what_the_script_does_not_expect_is_refused_and_marked() {
    let server = ModelServer::start().unwrap();
    assert_eq!(Client::ask(&server, &question("a")).status, 400);
    assert!(server.requests()[0].unscripted);
    assert_eq!(Client::send(&server, "POST", "/v1/chat/completions", "{").status, 400);
    assert_eq!(Client::send(&server, "GET", "/elsewhere", "").status, 404);
    assert_eq!(Client::send(&server, "GET", "/v1/models", "").status, 200);
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn a_very_long_answer_arrives_whole() {
    let server = ModelServer::start().unwrap();
    server.push(Step::long("0123456789", 50_000));
    assert_eq!(said(&Client::ask(&server, &question("a")).events()).len(), 500_000);
}

/// A question in Anthropic's words.
fn message(text: &str) -> Value {
    json!({"model": "any", "stream": true, "max_tokens": 10, "messages": [{"role": "user", "content": text}],
        "tools": [{"name": "Bash", "input_schema": {}}]})
}

fn ask_messages(server: &ModelServer, body: &Value) -> Client {
    Client::send(server, "POST", "/v1/messages?beta=true", &body.to_string())
}

/// The events of a whole stream of messages; each is named as its data says.
fn named(stream: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(stream).unwrap();
    text.split_terminator("\n\n")
        .map(|event| {
            let (name, data) = event.split_once("\ndata: ").unwrap();
            let data: Value = serde_json::from_str(data).unwrap();
            assert_eq!(name.strip_prefix("event: "), data["type"].as_str());
            data
        })
        .collect()
}

#[test]
fn messages_stream_text_and_calls_as_blocks() {
    let server = ModelServer::start().unwrap();
    let arguments = json!({"command": "echo \u{1f600} ".repeat(30)});
    server.push(
        Step::stream([
            Part::Text("Two ".into()),
            Part::Text("words".into()),
            Part::ToolCall { id: "t1".into(), name: "Bash".into(), arguments: arguments.clone() },
            Part::Text("after".into()),
        ])
        .costing(Usage { input: 7, output: 3 })
        .chunked(Chunking::Bytes(5)),
    );
    server.push(Step::text("next"));
    let events = named(&ask_messages(&server, &message("a")).pieces().unwrap().concat());
    let kinds: Vec<&str> = events.iter().map(|event| event["type"].as_str().unwrap()).collect();
    assert_eq!((kinds[0], kinds[kinds.len() - 1]), ("message_start", "message_stop"));
    let started: Vec<&Value> = events.iter().filter(|event| event["type"] == "content_block_start").collect();
    let indexes: Vec<u64> = started.iter().map(|event| event["index"].as_u64().unwrap()).collect();
    assert_eq!(indexes, [0, 1, 2]);
    assert_eq!(kinds.iter().filter(|kind| **kind == "content_block_stop").count(), 3);
    assert_eq!(
        (&started[1]["content_block"]["id"], &started[1]["content_block"]["name"]),
        (&json!("t1"), &json!("Bash"))
    );
    let pieces = |index: u64, key: &str| -> String {
        let of_it = events.iter().filter(|event| event["index"] == index);
        of_it.filter_map(|event| event["delta"][key].as_str()).collect()
    };
    assert_eq!((pieces(0, "text"), pieces(2, "text")), ("Two words".to_owned(), "after".to_owned()));
    assert_eq!(serde_json::from_str::<Value>(&pieces(1, "partial_json")).unwrap(), arguments);
    let end = &events[events.len() - 2];
    assert_eq!(
        (&end["delta"]["stop_reason"], &end["usage"]["output_tokens"]),
        (&json!("tool_use"), &json!(3))
    );
    let next = named(&ask_messages(&server, &message("b")).pieces().unwrap().concat());
    assert_ne!(next[0]["message"]["id"], events[0]["message"]["id"], "every answer has an id of its own");
    assert_eq!(next[next.len() - 2]["delta"]["stop_reason"], "end_turn");
    let asked = server.requests();
    assert_eq!((asked[0].last_text("user").as_deref(), asked[0].tools()), (Some("a"), vec!["Bash"]));
}

#[test]
fn messages_fail_with_the_vendor_s_words_and_come_whole_without_a_stream() {
    let server = ModelServer::start().unwrap();
    server.push(Step::overloaded());
    server.push(Step::status(400, "no"));
    server.push(Step::fails_midway("half", "broke"));
    server.push(Step::text("whole"));
    for (status, kind) in [(529, "overloaded_error"), (400, "invalid_request_error")] {
        let mut refused = ask_messages(&server, &message("a"));
        assert_eq!(refused.status, status);
        let body: Value = serde_json::from_slice(&refused.pieces().unwrap().concat()).unwrap();
        assert_eq!((&body["type"], &body["error"]["type"]), (&json!("error"), &json!(kind)));
    }
    let midway = named(&ask_messages(&server, &message("a")).pieces().unwrap().concat());
    assert_eq!(midway.last().unwrap()["error"]["message"], "broke");
    let mut quiet = message("a");
    quiet["stream"] = json!(false);
    let body = ask_messages(&server, &quiet).pieces().unwrap().concat();
    let body: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!((&body["content"][0]["text"], &body["stop_reason"]), (&json!("whole"), &json!("end_turn")));
}

#[test]
fn messages_are_slow_and_hang_as_the_script_says_and_what_is_no_question_takes_no_step() {
    let server = ModelServer::start().unwrap();
    let gate = Gate::new();
    server.push(Step::slow("first", &gate, "second"));
    assert_eq!(Client::send(&server, "HEAD", "/", "").status, 200);
    let count = Client::send(&server, "POST", "/v1/messages/count_tokens", &message("a").to_string());
    assert_eq!((count.status, server.steps_left()), (200, 1));
    let mut client = ask_messages(&server, &message("a"));
    let mut stream = Vec::new();
    while !String::from_utf8_lossy(&stream).contains("first") {
        stream.extend(client.piece().unwrap().unwrap());
    }
    drop(client);
    server.wait_until("an abandoned answer", DEADLINE, |asked| asked[0].heard == Heard::Abandoned).unwrap();
}

/// A question in the words of OpenAI's responses.
fn response(text: &str) -> Value {
    let content = json!([{"type": "input_text", "text": text}]);
    json!({"model": "any", "stream": true, "instructions": "s",
        "input": [{"type": "message", "role": "user", "content": content}],
        "tools": [{"type": "function", "name": "shell", "parameters": {}}]})
}

fn ask_responses(server: &ModelServer, text: &str) -> Client {
    Client::send(server, "POST", "/v1/responses", &response(text).to_string())
}

#[test]
fn responses_stream_text_and_calls_as_numbered_items() {
    let server = ModelServer::start().unwrap();
    let arguments = json!({"command": ["echo", "\u{1f600} ".repeat(30)]});
    server.push(
        Step::stream([
            Part::Text("Two ".into()),
            Part::Text("words".into()),
            Part::ToolCall { id: "t1".into(), name: "shell".into(), arguments: arguments.clone() },
            Part::Text("after".into()),
        ])
        .costing(Usage { input: 7, output: 3 })
        .chunked(Chunking::Bytes(5)),
    );
    server.push(Step::text("next"));
    let events = named(&ask_responses(&server, "a").pieces().unwrap().concat());
    let numbers: Vec<u64> = events.iter().map(|event| event["sequence_number"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (0..events.len() as u64).collect::<Vec<_>>());
    let kinds: Vec<&str> = events.iter().map(|event| event["type"].as_str().unwrap()).collect();
    assert_eq!((kinds[0], kinds[kinds.len() - 1]), ("response.created", "response.completed"));
    let of = |kind: &str| events.iter().filter(|event| event["type"] == kind).collect::<Vec<_>>();
    let done: Vec<&Value> = of("response.output_item.done").into_iter().map(|event| &event["item"]).collect();
    assert_eq!(of("response.output_item.added").len(), done.len());
    let types: Vec<&Value> = done.iter().map(|item| &item["type"]).collect();
    assert_eq!(types, ["message", "function_call", "message"]);
    assert_eq!(
        (&done[0]["content"][0]["text"], &done[2]["content"][0]["text"]),
        (&json!("Two words"), &json!("after"))
    );
    assert_eq!((&done[1]["call_id"], &done[1]["name"]), (&json!("t1"), &json!("shell")));
    let pieces = |kind: &str| of(kind).iter().filter_map(|event| event["delta"].as_str()).collect::<String>();
    assert_eq!(pieces("response.output_text.delta"), "Two wordsafter");
    let streamed = pieces("response.function_call_arguments.delta");
    assert_eq!(
        (serde_json::from_str(&streamed).unwrap(), &json!(streamed)),
        (arguments, &done[1]["arguments"])
    );
    let end = &events[events.len() - 1]["response"];
    assert_eq!((&end["status"], &end["usage"]["total_tokens"]), (&json!("completed"), &json!(10)));
    assert_eq!(end["output"].as_array().unwrap().iter().collect::<Vec<_>>(), done);
    let next = named(&ask_responses(&server, "b").pieces().unwrap().concat());
    assert_ne!(next[0]["response"]["id"], events[0]["response"]["id"], "every answer has an id of its own");
    let asked = server.requests();
    assert_eq!((asked[0].last_text("user").as_deref(), asked[0].tools()), (Some("a"), vec!["shell"]));
}

#[test]
fn responses_fail_as_statuses_and_inside_the_stream_and_wait_at_gates() {
    let server = ModelServer::start().unwrap();
    let gate = Gate::new();
    server.push(Step::status(400, "no"));
    server.push(Step::fails_midway("half", "broke"));
    server.push(Step::breaks_midway("half"));
    server.push(Step::slow("first", &gate, "second"));
    let mut refused = ask_responses(&server, "a");
    assert_eq!(refused.status, 400);
    let body: Value = serde_json::from_slice(&refused.pieces().unwrap().concat()).unwrap();
    assert_eq!(body["error"]["message"], "no");
    let midway = named(&ask_responses(&server, "a").pieces().unwrap().concat());
    let end = midway.last().unwrap();
    assert_eq!(
        (&end["type"], &end["response"]["error"]["message"]),
        (&json!("response.failed"), &json!("broke"))
    );
    assert!(ask_responses(&server, "a").pieces().is_err());
    let mut client = ask_responses(&server, "a");
    let mut stream = Vec::new();
    while !String::from_utf8_lossy(&stream).contains("first") {
        stream.extend(client.piece().unwrap().unwrap());
    }
    gate.open();
    stream.extend(client.pieces().unwrap().concat());
    let events = named(&stream);
    assert_eq!(events.last().unwrap()["response"]["output"][0]["content"][0]["text"], "firstsecond");
}

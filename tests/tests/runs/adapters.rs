//! What an adapter plans is executed as it is, without a run process around it, and what the real agent prints is read
//! with the same adapter.
//!
//! `RECORD_RUN_SAMPLES=1` writes what was printed to `host-runner/src/agents/headless/samples/`, where the readers' own
//! tests read it.

use board_protocol::command::EnvVar;
use e2e::{
    each_worker,
    model_server::{Gate, RecordedRequest, Step, Usage},
    run,
    run_stage::{DEADLINE, Stage, Worker},
};
use host_runner::agents::{
    AgentKind, Prepared,
    event::{AgentEvent, Author, Ending, Settled, StopReason, ToolOutcome},
    headless::{HeadlessPlan, HeadlessReader, HeadlessRequest},
    questions::QuestionTools,
};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Stdio},
};

/// What tells the life of these rows from all others.
const LIFE: &str = "11111111-1111-4111-8111-111111111111";
/// Longest text in a sample, in characters: agents repeat their own long words in each line.
const SAMPLE_TEXT: usize = 200;
/// Most entries of a list in a sample.
const SAMPLE_ENTRIES: usize = 3;

/// What a worker said, and how it ended.
struct Heard {
    lines: String,
    events: Vec<AgentEvent>,
    code: Option<i32>,
}

impl Heard {
    fn read(agent: AgentKind, lines: String, code: Option<i32>) -> Self {
        let mut reader = HeadlessReader::new(agent, LIFE);
        let questions = QuestionTools::default();
        let events = lines.lines().flat_map(|line| reader.read(line.as_bytes(), &questions)).collect();
        Self { lines, events, code }
    }

    /// The agent's own id of the conversation.
    fn conversation(&self) -> String {
        let id = |event: &AgentEvent| match event {
            AgentEvent::SessionStarted(session) => session.id.clone(),
            _ => None,
        };
        self.events.iter().find_map(id).unwrap_or_else(|| panic!("no session: {}", self.lines))
    }

    /// What it said last.
    fn last_words(&self) -> Option<&str> {
        self.events.iter().rev().find_map(|event| match event {
            AgentEvent::MessageEnded(message) if message.author == Author::Assistant => {
                Some(message.text.as_str())
            }
            _ => None,
        })
    }

    fn settled(&self) -> Option<&Settled> {
        self.events.iter().rev().find_map(|event| match event {
            AgentEvent::AgentSettled(settled) => Some(settled),
            _ => None,
        })
    }

    /// Everything that was read and written, and the money.
    fn cost(&self) -> (u64, u64, Option<f64>) {
        let usages = self.events.iter().filter_map(|event| match event {
            AgentEvent::MessageEnded(message) => message.usage,
            _ => None,
        });
        usages.fold((0, 0, None), |(read, written, cost), usage| {
            let read = read + usage.input + usage.cache_read + usage.cache_write;
            (read, written + usage.output, usage.cost.or(cost))
        })
    }

    /// The tools that ended: name, whether it worked, exit code and what it said.
    fn tools(&self) -> Vec<(&str, ToolOutcome, Option<i32>, &str)> {
        self.events
            .iter()
            .filter_map(|event| match event {
                AgentEvent::ToolEnded(tool) => {
                    Some((tool.tool.as_str(), tool.outcome, tool.exit_code, tool.excerpt.as_str()))
                }
                _ => None,
            })
            .collect()
    }

    fn all_known(&self) -> &Self {
        let unknown = self.events.iter().find(|event| matches!(event, AgentEvent::Unknown(_)));
        assert!(unknown.is_none(), "{unknown:?}");
        self
    }
}

/// Whether these are the words of the last message of a person. Claude Code sets reminders of its own in front.
fn said_last(asked: &RecordedRequest, words: &str) -> bool {
    let text = asked.last_text("user").unwrap_or_default();
    let text = text.rsplit("</system-reminder>").next().unwrap_or_default();
    text.trim() == words
}

fn prepared(stage: &Stage) -> Prepared {
    let path = format!("{}:/usr/local/bin:/usr/bin:/bin", stage.world.path("bin").display());
    let environment = [EnvVar { name: b"PATH".to_vec().into(), value: path.into_bytes().into() }];
    stage.worker.agent().prepare(&environment, &stage.world.path("adapters")).unwrap().unwrap()
}

fn planned(stage: &Stage, prompt: &str, conversation: Option<&str>) -> HeadlessPlan {
    let prepared = prepared(stage);
    let transcript = stage.world.path("session.jsonl").display().to_string();
    let request = HeadlessRequest {
        prompt,
        prepared: Some(&prepared),
        transcript: &transcript,
        conversation,
        life: LIFE,
        model: None,
        thinking: None,
        tools: None,
    };
    stage.worker.agent().plan_headless(&request).unwrap()
}

fn command(stage: &Stage, plan: &HeadlessPlan) -> Command {
    let mut command = stage.world.command(&plan.argv[0]);
    command.args(&plan.argv[1..]).current_dir(stage.work());
    command
}

fn turn(stage: &Stage, prompt: &str, conversation: Option<&str>) -> Heard {
    let plan = planned(stage, prompt, conversation);
    let input = plan.input.clone().unwrap_or_default();
    let finished = run::run(command(stage, &plan), input.as_bytes(), DEADLINE);
    Heard::read(stage.worker.agent(), finished.stdout, finished.code)
}

/// With `RECORD_RUN_SAMPLES` set, keeps what was said as a sample for the readers' tests.
fn record(stage: &Stage, name: &str, heard: &Heard) {
    if std::env::var_os("RECORD_RUN_SAMPLES").is_none() {
        return;
    }
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../host-runner/src/agents/headless/samples");
    fs::create_dir_all(&directory).unwrap();
    let here = stage.world.path("").display().to_string();
    let home = format!("{here}home");
    // Claude Code names directories of its own after the one in which it works.
    let named_after = here.replace('/', "-");
    let plain = |line: &str| {
        let mut event: Value = serde_json::from_str(line).unwrap();
        make_plain("", &mut event);
        event.to_string().replace(&home, "/home/user").replace(&here, "/tmp/").replace(&named_after, "-")
            + "\n"
    };
    let lines: String = heard.lines.lines().map(plain).collect();
    let (agent, version) = (stage.worker.agent().name(), stage.worker.version());
    fs::write(directory.join(format!("{agent}-{version}-{name}.jsonl")), lines).unwrap();
}

/// Takes out what differs from one recording to the next, and what is long and says nothing.
fn make_plain(key: &str, value: &mut Value) {
    match value {
        Value::String(text) if is_uuid(text) => *value = json!(LIFE),
        Value::String(text) if key == "timestamp" => *text = "2026-01-01T00:00:00.000Z".to_owned(),
        Value::String(text) => {
            if let Some((at, _)) = text.char_indices().nth(SAMPLE_TEXT) {
                text.truncate(at);
            }
        }
        Value::Number(_) if is_time(key) => *value = json!(7),
        Value::Array(entries) => {
            // What the agent says is kept whole, lists of what it can do are not.
            if entries.iter().all(Value::is_string) {
                entries.truncate(SAMPLE_ENTRIES);
            }
            entries.iter_mut().for_each(|entry| make_plain(key, entry));
        }
        // What pi 1.6 tells its model about itself, with paths of this machine.
        Value::Object(fields) if key == "sections" => fields.clear(),
        Value::Object(fields) => fields.iter_mut().for_each(|(key, field)| make_plain(key, field)),
        _ => {}
    }
}

fn is_uuid(text: &str) -> bool {
    text.len() == LIFE.len() && text.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
}

fn is_time(key: &str) -> bool {
    ["timestamp", "duration", "ttft", "time_", "delay", "wall_time"].iter().any(|part| key.contains(part))
        || key == "durationMs"
}

each_worker! {
    /// The words arrive as they were written, and the answer, its question, its cost and the id of the conversation
    /// are read.
    fn d1_a_turn_is_answered(stage) {
        let prompt = "-h /look @nothing; echo \"$HOME\"";
        stage.model.push(Step::text("I looked. Which one?").costing(Usage { input: 70, output: 30 }));
        let heard = turn(stage, prompt, None);
        assert_eq!(heard.code, Some(0), "{}", heard.lines);
        assert!(said_last(&stage.turns()[0], prompt), "{:?}", stage.turns()[0].last_text("user"));
        assert_eq!(heard.all_known().last_words(), Some("I looked. Which one?"));
        let (read, written, money) = heard.cost();
        assert_eq!((read, written), (70, 30));
        assert_eq!(money.is_some(), stage.worker.agent() != AgentKind::Codex);
        assert!(heard.events.contains(&AgentEvent::AgentStarted), "{}", heard.lines);
        // The first pi has no event for the end of its work.
        let ending = heard.settled().map(|settled| settled.ending);
        assert_eq!(ending, (stage.worker != Worker::PiFirst).then_some(Ending::Finished));
        assert_eq!(heard.conversation().len(), LIFE.len());
        record(stage, "answer", &heard);
    }

    /// The next turn of the same conversation.
    fn d1_a_conversation_goes_on(stage) {
        stage.model.push(Step::text("One."));
        stage.model.push(Step::text("Two."));
        let first = turn(stage, "Count", None);
        let id = first.conversation();
        let second = turn(stage, "/go on", Some(&id));
        assert_eq!((second.code, second.all_known().last_words()), (Some(0), Some("Two.")), "{}", second.lines);
        assert_eq!(second.conversation(), id);
        let asked = stage.turns();
        let whole = asked[1].body.to_string();
        assert!(whole.contains("Count") && whole.contains("One."), "{whole}");
        assert!(said_last(&asked[1], "/go on"), "{:?}", asked[1].last_text("user"));
        record(stage, "second-turn", &second);
    }

    /// Tools by name, with their exit codes where the agent tells them, and what they said.
    fn a8_tools_say_what_they_did(stage) {
        let worker = stage.worker;
        stage.model.push(worker.runs("c1", "echo seen"));
        stage.model.push(worker.runs("c2", "ls ./nowhere"));
        stage.model.push(worker.writes("c3", "made.txt"));
        stage.model.push(Step::text("All done."));
        let heard = turn(stage, "Look around", None);
        assert_eq!((heard.code, heard.all_known().last_words()), (Some(0), Some("All done.")), "{}", heard.lines);
        let tools = heard.tools();
        assert_eq!(tools.len(), 3, "{tools:?}");
        assert_eq!((tools[0].1, tools[0].3.trim()), (ToolOutcome::Succeeded, "seen"));
        assert_eq!(tools[1].1, ToolOutcome::Failed);
        assert!(tools[1].3.contains("No such file"), "{tools:?}");
        assert_eq!(tools[1].2, Some(2), "the exit code of ls: {tools:?}");
        let names = match worker.agent() {
            AgentKind::Claude => ["Bash", "Bash", "Write"],
            _ => ["bash", "bash", "write"],
        };
        assert_eq!([tools[0].0, tools[1].0, tools[2].0], names);
        // Nobody gave Claude Code leave to write, and no flag of ours does.
        let may_write = worker != Worker::Claude;
        assert_eq!(tools[2].1 == ToolOutcome::Succeeded, may_write, "{tools:?}");
        assert_eq!(stage.work().join("made.txt").exists(), may_write);
        let begun: Vec<_> = heard.events.iter().filter_map(|event| match event {
            AgentEvent::ToolStarted(tool) => Some(tool),
            _ => None,
        }).collect();
        assert_eq!(begun[0].arguments["command"], "echo seen");
        assert_eq!(heard.cost().0, 400, "four requests");
        record(stage, "tools", &heard);
    }

    /// A model that fails; pi says so in its last message only.
    fn d1_a_model_that_fails_is_told(stage) {
        stage.model.push(Step::status(400, "there is no such model").always());
        let heard = turn(stage, "Go", None);
        let is_pi = stage.worker.agent() == AgentKind::Pi;
        assert_eq!(heard.code, Some(i32::from(!is_pi)), "{}", heard.lines);
        let error = heard.all_known().events.iter().rev().find_map(|event| match event {
            AgentEvent::MessageEnded(message) if message.stop == Some(StopReason::Error) => message.error.clone(),
            AgentEvent::AgentSettled(settled) => settled.error.clone(),
            _ => None,
        });
        assert!(error.as_deref().is_some_and(|error| error.contains("no such model")), "{error:?}");
        record(stage, "error", &heard);
    }

    /// An attempt that fails is no end.
    fn d1_a_model_that_is_asked_again_answers(stage) {
        stage.model.push(Step::fails_midway("half", "server_error: broke"));
        stage.model.push(Step::text("There."));
        let heard = turn(stage, "Go", None);
        assert_eq!((heard.code, heard.all_known().last_words()), (Some(0), Some("There.")), "{}", heard.lines);
        assert!(heard.settled().is_none_or(|settled| settled.ending == Ending::Finished), "{}", heard.lines);
        record(stage, "retry", &heard);
    }

    /// A prompt that no argument could carry.
    fn d1_a_long_prompt_arrives_whole(stage) {
        let prompt = format!("{} the end", "many words ".repeat(100_000));
        stage.model.push(Step::text("Read."));
        let heard = turn(stage, &prompt, None);
        assert_eq!((heard.code, heard.last_words()), (Some(0), Some("Read.")));
        assert!(said_last(&stage.turns()[0], &prompt), "another one, or not all of it");
    }

    /// A signal in the middle of a turn ends it, and what was printed until then is read.
    fn d2_a_signal_ends_a_turn(stage) {
        let gate = Gate::new();
        stage.model.push(Step::slow("Half an ", &gate, "answer").always());
        let plan = planned(stage, "Go", None);
        let mut child = command(stage, &plan)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(plan.input.unwrap_or_default().as_bytes()).unwrap();
        stage.wait_turns(1);
        kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
        let output = child.wait_with_output().unwrap();
        let heard = Heard::read(stage.worker.agent(), String::from_utf8(output.stdout).unwrap(), output.status.code());
        // Codex says 0 and nothing about the end: only whoever sent the signal knows.
        let expected = if stage.worker == Worker::Codex { Some(0) } else { Some(143) };
        assert_eq!(heard.code, expected, "{}", heard.lines);
        assert!(heard.all_known().settled().is_none_or(|settled| settled.ending != Ending::Finished));
        record(stage, "stopped", &heard);
    }
}

//! A world with one agent in it that works without a terminal, and the loopback model that it talks to.
//!
//! Called by the tests of headless runs. What differs from agent to agent (how it is found, how its model calls a tool)
//! is said here once, so that a test is the same for all of them.

use crate::{
    World,
    agents::{
        claude, codex,
        pi::{self, Edition},
    },
    model_server::{ModelServer, RecordedRequest, Step},
    processes::Process,
    run::Finished,
    wait::seen_within,
};
use host_runner::agents::AgentKind;
use serde_json::{Value, json};
use std::{fs, path::PathBuf, time::Duration};

/// How long an agent may take to start and think on a loaded machine.
pub const DEADLINE: Duration = Duration::from_secs(90);

/// An agent, as the tests pin it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worker {
    /// pi 0.73.1.
    PiFirst,
    /// pi 1.6.0.
    PiSecond,
    /// Claude Code.
    Claude,
    /// Codex.
    Codex,
}

impl Worker {
    /// Its adapter.
    pub const fn agent(self) -> AgentKind {
        match self {
            Self::PiFirst | Self::PiSecond => AgentKind::Pi,
            Self::Claude => AgentKind::Claude,
            Self::Codex => AgentKind::Codex,
        }
    }

    /// Its pinned version.
    pub const fn version(self) -> &'static str {
        match self {
            Self::PiFirst => Edition::First.version(),
            Self::PiSecond => Edition::Second.version(),
            Self::Claude => claude::VERSION,
            Self::Codex => codex::VERSION,
        }
    }

    /// A call of its tool that runs commands.
    pub fn runs(self, call: &str, script: &str) -> Step {
        match self {
            Self::PiFirst | Self::PiSecond => Step::tool(call, "bash", json!({"command": script})),
            Self::Claude => Step::tool(call, "Bash", json!({"command": script, "description": "a test"})),
            Self::Codex => Step::tool(call, "shell", json!({"command": ["bash", "-lc", script]})),
        }
    }

    /// A call of its tool that writes a file. Claude Code has no leave to do that.
    pub fn writes(self, call: &str, file: &str) -> Step {
        match self {
            Self::PiFirst | Self::PiSecond => {
                Step::tool(call, "write", json!({"path": file, "content": "x\n"}))
            }
            Self::Claude => Step::tool(call, "Write", json!({"file_path": file, "content": "x\n"})),
            Self::Codex => {
                let patch = format!("*** Begin Patch\n*** Add File: {file}\n+x\n*** End Patch\n");
                Step::tool(call, "shell", json!({"command": ["apply_patch", patch]}))
            }
        }
    }

    fn set_up(self, world: &mut World, model: &ModelServer) -> anyhow::Result<()> {
        let home = world.home();
        match self {
            Self::PiFirst | Self::PiSecond => {
                let edition = if self == Self::PiFirst { Edition::First } else { Edition::Second };
                pi::configure(&home, &model.base_url())?;
                let bin = edition.bin()?;
                world.install("pi", &bin.join("pi"));
                if bin.join("node").exists() {
                    world.install("node", &bin.join("node"));
                }
                for (name, value) in pi::ENVIRONMENT {
                    world.set_variable(name, value);
                }
            }
            Self::Claude => {
                claude::configure(&home, &[&home, &home.join("work")])?;
                world.install("claude", &claude::program()?);
                for (name, value) in claude::environment(&model.origin()) {
                    world.set_variable(name, value);
                }
                // Beside each turn it may ask for a title, without tools: no test has a step for that.
                let title = Step::text(r#"{"title": "A title"}"#);
                model.push(title.when(|asked| asked.tools().is_empty()).always());
            }
            Self::Codex => {
                codex::configure(&home, &model.base_url())?;
                world.install("codex", &codex::program()?);
            }
        }
        Ok(())
    }
}

/// The world.
pub struct Stage {
    /// Which agent.
    pub worker: Worker,
    /// Where it runs.
    pub world: World,
    /// What answers it.
    pub model: ModelServer,
}

impl Stage {
    /// A world with this agent first on `PATH`.
    ///
    /// # Panics
    /// It is not installed.
    pub fn new(worker: Worker) -> Self {
        let mut world = World::new();
        let model = ModelServer::start().unwrap();
        worker.set_up(&mut world, &model).unwrap();
        Self { worker, world, model }
    }

    /// Where runs work.
    pub fn work(&self) -> PathBuf {
        self.world.home().join("work")
    }

    /// What the model was asked in turns: with tools.
    pub fn turns(&self) -> Vec<RecordedRequest> {
        self.model.requests().into_iter().filter(|asked| !asked.tools().is_empty()).collect()
    }

    /// Waits for this many turns.
    pub fn wait_turns(&self, count: usize) -> Vec<RecordedRequest> {
        let turns =
            |asked: &[RecordedRequest]| asked.iter().filter(|asked| !asked.tools().is_empty()).count();
        self.model.wait_until(&format!("{count} turns"), DEADLINE, |asked| turns(asked) >= count).unwrap();
        self.turns()
    }

    /// `host-runner run` with these arguments, in the directory where runs work.
    pub fn try_run(&self, arguments: &[&str]) -> Finished {
        let work = self.work();
        let cwd = ["run", "--agent", self.worker.agent().name(), "--cwd", work.to_str().unwrap()];
        self.world.runner(&[&cwd, arguments].concat())
    }

    /// Begins a run with this prompt in a new session with the name `task`, and returns its id.
    pub fn begin(&self, prompt: &str) -> String {
        self.try_run(&["--name", "task", "--", prompt]).ok().line()
    }

    /// `show --json`.
    pub fn show(&self, session: &str) -> Value {
        self.world.runner(&["show", "--json", session]).ok().json()
    }

    /// Waits until no process of a run is left: neither the agent nor what drives it, nor anything that these started.
    pub fn wait_gone(&self) {
        let own = |process: &Process| process.is_runner("daemon");
        seen_within(DEADLINE, "the end of every process of the run", || {
            let left: Vec<_> = self.world.processes().into_iter().filter(|process| !own(process)).collect();
            if left.is_empty() { Ok(()) } else { Err(left) }
        });
    }

    /// Lets Claude Code use a tool without asking, as a person does in their own settings.
    ///
    /// # Panics
    /// The settings cannot be written.
    pub fn allow(&self, rule: &str) {
        let directory = self.world.home().join(".claude");
        fs::create_dir_all(&directory).unwrap();
        let settings = json!({"permissions": {"allow": [rule]}});
        fs::write(directory.join("settings.json"), settings.to_string()).unwrap();
    }

    /// Waits until the row satisfies a predicate, and returns it; on failure everything about it is shown.
    pub fn wait(&self, session: &str, what: &str, predicate: impl Fn(&Value) -> bool) -> Value {
        seen_within(DEADLINE, &format!("{session}: {what}"), || match self.world.row(session) {
            Some(row) if predicate(&row) => Ok(row),
            _ => {
                Err(self.world.runner(&["show", session]).stdout
                    + &self.world.runner(&["log", session]).stdout)
            }
        })
    }

    /// Waits until the row has this state, and returns it.
    pub fn wait_state(&self, session: &str, state: &str) -> Value {
        self.wait(session, state, |row| row["state"] == state)
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let turns = self.turns();
            let asked: Vec<_> = turns.iter().map(|asked| (asked.last_text("user"), asked.heard)).collect();
            eprintln!("{:?}; the model was asked: {asked:?}", self.worker);
        }
    }
}

/// One test for each agent. The body gets a [`Stage`].
#[macro_export]
macro_rules! each_worker {
    ($($(#[$doc:meta])* fn $name:ident($stage:ident) $body:block)*) => {$(
        $(#[$doc])*
        mod $name {
            use super::*;

            fn test($stage: &$crate::run_stage::Stage) $body

            #[test]
            fn pi_first() {
                test(&$crate::run_stage::Stage::new($crate::run_stage::Worker::PiFirst));
            }

            #[test]
            fn pi_second() {
                test(&$crate::run_stage::Stage::new($crate::run_stage::Worker::PiSecond));
            }

            #[test]
            fn claude() {
                test(&$crate::run_stage::Stage::new($crate::run_stage::Worker::Claude));
            }

            #[test]
            fn codex() {
                test(&$crate::run_stage::Stage::new($crate::run_stage::Worker::Codex));
            }
        }
    )*};
}

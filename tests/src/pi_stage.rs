//! A world with one generation of pi in it, the loopback model that it talks to, and the steps that many tests take.
//!
//! Called by the tests of pi, those by the command line and those at the board.

use crate::{
    World,
    agents::pi::{self, Edition},
    model_server::ModelServer,
    run::Finished,
    wait::seen_within,
};
use serde_json::{Value, json};
use std::{fs, path::PathBuf, time::Duration};

/// How long pi may take to start, think and draw on a loaded machine.
pub const DEADLINE: Duration = Duration::from_secs(120);
/// What people's extensions do: tools that ask, and a command that opens a dialog.
const QUESTION_TOOLS: &str = include_str!("../tests/pi_adapter/question-tools.ts");

/// The world.
pub struct Stage {
    /// Which pi.
    pub edition: Edition,
    /// Where it runs.
    pub world: World,
    /// What answers it.
    pub model: ModelServer,
}

impl Stage {
    /// A world with this pi first on `PATH`.
    ///
    /// # Panics
    /// It is not installed.
    pub fn new(edition: Edition) -> Self {
        Self::in_world(edition, World::new())
    }

    /// The same in a world that was made otherwise.
    ///
    /// # Panics
    /// It is not installed.
    pub fn in_world(edition: Edition, mut world: World) -> Self {
        let model = ModelServer::start().unwrap();
        pi::configure(&world.home(), &model.base_url()).unwrap();
        let bin = edition.bin().unwrap();
        world.install("pi", &bin.join("pi"));
        if bin.join("node").exists() {
            world.install("node", &bin.join("node"));
        }
        for (name, value) in pi::ENVIRONMENT {
            world.set_variable(name, value);
        }
        Self { edition, world, model }
    }

    /// Puts an extension where pi finds those of a person.
    pub fn with_extension(&self, name: &str, source: &str) -> &Self {
        let directory = self.world.home().join(".pi/agent/extensions");
        fs::create_dir_all(&directory).unwrap();
        fs::write(directory.join(name), source).unwrap();
        self
    }

    /// Puts the question tools there.
    pub fn with_question_tools(&self) -> &Self {
        self.with_extension("question-tools.ts", QUESTION_TOOLS)
    }

    /// Makes pi the agent of every session for which none was named: for the board, which has no other way to say so.
    pub fn with_default_agent(&self) -> &Self {
        let directory = self.world.home().join(".config/agent-board");
        fs::create_dir_all(&directory).unwrap();
        fs::write(directory.join("config.toml"), "default_agent = \"pi\"\n").unwrap();
        self
    }

    /// Lets pi try a failed request again after hardly any pause, at most `times`.
    pub fn with_quick_retries(&self, times: u32) -> &Self {
        let file = self.world.home().join(".pi/agent/settings.json");
        let mut settings: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        settings["retry"] = json!({"enabled": true, "maxRetries": times, "baseDelayMs": 20,
            "provider": {"maxRetries": 0}});
        fs::write(file, settings.to_string()).unwrap();
        self
    }

    /// Starts a session of pi with this prompt, under the name `task`, and returns its id.
    pub fn start(&self, prompt: &str) -> String {
        self.start_named("task", prompt)
    }

    /// Starts a session of pi with this name and prompt, and returns its id.
    pub fn start_named(&self, name: &str, prompt: &str) -> String {
        self.try_start(&["--name", name, "--", prompt]).ok().line()
    }

    /// `start --agent pi` with these arguments.
    pub fn try_start(&self, arguments: &[&str]) -> Finished {
        let work = self.work();
        let cwd = ["start", "--agent", "pi", "--cwd", work.to_str().unwrap()];
        self.world.runner(&[&cwd, arguments].concat())
    }

    /// Where sessions work.
    pub fn work(&self) -> PathBuf {
        self.world.home().join("work")
    }

    /// Waits until the row satisfies a predicate, and returns it; on failure everything about it is shown.
    pub fn wait(&self, session: &str, what: &str, predicate: impl Fn(&Value) -> bool) -> Value {
        seen_within(DEADLINE, &format!("{session}: {what}"), || match self.world.row(session) {
            Some(row) if predicate(&row) => Ok(row),
            _ => Err(self.world.runner(&["show", session]).stdout
                + &self.world.runner(&["screen", session]).stdout),
        })
    }

    /// Waits until the row has this state, and returns it.
    pub fn wait_state(&self, session: &str, state: &str) -> Value {
        self.wait(session, state, |row| row["state"] == state)
    }

    /// Waits until the row has this summary, and returns it.
    pub fn wait_summary(&self, session: &str, summary: &str) -> Value {
        self.wait(session, summary, |row| row["summary"] == summary)
    }

    /// `show --json`.
    pub fn show(&self, session: &str) -> Value {
        self.world.runner(&["show", "--json", session]).ok().json()
    }

    /// Attaches, does something in the terminal, and detaches.
    pub fn in_terminal(&self, session: &str, shown: &str, work: impl FnOnce(&crate::Terminal)) {
        let mut terminal = self.world.terminal("attach", &["host-runner", "attach", session]);
        terminal.wait_within(DEADLINE, shown, |screen| screen.has(shown));
        work(&terminal);
        terminal.send(crate::keys::DETACH);
        terminal.wait_ended();
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let asked: Vec<_> = self
                .model
                .requests()
                .iter()
                .map(|request| (request.last_text("user"), request.heard))
                .collect();
            eprintln!("pi {}; the model was asked: {asked:?}", self.edition.version());
        }
    }
}

/// One test for each generation of pi. The body gets a [`Stage`].
#[macro_export]
macro_rules! both {
    ($($(#[$doc:meta])* fn $name:ident($stage:ident) $body:block)*) => {$(
        $(#[$doc])*
        mod $name {
            use super::*;

            fn test($stage: &$crate::pi_stage::Stage) $body

            #[test]
            fn first() {
                test(&$crate::pi_stage::Stage::new($crate::agents::pi::Edition::First));
            }

            #[test]
            fn second() {
                test(&$crate::pi_stage::Stage::new($crate::agents::pi::Edition::Second));
            }
        }
    )*};
}

//! A world with one generation of pi in it, the loopback model that it talks to, and the steps that many tests take.

use e2e::{
    World,
    agents::pi::{self, Edition},
    model_server::ModelServer,
    run::Finished,
    wait::seen_within,
};
use serde_json::Value;
use std::{fs, path::PathBuf, time::Duration};

/// How long pi may take to start, think and draw on a loaded machine.
pub(crate) const DEADLINE: Duration = Duration::from_secs(60);
/// What people's extensions do: tools that ask, and a command that opens a dialog.
const QUESTION_TOOLS: &str = include_str!("../pi_adapter/question-tools.ts");

/// The world.
pub(crate) struct Stage {
    pub(crate) edition: Edition,
    pub(crate) world: World,
    pub(crate) model: ModelServer,
}

impl Stage {
    pub(crate) fn new(edition: Edition) -> Self {
        let mut world = World::new();
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

    /// Puts the question tools where pi finds a person's extensions.
    pub(crate) fn with_question_tools(&self) -> &Self {
        let directory = self.world.home().join(".pi/agent/extensions");
        fs::create_dir_all(&directory).unwrap();
        fs::write(directory.join("question-tools.ts"), QUESTION_TOOLS).unwrap();
        self
    }

    /// Starts a session of pi with this prompt, under the name `task`, and returns its id.
    pub(crate) fn start(&self, prompt: &str) -> String {
        self.start_named("task", prompt)
    }

    pub(crate) fn start_named(&self, name: &str, prompt: &str) -> String {
        self.try_start(&["--name", name, "--", prompt]).ok().line()
    }

    /// `start --agent pi` with these arguments.
    pub(crate) fn try_start(&self, arguments: &[&str]) -> Finished {
        let work = self.work();
        let cwd = ["start", "--agent", "pi", "--cwd", work.to_str().unwrap()];
        self.world.runner(&[&cwd, arguments].concat())
    }

    /// Where sessions work.
    pub(crate) fn work(&self) -> PathBuf {
        self.world.home().join("work")
    }

    /// Waits until the row satisfies a predicate, and returns it; on failure everything about it is shown.
    pub(crate) fn wait(&self, session: &str, what: &str, predicate: impl Fn(&Value) -> bool) -> Value {
        seen_within(DEADLINE, &format!("{session}: {what}"), || match self.world.row(session) {
            Some(row) if predicate(&row) => Ok(row),
            _ => Err(self.world.runner(&["show", session]).stdout
                + &self.world.runner(&["screen", session]).stdout),
        })
    }

    pub(crate) fn wait_state(&self, session: &str, state: &str) -> Value {
        self.wait(session, state, |row| row["state"] == state)
    }

    pub(crate) fn wait_summary(&self, session: &str, summary: &str) -> Value {
        self.wait(session, summary, |row| row["summary"] == summary)
    }

    /// `show --json`.
    pub(crate) fn show(&self, session: &str) -> Value {
        self.world.runner(&["show", "--json", session]).ok().json()
    }

    /// Attaches, does something in the terminal, and detaches.
    pub(crate) fn in_terminal(&self, session: &str, shown: &str, work: impl FnOnce(&e2e::Terminal)) {
        let mut terminal = self.world.terminal("attach", &["host-runner", "attach", session]);
        terminal.wait_within(DEADLINE, shown, |screen| screen.has(shown));
        work(&terminal);
        terminal.send(e2e::keys::DETACH);
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

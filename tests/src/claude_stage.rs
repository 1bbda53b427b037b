//! A world with Claude Code in it, the loopback model that it talks to, and the steps that many tests take.
//!
//! Called by the tests of Claude Code, those by the command line and those at the board.

use crate::{
    Terminal, World,
    agents::claude,
    model_server::{ModelServer, RecordedRequest, Step},
    run::Finished,
    wait::seen_within,
};
use serde_json::{Value, json};
use std::{fs, path::PathBuf, time::Duration};

/// How long Claude Code may take to start, think and draw on a loaded machine.
pub const DEADLINE: Duration = Duration::from_secs(120);

/// The world.
pub struct Stage {
    /// Where it runs.
    pub world: World,
    /// What answers it.
    pub model: ModelServer,
}

impl Stage {
    /// A world with Claude Code first on `PATH`.
    ///
    /// # Panics
    /// It is not installed.
    #[expect(clippy::new_without_default, reason = "a world is not made by default")]
    pub fn new() -> Self {
        let mut world = World::new();
        let model = ModelServer::start().unwrap();
        // Beside each turn it asks for a title, without tools: no test has a step for that.
        model.push(Step::text(r#"{"title": "A title"}"#).when(|asked| asked.tools().is_empty()).always());
        let home = world.home();
        claude::configure(&home, &[&home, &home.join("work")]).unwrap();
        world.install(host_runner::agents::claude::NAME, &claude::program().unwrap());
        for (name, value) in claude::environment(&model.origin()) {
            world.set_variable(name, value);
        }
        Self { world, model }
    }

    /// Makes it the agent of every session for which none was named: for the board, which has no other way to say so.
    pub fn with_default_agent(&self) -> &Self {
        let directory = self.world.home().join(".config/agent-board");
        fs::create_dir_all(&directory).unwrap();
        fs::write(directory.join("config.toml"), "default_agent = \"claude\"\n").unwrap();
        self
    }

    /// Gives the person settings of their own: a hook of each of these events that appends the event's name to a file.
    pub fn with_own_hooks(&self, events: &[&str]) -> PathBuf {
        let log = self.world.home().join("own-hooks.log");
        let hooks: serde_json::Map<String, Value> = events
            .iter()
            .map(|event| {
                let command = format!("echo {event} >> {}", log.display());
                ((*event).to_owned(), json!([{"hooks": [{"type": "command", "command": command}]}]))
            })
            .collect();
        let directory = self.world.home().join(".claude");
        fs::create_dir_all(&directory).unwrap();
        fs::write(directory.join("settings.json"), json!({ "hooks": hooks }).to_string()).unwrap();
        log
    }

    /// Starts a session with this prompt, under the name `task`, and returns its id.
    pub fn start(&self, prompt: &str) -> String {
        self.try_start(&["--name", "task", "--", prompt]).ok().line()
    }

    /// `start --agent claude` with these arguments.
    pub fn try_start(&self, arguments: &[&str]) -> Finished {
        let work = self.work();
        let cwd = ["start", "--agent", "claude", "--cwd", work.to_str().unwrap()];
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

    /// `show --json`.
    pub fn show(&self, session: &str) -> Value {
        self.world.runner(&["show", "--json", session]).ok().json()
    }

    /// Attaches, and waits until the pane shows a text.
    pub fn attach(&self, session: &str, shown: &str) -> Terminal {
        let terminal = self.world.terminal("attach", &["host-runner", "attach", session]);
        terminal.wait_within(DEADLINE, shown, |screen| screen.has(shown));
        terminal
    }

    /// Says something in its pane. A line that comes in one piece while it draws itself anew can be sent and stay in its
    /// prompt all the same (2.1.197): a person sees what they typed before they press Enter.
    pub fn say(&self, terminal: &Terminal, words: &str) {
        terminal.send(words);
        self.wait_typed(terminal, words);
        terminal.send(crate::keys::ENTER);
    }

    /// Waits until its prompt begins with these words.
    pub fn wait_typed(&self, terminal: &Terminal, words: &str) {
        // What stands before them is a sign and a space that does not break.
        let typed = format!("❯\u{a0}{words}");
        terminal.wait_within(DEADLINE, &format!("{words:?} in the prompt"), |screen| screen.has(&typed));
    }

    /// What the model was asked in turns: with tools.
    pub fn turns(&self) -> Vec<RecordedRequest> {
        self.model.requests().into_iter().filter(|asked| !asked.tools().is_empty()).collect()
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let turns = self.turns();
            let asked: Vec<_> = turns.iter().map(|asked| (asked.last_text("user"), asked.heard)).collect();
            eprintln!("the model was asked: {asked:?}");
        }
    }
}

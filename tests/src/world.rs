//! One test's world: directories, environment, zellij's configuration, and the end of everything that ran in it.

use crate::{
    processes::{self, MARK, Process},
    programs::Programs,
    run::{self, Finished},
    terminal::Terminal,
    wait::{self, DEADLINE, eventually, seen_within},
};
use board_protocol::ids::Size;
use rustix::process::Signal;
use serde_json::Value;
use std::{
    ffi::OsString,
    fs,
    os::unix::fs::{DirBuilderExt, symlink},
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};
use tempfile::TempDir;

/// The size of a test's terminal.
pub const SIZE: Size = Size { cols: 120, rows: 36 };

/// Every permission that zellij 0.45.1 knows, as it writes them into `permissions.kdl`.
const PERMISSIONS: [&str; 17] = [
    "ReadApplicationState",
    "ChangeApplicationState",
    "OpenFiles",
    "RunCommands",
    "OpenTerminalsOrPlugins",
    "WriteToStdin",
    "WebAccess",
    "ReadCliPipes",
    "MessageAndLaunchOtherPlugins",
    "Reconfigure",
    "FullHdAccess",
    "StartWebServer",
    "InterceptInput",
    "ReadPaneContents",
    "RunActionsAsUser",
    "WriteToClipboard",
    "ReadSessionEnvironmentVariables",
];

/// How long the end of a world may take.
const END_DEADLINE: Duration = Duration::from_secs(90);
/// Most lines of one log in the report of a failure.
const LOG_TAIL_LINES: usize = 40;
/// Most rows of a failed test that are explained.
const MAX_EXPLAINED: usize = 8;

/// Whether the plugin may do what it asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grant {
    /// A person answered `y` some time ago.
    Given,
    /// Nobody was asked yet.
    Unasked,
}

/// A world.
pub struct World {
    directory: TempDir,
    programs: Programs,
    /// Variables besides the usual ones.
    variables: Vec<(String, OsString)>,
}

impl World {
    /// A world in which the plugin has its permissions.
    pub fn new() -> Self {
        Self::with(Grant::Given, "")
    }

    /// A world with this grant and these lines more in zellij's configuration.
    ///
    /// # Panics
    /// Its directories cannot be made.
    pub fn with(grant: Grant, zellij_configuration: &str) -> Self {
        let programs = Programs::find();
        // Directly under /tmp: the path of a zellij socket has to fit into 107 bytes.
        let directory = tempfile::Builder::new().prefix("ab").rand_bytes(6).tempdir_in("/tmp").unwrap();
        let world = Self { directory, programs, variables: Vec::new() };
        for name in ["home/.config/zellij", "home/.cache/zellij", "home/work", "bin", "run", "z", "tmp"] {
            fs::DirBuilder::new().recursive(true).mode(0o700).create(world.path(name)).unwrap();
        }
        for (name, program) in [
            ("host-runner", &world.programs.runner),
            ("zellij", &world.programs.zellij),
            ("actor", &world.programs.actor),
        ] {
            symlink(program, world.path("bin").join(name)).unwrap();
        }
        let configuration = format!(
            "show_startup_tips false\nshow_release_notes false\ndefault_shell \"/bin/sh\"\n{zellij_configuration}\n"
        );
        fs::write(world.path("home/.config/zellij/config.kdl"), configuration).unwrap();
        if grant == Grant::Given {
            world.grant();
        }
        world
    }

    /// Lets the plugin do everything, as if a person had said so before.
    ///
    /// # Panics
    /// The file cannot be written.
    pub fn grant(&self) {
        let permissions = PERMISSIONS.map(|permission| format!("    {permission}\n")).concat();
        let text = format!("\"{}\" {{\n{permissions}}}\n", self.plugin().display());
        fs::write(self.permissions_file(), text).unwrap();
    }

    /// Where zellij keeps who may do what.
    pub fn permissions_file(&self) -> PathBuf {
        self.path("home/.cache/zellij/permissions.kdl")
    }

    /// Where `up` puts the plugin.
    pub fn plugin(&self) -> PathBuf {
        self.path("home/.local/share/agent-board/agent-board.wasm")
    }

    /// The programs under test.
    pub fn programs(&self) -> &Programs {
        &self.programs
    }

    /// A path inside the world.
    pub fn path(&self, relative: &str) -> PathBuf {
        self.directory.path().join(relative)
    }

    /// The board root.
    pub fn root(&self) -> PathBuf {
        self.path("board")
    }

    /// Where commands run unless a test says otherwise.
    pub fn home(&self) -> PathBuf {
        self.path("home")
    }

    /// A command in this world's environment, and in nothing else's.
    pub fn command(&self, program: impl AsRef<Path>) -> Command {
        let home = self.home();
        let mut command = Command::new(program.as_ref());
        command
            .env_clear()
            .current_dir(&home)
            .env(MARK, self.mark())
            .env("PATH", format!("{}:/usr/local/bin:/usr/bin:/bin", self.path("bin").display()))
            .env("HOME", &home)
            .env("XDG_CONFIG_HOME", home.join(".config"))
            .env("XDG_CACHE_HOME", home.join(".cache"))
            .env("XDG_DATA_HOME", home.join(".local/share"))
            .env("XDG_STATE_HOME", home.join(".local/state"))
            .env("XDG_RUNTIME_DIR", self.path("run"))
            .env("TMPDIR", self.path("tmp"))
            .env("ZELLIJ_SOCKET_DIR", self.path("z"))
            .env("ZELLIJ_CONFIG_DIR", home.join(".config/zellij"))
            .env("AGENT_BOARD_ROOT", self.root())
            .env("SHELL", "/bin/sh")
            .env("PS1", "$ ")
            .env("TERM", "xterm-256color")
            .env("COLORTERM", "truecolor")
            .env("LANG", "C.UTF-8")
            .env("USER", "tester")
            .envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Everything that starts in this world from now on has this variable.
    pub fn set_variable(&mut self, name: &str, value: impl Into<OsString>) {
        self.variables.push((name.to_owned(), value.into()));
    }

    /// Makes a program of this machine one of the world's own, under this name.
    ///
    /// # Panics
    /// There is one of that name.
    pub fn install(&self, name: &str, program: &Path) {
        symlink(program, self.path("bin").join(name)).unwrap();
    }

    /// `host-runner` with these arguments, to be run.
    pub fn runner_command(&self, arguments: &[&str]) -> Command {
        let mut command = self.command(&self.programs.runner);
        command.args(arguments);
        command
    }

    /// Runs `host-runner` with these arguments to its end.
    pub fn runner(&self, arguments: &[&str]) -> Finished {
        run::run(self.runner_command(arguments), b"", DEADLINE)
    }

    /// Starts a session and returns its id: `start` with these arguments.
    pub fn start(&self, arguments: &[&str]) -> String {
        self.runner(&[&["start"], arguments].concat()).ok().line()
    }

    /// Starts a session that plays the actor's part with these words, under this name.
    pub fn start_actor(&self, name: &str, words: &[&str]) -> String {
        self.start(&[&["--name", name, "--", "actor"], words].concat())
    }

    /// Every element of `ls --json`.
    ///
    /// # Panics
    /// It is no list.
    pub fn rows(&self) -> Vec<Value> {
        let list = self.runner(&["ls", "--json"]).ok().json();
        list.as_array().unwrap_or_else(|| panic!("a list expected: {list}")).clone()
    }

    /// The element of `ls --json` with this id or name.
    pub fn row(&self, session: &str) -> Option<Value> {
        self.rows().into_iter().find(|row| row["id"] == session || row["name"] == session)
    }

    /// Waits until the row with this id or name has this state, and returns it.
    pub fn wait_state(&self, session: &str, state: &str) -> Value {
        self.wait_row(session, state, |row| row["state"] == state)
    }

    /// Waits until the row with this id or name satisfies a predicate, and returns it.
    pub fn wait_row(&self, session: &str, what: &str, predicate: impl Fn(&Value) -> bool) -> Value {
        seen_within(DEADLINE, &format!("{session}: {what}"), || match self.row(session) {
            Some(row) if predicate(&row) => Ok(row),
            other => Err(other),
        })
    }

    /// Waits until `screen` of this session satisfies a predicate, and returns it.
    pub fn wait_screen(&self, session: &str, what: &str, predicate: impl Fn(&str) -> bool) -> String {
        seen_within(DEADLINE, &format!("the screen of {session}: {what}"), || {
            let screen = self.runner(&["screen", session]);
            if screen.code == Some(0) && predicate(&screen.stdout) { Ok(screen.stdout) } else { Err(screen) }
        })
    }

    /// Waits until this text stands on the screen of this session.
    pub fn wait_text(&self, session: &str, text: &str) -> String {
        self.wait_screen(session, &format!("{text:?}"), |screen| screen.contains(text))
    }

    /// Runs zellij with these arguments to its end. zellij removes a CLI client twice and may throw out one that
    /// attaches at that moment: a call that finds "no active session" is made once more while the server lives.
    pub fn zellij(&self, arguments: &[&str]) -> Finished {
        eventually("a zellij command that finds its session", || {
            let mut command = self.command(&self.programs.zellij);
            command.args(arguments);
            let finished = run::run(command, b"", DEADLINE);
            let lost = finished.code != Some(0) || finished.stderr.contains("no active session");
            (!lost || self.zellij_servers().is_empty()).then_some(finished)
        })
    }

    /// Waits until this session of zellij has exactly so many tabs.
    pub fn wait_tabs(&self, session: &str, count: usize) {
        seen_within(DEADLINE, &format!("{count} tabs"), || {
            let names = self.zellij(&["--session", session, "action", "query-tab-names"]).ok().stdout;
            if names.lines().count() == count { Ok(()) } else { Err(names) }
        });
    }

    /// Opens a terminal of [`SIZE`] with this command line in it.
    pub fn terminal(&self, name: &str, argv: &[&str]) -> Terminal {
        self.terminal_of(name, SIZE, argv)
    }

    /// Opens a terminal of this size.
    ///
    /// # Panics
    /// The command line is empty.
    pub fn terminal_of(&self, name: &str, size: Size, argv: &[&str]) -> Terminal {
        let (program, arguments) = argv.split_first().expect("a command line");
        let mut command = self.command(self.resolve(program));
        command.args(arguments);
        Terminal::open(name.to_owned(), command, size)
    }

    /// Opens a terminal of this size that keeps every byte that it is sent.
    ///
    /// # Panics
    /// The command line is empty.
    pub fn recorded_terminal(&self, name: &str, size: Size, argv: &[&str]) -> Terminal {
        let (program, arguments) = argv.split_first().expect("a command line");
        let mut command = self.command(self.resolve(program));
        command.args(arguments);
        Terminal::open_recorded(name.to_owned(), command, size)
    }

    /// Opens a terminal with a command that a test made itself.
    pub fn terminal_with(&self, name: &str, command: Command) -> Terminal {
        Terminal::open(name.to_owned(), command, SIZE)
    }

    fn resolve(&self, program: &str) -> PathBuf {
        let own = self.path("bin").join(program);
        if own.exists() { own } else { PathBuf::from(program) }
    }

    /// Every process of this world.
    pub fn processes(&self) -> Vec<Process> {
        processes::marked(&self.mark())
    }

    /// The processes of this world that run `host-runner` in this role.
    pub fn runners(&self, role: &str) -> Vec<Process> {
        let mut all = processes::without_twins(self.processes());
        all.retain(|process| process.is_runner(role));
        all
    }

    /// Waits until exactly so many processes run `host-runner` in this role, and gives them.
    pub fn wait_runners(&self, role: &str, count: usize) -> Vec<Process> {
        seen_within(DEADLINE, &format!("{count} of the role {role}"), || {
            let runners = self.runners(role);
            if runners.len() == count { Ok(runners) } else { Err(runners) }
        })
    }

    /// The daemon.
    ///
    /// # Panics
    /// There is none, or more than one.
    pub fn daemon(&self) -> Process {
        self.wait_runners("daemon", 1).remove(0)
    }

    /// The zellij servers.
    pub fn zellij_servers(&self) -> Vec<Process> {
        let mut all = processes::without_twins(self.processes());
        all.retain(Process::is_zellij_server);
        all
    }

    /// Sends a signal to a process of this world.
    ///
    /// # Panics
    /// It is none, or it is gone.
    pub fn signal(&self, process: &Process, signal: Signal) {
        let sent = processes::signal(process.identity, &self.mark(), signal);
        assert!(sent, "no signal {signal:?} to {process:?}");
    }

    /// Kills a process of this world and waits until it is gone.
    pub fn kill(&self, process: &Process) {
        self.signal(process, Signal::KILL);
        eventually(&format!("the end of {}", process.line()), || (!process.runs()).then_some(()));
    }

    /// Kills a process of this world, unless it ended by itself meanwhile.
    pub fn kill_if_running(&self, process: &Process) {
        processes::signal(process.identity, &self.mark(), Signal::KILL);
        eventually(&format!("the end of {}", process.line()), || (!process.runs()).then_some(()));
    }

    fn mark(&self) -> String {
        self.directory.path().display().to_string()
    }

    /// Logs, processes and rows, for a person who reads about a failure.
    pub fn evidence(&self) -> String {
        let mut text = String::from("processes:\n");
        for process in self.processes() {
            text += &format!("  {} (parent {}) {}\n", process.identity.pid, process.parent, process.line());
        }
        // Asking starts a daemon where there is none: only a running one is asked.
        if !self.runners("daemon").is_empty() {
            let asked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| self.told()));
            text += &asked.unwrap_or_else(|_| "the daemon does not answer\n".into());
        }
        for directory in ["board/logs", "home/.local/state/agent-board/logs", "tmp"] {
            for file in files_below(&self.path(directory)) {
                let log = fs::read_to_string(&file).unwrap_or_default();
                let lines: Vec<&str> = log.lines().collect();
                let tail = lines.get(lines.len().saturating_sub(LOG_TAIL_LINES)..).unwrap_or_default();
                text += &format!("{}:\n  {}\n", file.display(), tail.join("\n  "));
            }
        }
        text
    }

    /// What the daemon tells: every row, and of the first ones why they are where they are, and their diagnostics.
    fn told(&self) -> String {
        let list = self.runner(&["ls", "--json"]);
        let mut text = format!("ls: {} {}\n", list.stdout, list.stderr);
        let rows = serde_json::from_str::<Vec<Value>>(&list.stdout).unwrap_or_default();
        for id in rows.iter().take(MAX_EXPLAINED).filter_map(|row| row["id"].as_str()) {
            for command in ["explain", "log"] {
                let asked = self.runner(&[command, id]);
                text += &format!("{command} {id}:\n{}{}", asked.stdout, asked.stderr);
            }
        }
        text
    }

    fn end_everything(&self) {
        // A process may start another one while it is being killed: until none is left.
        wait::within(END_DEADLINE, "the end of every process of the world", || {
            let left = self.processes();
            for process in &left {
                processes::signal(process.identity, &self.mark(), Signal::KILL);
            }
            left.is_empty().then_some(())
        });
    }
}

impl Default for World {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let failed = std::thread::panicking();
        if failed {
            eprintln!("{}", self.evidence());
        }
        if failed {
            // A second panic would abort the whole test run and hide this one.
            let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| self.end_everything()));
            drop(ended);
        } else {
            self.end_everything();
        }
        // Sockets whose paths did not fit into the root lie beside it.
        if let Ok(elsewhere) = fs::read_to_string(self.root().join("sockets-are-in")) {
            let _ = fs::remove_dir_all(elsewhere);
        }
    }
}

fn files_below(directory: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    let mut found = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            found.extend(files_below(&path));
        } else if path.extension().is_some_and(|extension| extension == "log" || extension == "txt") {
            found.push(path);
        }
    }
    found.sort();
    found
}

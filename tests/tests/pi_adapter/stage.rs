//! One real pi on a terminal of its own, with the loopback model, a listening host and an empty home.

use crate::ear::{Ear, Heard};
use board_protocol::host::SpooledFact;
use e2e::{
    agents::pi::{self, Edition, PROVIDER},
    model_server::{MODEL, ModelServer},
};
use host_runner::agents::{
    AgentTerminals,
    pi::launch::{PiLaunch, install_extension},
};
use rustix::{
    pty::{OpenptFlags, grantpt, ioctl_tiocgptpeer, openpt, unlockpt},
    termios::{Winsize, tcsetwinsize},
};
use serde_json::{Value, json};
use std::{
    fs::{self, File},
    io::{Read, Write},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::{Arc, Condvar, Mutex},
    time::{Duration, Instant},
};

/// How long anything may take on a loaded machine; nothing waits that long when it works.
pub(crate) const DEADLINE: Duration = Duration::from_secs(120);
pub(crate) const TOKEN: &str = "0123456789abcdef0123456789abcdef";
pub(crate) const SESSION: &str = "0123456789";
const ROWS: u16 = 36;
const COLS: u16 = 120;

/// The test's own extension: the three question tools, and a command that opens a dialog.
const QUESTION_TOOLS: &str = include_str!("question-tools.ts");

/// Everything around one pi.
pub(crate) struct Stage {
    pub(crate) edition: Edition,
    pub(crate) model: ModelServer,
    pub(crate) ear: Ear,
    directory: tempfile::TempDir,
}

impl Stage {
    pub(crate) fn new(edition: Edition) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let model = ModelServer::start().unwrap();
        for name in ["home", "work", "root/spool"] {
            fs::create_dir_all(directory.path().join(name)).unwrap();
        }
        pi::configure(&directory.path().join("home"), &model.base_url()).unwrap();
        fs::write(directory.path().join("question-tools.ts"), QUESTION_TOOLS).unwrap();
        let ear = Ear::listen(&directory.path().join("host.sock"));
        Self { edition, model, ear, directory }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub(crate) fn transcript(&self) -> PathBuf {
        self.path("session.jsonl")
    }

    /// The command line and environment that the product would use.
    pub(crate) fn command(&self, prompt: &str) -> Command {
        let found = self.edition.find().unwrap();
        let extension = install_extension(
            &self.path("root"),
            std::path::Path::new("/nowhere/host-runner"),
            AgentTerminals::On,
        )
        .unwrap();
        let model = format!("{PROVIDER}/{MODEL}");
        let launch = PiLaunch {
            program: &found.program,
            extension: &extension,
            transcript: &self.transcript(),
            model: Some(&model),
            thinking: None,
            prompt,
        };
        // `setsid --ctty` makes the terminal the controlling one, which takes `unsafe` otherwise.
        let mut command = Command::new("setsid");
        command.args(["--ctty", "--wait"]).args(launch.argv());
        self.surround(&mut command);
        command
    }

    /// A plain pi with these arguments and our environment and extension.
    pub(crate) fn plain(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.edition.find().unwrap().program);
        command
            .arg("-e")
            .arg(
                install_extension(
                    &self.path("root"),
                    std::path::Path::new("/nowhere/host-runner"),
                    AgentTerminals::On,
                )
                .unwrap(),
            )
            .args(arguments);
        self.surround(&mut command);
        command.stdin(Stdio::null());
        command
    }

    fn surround(&self, command: &mut Command) {
        command
            .env_clear()
            .env("PATH", self.edition.path().unwrap())
            .env("HOME", self.path("home"))
            .env("TERM", "xterm-256color")
            .env("LANG", "C.UTF-8")
            .env("AGENT_BOARD_SOCKET", self.ear.path())
            .env("AGENT_BOARD_TOKEN", TOKEN)
            .env("AGENT_BOARD_SESSION", SESSION)
            .env("AGENT_BOARD_ROOT", self.path("root"))
            .envs(pi::ENVIRONMENT)
            .current_dir(self.path("work"));
    }

    pub(crate) fn start(&self, prompt: &str) -> Pi<'_> {
        self.run(self.command(prompt))
    }

    pub(crate) fn start_with_questions(&self, prompt: &str) -> Pi<'_> {
        let mut command = self.command("");
        command.arg("-e").arg(self.path("question-tools.ts")).arg(prompt);
        self.run(command)
    }

    pub(crate) fn run(&self, command: Command) -> Pi<'_> {
        Pi::start(self, command)
    }

    fn change_settings(&self, change: impl FnOnce(&mut Value)) {
        let path = self.path("home/.pi/agent/settings.json");
        let mut settings: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        change(&mut settings);
        fs::write(path, settings.to_string()).unwrap();
    }

    /// Two more attempts after an error, without a pause worth mentioning.
    pub(crate) fn quick_retries(&self) {
        self.change_settings(|settings| {
            settings["retry"] =
                json!({"enabled": true, "maxRetries": 2, "baseDelayMs": 20, "provider": {"maxRetries": 0}});
        });
    }

    /// Pauses between attempts that no test would outwait.
    pub(crate) fn slow_retries(&self) {
        self.change_settings(|settings| {
            settings["retry"] =
                json!({"enabled": true, "maxRetries": 3, "baseDelayMs": 45_000, "provider": {"maxRetries": 0}});
        });
    }

    /// Compaction keeps nearly nothing, so that a short conversation can be shortened.
    pub(crate) fn small_memory(&self) {
        self.change_settings(|settings| {
            settings["compaction"] =
                json!({"enabled": false, "reserveTokens": 1_000, "keepRecentTokens": 100});
        });
    }

    /// With `RECORD_PI_SAMPLES` set, keeps what was said as a sample for the parser's tests.
    pub(crate) fn record(&self, name: &str) {
        if std::env::var_os("RECORD_PI_SAMPLES").is_none() {
            return;
        }
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../host-runner/src/agents/pi/samples");
        fs::create_dir_all(&directory).unwrap();
        let here = self.directory.path().to_str().unwrap().to_owned();
        let lines: String = self
            .ear
            .heard()
            .iter()
            .map(|heard| {
                let mut payload = heard.json();
                for (key, plain) in
                    [("boot", json!("1-boot")), ("pid", json!(1)), ("sessionId", json!("session-id"))]
                {
                    if !payload[key].is_null() {
                        payload[key] = plain;
                    }
                }
                if let Some(text) = payload["text"].as_str().filter(|text| text.len() > 200) {
                    payload["text"] = json!(text.chars().take(200).collect::<String>());
                }
                if !payload["durationMs"].is_null() {
                    payload["durationMs"] = json!(7);
                }
                payload.to_string().replace(&here, "/home/user") + "\n"
            })
            .collect();
        let path = directory.join(format!("{}-{name}.jsonl", self.edition.version()));
        fs::write(path, lines).unwrap();
    }

    pub(crate) fn clear_spool(&self) {
        for entry in fs::read_dir(self.path("root/spool")).unwrap() {
            fs::remove_file(entry.unwrap().path()).unwrap();
        }
    }

    /// Facts in the spool, oldest first.
    pub(crate) fn spooled(&self) -> Vec<SpooledFact> {
        let mut paths: Vec<_> =
            fs::read_dir(self.path("root/spool")).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths.iter().map(|path| read_fact(path)).collect()
    }
}

fn read_fact(path: &Path) -> SpooledFact {
    assert!(path.extension().is_some_and(|extension| extension == "fact"), "{}", path.display());
    let mut reader = board_protocol::frame::FrameReader::new();
    reader.push(&fs::read(path).unwrap());
    reader.next_message().unwrap().unwrap()
}

/// A running pi.
pub(crate) struct Pi<'a> {
    stage: &'a Stage,
    master: File,
    child: Child,
    screen: Arc<Mutex<vt100::Parser>>,
    drawn: Arc<Condvar>,
}

impl<'a> Pi<'a> {
    fn start(stage: &'a Stage, mut command: Command) -> Self {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let master = openpt(flags).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        tcsetwinsize(&master, Winsize { ws_row: ROWS, ws_col: COLS, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
        let terminal = ioctl_tiocgptpeer(&master, flags).unwrap();
        command.stdin(terminal.try_clone().unwrap()).stdout(terminal.try_clone().unwrap()).stderr(terminal);
        let child = command.spawn().unwrap();
        // The command keeps the terminal's file descriptors, which would keep it open after the child's end.
        drop(command);
        let master = File::from(master);
        let screen = Arc::new(Mutex::new(vt100::Parser::new(
            std::num::NonZeroU16::new(ROWS).unwrap(),
            std::num::NonZeroU16::new(COLS).unwrap(),
            0,
        )));
        let drawn = Arc::new(Condvar::new());
        let (mut output, shown, told) =
            (master.try_clone().unwrap(), Arc::clone(&screen), Arc::clone(&drawn));
        std::thread::spawn(move || {
            let mut chunk = [0; 16 * 1024];
            while let Ok(count @ 1..) = output.read(&mut chunk) {
                shown.lock().unwrap().process(&chunk[..count]);
                told.notify_all();
            }
        });
        Self { stage, master, child, screen, drawn }
    }

    pub(crate) fn keys(&self, keys: &str) {
        (&self.master).write_all(keys.as_bytes()).unwrap();
    }

    pub(crate) fn screen(&self) -> String {
        self.screen.lock().unwrap().screen().contents()
    }

    /// Waits for what the extension says. On failure it shows all that was said, the screen and the model's log.
    pub(crate) fn wait(&self, what: &str, condition: impl Fn(&[Heard]) -> bool) -> Vec<Heard> {
        self.stage.ear.wait(DEADLINE, condition).unwrap_or_else(|| {
            let said: Vec<String> =
                self.stage.ear.heard().iter().map(|heard| heard.json().to_string()).collect();
            panic!(
                "pi {} never said: {what}\n--- said\n{}\n--- screen\n{}\n--- asked\n{:?}",
                self.stage.edition.version(),
                said.join("\n"),
                self.screen(),
                self.stage
                    .model
                    .requests()
                    .iter()
                    .map(|r| (r.last_text("user"), r.heard))
                    .collect::<Vec<_>>(),
            )
        })
    }

    pub(crate) fn wait_for(&self, kind: &str) -> Vec<Heard> {
        self.wait_for_nth(kind, 1)
    }

    pub(crate) fn wait_for_nth(&self, kind: &str, count: usize) -> Vec<Heard> {
        self.wait(&format!("{kind} ({count} times)"), |heard| {
            heard.iter().filter(|heard| heard.kind() == kind).count() >= count
        })
    }

    /// Waits for the newest word about the editor.
    pub(crate) fn wait_editor(&self, state: &str) {
        self.wait(&format!("editor {state}"), |heard| {
            let newest = heard.iter().rev().find(|heard| heard.kind() == "editor");
            newest.is_some_and(|heard| heard.json()["state"] == state)
        });
    }

    pub(crate) fn wait_screen(&self, text: &str) {
        self.wait_picture(text, |screen| screen.contains(text));
    }

    pub(crate) fn wait_screen_without(&self, text: &str) {
        self.wait_picture(&format!("a screen without {text}"), |screen| !screen.contains(text));
    }

    fn wait_picture(&self, what: &str, condition: impl Fn(&str) -> bool) {
        let end = Instant::now() + DEADLINE;
        let mut screen = self.screen.lock().unwrap();
        while !condition(&screen.screen().contents()) {
            let left = end.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "never on the screen: {what}\n{}", screen.screen().contents());
            screen = self.drawn.wait_timeout(screen, left).unwrap().0;
        }
    }

    pub(crate) fn wait_exit(&mut self) -> ExitStatus {
        let end = Instant::now() + DEADLINE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(Instant::now() < end, "pi did not end; screen:\n{}", self.screen());
            std::thread::yield_now();
        }
    }

    /// Leaves pi as a person does: Ctrl+D in its empty editor.
    pub(crate) fn quit(mut self) -> ExitStatus {
        self.keys("\x04");
        self.wait_exit()
    }
}

impl Drop for Pi<'_> {
    fn drop(&mut self) {
        // `setsid` waits for pi; the hangup of the terminal ends pi.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

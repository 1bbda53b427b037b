//! A person's home for tests of the command line: directories of its own, an environment with nothing else in it, and a
//! daemon that ends with the test.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::PathBuf,
    process::{Command, Output},
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// How long a test waits for anything: ten times what a loaded machine needs.
const PATIENCE: Duration = Duration::from_secs(90);

/// One home.
pub(crate) struct Home(TempDir);

impl Home {
    pub(crate) fn new() -> Self {
        // The socket's path must stay short, wherever temporary files lie.
        let home = Self(tempfile::Builder::new().prefix("ab").tempdir_in("/tmp").unwrap());
        for directory in ["bin", "config/agent-board"] {
            fs::create_dir_all(home.path(directory)).unwrap();
        }
        home
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes the configuration file.
    pub(crate) fn configure(&self, text: &str) {
        fs::write(self.path("config/agent-board/config.toml"), text).unwrap();
    }

    /// A program on the `PATH`, written by another process: a file that this one has open for writing cannot be run by
    /// what another test forks meanwhile (ETXTBSY).
    pub(crate) fn program(&self, name: &str, script: &str) {
        let path = self.path("bin").join(name);
        let write = r#"printf '#!/bin/sh\n%s\n' "$1" > "$0.new" && chmod 755 "$0.new" && mv "$0.new" "$0""#;
        assert!(Command::new("sh").arg("-c").arg(write).arg(&path).arg(script).status().unwrap().success());
        assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o755);
    }

    /// The binary, in this home's environment.
    pub(crate) fn runner(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_host-runner"));
        command
            .args(arguments)
            .env_clear()
            .env("PATH", format!("{}:/usr/bin:/bin", self.path("bin").display()))
            .env("HOME", self.0.path())
            .env("SHELL", "/bin/sh")
            .env("XDG_CONFIG_HOME", self.path("config"))
            .env("XDG_CACHE_HOME", self.path("cache"))
            .env("XDG_DATA_HOME", self.path("data"))
            .env("AGENT_BOARD_ROOT", self.path("root"))
            .current_dir(self.0.path());
        command
    }

    /// Runs it to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.runner(arguments).output().unwrap()
    }

    /// Runs it and gives its output; it must succeed.
    pub(crate) fn text(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Waits until a session shows these words; gives its screen with all of its history. Each look is a process of its
    /// own, so this loop does not spin.
    pub(crate) fn screen_with(&self, session: &str, words: &str) -> String {
        let end = Instant::now() + PATIENCE;
        loop {
            // A session that is just starting has no screen yet.
            let output = self.run(&["screen", session, "--scrollback", "100000"]);
            let shown = String::from_utf8(output.stdout).unwrap();
            if shown.contains(words) {
                return shown;
            }
            assert!(Instant::now() < end, "{shown}{}", String::from_utf8_lossy(&output.stderr));
        }
    }

    /// Waits until a session's program has ended; gives what `show` says then.
    pub(crate) fn ended(&self, session: &str) -> serde_json::Value {
        let end = Instant::now() + PATIENCE;
        loop {
            let detail = self.json(&["show", session, "--json"]);
            if detail["host_state"] == "exited" {
                return detail;
            }
            assert!(Instant::now() < end, "{detail:#}");
        }
    }

    /// Runs it with `--json`; it must succeed.
    pub(crate) fn json(&self, arguments: &[&str]) -> serde_json::Value {
        serde_json::from_str(&self.text(arguments)).unwrap()
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        if self.path("root/run/daemon.sock").exists() {
            let _ = self.run(&["shutdown", "--kill-hosts"]);
        }
    }
}

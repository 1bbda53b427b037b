//! Which binaries are tested, and where they are. Called once for each world; it never builds anything.

use std::{
    env,
    path::{Path, PathBuf},
};

/// The version of zellij that the tests run against, the same as `zellij-tile`'s.
pub const ZELLIJ_VERSION: &str = "0.45.1";

/// The programs under test and the harness's own.
#[derive(Debug, Clone)]
pub struct Programs {
    /// `host-runner`, built in release mode.
    pub runner: PathBuf,
    /// The plugin as it was built.
    pub plugin: PathBuf,
    /// The pinned zellij.
    pub zellij: PathBuf,
    /// The scripted program that plays the sessions.
    pub actor: PathBuf,
}

impl Programs {
    /// Finds them: `AGENT_BOARD_E2E_RUNNER`, `AGENT_BOARD_E2E_PLUGIN`, `AGENT_BOARD_E2E_ZELLIJ`, else where the build
    /// and the setup leave them.
    ///
    /// # Panics
    /// One is missing; the text says which and what to run.
    pub fn find() -> Self {
        let target = target_directory();
        let home = env::var_os("HOME").map(PathBuf::from).expect("HOME is set");
        Self {
            runner: found("AGENT_BOARD_E2E_RUNNER", target.join("release/host-runner"), "make build"),
            plugin: found(
                "AGENT_BOARD_E2E_PLUGIN",
                target.join("wasm32-wasip1/plugin/agent-board.wasm"),
                "make build",
            ),
            zellij: Self::find_zellij(&home),
            actor: found("AGENT_BOARD_E2E_ACTOR", binary_directory().join("actor"), "cargo build -p e2e"),
        }
    }

    /// The status bar of the tests.
    ///
    /// # Panics
    /// It was not built.
    pub fn status_bar() -> PathBuf {
        found(
            "AGENT_BOARD_E2E_BAR",
            target_directory().join("wasm32-wasip1/plugin/examples/status_bar.wasm"),
            "make bar",
        )
    }

    fn find_zellij(home: &Path) -> PathBuf {
        let cached = home.join(format!(".cache/agent-board/zellij-{ZELLIJ_VERSION}/bin/zellij"));
        found("AGENT_BOARD_E2E_ZELLIJ", cached, "make setup")
    }
}

fn found(variable: &str, default: PathBuf, make: &str) -> PathBuf {
    let path = env::var_os(variable).map_or(default, PathBuf::from);
    assert!(
        path.is_file(),
        "{} is missing: run `{make}` or set {variable} to an absolute path",
        path.display()
    );
    path.canonicalize().expect("an existing file has a canonical path")
}

/// `target/<profile>` of this program: a test binary lies in its `deps`, any other in the directory itself.
fn binary_directory() -> PathBuf {
    let own = env::current_exe().expect("this program knows where it is");
    let beside = own.parent().expect("target/<profile>/<binary>");
    if beside.ends_with("deps") { beside.parent().expect("target/<profile>/deps") } else { beside }.to_owned()
}

fn target_directory() -> PathBuf {
    binary_directory().parent().expect("target/<profile>").to_owned()
}

//! The real Claude Code: where the cache has it, and how it is made to talk to the loopback model.
//!
//! It installs nothing; `tests/install-agents.sh` does that.

use anyhow::ensure;
use serde_json::{Value, json};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The pinned version.
pub const VERSION: &str = "2.1.197";
/// After how many milliseconds without a key it says that it waits; its own default is a minute.
const IDLE_MS: u32 = 300;
/// A key that no provider has. Claude Code asks about a key that it does not know, unless its last characters are noted.
const KEY: &str = "sk-ant-loopback-0123456789abcdefghijklmnop";
/// So many of them.
const NOTED_CHARACTERS: usize = 20;

/// The program.
///
/// # Errors
/// It is not installed.
pub fn program() -> anyhow::Result<PathBuf> {
    let program = super::cache()?.join(format!("agents/claude-{VERSION}/node_modules/.bin/claude"));
    ensure!(program.exists(), "there is no {}; run tests/install-agents.sh", program.display());
    Ok(program)
}

/// Makes Claude Code, run with this `HOME`, ask nobody anything in these directories.
///
/// # Errors
/// A file cannot be written.
pub fn configure(home: &Path, directories: &[&Path]) -> anyhow::Result<()> {
    let noted = KEY.get(KEY.len() - NOTED_CHARACTERS..).unwrap_or_default();
    let known = json!({"hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true});
    let projects: serde_json::Map<String, Value> = directories
        .iter()
        .map(|directory| (directory.to_string_lossy().into_owned(), known.clone()))
        .collect();
    let state = json!({
        "hasCompletedOnboarding": true, "theme": "dark", "messageIdleNotifThresholdMs": IDLE_MS,
        "customApiKeyResponses": {"approved": [noted], "rejected": []},
        "projects": projects,
    });
    fs::write(home.join(".claude.json"), state.to_string())?;
    Ok(())
}

/// The variables that it needs beside `HOME` and `PATH`: the loopback model, no network, no updates.
pub fn environment(origin: &str) -> [(&'static str, String); 4] {
    [
        ("ANTHROPIC_BASE_URL", origin.to_owned()),
        ("ANTHROPIC_API_KEY", KEY.to_owned()),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1".to_owned()),
        ("DISABLE_AUTOUPDATER", "1".to_owned()),
    ]
}

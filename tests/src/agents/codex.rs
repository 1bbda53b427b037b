//! The real Codex: where the cache has it, and how it is made to talk to the loopback model.
//!
//! It installs nothing; `tests/install-agents.sh` does that.

use crate::model_server::MODEL;
use anyhow::ensure;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The pinned version.
pub const VERSION: &str = "0.63.0";

/// The program.
///
/// # Errors
/// It is not installed.
pub fn program() -> anyhow::Result<PathBuf> {
    let program = super::cache()?.join(format!("agents/codex-{VERSION}/node_modules/.bin/codex"));
    ensure!(program.exists(), "there is no {}; run tests/install-agents.sh", program.display());
    Ok(program)
}

/// Makes Codex, run with this `HOME`, use the loopback model at `base_url`, try what fails once more, and write where it
/// works.
///
/// # Errors
/// A file cannot be written.
pub fn configure(home: &Path, base_url: &str) -> anyhow::Result<()> {
    let directory = home.join(".codex");
    fs::create_dir_all(&directory)?;
    let settings = format!(
        "model = {MODEL:?}\nmodel_provider = \"loopback\"\nsandbox_mode = \"workspace-write\"\n\
         check_for_update_on_startup = false\n[model_providers.loopback]\nname = \"loopback\"\n\
         base_url = {base_url:?}\nwire_api = \"responses\"\nrequest_max_retries = 0\nstream_max_retries = 1\n"
    );
    fs::write(directory.join("config.toml"), settings)?;
    Ok(())
}

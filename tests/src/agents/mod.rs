//! Real agents from npm, found in the cache and pointed at the loopback model.

pub mod claude;
pub mod codex;
pub mod pi;

use anyhow::Context;
use std::path::{Path, PathBuf};

/// Where agents and other downloads are kept between runs, outside of the repository.
pub(crate) fn cache() -> anyhow::Result<PathBuf> {
    if let Some(cache) = std::env::var_os("AGENT_BOARD_CACHE") {
        return Ok(PathBuf::from(cache));
    }
    let home = std::env::var_os("HOME").context("neither AGENT_BOARD_CACHE nor HOME is set")?;
    Ok(Path::new(&home).join(".cache/agent-board"))
}

/// The Python that has the official client of the Model Context Protocol.
///
/// # Errors
/// It is not installed.
pub fn mcp_python() -> anyhow::Result<PathBuf> {
    let python = cache()?.join("mcp-python/bin/python");
    anyhow::ensure!(python.exists(), "{} is missing: run `make agents`", python.display());
    Ok(python)
}

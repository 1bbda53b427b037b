//! The real pi, in both generations: where the cache has it, and how it is made to talk to the loopback model.
//!
//! It installs nothing; `tests/install-agents.sh` does that.

use crate::model_server::MODEL;
use anyhow::ensure;
use host_runner::agents::{pi::find::PROGRAM, program::Found};
use serde_json::json;
use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

/// The provider that [`configure`] writes down.
pub const PROVIDER: &str = "fake";

/// A generation of pi, as the tests pin it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edition {
    /// `@mariozechner/pi-coding-agent` 0.73.1.
    First,
    /// `@earendil-works/pi-coding-agent` 1.6.0, with a Node of its own.
    Second,
}

impl Edition {
    /// Both, oldest first.
    pub const ALL: [Self; 2] = [Self::First, Self::Second];

    /// Its pinned version.
    pub const fn version(self) -> &'static str {
        match self {
            Self::First => "0.73.1",
            Self::Second => "1.6.0",
        }
    }

    /// Where its commands are: pi, and for the second edition the Node that it needs.
    ///
    /// # Errors
    /// It is not installed.
    pub fn bin(self) -> anyhow::Result<PathBuf> {
        let bin = super::cache()?.join(format!("agents/pi-{}/node_modules/.bin", self.version()));
        ensure!(bin.join("pi").exists(), "{} has no pi; run tests/install-agents.sh", bin.display());
        Ok(bin)
    }

    /// A `PATH` that finds it first, in front of this process's own.
    ///
    /// # Errors
    /// It is not installed.
    pub fn path(self) -> anyhow::Result<OsString> {
        let rest = std::env::var_os("PATH").unwrap_or_default();
        let all = std::iter::once(self.bin()?).chain(std::env::split_paths(&rest));
        Ok(std::env::join_paths(all)?)
    }

    /// What the product itself finds there.
    ///
    /// # Errors
    /// It is not installed, or the product does not accept it.
    pub fn find(self) -> anyhow::Result<Found> {
        let pi = PROGRAM.find(&self.path()?)?;
        ensure!(pi.version.to_string() == self.version(), "found {pi:?}, want {}", self.version());
        Ok(pi)
    }
}

/// Makes pi, run with this `HOME`, use the loopback model at `base_url` and ask nobody anything.
///
/// # Errors
/// A file cannot be written.
pub fn configure(home: &Path, base_url: &str) -> anyhow::Result<()> {
    let directory = home.join(".pi/agent");
    fs::create_dir_all(&directory)?;
    let models = json!({"providers": {PROVIDER: {
        "baseUrl": base_url, "api": "openai-completions", "apiKey": "x",
        "models": [{"id": MODEL, "contextWindow": 128_000, "maxTokens": 4096}],
        "compat": {"supportsDeveloperRole": false, "supportsReasoningEffort": false},
    }}});
    fs::write(directory.join("models.json"), models.to_string())?;
    let settings = json!({"defaultProvider": PROVIDER, "defaultModel": MODEL, "quietStartup": true,
        "enableInstallTelemetry": false});
    fs::write(directory.join("settings.json"), settings.to_string())?;
    Ok(())
}

/// The variables that pi needs beside `HOME` and `PATH`: no network, no update checks.
pub const ENVIRONMENT: [(&str, &str); 3] =
    [("PI_OFFLINE", "1"), ("PI_SKIP_VERSION_CHECK", "1"), ("PI_TELEMETRY", "0")];

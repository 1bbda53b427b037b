//! The board inside zellij: focuses the board's tab of this session, or opens one.

use crate::{
    cli::Failure,
    zellij::{
        command::for_server,
        name,
        server::{self, Server},
    },
};
use anyhow::Context;
use board_text::cli as texts;
use serde::Deserialize;
use std::{
    env,
    path::Path,
    process::{Command, Output, Stdio},
};

/// The name of the board's tab.
const TAB: &str = "board";

/// A pane as `zellij action list-panes --json` prints it, as far as we need it.
#[derive(Debug, Deserialize)]
struct Pane {
    is_plugin: bool,
    plugin_url: Option<String>,
    tab_position: Option<usize>,
}

/// Opens or focuses the board in the session of `server`.
pub(super) fn open(server: &Server, plugin_url: &str, layout: &Path) -> Result<(), Failure> {
    let from_environment = env::var("ZELLIJ_SESSION_NAME").ok();
    let session = name::current(server, from_environment.as_deref(), &server::all())
        .ok_or_else(|| Failure::Unreachable(texts::up_server_gone(server.identity.pid)))?;
    let action = |arguments: &[&str]| -> Result<Output, Failure> {
        let mut zellij: Command = for_server(server, &session);
        // zellij acts for the client that looks at this pane.
        if let Some(pane) = env::var_os("ZELLIJ_PANE_ID") {
            zellij.env("ZELLIJ_PANE_ID", pane);
        }
        let output = zellij
            .arg("action")
            .args(arguments)
            .stdin(Stdio::null())
            .output()
            .context(texts::up_cannot_run_server())?;
        if output.status.success() {
            return Ok(output);
        }
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        Err(Failure::Unreachable(texts::up_zellij_does_not(arguments.first().unwrap_or(&"answer"), &said)))
    };
    let listed = action(&["list-panes", "--all", "--json"])?;
    if let Some(position) = board_tab(&listed.stdout, plugin_url) {
        action(&["go-to-tab", &(position + 1).to_string()])?;
        return Ok(());
    }
    let layout = layout.to_str().context(texts::up_layout_no_text())?;
    let cwd = env::current_dir().context(texts::up_cwd_gone())?;
    let mut arguments = vec!["new-tab", "--layout", layout, "--name", TAB];
    if let Some(cwd) = cwd.to_str() {
        arguments.extend(["--cwd", cwd]);
    }
    action(&arguments)?;
    Ok(())
}

/// The position of the tab in which the board is, from 0.
fn board_tab(json: &[u8], plugin_url: &str) -> Option<usize> {
    let panes: Vec<Pane> = serde_json::from_slice(json).ok()?;
    panes
        .into_iter()
        .find(|pane| pane.is_plugin && pane.plugin_url.as_deref() == Some(plugin_url))
        .and_then(|pane| pane.tab_position)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_is_found_by_its_url() {
        let json = br#"[
            {"id":0,"is_plugin":false,"title":"sh","plugin_url":null,"tab_position":0},
            {"id":0,"is_plugin":true,"plugin_url":"zellij:tab-bar","tab_position":0},
            {"id":4,"is_plugin":true,"plugin_url":"file:/d/agent-board.wasm","tab_position":2}]"#;
        assert_eq!(board_tab(json, "file:/d/agent-board.wasm"), Some(2));
        assert_eq!(board_tab(json, "file:/other.wasm"), None);
        assert_eq!(board_tab(b"", "file:/d/agent-board.wasm"), None);
    }
}

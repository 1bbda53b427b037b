//! How agents get to know their terminals (`host-runner mcp`): for the run that starts, and without touching a file of the
//! person.
//!
//! Called by the adapters: Claude Code reads a file that is named on its command line, Codex values on its command line, pi
//! a file beside our extension. An agent that asks a person before it uses a tool asks before it uses these: nothing here
//! gives leave.

use crate::mcp;
use board_protocol::{command::EnvVar, terminals::MAX_WAIT_MS};
use serde_json::json;
use std::path::Path;

/// The variable of the setting `agent_terminals`.
pub(crate) const SETTING: &str = "AGENT_BOARD_AGENT_TERMINALS";
/// What that says when agents are not told.
pub(crate) const OFF: &str = "off";
/// Under which name agents see our tools: `mcp__agent_board__terminal_open` in Claude Code.
const SERVER: &str = "agent_board";
/// What the server reads from its environment.
const VARIABLES: [&str; 4] = ["AGENT_BOARD_ROOT", mcp::SESSION, mcp::TOKEN, mcp::RUN_TOKEN];
/// How much longer than the longest wait a client waits for a tool, in seconds.
const GRACE_S: u64 = 60;

/// Whether an agent is told of its terminals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgentTerminals {
    /// It is.
    On,
    /// It is not: `agent_terminals` is off.
    Off,
}

impl AgentTerminals {
    /// What the launching environment says.
    pub(super) fn of(environment: &[EnvVar]) -> Self {
        match super::variable(environment, SETTING) {
            Some(OFF) => Self::Off,
            _ => Self::On,
        }
    }
}

/// The file for Claude Code's `--mcp-config`. It adds to the servers of the person; a name in `${}` is replaced by Claude
/// Code, so that no secret is in a file or on a command line.
pub(super) fn claude_config(runner: &Path) -> String {
    let env: serde_json::Map<_, _> =
        VARIABLES.iter().map(|name| ((*name).to_owned(), json!(format!("${{{name}:-}}")))).collect();
    let server = json!({"type": "stdio", "command": runner.to_string_lossy(), "args": ["mcp"], "env": env});
    json!({"mcpServers": {SERVER: server}}).to_string()
}

/// What pi's extension reads: our program and the tools, or none.
pub(super) fn pi_module(runner: &Path, told: AgentTerminals) -> String {
    let tools = match told {
        AgentTerminals::On => mcp::definitions(),
        AgentTerminals::Off => json!([]),
    };
    format!(
        "// Written by host-runner for this build.\nexport const RUNNER: string = {};\nexport const TOOLS: any[] = {tools};\n",
        json!(runner.to_string_lossy())
    )
}

/// Values for Codex's `-c`. It hands its servers a few variables only, and those that are named here; and it gives up a tool
/// after a minute unless told otherwise.
pub(super) fn codex_overrides(runner: &str) -> Vec<String> {
    let values = [
        ("command", json!(runner).to_string()),
        ("args", json!(["mcp"]).to_string()),
        ("env_vars", json!(VARIABLES).to_string()),
        ("tool_timeout_sec", (MAX_WAIT_MS / 1000 + GRACE_S).to_string()),
    ];
    values
        .into_iter()
        .flat_map(|(key, value)| ["-c".to_owned(), format!("mcp_servers.{SERVER}.{key}={value}")])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_setting_switches_it_off() {
        let with = |value: &str| {
            let variable = |name: &str, value: &str| EnvVar {
                name: name.as_bytes().to_vec().into(),
                value: value.as_bytes().to_vec().into(),
            };
            AgentTerminals::of(&[variable("PATH", "/bin"), variable(SETTING, value)])
        };
        assert_eq!((with("off"), with("on")), (AgentTerminals::Off, AgentTerminals::On));
        assert_eq!(AgentTerminals::of(&[]), AgentTerminals::On);
    }

    #[test]
    fn claude_codes_file_names_our_program_and_holds_no_secret() {
        let read: serde_json::Value =
            serde_json::from_str(&claude_config(Path::new("/opt/b r/host-runner"))).unwrap();
        let server = &read["mcpServers"]["agent_board"];
        assert_eq!((&server["command"], &server["args"]), (&json!("/opt/b r/host-runner"), &json!(["mcp"])));
        assert_eq!(server["env"]["AGENT_BOARD_TOKEN"], "${AGENT_BOARD_TOKEN:-}");
        assert_eq!(server["env"]["AGENT_BOARD_MCP_TOKEN"], "${AGENT_BOARD_MCP_TOKEN:-}");
    }

    // What Codex reads there is TOML; strings and lists of JSON are that too.
    #[test]
    fn codexs_values_are_toml() {
        let overrides = codex_overrides("/opt/b\"r/host-runner");
        let text = overrides.chunks(2).map(|pair| pair[1].clone()).collect::<Vec<_>>().join("\n");
        assert!(overrides.iter().step_by(2).all(|flag| flag == "-c"));
        let read: toml::Table = text.parse().unwrap();
        let server = &read["mcp_servers"]["agent_board"];
        assert_eq!(server["command"].as_str(), Some("/opt/b\"r/host-runner"));
        assert_eq!(server["env_vars"].as_array().unwrap().len(), 4);
        assert!(server["tool_timeout_sec"].as_integer().unwrap() > 86_400);
    }

    #[test]
    fn pi_gets_the_tools_or_none() {
        let on = pi_module(Path::new("/bin/host-runner"), AgentTerminals::On);
        assert!(on.contains("\"/bin/host-runner\"") && on.contains("terminal_wait_for"), "{on}");
        assert!(pi_module(Path::new("/x"), AgentTerminals::Off).contains("TOOLS: any[] = []"));
    }
}

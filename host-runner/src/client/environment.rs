//! The environment of the shell that launches a session, as commands carry it (decision 12).
//!
//! Taken by the command line and by links. It never contains what belongs to one session.

use crate::{
    agents::{
        AgentTerminals, CLAUDE_SETTING, CODEX_SETTING, PI_SETTING, SHELL_SETTING, TERMINALS_OFF,
        TERMINALS_SETTING,
    },
    config::Config,
    coordinator::NO_SWEEP,
};
use board_protocol::command::EnvVar;
use serde_bytes::ByteBuf;
use std::os::unix::ffi::OsStringExt;

/// Variables that name one session. A session that starts another one must not pass its own identity on.
const OF_ONE_SESSION: [&str; 4] =
    ["AGENT_BOARD_SESSION", "AGENT_BOARD_SOCKET", "AGENT_BOARD_TOKEN", crate::mcp::RUN_TOKEN];

/// This process's environment, without the identity of a session that it may run in, and with the programs that the
/// configuration names: the daemon that starts the session may have been started with another configuration.
pub fn launching_environment() -> Vec<EnvVar> {
    let config = Config::load();
    let terminals = (config.agent_terminals == AgentTerminals::Off)
        .then(|| (TERMINALS_SETTING.into(), TERMINALS_OFF.into()));
    let settings = [
        (SHELL_SETTING, config.shell),
        (PI_SETTING, config.pi_command),
        (CLAUDE_SETTING, config.claude_command),
        (CODEX_SETTING, config.codex_command),
    ];
    let names = settings.each_ref().map(|(name, _)| *name);
    let settings = settings
        .into_iter()
        .filter_map(|(name, program)| program.map(|program| (name.into(), program.into_os_string())));
    let inside = runs_inside_a_session().then(|| (NO_SWEEP.into(), "1".into()));
    std::env::vars_os()
        .filter(|(name, _)| name != NO_SWEEP && name != TERMINALS_SETTING)
        .chain(inside)
        .chain(terminals)
        .filter(|(name, _)| !OF_ONE_SESSION.iter().chain(&names).any(|ours| name == *ours))
        .chain(settings)
        .map(|(name, value)| EnvVar {
            name: ByteBuf::from(name.into_vec()),
            value: ByteBuf::from(value.into_vec()),
        })
        .collect()
}

/// Whether an agent started this process, itself or through others (reference D.7).
pub(crate) fn runs_inside_a_session() -> bool {
    [OF_ONE_SESSION[0], NO_SWEEP]
        .iter()
        .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}

/// Takes the identity of a session out of the environment of a process that we start.
pub(crate) fn forget_session(command: &mut std::process::Command) {
    if runs_inside_a_session() {
        command.env(NO_SWEEP, "1");
    }
    for name in OF_ONE_SESSION {
        command.env_remove(name);
    }
}

//! What is checked before Codex runs, and why none of its sessions runs in a terminal.
//!
//! [`prepare`] may ask Codex for its version; the daemon calls it on a thread of its own.

use super::find::PROGRAM;
use crate::{
    agents::{
        AgentTerminals, Prepared,
        launching::{self, Installed},
    },
    program::runner_path,
};
use board_protocol::{
    command::EnvVar,
    refusal::{Refusal, RefusalKind},
};
use board_text::agents as texts;
use std::path::Path;

/// The variable of the setting `codex_command`.
pub(crate) const COMMAND_SETTING: &str = "AGENT_BOARD_CODEX_COMMAND";

/// Finds Codex for this environment. It loads nothing of ours; its command line tells it of its terminals.
pub(in crate::agents) fn prepare(environment: &[EnvVar]) -> Result<Prepared, Refusal> {
    launching::prepare(&PROGRAM, environment, "nothing", Path::new("/"), || {
        let told = AgentTerminals::of(environment) == AgentTerminals::On;
        // A program that cannot find itself is no reason not to run Codex.
        let terminals = told.then(runner_path).and_then(Result::ok);
        Ok(Installed { terminals, ..Installed::default() })
    })
}

/// Why no session of Codex runs in a terminal.
pub(in crate::agents) fn no_terminal() -> Refusal {
    Refusal::new(RefusalKind::BadInput, texts::codex_headless_only())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_codex_is_a_missing_program_that_says_how_to_get_it() {
        let root = tempfile::tempdir().unwrap();
        let variable = |name: &str, value: String| EnvVar {
            name: name.as_bytes().to_vec().into(),
            value: value.into_bytes().into(),
        };
        let path = root.path().display().to_string();
        let refusal = prepare(&[variable("PATH", path.clone())]).unwrap_err();
        assert_eq!(refusal.kind, RefusalKind::MissingProgram);
        assert!(
            refusal.text.contains("0.63.0 or later") && refusal.text.contains("npm install"),
            "{refusal}"
        );
        let named = variable(COMMAND_SETTING, format!("{path}/elsewhere/codex"));
        let refusal = prepare(&[named]).unwrap_err();
        assert!(
            refusal.text.contains("codex_command") && refusal.text.contains("elsewhere/codex"),
            "{refusal}"
        );
    }
}

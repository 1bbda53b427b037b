//! Which program Codex is, and which version of it is needed. Its search is that of all agents ([`AgentProgram`]).

use crate::agents::program::{AgentProgram, Version};
use board_text::agents as texts;

/// Codex. The oldest version whose lines are known to say what the board needs is the one that was measured.
pub static PROGRAM: AgentProgram = AgentProgram {
    called: "Codex",
    exactly: texts::codex_exactly,
    file: super::NAME,
    setting: "codex_command",
    variable: super::session::COMMAND_SETTING,
    oldest: Version { major: 0, minor: 63, patch: 0 },
    how_to_get: || "npm install -g @openai/codex",
    is_package: |name| name == "@openai/codex",
    version_in_path: |_| None,
};

#[cfg(test)]
mod tests {
    use super::*;
    use std::{ffi::OsStr, fs, path::Path, process::Command};

    fn executable(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        // Written by another process: see the same helper of pi's tests.
        let write = r#"printf %s "$1" > "$0.new" && chmod 755 "$0.new" && mv "$0.new" "$0""#;
        assert!(Command::new("sh").arg("-c").arg(write).arg(path).arg(text).status().unwrap().success());
    }

    #[test]
    fn a_packaged_one_is_read_without_running_it_and_another_is_asked() {
        let directory = tempfile::tempdir().unwrap();
        let here = directory.path();
        executable(&here.join("npm/bin/codex.js"), "#!/bin/sh\nexit 1\n");
        fs::write(here.join("npm/package.json"), r#"{"name": "@openai/codex", "version": "0.171.0"}"#)
            .unwrap();
        fs::create_dir_all(here.join("a")).unwrap();
        std::os::unix::fs::symlink("../npm/bin/codex.js", here.join("a/codex")).unwrap();
        assert_eq!(PROGRAM.find(here.join("a").as_os_str()).unwrap().version.to_string(), "0.171.0");
        let path = format!("{}:/usr/bin:/bin", here.join("b").display());
        executable(&here.join("b/codex"), "#!/bin/sh\necho codex-cli 0.63.0\n");
        assert_eq!(PROGRAM.find(OsStr::new(&path)).unwrap().version.to_string(), "0.63.0");
        executable(&here.join("b/codex"), "#!/bin/sh\necho codex-cli 0.46.0\n");
        let old = PROGRAM.find(OsStr::new(&path)).unwrap_err().to_string();
        assert!(
            old.contains("0.46.0, which is too old") && old.contains("npm install -g @openai/codex"),
            "{old}"
        );
    }
}

//! Which program pi is, and which version of it is needed. Its search is that of all agents ([`AgentProgram`]).

use crate::agents::program::{AgentProgram, Version};
use board_text::agents as texts;

/// pi. `pi --version` costs half a second of Node's start: its package says the version sooner.
pub static PROGRAM: AgentProgram = AgentProgram {
    called: "pi",
    exactly: texts::pi_exactly,
    file: super::NAME,
    setting: "pi_command",
    variable: super::session::COMMAND_SETTING,
    oldest: Version { major: 0, minor: 73, patch: 0 },
    how_to_get: texts::pi_how_to_get,
    is_package: |name| name.ends_with("/pi-coding-agent"),
    version_in_path: |_| None,
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::program::Trouble;
    use std::{ffi::OsStr, fs, path::Path, process::Command};

    fn executable(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        // Written by another process: a child that another test forks meanwhile would hold a file that this process
        // writes open, and then it could not be run (ETXTBSY).
        let write = r#"printf %s "$1" > "$0.new" && chmod 755 "$0.new" && mv "$0.new" "$0""#;
        assert!(Command::new("sh").arg("-c").arg(write).arg(path).arg(text).status().unwrap().success());
    }

    fn package(directory: &Path, version: &str) {
        executable(&directory.join("pkg/dist/cli.js"), "#!/bin/sh\nexit 1\n");
        let package = format!(r#"{{"name": "@somebody/pi-coding-agent", "version": "{version}"}}"#);
        fs::write(directory.join("pkg/package.json"), package).unwrap();
        fs::create_dir_all(directory.join("bin")).unwrap();
        std::os::unix::fs::symlink("../pkg/dist/cli.js", directory.join("bin/pi")).unwrap();
    }

    #[test]
    fn a_packaged_pi_is_read_without_running_it() {
        let directory = tempfile::tempdir().unwrap();
        package(directory.path(), "1.6.0");
        let path = std::env::join_paths([Path::new("/nonexistent"), &directory.path().join("bin")]).unwrap();
        let pi = PROGRAM.find(&path).unwrap();
        assert_eq!(pi.version.to_string(), "1.6.0");
    }

    #[test]
    fn a_missing_or_too_old_pi_says_what_is_needed_and_how_to_get_it() {
        let directory = tempfile::tempdir().unwrap();
        let missing = PROGRAM.find(directory.path().as_os_str()).unwrap_err();
        package(directory.path(), "0.50.3");
        let old = PROGRAM.find(directory.path().join("bin").as_os_str()).unwrap_err();
        assert_eq!(missing.trouble, Trouble::Missing);
        assert!(matches!(old.trouble, Trouble::TooOld(_)), "{old}");
        assert!(old.to_string().contains("0.50.3"));
        for text in [missing.to_string(), old.to_string()] {
            assert!(text.contains("0.73.0 or later") && text.contains("npm install"), "{text}");
        }
    }

    #[test]
    fn a_pi_without_a_package_is_asked_and_another_program_is_not_taken_for_it() {
        let directory = tempfile::tempdir().unwrap();
        let path = format!("{}:/usr/bin:/bin", directory.path().display());
        executable(&directory.path().join("pi"), "#!/bin/sh\necho pi 0.80.2\n");
        assert_eq!(PROGRAM.find(OsStr::new(&path)).unwrap().version.to_string(), "0.80.2");
        executable(&directory.path().join("pi"), "#!/bin/sh\necho 3.14159\n");
        let refused = PROGRAM.find(OsStr::new(&path)).unwrap_err();
        assert!(matches!(refused.trouble, Trouble::Unreadable { .. }), "{refused}");
    }
}

//! Which program Claude Code is, and which version of it is needed. Its search is that of all agents ([`AgentProgram`]).

use crate::agents::program::{AgentProgram, Version};
use board_text::agents as texts;
use std::{fs, path::Path};

/// The directory in which its own installer keeps one file for each version, named after it.
const NATIVE_DIRECTORY: &str = "versions";

/// Claude Code. The oldest version whose hooks are known to say what the board needs is the one that was measured.
pub static PROGRAM: AgentProgram = AgentProgram {
    called: "Claude Code",
    exactly: || "Claude Code",
    file: super::NAME,
    setting: "claude_command",
    variable: super::session::COMMAND_SETTING,
    oldest: Version { major: 2, minor: 1, patch: 197 },
    how_to_get: texts::claude_how_to_get,
    is_package: |name| name == "@anthropic-ai/claude-code",
    version_in_path: native_version,
};

/// The version in the name of the file that its own installer made.
fn native_version(program: &Path) -> Option<Version> {
    let file = fs::canonicalize(program).ok()?;
    if file.parent()?.file_name()? != NATIVE_DIRECTORY {
        return None;
    }
    Version::parse(file.file_name()?.to_str()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        ffi::OsStr,
        process::Command,
        time::{Duration, Instant},
    };

    fn executable(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        // Written by another process: see the same helper of pi's tests.
        let write = r#"printf %s "$1" > "$0.new" && chmod 755 "$0.new" && mv "$0.new" "$0""#;
        assert!(Command::new("sh").arg("-c").arg(write).arg(path).arg(text).status().unwrap().success());
    }

    #[test]
    fn each_way_of_installing_it_says_the_version_without_running_it() {
        let directory = tempfile::tempdir().unwrap();
        let here = directory.path();
        let fails = "#!/bin/sh\nexit 1\n";
        executable(&here.join("npm/bin/claude.exe"), fails);
        fs::write(
            here.join("npm/package.json"),
            r#"{"name": "@anthropic-ai/claude-code", "version": "2.1.198"}"#,
        )
        .unwrap();
        executable(&here.join("share/claude/versions/2.2.0"), fails);
        for (name, target, version) in
            [("a", "../npm/bin/claude.exe", "2.1.198"), ("b", "../share/claude/versions/2.2.0", "2.2.0")]
        {
            fs::create_dir_all(here.join(name)).unwrap();
            std::os::unix::fs::symlink(target, here.join(name).join("claude")).unwrap();
            let found = PROGRAM.find(here.join(name).as_os_str()).unwrap();
            assert_eq!(found.version.to_string(), version);
            assert_eq!(PROGRAM.at(&found.program, OsStr::new("")).unwrap(), found);
        }
    }

    #[test]
    fn a_missing_old_or_strange_one_says_what_is_needed_and_how_to_get_it() {
        let directory = tempfile::tempdir().unwrap();
        let path = format!("{}:/usr/bin:/bin", directory.path().display());
        let mut texts = vec![PROGRAM.find(directory.path().as_os_str()).unwrap_err().to_string()];
        texts.push(PROGRAM.at(&directory.path().join("nowhere"), OsStr::new("")).unwrap_err().to_string());
        for printed in ["1.0.3 (Claude Code)", "hello"] {
            executable(&directory.path().join("claude"), &format!("#!/bin/sh\necho '{printed}'\n"));
            texts.push(PROGRAM.find(OsStr::new(&path)).unwrap_err().to_string());
        }
        assert!(
            texts[2].contains("1.0.3, which is too old") && texts[3].contains("no version"),
            "{texts:#?}"
        );
        for text in texts {
            assert!(text.contains("2.1.197 or later") && text.contains("npm install"), "{text}");
        }
        executable(&directory.path().join("claude"), "#!/bin/sh\necho '2.1.332 (Claude Code)'\n");
        assert_eq!(PROGRAM.find(OsStr::new(&path)).unwrap().version.to_string(), "2.1.332");
    }

    // The search waited for whoever had the output open, and a program that printed more than a pipe takes was killed
    // for not answering.
    #[test]
    fn one_that_prints_a_lot_or_leaves_a_child_behind_says_its_version_all_the_same() {
        let directory = tempfile::tempdir().unwrap();
        let path = format!("{}:/usr/bin:/bin", directory.path().display());
        let start = Instant::now();
        for script in ["sleep 20 &", "head -c 1048576 /dev/zero"] {
            let script = format!("#!/bin/sh\necho '2.1.332 (Claude Code)'\n{script}\n");
            executable(&directory.path().join("claude"), &script);
            assert_eq!(PROGRAM.find(OsStr::new(&path)).unwrap().version.to_string(), "2.1.332", "{script}");
        }
        assert!(start.elapsed() < Duration::from_secs(15), "{:?}", start.elapsed());
    }
}

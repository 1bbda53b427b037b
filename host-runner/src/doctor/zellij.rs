//! zellij: the binary that `up` would start, and the server that this terminal runs in.

use super::{Finding, Scene};
use crate::{
    program,
    zellij::{
        binary::{self, SUPPORTED_TEXT, Version},
        server,
    },
};
use board_text::doctor as texts;

/// The binary.
pub(super) fn binary(scene: &Scene) -> Finding {
    let name = "zellij";
    let named = scene.config.zellij.as_deref();
    match binary::choose(named) {
        Err(error) => Finding::error(name, error),
        Ok(chosen) => {
            let version =
                binary::version_of(&chosen.path).map_or("?".to_owned(), |version| version.to_string());
            let found = format!("{version} ({})", chosen.path.display());
            match chosen.notice {
                None => Finding::ok(name, found),
                Some(notice) => {
                    Finding::warn(name, format!("{found}: {notice}"), texts::zellij_unset(SUPPORTED_TEXT))
                }
            }
        }
    }
}

/// The server around this terminal. Its file may have been replaced since; what runs is what counts.
pub(super) fn server() -> Finding {
    let name = "zellij server";
    let Some(server) = server::among_ancestors(std::process::id()) else {
        return Finding::ok(name, texts::zellij_outside());
    };
    let pid = server.identity.pid;
    let advice = texts::zellij_quit(SUPPORTED_TEXT);
    let answer = program::ask(&server.binary(), &["--version"], None, program::LIMIT);
    match answer.as_deref().map(Version::parse) {
        Ok(Some(version)) if version.is_supported() => Finding::ok(name, texts::zellij_runs(version, pid)),
        Ok(Some(version)) => Finding::fail(name, texts::zellij_unsupported(version, pid), advice),
        Ok(None) => Finding::unknown(name, texts::zellij_no_version(pid), advice),
        Err(why) => Finding::unknown(name, texts::zellij_version_unknown(pid, why), advice),
    }
}

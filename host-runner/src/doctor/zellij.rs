//! zellij: the binary that `up` would start, and the server that this terminal runs in.

use super::{Finding, Scene};
use crate::{
    program,
    zellij::{
        binary::{self, SUPPORTED_TEXT, Version},
        server,
    },
};

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
                Some(notice) => Finding::warn(
                    name,
                    format!("{found}: {notice}"),
                    format!("Unset the setting zellij, or name a zellij {SUPPORTED_TEXT}"),
                ),
            }
        }
    }
}

/// The server around this terminal. Its file may have been replaced since; what runs is what counts.
pub(super) fn server() -> Finding {
    let name = "zellij server";
    let Some(server) = server::among_ancestors(std::process::id()) else {
        return Finding::ok(name, "this terminal does not run inside zellij");
    };
    let pid = server.identity.pid;
    let advice = format!(
        "Quit this zellij session and open the board in one of zellij {SUPPORTED_TEXT}: host-runner up"
    );
    let answer = program::ask(&server.binary(), &["--version"], None, program::LIMIT);
    match answer.as_deref().map(Version::parse) {
        Ok(Some(version)) if version.is_supported() => {
            Finding::ok(name, format!("{version} runs around this terminal (pid {pid})"))
        }
        Ok(Some(version)) => Finding::fail(
            name,
            format!("{version} runs around this terminal (pid {pid}) and is not supported"),
            advice,
        ),
        Ok(None) => Finding::unknown(name, format!("pid {pid} does not say its version"), advice),
        Err(why) => Finding::unknown(name, format!("pid {pid} does not say its version: {why}"), advice),
    }
}

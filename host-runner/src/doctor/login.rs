//! What ends processes at logout: logind's `KillUserProcesses`, and lingering. A machine without systemd has neither.

use super::{Finding, Scene};
use crate::program;
use board_text::doctor as texts;
use rustix::process::getuid;
use std::fs;

const KILL: &str = "KillUserProcesses";
const LINGER: &str = "lingering";
/// What to do where logind ends everything at logout (`docs/living-with-it.md`).
fn survive() -> &'static str {
    texts::login_survive()
}

/// Both.
pub(super) fn check(scene: &Scene) -> Vec<Finding> {
    // The directory exists exactly where systemd is the init system (sd_booted(3)).
    if !scene.below("run/systemd/system").is_dir() {
        return vec![Finding::ok(KILL, texts::login_no_systemd())];
    }
    let lingers = lingers(scene);
    let kills = asked(scene).or_else(|| configured(scene));
    let kill = match (kills, lingers) {
        (Some(false), _) => Finding::ok(KILL, texts::login_not_killed()),
        (Some(true), _) => Finding::warn(KILL, texts::login_killed(), survive()),
        (None, _) => Finding::unknown(KILL, texts::login_unknown(), texts::login_if_killed(survive())),
    };
    let linger = match (lingers, kills) {
        (Some(true), _) => Finding::ok(LINGER, texts::linger_on()),
        (Some(false), Some(true)) => Finding::warn(LINGER, texts::linger_off(), survive()),
        (Some(false), _) => Finding::ok(LINGER, texts::linger_off_fine()),
        (None, _) => {
            Finding::unknown(LINGER, texts::linger_no_user(), "loginctl show-user --property=Linger")
        }
    };
    vec![kill, linger]
}

/// What logind itself says.
fn asked(scene: &Scene) -> Option<bool> {
    let path = scene.variable("PATH");
    let busctl = program::on_path("busctl", path?)?;
    let question = [
        "get-property",
        "org.freedesktop.login1",
        "/org/freedesktop/login1",
        "org.freedesktop.login1.Manager",
        "KillUserProcesses",
    ];
    truth(program::ask(&busctl, &question, path, program::LIMIT).ok()?.trim().strip_prefix("b ")?)
}

/// What logind.conf and its drop-ins say: the last file in the order of their names wins, and `etc` before `run` before
/// `usr` among files of one name (logind.conf(5)).
fn configured(scene: &Scene) -> Option<bool> {
    let mut files = std::collections::BTreeMap::new();
    for directory in ["usr/lib", "run", "etc"] {
        let directory = format!("{directory}/systemd/logind.conf.d");
        let Ok(entries) = fs::read_dir(scene.below(&directory)) else { continue };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.ends_with(".conf") {
                files.insert(name.clone(), format!("{directory}/{name}"));
            }
        }
    }
    let main = ["usr/lib", "etc"].map(|directory| format!("{directory}/systemd/logind.conf"));
    main.into_iter().chain(files.into_values()).filter_map(|file| setting(&scene.text(file))).next_back()
}

fn setting(text: &str) -> Option<bool> {
    text.lines()
        .filter_map(|line| line.trim().strip_prefix("KillUserProcesses"))
        .filter_map(|rest| truth(rest.trim_start().strip_prefix('=')?.trim()))
        .next_back()
}

fn truth(word: &str) -> Option<bool> {
    match word.to_ascii_lowercase().as_str() {
        "1" | "yes" | "y" | "true" | "t" | "on" => Some(true),
        "0" | "no" | "n" | "false" | "f" | "off" => Some(false),
        _ => None,
    }
}

/// Whether the user lingers: logind keeps a file per user.
fn lingers(scene: &Scene) -> Option<bool> {
    let name = user(&scene.text("etc/passwd"), getuid().as_raw())
        .or_else(|| scene.variable("USER").and_then(|name| name.to_str()).map(str::to_owned))?;
    Some(scene.below("var/lib/systemd/linger").join(name).exists())
}

fn user(passwd: &str, uid: u32) -> Option<String> {
    passwd.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)?.parse() == Ok(uid)).then(|| name.to_owned())
    })
}

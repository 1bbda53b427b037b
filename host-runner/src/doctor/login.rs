//! What ends processes at logout: logind's `KillUserProcesses`, and lingering. A machine without systemd has neither.

use super::{Finding, Scene};
use crate::program;
use rustix::process::getuid;
use std::fs;

const KILL: &str = "KillUserProcesses";
const LINGER: &str = "lingering";
/// What to do where logind ends everything at logout (`docs/living-with-it.md`).
const SURVIVE: &str =
    "loginctl enable-linger once, and open the board with: systemd-run --user --scope host-runner";

/// Both.
pub(super) fn check(scene: &Scene) -> Vec<Finding> {
    // The directory exists exactly where systemd is the init system (sd_booted(3)).
    if !scene.below("run/systemd/system").is_dir() {
        return vec![Finding::ok(KILL, "no systemd here: nothing of it ends sessions at logout")];
    }
    let lingers = lingers(scene);
    let kills = asked(scene).or_else(|| configured(scene));
    let kill = match (kills, lingers) {
        (Some(false), _) => Finding::ok(KILL, "no: sessions outlive your last login"),
        (Some(true), _) => {
            Finding::warn(KILL, "yes: logging out ends every session that was started in the login", SURVIVE)
        }
        (None, _) => Finding::unknown(
            KILL,
            "not set in logind.conf, and logind does not answer; most distributions ship no",
            format!("If sessions end at logout: {SURVIVE}"),
        ),
    };
    let linger = match (lingers, kills) {
        (Some(true), _) => Finding::ok(LINGER, "on: your user manager runs without a login"),
        (Some(false), Some(true)) => {
            Finding::warn(LINGER, "off: your user manager and its units end with your last login", SURVIVE)
        }
        (Some(false), _) => {
            Finding::ok(LINGER, "off: that matters only for a board that a unit of yours starts")
        }
        (None, _) => {
            Finding::unknown(LINGER, "your user's name is not known", "loginctl show-user --property=Linger")
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

//! Screens as files, for people and for the README: written only when `AGENT_BOARD_E2E_KEEP` names a directory.

use crate::{picture::svg, screen::Screen};
use std::{
    env, fs,
    path::PathBuf,
    sync::atomic::{AtomicU32, Ordering},
};

/// Where screens go, if anywhere.
pub fn directory() -> Option<PathBuf> {
    env::var_os("AGENT_BOARD_E2E_KEEP").map(PathBuf::from)
}

/// Writes a screen as text (`.txt`), for a terminal (`.ansi`) and drawn (`.svg`), named after the test and the terminal.
pub fn keep(name: &str, screen: &Screen) {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let Some(directory) = directory() else { return };
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let test = std::thread::current().name().unwrap_or("main").replace("::", "-");
    let stem = directory.join(format!("{test}-{number:03}-{name}"));
    let _ = fs::create_dir_all(&directory);
    let _ = fs::write(stem.with_extension("txt"), screen.text());
    let _ = fs::write(stem.with_extension("ansi"), screen.cells().contents_formatted());
    let _ = fs::write(stem.with_extension("svg"), svg(screen.cells()));
}

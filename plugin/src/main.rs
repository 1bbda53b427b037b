//! The zellij plugin: zellij's events become inputs of the board, its effects become zellij's calls, its frames text.
//!
//! Loaded by zellij, once for every client. It decides nothing; everything that can be wrong is in `board-view`, where
//! it is tested without zellij. It reads the clock, and one small file that outlives a reload.

mod effects;
mod events;
mod exports;
mod reload;

use board_protocol::ids::UnixMs;
use board_view::{Board, Effect, Input, meters::Drawn};
use std::{
    collections::{BTreeMap, VecDeque},
    time::{Instant, SystemTime, UNIX_EPOCH},
};
use zellij_tile::prelude::*;

/// The build of this file: the version, or what the build script says beyond it. The link compares it with the build
/// of the file on disk.
pub(crate) const BUILD: &str = match option_env!("AGENT_BOARD_BUILD") {
    Some(build) => build,
    None => env!("CARGO_PKG_VERSION"),
};

/// One instance.
#[derive(Default)]
struct Plugin {
    board: Board,
    /// Known from the grant on.
    plugin_id: u32,
    server_pid: u32,
    cursor: Option<(usize, usize)>,
    /// When the key arrived that the next frame answers.
    key_at: Option<Instant>,
}

/// Runs once, before zellij calls anything. A panic is told to zellij, which shows it in the pane.
fn main() {
    std::panic::set_hook(Box::new(report_panic));
}

impl ZellijPlugin for Plugin {
    fn load(&mut self, configuration: BTreeMap<String, String>) {
        let build = BUILD.to_owned();
        self.run(Input::Loaded(board_view::input::Loaded { configuration, build }));
    }

    fn update(&mut self, event: Event) -> bool {
        match self.translate(event) {
            Some(input) => self.run(input),
            None => false,
        }
    }

    fn pipe(&mut self, message: PipeMessage) -> bool {
        self.run(events::pipe_line(message))
    }

    fn render(&mut self, rows: usize, cols: usize) {
        self.board.settle();
        let frame = self.board.render(rows, cols);
        if frame.cursor != self.cursor {
            self.cursor = frame.cursor;
            show_cursor(self.cursor);
        }
        // No newline at the end: it would scroll the pane.
        print!("{}", frame.to_ansi());
        let took = self.key_at.take().map(|at| at.elapsed());
        self.board.drew(Drawn {
            at: now(),
            key_us: took.map(|took| u64::try_from(took.as_micros()).unwrap_or(u64::MAX)),
            memory_bytes: memory_bytes(),
        });
    }
}

impl Plugin {
    /// Feeds an input and whatever its effects answer at once. Returns whether the frame has changed.
    fn run(&mut self, input: Input) -> bool {
        let mut inputs = VecDeque::from([input]);
        let mut render = false;
        while let Some(input) = inputs.pop_front() {
            for effect in self.board.on(input, now()) {
                if effect == Effect::Render {
                    render = true;
                } else {
                    inputs.extend(self.carry_out(effect));
                }
            }
        }
        render
    }
}

/// Linear memory, in the unit of WebAssembly: pages of 64 KiB.
fn memory_bytes() -> u64 {
    #[cfg(target_arch = "wasm32")]
    let pages = core::arch::wasm32::memory_size(0);
    #[cfg(not(target_arch = "wasm32"))]
    let pages = 0_usize;
    u64::try_from(pages).unwrap_or(u64::MAX).saturating_mul(64 * 1024)
}

fn now() -> UnixMs {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    UnixMs(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

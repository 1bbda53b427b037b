//! The board for a browser: the same machine as in zellij, with JavaScript in zellij's place.
//!
//! It takes the lines that a link writes to its down pipe and gives the picture as text. It carries out no effect yet: a
//! browser board that answers keys is this shell with more methods, not another board. The end-to-end test `browser`
//! runs it in Node.

use board_protocol::{ids::UnixMs, pipe::DOWN_PIPE};
use board_view::{
    Board, Input,
    input::{Granted, Loaded, PipeLine, PipeSource},
};
use std::collections::BTreeMap;
use wasm_bindgen::prelude::wasm_bindgen;

/// Nobody asks a browser which zellij it belongs to; the board wants one all the same.
const NO_SERVER: u32 = 0;

/// A board in a page.
#[wasm_bindgen]
#[derive(Debug)]
pub struct WebBoard {
    board: Board,
}

#[wasm_bindgen]
impl WebBoard {
    /// An empty board. `now_ms`: milliseconds since 1970, as `Date.now()` gives them.
    #[wasm_bindgen(constructor)]
    pub fn new(now_ms: f64) -> Self {
        let mut web = Self { board: Board::new() };
        let build = env!("CARGO_PKG_VERSION").to_owned();
        web.on(Input::Loaded(Loaded { configuration: BTreeMap::new(), build }), now_ms);
        let granted = Granted { plugin_id: 0, client_id: 1, server_pid: NO_SERVER, reloaded_for: None };
        web.on(Input::PermissionGranted(granted), now_ms);
        web
    }

    /// Takes one line that a link writes to its down pipe. What is no such line changes nothing.
    pub fn line(&mut self, line: &str, now_ms: f64) {
        let source = PipeSource::Cli("web".to_owned());
        let payload = Some(line.to_owned());
        self.on(Input::Pipe(PipeLine { source, name: DOWN_PIPE.to_owned(), payload }), now_ms);
    }

    /// The picture, one line a row, without colours.
    pub fn text(&self, rows: u32, columns: u32) -> String {
        let cells = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
        self.board.render(cells(rows), cells(columns)).text()
    }
}

impl WebBoard {
    fn on(&mut self, input: Input, now_ms: f64) {
        // `as` keeps to the range: a clock before 1970 is 0.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a float is cut to the range"
        )]
        let now = UnixMs(now_ms as u64);
        // Nothing here can do what the board asks for: it has no panes and no pipes.
        drop(self.board.on(input, now));
    }
}

//! A status bar for tests: a zellij plugin that shows the text of every pipe widget that it was told of.
//!
//! It takes a message apart as zjstatus does (read in its `src/pipe.rs`): lines, each split at `::`, of which the first
//! parts are `zjstatus`, `pipe` and the widget's name, and the fourth is the text. The end-to-end test of `status_bar`
//! loads it into a real zellij.

use std::collections::BTreeMap;
use zellij_tile::prelude::*;

#[derive(Default)]
struct Bar {
    widgets: BTreeMap<String, String>,
}

register_plugin!(Bar);

impl ZellijPlugin for Bar {
    fn load(&mut self, _configuration: BTreeMap<String, String>) {}

    fn pipe(&mut self, message: PipeMessage) -> bool {
        let mut render = false;
        for line in message.payload.unwrap_or_default().lines() {
            let mut parts = line.split("::");
            if (parts.next(), parts.next()) == (Some("zjstatus"), Some("pipe"))
                && let (Some(name), Some(text)) = (parts.next(), parts.next())
            {
                self.widgets.insert(name.to_owned(), text.to_owned());
                render = true;
            }
        }
        render
    }

    fn render(&mut self, _rows: usize, _cols: usize) {
        for (name, text) in &self.widgets {
            print!("<{name}|{text}>");
        }
    }
}

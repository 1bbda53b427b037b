//! The functions that zellij calls, by the names that it looks up.
//!
//! They stand in for zellij's own `register_plugin!`, for one reason: zellij 0.45 sends a typed character whole and its
//! library keeps the lowest byte (`char_index as u8` in zellij-utils' `plugin_api/key.rs`). There, 日 arrives as `å` and
//! 主 as `;`, which in a command line is another command. What cannot be decoded is dropped, never a panic: a panic here
//! ends the board.

#![expect(unsafe_code, reason = "zellij finds a plugin's functions by their unmangled names")]

use crate::Plugin;
use board_view::bytes;
use std::{cell::RefCell, collections::BTreeMap, io::BufRead, time::Instant};
use zellij_tile::{
    prelude::*,
    shim::{
        plugin_api::{
            action::ProtobufPluginConfiguration,
            event::{ProtobufEvent, ProtobufEventPayload},
            key::ProtobufMainKey,
            pipe_message::ProtobufPipeMessage,
        },
        prost::Message,
    },
};

thread_local! {
    static PLUGIN: RefCell<Plugin> = RefCell::default();
}

/// A protobuf message, which zellij hands over as a JSON list of bytes on one line of stdin.
fn received<M: Message + Default>() -> Option<M> {
    let mut line = Vec::new();
    std::io::stdin().lock().read_until(b'\n', &mut line).ok()?;
    let length = bytes::in_place(&mut line)?;
    M::decode(line.get(..length)?).ok()
}

/// The character that was typed, if the event is one. `Some(None)`: the number is no character.
fn typed(event: &ProtobufEvent) -> Option<Option<char>> {
    let Some(ProtobufEventPayload::KeyPayload(key)) = &event.payload else { return None };
    let Some(ProtobufMainKey::Char(index)) = key.main_key else { return None };
    Some(u32::try_from(index).ok().and_then(char::from_u32))
}

/// The event as zellij sent it, its character whole.
fn whole(sent: ProtobufEvent) -> Option<Event> {
    let character = typed(&sent);
    let mut event = Event::try_from(sent).ok()?;
    if let (Some(character), Event::Key(key)) = (character, &mut event) {
        key.bare_key = BareKey::Char(character?);
    }
    Some(event)
}

/// zellij starts the instance.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn load() {
    let sent = received::<ProtobufPluginConfiguration>();
    let configuration = sent.and_then(|sent| BTreeMap::try_from(&sent).ok()).unwrap_or_default();
    PLUGIN.with_borrow_mut(|plugin| plugin.load(configuration));
}

/// Something that the plugin subscribed to happened. Returns whether to draw.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn update() -> bool {
    let arrived = Instant::now();
    let event = received().and_then(whole);
    event.is_some_and(|event| {
        PLUGIN.with_borrow_mut(|plugin| {
            if matches!(event, Event::Key(_)) {
                plugin.key_at = Some(arrived);
            }
            plugin.update(event)
        })
    })
}

/// A message came on a pipe. Returns whether to draw.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn pipe() -> bool {
    let message = received::<ProtobufPipeMessage>().and_then(|sent| PipeMessage::try_from(sent).ok());
    message.is_some_and(|message| PLUGIN.with_borrow_mut(|plugin| plugin.pipe(message)))
}

/// zellij wants the pane drawn, so many cells tall and wide.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn render(rows: i32, cols: i32) {
    let cells = |count| usize::try_from(count).unwrap_or_default();
    PLUGIN.with_borrow_mut(|plugin| plugin.render(cells(rows), cells(cols)));
}

/// zellij compares this with its own version.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn plugin_version() {
    println!("{VERSION}");
}

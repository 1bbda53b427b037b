//! zellij's events as the board's inputs, one to one.

use crate::{Plugin, effects::LINK_CONTEXT, now, reload};
use board_protocol::look::Paint;
use board_view::{
    Input,
    input::{
        BoundKey, BoundTo, Granted, Key, KeyCode, Keybinds, Mode, ModeNews, Modifiers, Mouse, PaneList,
        PaneRef, PaneStanding, PipeLine, PipeSource as Source, Visibility,
    },
    palette::ThemePaints,
};
use zellij_tile::prelude::*;

impl Plugin {
    /// An event as an input. `None`: the board has no use for it.
    pub(crate) fn translate(&mut self, event: Event) -> Option<Input> {
        Some(match event {
            Event::PermissionRequestResult(PermissionStatus::Granted) => self.granted(),
            Event::PermissionRequestResult(PermissionStatus::Denied) => Input::PermissionDenied,
            Event::Key(key) => Input::Key(board_key(&key)),
            Event::Mouse(mouse) => Input::Mouse(board_mouse(&mouse)?),
            Event::PastedText(text) => Input::Paste(text),
            Event::Timer(_) => Input::Timer,
            Event::Visible(true) => Input::Visible(Visibility::Shown),
            Event::Visible(false) => Input::Visible(Visibility::Hidden),
            Event::ModeUpdate(info) => Input::Mode(ModeNews {
                mode: board_mode(info.mode),
                session_name: info.session_name,
                theme: Some(theme(&info.style.colors)),
            }),
            Event::PaneUpdate(manifest) => Input::Panes(self.pane_list(manifest)),
            Event::InitialKeybinds(keybinds) => Input::Keybinds(board_keybinds(&keybinds)),
            Event::CommandPaneExited(pane, code, _) => Input::PaneExited { pane, code },
            Event::PaneClosed(pane) => Input::PaneClosed(pane_ref(pane)),
            Event::RunCommandResult(code, _, stderr, context)
                if context.get(LINK_CONTEXT.0).is_some_and(|what| what == LINK_CONTEXT.1) =>
            {
                Input::LinkEnded { code, stderr: String::from_utf8_lossy(&stderr).into_owned() }
            }
            Event::BeforeClose => Input::BeforeClose,
            _ => return None,
        })
    }

    /// Only now may zellij be asked anything that has an answer (field report H6).
    fn granted(&mut self) -> Input {
        let ids = get_plugin_ids();
        self.plugin_id = ids.plugin_id;
        self.server_pid = ids.zellij_pid;
        Input::PermissionGranted(Granted {
            plugin_id: ids.plugin_id,
            client_id: ids.client_id,
            server_pid: ids.zellij_pid,
            reloaded_for: reload::recall(ids.zellij_pid, ids.plugin_id, now()),
        })
    }

    fn pane_list(&self, manifest: PaneManifest) -> PaneList {
        let mut list = PaneList::default();
        for tab in manifest.panes.into_values() {
            let own = tab.iter().any(|pane| pane.is_plugin && pane.id == self.plugin_id);
            for pane in tab {
                self.add_pane(&mut list, pane, own);
            }
        }
        list
    }

    /// `own` tells whether the pane is in the board's tab.
    fn add_pane(&self, list: &mut PaneList, pane: PaneInfo, own: bool) {
        list.count += 1;
        if own && pane.is_focused && !pane.is_suppressed {
            let id = pane.id;
            list.focused.push(if pane.is_plugin { PaneRef::Plugin(id) } else { PaneRef::Terminal(id) });
        }
        if pane.is_plugin {
            if pane.id == self.plugin_id {
                list.own_url = Some(pane.plugin_url.unwrap_or_default());
            }
            return;
        }
        let waits = pane.is_held || pane.exited;
        list.terminals.push((pane.id, if waits { PaneStanding::Waiting } else { PaneStanding::Running }));
        if own && !pane.is_floating && !pane.is_suppressed {
            list.beside.push((pane.id, pane.title));
        }
        if let Some(command) = pane.terminal_command {
            if pane.is_held && !pane.exited {
                list.suspended.push((pane.id, command.clone()));
            }
            list.commands.push((pane.id, command));
        }
    }
}

/// A message on a pipe.
pub(crate) fn pipe_line(message: PipeMessage) -> Input {
    let source = match message.source {
        PipeSource::Cli(id) => Source::Cli(id),
        PipeSource::Plugin(_) | PipeSource::Keybind => Source::Other,
    };
    Input::Pipe(PipeLine { source, name: message.name, payload: message.payload })
}

/// A pane.
pub(crate) fn pane_ref(pane: PaneId) -> PaneRef {
    match pane {
        PaneId::Terminal(id) => PaneRef::Terminal(id),
        PaneId::Plugin(id) => PaneRef::Plugin(id),
    }
}

/// Clicks and the wheel. Holding, releasing and moving are none of the board's business: they draw nothing (field report
/// G8).
const fn board_mouse(mouse: &zellij_tile::prelude::Mouse) -> Option<Mouse> {
    use zellij_tile::prelude::Mouse as Sent;
    match mouse {
        Sent::LeftClick(line, column) => Some(Mouse::Click { line: *line, column: *column }),
        Sent::ScrollUp(lines) => Some(Mouse::WheelUp(*lines)),
        Sent::ScrollDown(lines) => Some(Mouse::WheelDown(*lines)),
        _ => None,
    }
}

fn board_mode(mode: InputMode) -> Mode {
    match mode {
        InputMode::Normal => Mode::Normal,
        InputMode::Locked => Mode::Locked,
        _ => Mode::Other,
    }
}

fn board_keybinds(keybinds: &KeybindsVec) -> Keybinds {
    let of = |mode| {
        let binds =
            keybinds.iter().filter(move |(bound_in, _)| *bound_in == mode).flat_map(|(_, binds)| binds);
        binds
            .map(|(key, actions)| bound_key(key, actions))
            .filter(|bound| bound.key.code != KeyCode::Other)
            .collect()
    };
    Keybinds { normal: of(InputMode::Normal), locked: of(InputMode::Locked) }
}

fn bound_key(key: &KeyWithModifier, actions: &[actions::Action]) -> BoundKey {
    let message = actions.iter().all(|action| matches!(action, actions::Action::KeybindPipe { .. }));
    let what = if message { BoundTo::Message } else { BoundTo::Zellij };
    BoundKey { key: board_key(key).normalised(), what }
}

fn board_key(key: &KeyWithModifier) -> Key {
    let has = |modifier| key.key_modifiers.contains(&modifier);
    let modifiers = Modifiers {
        ctrl: has(KeyModifier::Ctrl),
        alt: has(KeyModifier::Alt),
        shift: has(KeyModifier::Shift),
    };
    let code = match key.bare_key {
        // Super belongs to the desktop: such a chord is no character.
        _ if has(KeyModifier::Super) => KeyCode::Other,
        BareKey::Char(c) => KeyCode::Char(c),
        BareKey::Enter => KeyCode::Enter,
        BareKey::Esc => KeyCode::Esc,
        BareKey::Backspace => KeyCode::Backspace,
        BareKey::Delete => KeyCode::Delete,
        BareKey::Left => KeyCode::Left,
        BareKey::Right => KeyCode::Right,
        BareKey::Up => KeyCode::Up,
        BareKey::Down => KeyCode::Down,
        BareKey::Home => KeyCode::Home,
        BareKey::End => KeyCode::End,
        BareKey::PageUp => KeyCode::PageUp,
        BareKey::PageDown => KeyCode::PageDown,
        BareKey::Tab => KeyCode::Tab,
        _ => KeyCode::Other,
    };
    Key { code, modifiers }
}

/// What roles can be drawn in of the person's zellij theme.
fn theme(colours: &Styling) -> ThemePaints {
    let paint = |colour| match colour {
        PaletteColor::Rgb((red, green, blue)) => Paint::Rgb(red, green, blue),
        PaletteColor::EightBit(index) => Paint::Indexed(index),
    };
    let text = &colours.text_unselected;
    ThemePaints {
        emphases: [text.emphasis_0, text.emphasis_1, text.emphasis_2, text.emphasis_3].map(paint),
        success: paint(colours.exit_code_success.base),
        error: paint(colours.exit_code_error.base),
    }
}

//! Everything that can happen to a board. The shell around it translates zellij's events into these, one to one.

use crate::palette::ThemePaints;
use board_protocol::ids::SessionId;
use std::collections::BTreeMap;

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// The instance was loaded. First input, exactly once.
    Loaded(Loaded),
    /// The person allowed what was asked; comes again whenever a withdrawn permission returns.
    PermissionGranted(Granted),
    /// The person said no, or zellij took the permission back.
    PermissionDenied,
    /// A key, for this instance's client only.
    Key(Key),
    /// The mouse, for this instance's client only. Motion is none of it: it changes nothing (field report G8).
    Mouse(Mouse),
    /// A bracketed paste, for this instance's client only.
    Paste(String),
    /// A line on a zellij pipe.
    Pipe(PipeLine),
    /// A timer that the board asked for went off; it may also be one of an earlier life.
    Timer,
    /// The board's tab came into view or went out of it.
    Visible(Visibility),
    /// zellij told the mode of this client and the session's name.
    Mode(ModeNews),
    /// zellij's list of panes; sent only while the board's tab is the active one.
    Panes(PaneList),
    /// What zellij keeps for itself, for this client.
    Keybinds(Keybinds),
    /// The answer to [`crate::Effect::FindFocus`]: the pane that this instance's client looks at; `None` when the client
    /// is not connected any more (zellij never unloads the instance of a detached client).
    FocusFound(Option<PaneRef>),
    /// What became of [`crate::Effect::OpenAttachTab`].
    AttachOpened(AttachOpened),
    /// The answer to [`crate::Effect::CheckPane`].
    PaneChecked {
        /// The pane that was asked about.
        pane: u32,
        /// What it is.
        standing: PaneStanding,
    },
    /// The command in a pane that this instance opened has ended.
    PaneExited {
        /// The pane.
        pane: u32,
        /// Its exit code; `None` when a signal ended it.
        code: Option<i32>,
    },
    /// A pane was closed.
    PaneClosed(PaneRef),
    /// What became of [`crate::Effect::RunLink`]: the command ended.
    LinkEnded {
        /// Its exit code; `None` when a signal ended it.
        code: Option<i32>,
        /// What it wrote to standard error.
        stderr: String,
    },
    /// [`crate::Effect::ReloadSelf`] could not be remembered and was therefore not carried out.
    ReloadImpossible,
    /// zellij is about to unload the instance.
    BeforeClose,
}

/// What an instance knows when it is born.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loaded {
    /// The configuration of its pane, as the layout gave it.
    pub configuration: BTreeMap<String, String>,
    /// The build of the plugin file that runs.
    pub build: String,
}

/// What an instance may ask zellij once it is allowed to ask anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Granted {
    /// zellij's id of the plugin's pane; the instances of several clients share it.
    pub plugin_id: u32,
    /// zellij's id of the client that this instance draws for.
    pub client_id: u16,
    /// The pid of the zellij server.
    pub server_pid: u32,
    /// The plugin build for which this pane has already reloaded itself in this server, if it has.
    pub reloaded_for: Option<String>,
}

/// A line that came through a pipe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PipeLine {
    /// Who sent it.
    pub source: PipeSource,
    /// The pipe's name.
    pub name: String,
    /// The line with its newline; `None` at the pipe's end.
    pub payload: Option<String>,
}

/// Who sent a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PipeSource {
    /// A `zellij pipe` child, with the id under which it can be answered.
    Cli(String),
    /// Another plugin or a key binding.
    Other,
}

/// The chords that zellij takes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Keybinds {
    /// In Normal mode.
    pub normal: Vec<BoundKey>,
    /// In Locked mode.
    pub locked: Vec<BoundKey>,
}

/// A chord that zellij takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoundKey {
    /// The chord.
    pub key: Key,
    /// What zellij does with it.
    pub what: BoundTo,
}

/// What zellij does with a chord, as far as plugins are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoundTo {
    /// It sends a message to a plugin; to which one is not told.
    Message,
    /// Anything else.
    Zellij,
}

/// Whether anybody can see the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visibility {
    /// Its tab is some client's active tab.
    Shown,
    /// It is not.
    Hidden,
}

/// zellij's input modes, as far as the board cares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Chords belong to zellij.
    Normal,
    /// Chords belong to the focused pane.
    Locked,
    /// Any other one.
    Other,
}

/// From zellij's mode update.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModeNews {
    /// The mode of this client.
    pub mode: Mode,
    /// The session's name at this moment: people rename sessions.
    pub session_name: Option<String>,
    /// The colours of its theme.
    pub theme: Option<ThemePaints>,
}

/// From zellij's pane manifest, cut down to what the board needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PaneList {
    /// How many panes it lists.
    pub count: usize,
    /// The URL of this plugin's own pane, if the list holds it.
    pub own_url: Option<String>,
    /// Every terminal pane, and whether zellij waits for a key before it runs the command (again).
    pub terminals: Vec<(u32, PaneStanding)>,
    /// The command lines of terminal panes that run one.
    pub commands: Vec<(u32, String)>,
    /// The tiled terminal panes of the board's own tab that can be seen, with their names.
    pub beside: Vec<(u32, String)>,
    /// Command panes that have never run, with their command lines: zellij waits for a key.
    pub suspended: Vec<(u32, String)>,
    /// The panes of the board's own tab that have the focus, each in its layer.
    pub focused: Vec<PaneRef>,
}

/// How a terminal pane stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PaneStanding {
    /// Its command runs.
    Running,
    /// Its command ended or never started; zellij waits for a key.
    Waiting,
    /// There is no such pane.
    Gone,
}

/// A pane of zellij.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PaneRef {
    /// A terminal.
    Terminal(u32),
    /// A plugin.
    Plugin(u32),
}

/// A tab that zellij opened for an attach client, or did not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttachOpened {
    /// The session.
    pub session: SessionId,
    /// The tab's stable id.
    pub tab: Option<u64>,
    /// The pane.
    pub pane: Option<u32>,
}

/// What the mouse did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mouse {
    /// The left button went down on a cell of the pane; a line above it is negative.
    Click {
        /// From 0 at the top.
        line: isize,
        /// From 0 at the left.
        column: usize,
    },
    /// The wheel was turned away from the person, by so many lines.
    WheelUp(usize),
    /// It was turned towards them.
    WheelDown(usize),
}

/// A key with its modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// Which key.
    pub code: KeyCode,
    /// Which modifiers were down. Shift is not reported with characters: it is in the character.
    pub modifiers: Modifiers,
}

/// Modifiers of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Modifiers {
    /// Control.
    pub ctrl: bool,
    /// Alt.
    pub alt: bool,
    /// Shift.
    pub shift: bool,
}

/// A key without modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum KeyCode {
    /// A character.
    Char(char),
    /// Return.
    Enter,
    /// Escape.
    Esc,
    /// Deletes to the left.
    Backspace,
    /// Deletes to the right.
    Delete,
    /// Arrow left.
    Left,
    /// Arrow right.
    Right,
    /// Arrow up.
    Up,
    /// Arrow down.
    Down,
    /// Start.
    Home,
    /// End.
    End,
    /// Page up.
    PageUp,
    /// Page down.
    PageDown,
    /// Tabulator.
    Tab,
    /// A key that the board has no use for.
    Other,
}

impl Key {
    /// A key with nothing held down.
    pub const fn plain(code: KeyCode) -> Self {
        Self { code, modifiers: Modifiers { ctrl: false, alt: false, shift: false } }
    }

    /// A key with Control.
    pub const fn ctrl(code: KeyCode) -> Self {
        Self { code, modifiers: Modifiers { ctrl: true, alt: false, shift: false } }
    }

    /// A key with Control and Alt.
    pub const fn ctrl_alt(code: KeyCode) -> Self {
        Self { code, modifiers: Modifiers { ctrl: true, alt: true, shift: false } }
    }

    /// A key with Alt.
    pub const fn alt(code: KeyCode) -> Self {
        Self { code, modifiers: Modifiers { ctrl: false, alt: true, shift: false } }
    }

    /// A key with Shift.
    pub const fn shift(code: KeyCode) -> Self {
        Self { code, modifiers: Modifiers { ctrl: false, alt: false, shift: true } }
    }

    /// As help names it.
    pub fn spelled(self) -> String {
        let code = match self.code {
            KeyCode::Char(' ') => "space".to_owned(),
            KeyCode::Char(c) => c.to_string(),
            KeyCode::Up => "↑".to_owned(),
            KeyCode::Down => "↓".to_owned(),
            KeyCode::Left => "←".to_owned(),
            KeyCode::Right => "→".to_owned(),
            other => format!("{other:?}").to_lowercase(),
        };
        let ctrl = if self.modifiers.ctrl { "ctrl+" } else { "" };
        let alt = if self.modifiers.alt { "alt+" } else { "" };
        let shift = if self.modifiers.shift { "shift+" } else { "" };
        format!("{ctrl}{alt}{shift}{code}")
    }

    /// The character that this key types, if it types one.
    pub fn typed(self) -> Option<char> {
        match self.code {
            KeyCode::Char(c) if !self.modifiers.ctrl && !self.modifiers.alt => Some(c),
            _ => None,
        }
    }

    /// Terminals disagree on whether Shift comes beside an upper-case letter: folds it into the character.
    #[must_use]
    pub fn normalised(mut self) -> Self {
        if let KeyCode::Char(c) = self.code {
            if self.modifiers.shift && c.is_lowercase() {
                let mut upper = c.to_uppercase();
                if let (Some(one), None) = (upper.next(), upper.next()) {
                    self.code = KeyCode::Char(one);
                }
            }
            self.modifiers.shift = false;
            if self.modifiers.ctrl {
                self.code = KeyCode::Char(c.to_ascii_lowercase());
            }
        }
        self
    }
}

//! What a terminal knows beside its cells. Followed by the model, written by snapshots, read by answers.

use super::{
    extended::Link, filter::ColourSlot, modes::Modes, palette, palette::Rgb16, style::Style, tabs::Tabs,
};
use board_protocol::ids::Size;
use std::collections::BTreeMap;

/// Deepest stack of keyboard flags that is kept, as kitty itself limits it.
const MAX_KITTY_STACK: usize = 16;
/// Longest title, in bytes; what is longer is cut.
pub(super) const MAX_TITLE_BYTES: usize = 4 * 1024;

/// A character set. All others print as ASCII.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Charset {
    #[default]
    Ascii,
    /// DEC special graphics: lines and corners.
    Graphics,
}

/// Which sets are there and which one is in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Charsets {
    pub(super) sets: [Charset; 4],
    pub(super) active: usize,
}

impl Charsets {
    pub(super) fn current(self) -> Charset {
        self.sets.get(self.active).copied().unwrap_or_default()
    }
}

/// Where the cursor is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Position {
    pub(super) row: u16,
    pub(super) col: u16,
    /// The last column is printed; the next character goes to the next row. `col` is the last column then.
    pub(super) wrap_pending: bool,
}

/// What DECSC saves.
#[derive(Debug, Clone, Default)]
pub(super) struct Saved {
    pub(super) position: Position,
    pub(super) style: Style,
    pub(super) link: Option<Link>,
    pub(super) charsets: Charsets,
    pub(super) origin: bool,
}

/// Flags of the kitty keyboard protocol of one screen.
#[derive(Debug, Clone, Default)]
pub(super) struct Kitty {
    /// Flags while nothing is pushed.
    pub(super) base: u8,
    pub(super) stack: Vec<u8>,
}

impl Kitty {
    pub(super) fn current(&self) -> u8 {
        self.stack.last().copied().unwrap_or(self.base)
    }

    pub(super) fn push(&mut self, flags: u8) {
        if self.stack.len() >= MAX_KITTY_STACK {
            self.stack.remove(0);
        }
        self.stack.push(flags);
    }

    pub(super) fn pop(&mut self, count: u16) {
        let kept = self.stack.len().saturating_sub(usize::from(count));
        if kept == 0 && usize::from(count) > self.stack.len() {
            self.base = 0;
        }
        self.stack.truncate(kept);
    }

    /// `CSI = flags ; how u`: 1 replaces, 2 adds, 3 takes away.
    pub(super) fn set(&mut self, flags: u8, how: u16) {
        let slot = self.stack.last_mut().unwrap_or(&mut self.base);
        *slot = match how {
            1 => flags,
            2 => *slot | flags,
            3 => *slot & !flags,
            _ => *slot,
        };
    }
}

/// How the alternate screen was entered, and so how it is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    Primary,
    /// By this private mode: 47, 1047 or 1049.
    Alternate(u16),
}

/// Which colours the session ever changed, a reset included.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Touched {
    pub(super) palette: bool,
    /// Foreground, background and cursor.
    pub(super) dynamic: [bool; 3],
}

/// The tracker.
#[derive(Debug, Clone)]
pub(super) struct State {
    pub(super) style: Style,
    pub(super) link: Option<Link>,
    pub(super) charsets: Charsets,
    /// First and last row of the scrolling region.
    pub(super) region: (u16, u16),
    pub(super) origin: bool,
    pub(super) insert: bool,
    pub(super) autowrap: bool,
    /// LNM: a line feed returns, too.
    pub(super) newline: bool,
    pub(super) application_keypad: bool,
    pub(super) tabs: Tabs,
    pub(super) shown: Shown,
    /// Of the primary and of the alternate screen.
    pub(super) saved: [Saved; 2],
    pub(super) kitty: [Kitty; 2],
    pub(super) modes: Modes,
    pub(super) modify_other_keys: u8,
    /// DECSCUSR; `None` is the terminal's own.
    pub(super) cursor_style: Option<u8>,
    pub(super) title: Option<String>,
    /// Palette colours as the program wrote them.
    pub(super) palette: BTreeMap<u8, Box<[u8]>>,
    /// Foreground, background and cursor as the program wrote them.
    pub(super) dynamic: [Option<Box<[u8]>>; 3],
    pub(super) touched: Touched,
    /// The last printed character, before the character set changed it (REP).
    pub(super) last_printed: Option<char>,
}

impl State {
    pub(super) fn new(size: Size) -> Self {
        Self {
            style: Style::default(),
            link: None,
            charsets: Charsets::default(),
            region: (0, size.rows.saturating_sub(1)),
            origin: false,
            insert: false,
            autowrap: true,
            newline: false,
            application_keypad: false,
            tabs: Tabs::new(size.cols),
            shown: Shown::Primary,
            saved: Default::default(),
            kitty: Default::default(),
            modes: Modes::default(),
            modify_other_keys: 0,
            cursor_style: None,
            title: None,
            palette: BTreeMap::new(),
            dynamic: Default::default(),
            touched: Touched::default(),
            last_printed: None,
        }
    }

    pub(super) fn is_alternate(&self) -> bool {
        self.shown != Shown::Primary
    }

    /// 0 for the primary screen, 1 for the alternate one.
    pub(super) fn screen(&self) -> usize {
        usize::from(self.is_alternate())
    }

    pub(super) fn kitty(&self) -> &Kitty {
        &self.kitty[self.screen()]
    }

    pub(super) fn kitty_mut(&mut self) -> &mut Kitty {
        let screen = self.screen();
        &mut self.kitty[screen]
    }

    /// The colour that the program gave a slot, if it did and if we can read it.
    pub(super) fn colour(&self, slot: ColourSlot) -> Option<Rgb16> {
        let text = match slot {
            ColourSlot::Palette(index) => self.palette.get(&index),
            ColourSlot::Foreground => self.dynamic[0].as_ref(),
            ColourSlot::Background => self.dynamic[1].as_ref(),
            ColourSlot::Cursor => self.dynamic[2].as_ref(),
        };
        palette::parse(text?)
    }
}

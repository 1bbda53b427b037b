//! An independent terminal (`alacritty_terminal`) that says what a client shows.

use alacritty_terminal::{
    Term,
    event::{Event, EventListener},
    grid::Dimensions,
    index::{Column, Line},
    term::{
        Config,
        cell::{Cell, Flags},
    },
    vte::ansi::{Color, NamedColor, Processor},
};
use std::{cell::RefCell, rc::Rc};

/// Size of a judge: columns and rows.
#[derive(Clone, Copy)]
pub(crate) struct JudgeSize {
    pub(crate) cols: usize,
    pub(crate) rows: usize,
}

impl Dimensions for JudgeSize {
    fn total_lines(&self) -> usize {
        self.rows
    }

    fn screen_lines(&self) -> usize {
        self.rows
    }

    fn columns(&self) -> usize {
        self.cols
    }
}

#[derive(Clone, Default)]
struct Title(Rc<RefCell<String>>);

impl EventListener for Title {
    fn send_event(&self, event: Event) {
        match event {
            Event::Title(title) => *self.0.borrow_mut() = title,
            Event::ResetTitle => self.0.borrow_mut().clear(),
            _ => {}
        }
    }
}

/// One client.
pub(crate) struct Judge {
    term: Term<Title>,
    processor: Processor,
    title: Title,
    /// Whether pictures also say what nobody sees: which rows wrap (selection and reflow do show it), how a colour was named, and the
    /// foreground of blanks.
    pub(crate) is_strict: bool,
}

/// Lines of scrollback; more than any stream here makes.
pub(crate) const HISTORY: usize = 500;

impl Judge {
    pub(crate) fn new(size: JudgeSize) -> Self {
        let title = Title::default();
        let config = Config { scrolling_history: HISTORY, kitty_keyboard: true, ..Config::default() };
        Self {
            term: Term::new(config, &size, title.clone()),
            processor: Processor::new(),
            title,
            is_strict: true,
        }
    }

    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        self.processor.advance(&mut self.term, bytes);
    }

    pub(crate) fn resize(&mut self, size: JudgeSize) {
        self.term.resize(size);
    }

    /// Everything that a person could see, or could be made to see by what follows.
    pub(crate) fn picture(&mut self) -> Picture {
        // What waits for the end of a synchronized update is shown after a time limit.
        self.processor.stop_sync(&mut self.term);
        let grid = self.term.grid();
        let history = i32::try_from(grid.history_size()).unwrap_or(0);
        let rows = i32::try_from(grid.screen_lines()).unwrap_or(0);
        let line = |n: i32| -> Vec<String> {
            let row = &grid[Line(n)];
            (0..grid.columns()).map(|col| describe(&row[Column(col)], self.is_strict)).collect()
        };
        let cursor = &grid.cursor;
        let mut template = cursor.template.clone();
        if !self.is_strict {
            (template.fg, template.bg) = (numbered(template.fg), numbered(template.bg));
        }
        let colours = (0..=NamedColor::Cursor as usize).filter_map(|n| self.term.colors()[n].map(|c| (n, c)));
        Picture {
            history: (-history..0).map(line).collect(),
            screen: (0..rows).map(line).collect(),
            state: vec![
                format!("cursor {:?} wrap {}", cursor.point, cursor.input_needs_wrap),
                format!("template {}", describe(&template, true)),
                format!("charsets {:?}", cursor.charsets),
                format!("modes {:?}", self.term.mode()),
                format!("cursor style {:?}", self.term.cursor_style()),
                format!("title {:?}", self.title.0.borrow()),
                format!("colours {:?}", colours.collect::<Vec<_>>()),
            ],
        }
    }
}

fn describe(cell: &Cell, is_strict: bool) -> String {
    let hidden = if is_strict { Flags::empty() } else { Flags::WRAPLINE | Flags::LEADING_WIDE_CHAR_SPACER };
    // Alacritty remembers tabs in cells.
    let c = if cell.c == '\t' { ' ' } else { cell.c };
    let mut flags = cell.flags.difference(hidden);
    let (mut foreground, mut background) = (cell.fg, cell.bg);
    if !is_strict {
        (foreground, background) = (numbered(foreground), numbered(background));
    }
    let drawn = Flags::ALL_UNDERLINES | Flags::INVERSE | Flags::STRIKEOUT;
    if !is_strict && c == ' ' && !flags.intersects(drawn) {
        foreground = Cell::default().fg;
        flags = flags.difference(Flags::BOLD_ITALIC | Flags::DIM | Flags::HIDDEN);
    }
    let link = cell.hyperlink().map(|link| {
        let id = if link.id().ends_with("_alacritty") { "" } else { link.id() };
        format!("{id};{}", link.uri())
    });
    let plain = Cell::default();
    let is_plain =
        (foreground, background, flags, cell.underline_color()) == (plain.fg, plain.bg, plain.flags, None);
    if cell.zerowidth().is_none() && link.is_none() && is_plain {
        // Most cells; one letter for them is quick and keeps failures readable.
        return c.to_string();
    }
    format!(
        "{c}{:?} {:?}/{:?} {:?} {:?} {link:?}",
        cell.zerowidth().unwrap_or_default(),
        foreground,
        background,
        flags,
        cell.underline_color()
    )
}

/// The first sixteen colours have names and numbers; it is the same colour.
fn numbered(colour: Color) -> Color {
    match colour {
        Color::Named(name) if (name as usize) < 16 => Color::Indexed(name as u8),
        colour => colour,
    }
}

/// See [`Judge::picture`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Picture {
    pub(crate) history: Vec<Vec<String>>,
    pub(crate) screen: Vec<Vec<String>>,
    pub(crate) state: Vec<String>,
}

impl Picture {
    /// The first differences, for people.
    pub(crate) fn differences(&self, other: &Self) -> Vec<String> {
        let mut found = Vec::new();
        for (name, ours, theirs) in
            [("history", &self.history, &other.history), ("screen", &self.screen, &other.screen)]
        {
            if ours.len() != theirs.len() {
                found.push(format!("{name}: {} lines instead of {}", theirs.len(), ours.len()));
            }
            for (row, (a, b)) in ours.iter().zip(theirs).enumerate() {
                for (col, (a, b)) in a.iter().zip(b).enumerate().filter(|(_, (a, b))| a != b) {
                    found.push(format!("{name} {row},{col}: {b} instead of {a}"));
                }
            }
        }
        for (a, b) in self.state.iter().zip(&other.state).filter(|(a, b)| a != b) {
            found.push(format!("{b} instead of {a}"));
        }
        found.truncate(4);
        found
    }
}

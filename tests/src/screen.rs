//! What a terminal shows at one moment: a copy that predicates look at without holding anything up.

use std::fmt;

/// One picture of a terminal.
#[derive(Clone)]
pub struct Screen {
    vt: vt100::Screen,
    lines: Vec<String>,
    title: String,
}

impl Screen {
    pub(crate) fn new(vt: vt100::Screen, title: String) -> Self {
        let (_, cols) = vt.size();
        let lines = vt.rows(0, cols.get()).map(|row| row.trim_end().to_owned()).collect();
        Self { vt, lines, title }
    }

    /// The rows, without trailing blanks.
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// Everything in one text.
    pub fn text(&self) -> String {
        self.lines.join("\n")
    }

    /// Whether this text stands on one row.
    pub fn has(&self, text: &str) -> bool {
        self.lines.iter().any(|line| line.contains(text))
    }

    /// The first row that holds this text.
    pub fn line_with(&self, text: &str) -> Option<&str> {
        self.lines.iter().find(|line| line.contains(text)).map(String::as_str)
    }

    /// How many rows hold this text.
    pub fn count(&self, text: &str) -> usize {
        self.lines.iter().filter(|line| line.contains(text)).count()
    }

    /// Row and column of the cursor, from 0; `None` while it is hidden.
    pub fn cursor(&self) -> Option<(u16, u16)> {
        (!self.vt.hide_cursor()).then(|| self.vt.cursor_position())
    }

    /// The title that the terminal window has.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The underlying cells.
    pub fn cells(&self) -> &vt100::Screen {
        &self.vt
    }
}

impl fmt::Display for Screen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (_, cols) = self.vt.size();
        let rule = "─".repeat(usize::from(cols.get()));
        writeln!(f, "┌{rule}┐ {}", self.title)?;
        for line in &self.lines {
            writeln!(f, "│{line}")?;
        }
        write!(f, "└{rule}┘ cursor {:?}", self.cursor())
    }
}

impl fmt::Debug for Screen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}

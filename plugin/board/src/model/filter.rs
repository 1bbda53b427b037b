//! What the person typed behind the slash, tried on rows.

use super::BoardRow;

/// Words that a row must have.
#[derive(Debug, Default)]
pub(crate) struct Filter(Vec<String>);

impl Filter {
    pub(crate) fn parse(text: &str) -> Self {
        Self(text.split_whitespace().map(str::to_lowercase).collect())
    }

    /// Whether it hides nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn fits(&self, row: &BoardRow) -> bool {
        self.0
            .iter()
            .all(|word| [&row.name, &row.summary, &row.cwd].iter().any(|t| t.to_lowercase().contains(word)))
    }
}

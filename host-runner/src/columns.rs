//! Columns of what commands print, by the cells that a terminal needs: Chinese and Japanese take two for a character. Used by
//! the command line and by the doctor.

use unicode_width::UnicodeWidthStr;

/// The text and the blanks up to `columns` cells. A wider text stays whole.
pub(crate) fn padded(text: &str, columns: usize) -> String {
    format!("{text}{}", blanks(text, columns))
}

/// The same with the blanks in front.
pub(crate) fn padded_left(text: &str, columns: usize) -> String {
    format!("{}{text}", blanks(text, columns))
}

fn blanks(text: &str, columns: usize) -> String {
    " ".repeat(columns.saturating_sub(text.width()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_cells() {
        for (text, right, left) in
            [("ab", "ab  |", "  ab|"), ("状态", "状态|", "状态|"), ("状", "状  |", "  状|")]
        {
            assert_eq!(format!("{}|", padded(text, 4)), right);
            assert_eq!(format!("{}|", padded_left(text, 4)), left);
        }
        assert_eq!(padded("a long one", 4), "a long one");
    }
}

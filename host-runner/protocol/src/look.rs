//! How a person wants the board to look: which colours its roles have, how dense its rows are.
//!
//! Read from the configuration by the link, drawn by the plugin. Every colour can be read on a dark and on a light
//! background as long as the person leaves the defaults: eight base colours of their own terminal theme, and faint.

use crate::state::ColourRole;
use serde::{Deserialize, Serialize};

/// The names of the base colours, in the order of their numbers; the bright ones follow with `bright-` in front.
const BASE: [&str; 8] = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
/// What stands in front of the name of a bright one.
const BRIGHT: &str = "bright-";
/// The names of the colours of a zellij theme.
const THEME: [(&str, ThemeColour); 6] = [
    ("theme-1", ThemeColour::Emphasis0),
    ("theme-2", ThemeColour::Emphasis1),
    ("theme-3", ThemeColour::Emphasis2),
    ("theme-4", ThemeColour::Emphasis3),
    ("theme-success", ThemeColour::Success),
    ("theme-error", ThemeColour::Error),
];

/// The look of the board.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Look {
    /// Whether there are colours.
    pub colours: Colouring,
    /// How many lines a row takes.
    pub density: Density,
    /// What the roles look like.
    pub roles: Roles,
}

/// Whether colours are drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Colouring {
    /// They are.
    #[default]
    Coloured,
    /// None is: states are told apart by their signs, what matters is bold, what does not is faint (<https://no-color.org>).
    Plain,
}

/// How many lines a row of the list takes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Density {
    /// One.
    #[default]
    Compact,
    /// Two: what it says has a line of its own.
    Comfortable,
}

/// What each role looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Roles {
    /// Of [`ColourRole::Muted`].
    pub muted: Paint,
    /// Of [`ColourRole::Accent`].
    pub accent: Paint,
    /// Of [`ColourRole::Warning`].
    pub warning: Paint,
    /// Of [`ColourRole::Dim`], and of everything that is faint.
    pub dim: Paint,
    /// Of [`ColourRole::Success`].
    pub success: Paint,
    /// Of [`ColourRole::Error`].
    pub error: Paint,
}

impl Roles {
    /// Fixed colours, as in the table of states.
    pub const CLASSIC: Self = Self {
        muted: Paint::Rgb(148, 163, 184),
        accent: Paint::Rgb(56, 189, 248),
        warning: Paint::Rgb(245, 158, 11),
        dim: Paint::Faint,
        success: Paint::Rgb(34, 197, 94),
        error: Paint::Rgb(248, 113, 113),
    };

    /// What a role looks like.
    pub const fn of(&self, role: ColourRole) -> Paint {
        match role {
            ColourRole::Muted => self.muted,
            ColourRole::Accent => self.accent,
            ColourRole::Warning => self.warning,
            ColourRole::Dim => self.dim,
            ColourRole::Success => self.success,
            ColourRole::Error => self.error,
        }
    }
}

impl Default for Roles {
    /// Base colours of the terminal's own theme. Grey of the palette is unreadable on some themes; faint is grey everywhere.
    fn default() -> Self {
        Self {
            muted: Paint::Faint,
            accent: Paint::Indexed(6),
            warning: Paint::Indexed(3),
            dim: Paint::Faint,
            success: Paint::Indexed(2),
            error: Paint::Indexed(1),
        }
    }
}

/// The look of a text's cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Paint {
    /// As normal text.
    Normal,
    /// Fainter than normal text, without a colour.
    Faint,
    /// One of the terminal's 256 colours; the first sixteen are its theme's.
    Indexed(u8),
    /// Red, green, blue.
    Rgb(u8, u8, u8),
    /// A colour of the zellij theme.
    Theme(ThemeColour),
}

/// A colour of the zellij theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThemeColour {
    /// The first emphasis of unselected text.
    Emphasis0,
    /// The second one.
    Emphasis1,
    /// The third one.
    Emphasis2,
    /// The fourth one.
    Emphasis3,
    /// Of a command that ended well.
    Success,
    /// Of one that did not.
    Error,
}

impl Paint {
    /// Reads a colour as a person writes it: `normal`, `faint`, `cyan`, `bright-red`, `0` to `255`, `#rrggbb`, `theme-1`
    /// to `theme-4`, `theme-success`, `theme-error`.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Some(hex) = text.strip_prefix('#') {
            let digits = hex.len() == 6 && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
            let [_, red, green, blue] = u32::from_str_radix(hex, 16).ok()?.to_be_bytes();
            return digits.then_some(Self::Rgb(red, green, blue));
        }
        if text.bytes().all(|byte| byte.is_ascii_digit()) {
            return text.parse().ok().map(Self::Indexed);
        }
        let base = |name: &str, bright: u8| {
            let index = BASE.iter().position(|base| *base == name)?;
            Some(Self::Indexed(u8::try_from(index).ok()? + bright))
        };
        match text {
            "normal" => Some(Self::Normal),
            "faint" => Some(Self::Faint),
            _ => match text.strip_prefix(BRIGHT) {
                Some(name) => base(name, 8),
                None => base(text, 0).or_else(|| {
                    THEME.iter().find(|(name, _)| *name == text).map(|(_, colour)| Self::Theme(*colour))
                }),
            },
        }
    }
}

impl std::fmt::Display for Paint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Normal => f.write_str("normal"),
            Self::Faint => f.write_str("faint"),
            Self::Indexed(index) => {
                let name = BASE.get(usize::from(index % 8)).copied().unwrap_or_default();
                match index {
                    0..8 => f.write_str(name),
                    8..16 => write!(f, "{BRIGHT}{name}"),
                    index => write!(f, "{index}"),
                }
            }
            Self::Rgb(red, green, blue) => write!(f, "#{red:02x}{green:02x}{blue:02x}"),
            Self::Theme(colour) => {
                let known = THEME.iter().find(|(_, known)| known == colour);
                f.write_str(known.map_or("", |(name, _)| name))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_is_shown_as_it_can_be_read() {
        let words = ["normal", "faint", "#0a0b0c", "theme-success", "theme-3", "bright-black"];
        let words = words.into_iter().map(str::to_owned).chain((0..=255_u8).map(|i| i.to_string()));
        for word in words {
            let paint = Paint::parse(&word).unwrap_or_else(|| panic!("{word}"));
            assert_eq!(Paint::parse(&paint.to_string()), Some(paint), "{word}");
        }
        for word in
            ["", "256", "-1", "#12345", "#1234567", "#gggggg", "#+12345", "bright-", "bright-faint", "Cyan"]
        {
            assert_eq!(Paint::parse(word), None, "{word}");
        }
    }
}

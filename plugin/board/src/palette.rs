//! What the roles of colours look like in this person's terminal, as escape sequences.
//!
//! Made by the board of what the link says of the configuration and of the zellij theme; read by [`crate::frame`].

use board_protocol::{
    look::{Colouring, Look, Paint, Roles, ThemeColour},
    state::ColourRole,
};
use std::fmt::Write;

/// The colours of the zellij theme that a role can have. Only those that a terminal can show: all of them are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThemePaints {
    /// The four emphases of unselected text.
    pub emphases: [Paint; 4],
    /// Of a command that ended well.
    pub success: Paint,
    /// Of one that did not.
    pub error: Paint,
}

impl Default for ThemePaints {
    /// Until zellij has said what its theme is: what zellij's own default is closest to.
    fn default() -> Self {
        let [orange, cyan, green, magenta] = [3, 6, 2, 5].map(Paint::Indexed);
        Self { emphases: [orange, cyan, green, magenta], success: green, error: Paint::Indexed(1) }
    }
}

/// Whether a text is bold: what is bold is never faint, since terminals differ about the two together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    Bold,
    Normal,
}

/// The colours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Palette {
    colours: Colouring,
    roles: Roles,
    theme: ThemePaints,
}

impl Palette {
    pub(crate) fn new(look: &Look, theme: ThemePaints) -> Self {
        Self { colours: look.colours, roles: look.roles, theme }
    }

    /// Appends what a role adds to a sequence of attributes (ECMA-48, 8.3.117; 256 colours and direct ones as xterm has
    /// them).
    pub(crate) fn write(&self, role: ColourRole, weight: Weight, out: &mut String) {
        let mut paint = self.roles.of(role);
        if let Paint::Theme(colour) = paint {
            paint = self.themed(colour);
        }
        if self.colours == Colouring::Plain && paint != Paint::Faint {
            // Without colours what would be less than normal still is.
            paint = match role {
                ColourRole::Muted | ColourRole::Dim => Paint::Faint,
                _ => Paint::Normal,
            };
        }
        // Writing into a string cannot fail.
        let _ = match paint {
            Paint::Faint if weight == Weight::Normal => write!(out, ";2"),
            // A theme's colour is never one of a theme again.
            Paint::Normal | Paint::Faint | Paint::Theme(_) => Ok(()),
            Paint::Indexed(index @ 0..8) => write!(out, ";3{index}"),
            Paint::Indexed(index @ 8..16) => write!(out, ";9{}", index - 8),
            Paint::Indexed(index) => write!(out, ";38;5;{index}"),
            Paint::Rgb(red, green, blue) => write!(out, ";38;2;{red};{green};{blue}"),
        };
    }

    const fn themed(&self, colour: ThemeColour) -> Paint {
        let [first, second, third, fourth] = self.theme.emphases;
        match colour {
            ThemeColour::Emphasis0 => first,
            ThemeColour::Emphasis1 => second,
            ThemeColour::Emphasis2 => third,
            ThemeColour::Emphasis3 => fourth,
            ThemeColour::Success => self.theme.success,
            ThemeColour::Error => self.theme.error,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(palette: Palette, role: ColourRole, weight: Weight) -> String {
        let mut out = String::new();
        palette.write(role, weight, &mut out);
        out
    }

    fn palette(colours: Colouring, accent: Paint) -> Palette {
        let roles = Roles { accent, ..Roles::default() };
        Palette::new(&Look { colours, roles, ..Look::default() }, ThemePaints::default())
    }

    #[test]
    fn every_kind_of_colour_becomes_its_attribute_and_none_without_colours() {
        for (paint, coloured) in [
            (Paint::Normal, ""),
            (Paint::Faint, ";2"),
            (Paint::Indexed(4), ";34"),
            (Paint::Indexed(12), ";94"),
            (Paint::Indexed(200), ";38;5;200"),
            (Paint::Rgb(1, 2, 3), ";38;2;1;2;3"),
            (Paint::Theme(ThemeColour::Emphasis1), ";36"),
        ] {
            let accent = |colours| written(palette(colours, paint), ColourRole::Accent, Weight::Normal);
            assert_eq!(accent(Colouring::Coloured), coloured);
            assert!(["", ";2"].contains(&accent(Colouring::Plain).as_str()), "{paint:?}");
        }
        let faint = palette(Colouring::Coloured, Paint::Faint);
        assert_eq!(written(faint, ColourRole::Accent, Weight::Bold), "", "bold is never faint");
        let plain = palette(Colouring::Plain, Paint::Indexed(4));
        assert_eq!(written(plain, ColourRole::Muted, Weight::Normal), ";2");
    }

    #[test]
    fn the_defaults_are_base_colours_that_no_background_hides() {
        for role in [ColourRole::Accent, ColourRole::Warning, ColourRole::Success, ColourRole::Error] {
            let code = written(Palette::default(), role, Weight::Normal);
            // Neither black nor white, and nothing that a terminal of sixteen colours lacks.
            assert!([";31", ";32", ";33", ";36"].contains(&code.as_str()), "{role:?} {code}");
        }
    }
}

//! Pictures of terminal screens as SVG, for the README and for the eyes of whoever changes the board.
//!
//! Called by the picture script and by failing tests. It draws cells at fixed places, so that a picture is exact even where
//! a viewer's font has other widths.

use std::fmt::Write;
use vt100::{Cell, Color, Screen};

/// Width of a cell in SVG units.
const CELL_WIDTH: f32 = 8.4;
/// Height of a cell in SVG units.
const CELL_HEIGHT: f32 = 18.0;
/// Space around the screen in SVG units.
const MARGIN: f32 = 12.0;
/// Default foreground and background, and the sixteen base colours.
const FOREGROUND: &str = "#d8dee9";
const BACKGROUND: &str = "#16191f";
const BASE: [&str; 16] = [
    "#2e3440", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#abb2bf", "#5c6370",
    "#ef7a85", "#a9d18c", "#f0cf8f", "#7abcf5", "#d49ae6", "#6fc9d4", "#eceff4",
];

/// The screen as an SVG document.
pub fn svg(screen: &Screen) -> String {
    let (rows, cols) = screen.size();
    let (rows, cols) = (rows.get(), cols.get());
    let width = f32::from(cols) * CELL_WIDTH + 2.0 * MARGIN;
    let height = f32::from(rows) * CELL_HEIGHT + 2.0 * MARGIN;
    let mut out = String::new();
    let _ = writeln!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0} {height:.0}" width="{width:.0}" height="{height:.0}">"#
    );
    let _ = writeln!(out, r#"<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>"#);
    let _ = writeln!(
        out,
        r#"<g font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14" xml:space="preserve">"#
    );
    for row in 0..rows {
        for col in 0..cols {
            if let Some(cell) = screen.cell(row, col) {
                draw_background(&mut out, row, col, cell);
            }
        }
    }
    for row in 0..rows {
        draw_text(&mut out, screen, row, cols);
    }
    out.push_str("</g>\n</svg>\n");
    out
}

fn draw_background(out: &mut String, row: u16, col: u16, cell: &Cell) {
    let (_, background) = colours(cell);
    if background == BACKGROUND {
        return;
    }
    let (x, y) = place(row, col);
    let _ = writeln!(
        out,
        r#"<rect x="{x:.1}" y="{y:.1}" width="{:.1}" height="{CELL_HEIGHT:.1}" fill="{background}"/>"#,
        CELL_WIDTH + 0.4
    );
}

/// Neighbouring cells with the same look become one text element with a place for every character.
fn draw_text(out: &mut String, screen: &Screen, row: u16, cols: u16) {
    let mut run: Option<(String, String, String)> = None;
    for col in 0..=cols {
        let cell = screen.cell(row, col).filter(|cell| cell.has_contents() && cell.contents() != " ");
        let look = cell.map(style);
        if let Some((style, places, text)) = run.take() {
            if look.as_ref() == Some(&style) {
                run = Some((style, places, text));
            } else {
                let (_, y) = place(row, 0);
                let _ = writeln!(out, r#"<text x="{places}" y="{:.1}" {style}>{text}</text>"#, y + 13.5);
            }
        }
        if let (Some(cell), Some(look)) = (cell, look) {
            let (_, places, text) = run.get_or_insert_with(|| (look, String::new(), String::new()));
            let (x, _) = place(row, col);
            for (index, c) in cell.contents().chars().enumerate() {
                // Only the first character of a cell has a place; what combines with it follows by itself.
                if index == 0 {
                    let _ = write!(places, "{}{x:.1}", if places.is_empty() { "" } else { " " });
                }
                match c {
                    '&' => text.push_str("&amp;"),
                    '<' => text.push_str("&lt;"),
                    '>' => text.push_str("&gt;"),
                    c => text.push(c),
                }
            }
        }
    }
}

fn place(row: u16, col: u16) -> (f32, f32) {
    (MARGIN + f32::from(col) * CELL_WIDTH, MARGIN + f32::from(row) * CELL_HEIGHT)
}

fn style(cell: &Cell) -> String {
    let (foreground, _) = colours(cell);
    let mut style = format!(r#"fill="{foreground}""#);
    if cell.bold() {
        style.push_str(r#" font-weight="bold""#);
    }
    if cell.italic() {
        style.push_str(r#" font-style="italic""#);
    }
    if cell.underline() {
        style.push_str(r#" text-decoration="underline""#);
    }
    if cell.dim() {
        style.push_str(r#" opacity="0.6""#);
    }
    style
}

fn colours(cell: &Cell) -> (String, String) {
    let foreground = colour(cell.fgcolor(), FOREGROUND);
    let background = colour(cell.bgcolor(), BACKGROUND);
    if cell.inverse() { (background, foreground) } else { (foreground, background) }
}

fn colour(colour: Color, default: &str) -> String {
    match colour {
        Color::Default => default.to_owned(),
        Color::Rgb(r, g, b) => format!("#{r:02x}{g:02x}{b:02x}"),
        Color::Idx(index) => indexed(index),
    }
}

/// The 256-colour palette as xterm defines it: 16 base colours, a cube of 6x6x6, 24 greys.
fn indexed(index: u8) -> String {
    match index {
        0..=15 => BASE.get(usize::from(index)).copied().unwrap_or(FOREGROUND).to_owned(),
        16..=231 => {
            let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
            let cube = index - 16;
            format!("#{:02x}{:02x}{:02x}", level(cube / 36), level(cube / 6 % 6), level(cube % 6))
        }
        232..=255 => {
            let grey = 8 + 10 * (index - 232);
            format!("#{grey:02x}{grey:02x}{grey:02x}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_holds_every_cell_escaped_and_coloured() {
        let mut parser = vt100::Parser::new(2.try_into().unwrap(), 20.try_into().unwrap(), 0);
        parser.process("\x1b[1;38;5;196ma<b\x1b[0m \x1b[48;2;1;2;3m漢\x1b[0m".as_bytes());
        let svg = svg(parser.screen());
        assert!(svg.contains(r##"fill="#ff0000" font-weight="bold">a&lt;b</text>"##), "{svg}");
        assert!(svg.contains(r##"fill="#010203""##) && svg.contains('漢'), "{svg}");
    }
}

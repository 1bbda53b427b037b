//! Screens as files, for people and for the README: written only when `AGENT_BOARD_E2E_KEEP` names a directory.

use crate::screen::Screen;
use std::{
    env,
    fmt::Write,
    fs,
    path::PathBuf,
    sync::atomic::{AtomicU32, Ordering},
};
use vt100::Color;

/// A cell of the drawn picture, in pixels: width, height, and the font size that fits into it.
const CELL: (u32, u32, u32) = (9, 19, 15);
/// Where the letters stand in their cell, in pixels from its top.
const BASELINE: u32 = 14;
/// The default colours: light on dark.
const DEFAULT: (&str, &str) = ("#d8dee9", "#16181d");
/// The first sixteen colours of the palette.
const PALETTE: [&str; 16] = [
    "#2e3440", "#f87171", "#22c55e", "#f59e0b", "#60a5fa", "#c084fc", "#38bdf8", "#d8dee9", "#64748b",
    "#fca5a5", "#86efac", "#fcd34d", "#93c5fd", "#d8b4fe", "#7dd3fc", "#ffffff",
];

/// Where pictures go, if anywhere.
pub fn directory() -> Option<PathBuf> {
    env::var_os("AGENT_BOARD_E2E_KEEP").map(PathBuf::from)
}

/// Writes a screen as text (`.txt`), for a terminal (`.ansi`) and drawn (`.svg`), named after the test and the terminal.
pub fn keep(name: &str, screen: &Screen) {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let Some(directory) = directory() else { return };
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let test = std::thread::current().name().unwrap_or("main").replace("::", "-");
    let stem = directory.join(format!("{test}-{number:03}-{name}"));
    let _ = fs::create_dir_all(&directory);
    let _ = fs::write(stem.with_extension("txt"), screen.text());
    let _ = fs::write(stem.with_extension("ansi"), screen.cells().contents_formatted());
    let _ = fs::write(stem.with_extension("svg"), svg(screen));
}

/// Draws a screen.
pub fn svg(screen: &Screen) -> String {
    let (rows, cols) = screen.cells().size();
    let (cell_width, cell_height, font) = CELL;
    let (width, height) = (u32::from(cols.get()) * cell_width, u32::from(rows.get()) * cell_height);
    let (foreground, background) = DEFAULT;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"DejaVu Sans Mono,Menlo,Consolas,monospace\" font-size=\"{font}\" \
         xml:space=\"preserve\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"{background}\" rx=\"6\"/>\n"
    );
    for row in 0..rows.get() {
        for col in 0..cols.get() {
            let Some(cell) = screen.cells().cell(row, col) else { continue };
            let (x, y) = (u32::from(col) * cell_width, u32::from(row) * cell_height);
            let mut colours = (colour(cell.fgcolor(), foreground), colour(cell.bgcolor(), background));
            if cell.inverse() {
                colours = (colours.1, colours.0);
            }
            if colours.1 != background {
                let wide = if cell.is_wide() { 2 * cell_width } else { cell_width };
                // Writing to a String cannot fail.
                let _ = writeln!(
                    out,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{cell_height}\" fill=\"{}\"/>",
                    colours.1
                );
            }
            let text = cell.contents();
            if text.trim().is_empty() {
                continue;
            }
            let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            let weight = if cell.bold() { " font-weight=\"bold\"" } else { "" };
            let faint = if cell.dim() { " opacity=\"0.6\"" } else { "" };
            let _ = writeln!(
                out,
                "<text x=\"{x}\" y=\"{}\" fill=\"{}\"{weight}{faint}>{escaped}</text>",
                y + BASELINE,
                colours.0
            );
        }
    }
    out + "</svg>\n"
}

/// A colour as CSS: the palette of xterm above the first sixteen.
fn colour(colour: Color, default: &str) -> String {
    match colour {
        Color::Default => default.to_owned(),
        Color::Rgb(r, g, b) => format!("#{r:02x}{g:02x}{b:02x}"),
        Color::Idx(index @ 0..=15) => PALETTE[usize::from(index)].to_owned(),
        Color::Idx(index @ 16..=231) => {
            let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
            let cube = index - 16;
            format!("#{:02x}{:02x}{:02x}", level(cube / 36), level(cube / 6 % 6), level(cube % 6))
        }
        Color::Idx(index) => {
            let grey = 8 + 10 * (index - 232);
            format!("#{grey:02x}{grey:02x}{grey:02x}")
        }
    }
}

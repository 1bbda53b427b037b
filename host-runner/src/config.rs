//! The configuration file: every key, its default, its source.
//!
//! `$XDG_CONFIG_HOME/agent-board/config.toml`, else `~/.config/agent-board/config.toml`. The environment
//! (`AGENT_BOARD_<KEY>`) wins over the file, the file over the default. An unknown key or a bad value is a warning, never
//! a failure.

use board_protocol::{ids::Size, state::GlyphSet};
use std::path::PathBuf;

/// Every setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// `size`: the size of a new session's terminal until somebody attaches, `COLSxROWS`.
    pub size: Size,
    /// `glyphs`: `unicode` or `ascii`.
    pub glyphs: GlyphSet,
}

impl Default for Config {
    fn default() -> Self {
        Self { size: Size::DEFAULT, glyphs: GlyphSet::Unicode }
    }
}

/// The names of the keys.
const KEYS: [&str; 2] = ["size", "glyphs"];

impl Config {
    /// Reads file and environment of this process. What is wrong with them comes as lines for the board.
    pub fn load() -> (Self, Vec<String>) {
        let mut warnings = Vec::new();
        let file = file_path().and_then(|path| match std::fs::read_to_string(&path) {
            Ok(text) => Some((path, text)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => {
                warnings.push(format!("{} cannot be read: {error}", path.display()));
                None
            }
        });
        let mut config = Self::default();
        if let Some((path, text)) = file {
            let name = path.display().to_string();
            match text.parse::<toml::Table>() {
                Ok(table) => config.take_file(&name, &table, &mut warnings),
                Err(error) => warnings.push(format!("{name} is no TOML: {}", error.message())),
            }
        }
        for key in KEYS {
            let name = format!("AGENT_BOARD_{}", key.to_uppercase());
            if let Ok(value) = std::env::var(&name) {
                config.take(&name, key, &value, &mut warnings);
            }
        }
        (config, warnings)
    }

    fn take_file(&mut self, name: &str, table: &toml::Table, warnings: &mut Vec<String>) {
        for (key, value) in table {
            let source = format!("{name}: {key}");
            match value {
                toml::Value::String(text) => self.take(&source, key, text, warnings),
                other => self.take(&source, key, &other.to_string(), warnings),
            }
        }
    }

    fn take(&mut self, source: &str, key: &str, value: &str, warnings: &mut Vec<String>) {
        let taken = match key {
            "size" => Size::parse(value).map(|size| self.size = size.clamped()),
            "glyphs" => parse_glyphs(value).map(|glyphs| self.glyphs = glyphs),
            _ => {
                warnings.push(format!("{source} is no setting. Settings: {}", KEYS.join(", ")));
                return;
            }
        };
        if taken.is_none() {
            warnings.push(format!("{source}: {value:?} is no value for it; it is ignored"));
        }
    }
}

fn parse_glyphs(text: &str) -> Option<GlyphSet> {
    match text {
        "unicode" => Some(GlyphSet::Unicode),
        "ascii" => Some(GlyphSet::Ascii),
        _ => None,
    }
}

fn file_path() -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let directory =
        absolute("XDG_CONFIG_HOME").or_else(|| absolute("HOME").map(|home| home.join(".config")))?;
    Some(directory.join("agent-board/config.toml"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_taken_key_by_key_and_what_is_wrong_costs_only_itself() {
        let mut config = Config::default();
        let mut warnings = Vec::new();
        let table = "size = \"200x50\"\nglyphs = \"wide\"\ncolour = 3\n".parse().unwrap();
        config.take_file("config.toml", &table, &mut warnings);
        assert_eq!(config, Config { size: Size { cols: 200, rows: 50 }, glyphs: GlyphSet::Unicode });
        assert_eq!(warnings.len(), 2, "{warnings:?}");
        assert!(warnings.iter().any(|line| line.contains("colour")));
    }
}

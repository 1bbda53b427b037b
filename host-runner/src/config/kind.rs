//! The types that a setting can have: how each is read, what it takes, and how its value is shown.

use super::{CommandLine, Config};
use crate::{
    attach::chord::{Chord, MAX_CHORDS},
    coordinator::notify::QuietHours,
};
use board_protocol::{ids::Size, text::plain_within};
use board_text::config as texts;
use serde_json::Value;
use std::{ops::RangeInclusive, path::PathBuf};
use tracing_subscriber::EnvFilter;

/// Widest value that a warning repeats, in cells.
const MAX_SHOWN_COLUMNS: usize = 60;
/// Most names in one setting, and the longest of them in bytes: the tools of a few extensions.
const MAX_NAMES: usize = 50;
const MAX_NAME_BYTES: usize = 64;
/// Longest name of a zellij session: it becomes a file name below a socket directory.
const MAX_SESSION_NAME_BYTES: usize = 32;

/// The word for none of some words, for an environment where nothing is unset.
const NO_CHOICE: &str = "none";

/// A value as it was set.
pub(super) enum Given {
    /// In the environment.
    Text(String),
    /// In the environment, and not even text.
    NotText,
    /// In the file.
    Toml(toml::Value),
}

/// The type of a setting, with the field that holds its value.
pub(crate) enum Kind {
    /// A whole number in a range; what is outside is pulled in.
    Number {
        /// From the smallest to the largest one.
        range: RangeInclusive<u32>,
        /// The field.
        field: fn(&mut Config) -> &mut u32,
    },
    /// `COLSxROWS`, pulled into what a terminal may have.
    Size {
        /// The field.
        field: fn(&mut Config) -> &mut Size,
    },
    /// The absolute path of a program, or nothing.
    Path {
        /// The field.
        field: fn(&mut Config) -> &mut Option<PathBuf>,
    },
    /// The name of a zellij session.
    SessionName {
        /// The field.
        field: fn(&mut Config) -> &mut String,
    },
    /// A filter of `tracing`.
    LogFilter {
        /// The field.
        field: fn(&mut Config) -> &mut String,
    },
    /// Any number of names: a list in the file, separated by commas or blanks in the environment.
    Names {
        /// The field.
        field: fn(&mut Config) -> &mut Vec<String>,
    },
    /// Some of a few words: a list in the file, separated by commas or blanks in the environment, where `none` is none.
    Choices {
        /// All of them.
        words: fn() -> Vec<&'static str>,
        /// The field.
        field: fn(&mut Config) -> &mut Vec<String>,
    },
    /// Two times of the day; or nothing.
    Hours {
        /// The field.
        field: fn(&mut Config) -> &mut Option<QuietHours>,
    },
    /// Keys with modifiers: a list in the file, separated by blanks in the environment.
    Chords {
        /// The field.
        field: fn(&mut Config) -> &mut Vec<Chord>,
    },
    /// A program with its arguments, or a line for the shell; or nothing.
    Command {
        /// The field.
        field: fn(&mut Config) -> &mut Option<CommandLine>,
    },
    /// A text of a form of its own.
    Text {
        /// Which, for people.
        takes: fn() -> &'static str,
        /// The one that is set.
        get: fn(&Config) -> String,
        /// Sets one; says whether it has the form.
        set: fn(&mut Config, &str) -> bool,
    },
    /// One of a few words.
    Word {
        /// All of them.
        words: fn() -> Vec<&'static str>,
        /// The one that is set.
        get: fn(&Config) -> &'static str,
        /// Sets one; says whether there is such a word.
        set: fn(&mut Config, &str) -> bool,
    },
}

impl Kind {
    /// Sets the field. `Ok(Some)` tells the value that is used in place of one outside the range; `Err` tells what was
    /// found.
    pub(super) fn take(&self, config: &mut Config, given: Given) -> Result<Option<String>, String> {
        let refused = || given.shown();
        if let Self::Names { field } = self {
            *field(config) = given.names().ok_or_else(refused)?;
            return Ok(None);
        }
        if let Self::Choices { words, field } = self {
            let words = words();
            let mut names = given.names().ok_or_else(refused)?;
            names.retain(|name| name != NO_CHOICE);
            if !names.iter().all(|name| words.contains(&name.as_str())) {
                return Err(refused());
            }
            *field(config) = names;
            return Ok(None);
        }
        if let Self::Chords { field } = self {
            *field(config) = given.chords().ok_or_else(refused)?;
            return Ok(None);
        }
        if let Self::Command { field } = self {
            *field(config) = Some(CommandLine::read(&given).ok_or_else(refused)?);
            return Ok(None);
        }
        if let (Self::Word { set, .. }, Given::Toml(toml::Value::Boolean(on))) = (self, &given) {
            // Where words are on and off, a truth value is one of them.
            return set(config, if *on { "true" } else { "false" }).then_some(None).ok_or_else(refused);
        }
        let Some(text) = given.text() else { return Err(refused()) };
        match self {
            Self::Number { range, field } => {
                let number: i64 = given.number().ok_or_else(refused)?;
                let used = number.clamp(i64::from(*range.start()), i64::from(*range.end()));
                *field(config) = u32::try_from(used).map_err(|_| refused())?;
                Ok((used != number).then(|| used.to_string()))
            }
            Self::Size { field } => {
                let size = Size::parse(text.trim()).ok_or_else(refused)?;
                let used = size.clamped();
                *field(config) = used;
                Ok((used != size).then(|| used.to_string()))
            }
            Self::Path { field } => {
                let path = PathBuf::from(&text);
                if !path.is_absolute() || text.contains('\0') {
                    return Err(refused());
                }
                *field(config) = Some(path);
                Ok(None)
            }
            Self::SessionName { field } => {
                *field(config) = session_name(&text).map_err(|_| refused())?;
                Ok(None)
            }
            Self::Hours { field } => {
                *field(config) = Some(QuietHours::parse(text.trim()).ok_or_else(refused)?);
                Ok(None)
            }
            Self::LogFilter { field } => {
                EnvFilter::try_new(&text).map_err(|_| refused())?;
                *field(config) = text;
                Ok(None)
            }
            // Taken above: a list is no text.
            Self::Names { .. } | Self::Choices { .. } | Self::Chords { .. } | Self::Command { .. } => {
                Ok(None)
            }
            Self::Text { set, .. } | Self::Word { set, .. } => {
                set(config, &text).then_some(None).ok_or_else(refused)
            }
        }
    }

    /// What it takes, for people.
    pub(crate) fn takes(&self) -> String {
        match self {
            Self::Number { range, .. } => texts::takes_number(range.start(), range.end()),
            Self::Size { .. } => {
                let smallest = Size { cols: 0, rows: 0 }.clamped();
                let largest = Size { cols: u16::MAX, rows: u16::MAX }.clamped();
                texts::takes_size(smallest, largest)
            }
            Self::Path { .. } => texts::takes_path().to_owned(),
            Self::SessionName { .. } => texts::takes_name(MAX_SESSION_NAME_BYTES),
            Self::Names { .. } => texts::takes_names(MAX_NAMES),
            Self::Choices { words, .. } => {
                let words: Vec<String> = words().iter().map(|word| format!("`{word}`")).collect();
                texts::takes_any(words.join(" and "))
            }
            Self::Hours { .. } => texts::takes_hours().to_owned(),
            Self::Chords { .. } => texts::takes_keys(MAX_CHORDS),
            Self::Command { .. } => texts::takes_command().to_owned(),
            Self::LogFilter { .. } => texts::takes_log_filter().to_owned(),
            Self::Text { takes, .. } => takes().to_owned(),
            Self::Word { words, .. } => match words().as_slice() {
                [] => String::new(),
                [only] => (*only).to_owned(),
                [first @ .., last] => format!("{} or {last}", first.join(", ")),
            },
        }
    }

    /// The value, for programs; `null` where nothing is set.
    pub(crate) fn value(&self, config: &Config) -> Value {
        // The table has one way into a field; reading through a copy keeps it so.
        let mut copy = config.clone();
        match self {
            Self::Number { field, .. } => Value::from(*field(&mut copy)),
            Self::Size { field } => Value::from(field(&mut copy).to_string()),
            Self::Path { field } => {
                field(&mut copy).as_ref().map_or(Value::Null, |path| Value::from(path.to_string_lossy()))
            }
            Self::Command { field } => field(&mut copy).as_ref().map_or(Value::Null, CommandLine::value),
            Self::SessionName { field } | Self::LogFilter { field } => Value::from(field(&mut copy).as_str()),
            Self::Hours { field } => {
                field(&mut copy).map_or(Value::Null, |hours| Value::from(hours.to_string()))
            }
            Self::Names { field } | Self::Choices { field, .. } => Value::from(field(&mut copy).clone()),
            Self::Chords { field } => {
                field(&mut copy).iter().map(|chord| Value::from(chord.to_string())).collect()
            }
            Self::Text { get, .. } => Value::from(get(config)),
            Self::Word { get, .. } => Value::from(get(config)),
        }
    }
}

impl Given {
    /// The value as text; a number in the file is text as well. Tables, lists and truth values are none.
    fn text(&self) -> Option<String> {
        match self {
            Self::Text(text) | Self::Toml(toml::Value::String(text)) => Some(text.clone()),
            Self::Toml(toml::Value::Integer(number)) => Some(number.to_string()),
            Self::NotText | Self::Toml(_) => None,
        }
    }

    /// The value as names; `None` if one of them is none.
    fn names(&self) -> Option<Vec<String>> {
        let names: Vec<String> = match self {
            Self::Text(text) => {
                text.split([',', ' ']).filter(|name| !name.is_empty()).map(str::to_owned).collect()
            }
            Self::Toml(toml::Value::Array(list)) => {
                list.iter().map(|name| name.as_str().map(str::to_owned)).collect::<Option<_>>()?
            }
            Self::Toml(_) | Self::NotText => return None,
        };
        let is_name = |name: &String| {
            let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
            !name.is_empty() && name.len() <= MAX_NAME_BYTES && name.chars().all(plain)
        };
        (names.len() <= MAX_NAMES && names.iter().all(is_name)).then_some(names)
    }

    /// The value as keys; `None` if one of them is none, or there is none: a pane must have a way out.
    fn chords(&self) -> Option<Vec<Chord>> {
        let chords: Vec<Chord> = match self {
            Self::Text(text) => text.split_whitespace().map(Chord::parse).collect::<Option<_>>()?,
            Self::Toml(toml::Value::Array(list)) => {
                list.iter().map(|key| Chord::parse(key.as_str()?)).collect::<Option<_>>()?
            }
            Self::Toml(_) | Self::NotText => return None,
        };
        (1..=MAX_CHORDS).contains(&chords.len()).then_some(chords)
    }

    /// The value as a number. In the file it may not stand in quotes.
    fn number(&self) -> Option<i64> {
        match self {
            Self::Text(text) => text.trim().parse().ok(),
            Self::Toml(value) => value.as_integer(),
            Self::NotText => None,
        }
    }

    /// The value for a warning: one line, cut.
    fn shown(&self) -> String {
        match self {
            Self::Text(text) => format!("{:?}", plain_within(text, MAX_SHOWN_COLUMNS)),
            Self::NotText => texts::no_text().to_owned(),
            Self::Toml(value) => plain_within(&value.to_string(), MAX_SHOWN_COLUMNS),
        }
    }
}

/// A name that zellij takes: it becomes a file name and a word of its listings.
///
/// # Errors
/// What to use instead.
pub(crate) fn session_name(text: &str) -> Result<String, String> {
    let is_plain = text.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'));
    if text.is_empty() || text.starts_with(['.', '-']) || !is_plain || text.len() > MAX_SESSION_NAME_BYTES {
        return Err(texts::use_name(MAX_SESSION_NAME_BYTES));
    }
    Ok(text.to_owned())
}

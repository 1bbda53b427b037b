//! What the layout tells the plugin before a link speaks: `runner`, `root`, `attach_in`, `language`, and `count_keys`
//! for benchmarks. Nothing else is read.

use board_protocol::text::plain_within;
use board_text::Language;
use board_text::notice as texts;
use std::collections::BTreeMap;

/// Widest complaint in cells.
const MAX_COLUMNS: usize = 160;
/// Keys that zellij itself adds to a configuration.
const ZELLIJ_KEYS: [&str; 2] = ["caller_cwd", "_allow_exec_host_cmd"];

/// Where sessions are shown that are entered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum AttachIn {
    /// In a tab of their own.
    #[default]
    Tab,
    /// Beside the board, in its tab.
    Beside,
    /// In the board's place; it comes back when they are left.
    InPlace,
    /// In a floating pane.
    Floating,
}

impl AttachIn {
    /// The words of the layout.
    const WORDS: [(&str, Self); 4] = [
        ("tab", Self::Tab),
        ("beside", Self::Beside),
        ("in_place", Self::InPlace),
        ("floating", Self::Floating),
    ];

    fn parse(word: &str) -> Option<Self> {
        Self::WORDS.into_iter().find_map(|(known, place)| (known == word).then_some(place))
    }
}

/// The plugin's configuration.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Settings {
    /// As it was given: the other half of the instance's address.
    pub(crate) given: BTreeMap<String, String>,
    /// The absolute path of the runner.
    pub(crate) runner: Option<String>,
    /// The board root.
    pub(crate) root: Option<String>,
    /// Where sessions are shown that are entered.
    pub(crate) attach_in: AttachIn,
    /// The language of its texts until a link says which one is configured.
    pub(crate) language: Language,
    /// Whether the header shows what the board counts of itself.
    pub(crate) shows_meters: bool,
    /// What is wrong with it, for the board.
    pub(crate) complaints: Vec<String>,
}

impl Settings {
    pub(crate) fn new(given: BTreeMap<String, String>) -> Self {
        let mut settings = Self::default();
        for (key, value) in &given {
            match key.as_str() {
                "runner" if value.starts_with('/') => settings.runner = Some(value.clone()),
                "root" if value.starts_with('/') => settings.root = Some(value.clone()),
                "runner" | "root" => {
                    settings.complain(&texts::setting_not_absolute(key, value));
                }
                "attach_in" => match AttachIn::parse(value) {
                    Some(place) => settings.attach_in = place,
                    None => settings.complain(&texts::setting_attach_in(value)),
                },
                "language" => match Language::from_tag(value) {
                    Some(language) => settings.language = language,
                    None => settings.complain(&texts::setting_language(value)),
                },
                "count_keys" if value == "yes" || value == "no" => settings.shows_meters = value == "yes",
                "count_keys" => {
                    settings.complain(&texts::setting_count_keys(value));
                }
                key if ZELLIJ_KEYS.contains(&key) => {}
                key => settings.complain(&texts::setting_unknown(key)),
            }
        }
        settings.given = given;
        settings
    }

    fn complain(&mut self, text: &str) {
        self.complaints.push(plain_within(text, MAX_COLUMNS));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_values_are_complaints_and_never_failures() {
        let given = [
            ("runner", "bin/x"),
            ("root", "/r"),
            ("attach_in", "moon"),
            ("colour", "1"),
            ("language", "zh_CN"),
            ("count_keys", "1"),
            ("caller_cwd", "/"),
        ];
        let settings = Settings::new(given.map(|(k, v)| (k.to_owned(), v.to_owned())).into());
        assert_eq!(settings.runner, None);
        assert_eq!(settings.root.as_deref(), Some("/r"));
        assert_eq!(settings.attach_in, AttachIn::Tab);
        assert_eq!(settings.complaints.len(), 5, "{:?}", settings.complaints);
    }

    #[test]
    fn every_language_is_read() {
        for language in Language::ALL {
            let settings = Settings::new([("language".to_owned(), language.tag().to_owned())].into());
            assert_eq!((settings.language, settings.complaints), (language, Vec::new()));
        }
    }

    #[test]
    fn every_word_of_attach_in_is_read() {
        for (word, place) in AttachIn::WORDS {
            let settings = Settings::new([("attach_in".to_owned(), word.to_owned())].into());
            assert_eq!((settings.attach_in, settings.complaints), (place, Vec::new()));
        }
    }
}

//! Which language is spoken: by whom, and how a locale says so.

use std::{
    cell::Cell,
    sync::atomic::{AtomicU8, Ordering},
};

/// A language that every text exists in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Language {
    /// English, also for every language that is not here.
    #[default]
    English,
    /// Chinese, in simplified characters.
    Chinese,
    /// Japanese.
    Japanese,
}

/// What this process speaks.
static SPOKEN: AtomicU8 = AtomicU8::new(0);

thread_local! {
    /// What this thread speaks for the moment instead.
    static INSTEAD: Cell<Option<Language>> = const { Cell::new(None) };
}

impl Language {
    /// All of them, in the order of their texts.
    pub const ALL: [Self; 3] = [Self::English, Self::Chinese, Self::Japanese];

    /// Its two letters in ISO 639-1: in the configuration, on the wire, and as the name of its directory.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Chinese => "zh",
            Self::Japanese => "ja",
        }
    }

    /// The language with these two letters.
    #[must_use]
    pub fn from_tag(tag: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.tag() == tag)
    }

    /// The language of a locale's name (`ja_JP.UTF-8`, `zh-Hant-TW`, `C`). What is none of ours is English. Written
    /// Chinese is simplified here, whatever the locale prefers: nearer than English.
    #[must_use]
    pub fn from_locale(locale: &str) -> Self {
        let language = locale.split(['_', '-', '.', '@']).next().unwrap_or_default();
        Self::ALL.into_iter().find(|known| known.tag().eq_ignore_ascii_case(language)).unwrap_or_default()
    }

    /// The language of an environment, by the order of POSIX for messages: `LC_ALL`, `LC_MESSAGES`, `LANG`; the first one
    /// that is not empty decides.
    #[must_use]
    pub fn from_environment(variable: impl Fn(&str) -> Option<String>) -> Self {
        ["LC_ALL", "LC_MESSAGES", "LANG"]
            .into_iter()
            .filter_map(variable)
            .find(|value| !value.is_empty())
            .map_or(Self::English, |locale| Self::from_locale(&locale))
    }

    const fn number(self) -> u8 {
        match self {
            Self::English => 0,
            Self::Chinese => 1,
            Self::Japanese => 2,
        }
    }
}

/// Chooses what this process speaks, from now on.
pub fn set_language(language: Language) {
    SPOKEN.store(language.number(), Ordering::Relaxed);
}

/// What is spoken now, on this thread.
#[must_use]
pub fn language() -> Language {
    INSTEAD.get().unwrap_or_else(|| match SPOKEN.load(Ordering::Relaxed) {
        1 => Language::Chinese,
        2 => Language::Japanese,
        _ => Language::English,
    })
}

/// Does something while this thread speaks another language than its process: what belongs to a reader with a choice of
/// their own, as a board does.
pub fn speaking<T>(language: Language, what: impl FnOnce() -> T) -> T {
    /// Puts back what was spoken before, whatever happens.
    struct Before(Option<Language>);
    impl Drop for Before {
        fn drop(&mut self) {
            INSTEAD.set(self.0);
        }
    }
    let _before = Before(INSTEAD.replace(Some(language)));
    what()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locale_names_its_language_and_nothing_else_does() {
        for (locale, language) in [
            ("zh_CN.UTF-8", Language::Chinese),
            ("zh_TW.UTF-8", Language::Chinese),
            ("zh-Hant-TW", Language::Chinese),
            ("zh", Language::Chinese),
            ("ja_JP.eucJP", Language::Japanese),
            ("JA", Language::Japanese),
            ("ja@x", Language::Japanese),
            ("C", Language::English),
            ("C.UTF-8", Language::English),
            ("POSIX", Language::English),
            ("en_GB.UTF-8", Language::English),
            ("de_DE.UTF-8", Language::English),
            ("jav_ID", Language::English),
            ("", Language::English),
        ] {
            assert_eq!(Language::from_locale(locale), language, "{locale}");
        }
    }

    #[test]
    fn the_first_variable_that_is_not_empty_decides() {
        let of = |variables: &[(&str, &str)]| {
            Language::from_environment(|name| {
                variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
            })
        };
        assert_eq!(of(&[]), Language::English);
        assert_eq!(of(&[("LANG", "ja_JP.UTF-8")]), Language::Japanese);
        assert_eq!(of(&[("LANG", "ja_JP.UTF-8"), ("LC_MESSAGES", "zh_CN")]), Language::Chinese);
        assert_eq!(of(&[("LC_MESSAGES", "zh_CN"), ("LC_ALL", "C")]), Language::English);
        assert_eq!(of(&[("LC_ALL", ""), ("LC_MESSAGES", ""), ("LANG", "zh_CN")]), Language::Chinese);
        assert_eq!(of(&[("LC_CTYPE", "zh_CN")]), Language::English);
    }

    #[test]
    fn a_tag_leads_to_its_language_and_back() {
        for language in Language::ALL {
            assert_eq!(Language::from_tag(language.tag()), Some(language));
        }
        assert_eq!(Language::from_tag("auto"), None);
    }

    #[test]
    fn another_language_is_spoken_on_this_thread_and_until_the_end() {
        assert_eq!(language(), Language::English);
        let inside = speaking(Language::Japanese, || {
            let inner = speaking(Language::Chinese, language);
            let elsewhere = std::thread::spawn(language).join();
            (inner, language(), elsewhere.ok())
        });
        assert_eq!(inside, (Language::Chinese, Language::Japanese, Some(Language::English)));
        assert_eq!(language(), Language::English);
        let broken = std::panic::catch_unwind(|| speaking(Language::Japanese, || panic!("in the middle")));
        assert!(broken.is_err());
        assert_eq!(language(), Language::English);
    }
}

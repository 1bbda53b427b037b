//! Whether plugin and link fit together: builds and protocol versions (field report H16).

use super::Board;
use crate::{effect::Effect, settings::Settings};
use board_protocol::{
    hello::{Agreement, BOARD_PROTOCOL, Versions},
    ids::Generation,
    pipe::LinkHello,
    state::GlyphSet,
    text::{is_plain, plain_within},
};
use board_text::notice as texts;
use board_text::{Language, speaking};
use serde::Deserialize;

/// Widest build that is shown, in cells.
const MAX_BUILD_COLUMNS: usize = 24;

/// How plugin and link fit together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Standing {
    /// The link has not introduced itself yet.
    #[default]
    Unknown,
    /// They fit.
    Fits,
    /// The plugin file on disk is another one; it is being loaded.
    Reloading,
    /// They do not fit: the board shows what it can and changes nothing. The text says what to do.
    ReadOnly(ReadOnly),
}

/// Why nothing may be changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReadOnly {
    pub(crate) text: String,
    /// Whether even what the link says about sessions cannot be understood.
    foreign: bool,
}

impl std::fmt::Display for ReadOnly {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl Standing {
    /// Whether nothing may be asked or changed.
    pub(crate) fn is_read_only(&self) -> bool {
        matches!(self, Self::ReadOnly(_) | Self::Reloading)
    }

    pub(crate) fn is_foreign(&self) -> bool {
        matches!(self, Self::ReadOnly(ReadOnly { foreign: true, .. }))
    }
}

/// The part of a hello that every version has, past and future.
#[derive(Debug, Deserialize)]
pub(super) struct Outline {
    pub(super) up: String,
    pub(super) link: Generation,
    pub(super) hello: LinkHello,
}

#[derive(Deserialize)]
struct OutlineLine {
    up: String,
    link: Generation,
    down: OutlineDown,
}

#[derive(Deserialize)]
struct OutlineDown {
    hello: OutlineHello,
}

#[derive(Deserialize)]
struct OutlineHello {
    versions: Versions,
    #[serde(default)]
    build: String,
    #[serde(default)]
    plugin_build: String,
}

impl Outline {
    /// Reads a hello whose other fields this build does not know.
    pub(super) fn read(payload: &str) -> Option<Self> {
        let line: OutlineLine = serde_json::from_str(payload).ok()?;
        let OutlineHello { versions, build, plugin_build } = line.down.hello;
        let hello = LinkHello {
            versions,
            build,
            plugin_build,
            runner: String::new(),
            root: String::new(),
            cwd: String::new(),
            default_agent: String::new(),
            glyphs: GlyphSet::default(),
            language: String::new(),
        };
        Some(Self { up: line.up, link: line.link, hello })
    }
}

impl Board {
    /// The link introduces itself. Another plugin file is loaded first, once: it may fit where this one does not.
    pub(super) fn hello_from(&mut self, hello: LinkHello) {
        let runner_build = plain_within(&hello.build, MAX_BUILD_COLUMNS);
        self.link.runner_build = Some(runner_build.clone());
        if hello.runner.starts_with('/') && hello.root.starts_with('/') {
            self.link.paths = Some((hello.runner, hello.root));
        }
        if self.glyphs != hello.glyphs {
            self.glyphs = hello.glyphs;
            self.changed();
        }
        if let Some(language) = Language::from_tag(&hello.language)
            && self.language != language
        {
            self.speak(language);
        }
        self.link.cwd = Some(hello.cwd).filter(|cwd| cwd.starts_with('/') && cwd.chars().all(is_plain));
        self.link.agent = Some(hello.default_agent).filter(|agent| !agent.is_empty());
        let newer_file = !hello.plugin_build.is_empty() && hello.plugin_build != self.build;
        let reloaded = self.me.as_ref().and_then(|me| me.reloaded_for.as_ref()) == Some(&hello.plugin_build);
        let standing = match BOARD_PROTOCOL.agree_with(hello.versions) {
            _ if newer_file && !reloaded => Standing::Reloading,
            Agreement::Speak(_) if newer_file => self.mismatch(false),
            Agreement::Speak(_) => Standing::Fits,
            Agreement::TheyAreOlder | Agreement::TheyAreNewer => self.mismatch(true),
        };
        if standing == Standing::Reloading && self.link.standing != Standing::Reloading {
            self.emit(Effect::ReloadSelf { wanted_build: hello.plugin_build });
        }
        if standing == Standing::Fits {
            self.link.attempts = 0;
            self.link.next_attempt = None;
            self.link.problem = None;
        }
        if self.link.standing != standing {
            self.link.standing = standing;
            self.changed();
        }
    }

    /// Another language: what was said in the old one is said anew. Rows follow, with the link's first answer.
    pub(in crate::machine) fn speak(&mut self, language: Language) {
        self.language = language;
        self.settings = speaking(language, || Settings::new(std::mem::take(&mut self.settings.given)));
        self.wrapped.take();
        self.changed();
    }

    fn mismatch(&self, foreign: bool) -> Standing {
        speaking(self.language, || self.mismatch_said(foreign))
    }

    fn mismatch_said(&self, foreign: bool) -> Standing {
        let runner = self.link.runner_build.as_deref().unwrap_or(texts::unknown_build());
        let text = texts::mismatch(plain_within(&self.build, MAX_BUILD_COLUMNS), runner);
        Standing::ReadOnly(ReadOnly { text, foreign })
    }

    /// The reload could not be remembered, so it was not done: it might be repeated for ever.
    pub(in crate::machine) fn reload_impossible(&mut self) {
        self.link.standing = self.mismatch(false);
        self.changed();
    }
}

//! Finds references in what a session did: its commands and what they printed, its texts, its branch (reference A.12). Pure.
//!
//! Called by the thread of `daemon/references`. It asks nobody: what git says of the directory is given.

use super::{
    Found, MAX_REFERENCES, Snapshot, mention,
    provider::Provider,
    remote::Remote,
    rule::{NumberFrom, Strength, number},
};
use board_protocol::board::ReferenceKind;
use regex::Regex;
use std::{cmp::Reverse, collections::BTreeMap, sync::LazyLock};

/// Newest commands that are read (reference A.12).
pub const COMMANDS: usize = 200;
/// Newest texts of the agent that are read (reference A.12).
pub const TEXTS: usize = 20;
/// Most characters of one command, output or text that are read (reference A.12).
const MAX_CHARACTERS: usize = 4_000;
/// How often something has to be looked at until it counts: once is passing by.
const VIEWS: u32 = 2;

/// Commands that write words which close an issue.
static BACK_LINKING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"\bgit\s+commit\b|\bpr\s+(?:create|edit)\b|\bmr\s+(?:create|update)\b").ok()
});
/// Those words (field issue 65: only in such commands, for in a text they are talk).
static BACK_LINK: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?|issue)\s*:?\s+#(\d+)\b").ok()
});
/// A branch or worktree that is named after an issue.
static NAMED: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?:^|[/_])issue-(\d+)(?:-|$)").ok());

/// A command that the agent ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ran<'a> {
    /// The command line.
    pub line: &'a str,
    /// The beginning of what it printed.
    pub output: &'a str,
}

/// What references are looked for in, oldest first.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sources<'a> {
    /// Commands.
    pub commands: &'a [Ran<'a>],
    /// What the agent said.
    pub texts: &'a [&'a str],
    /// The branch of its directory.
    pub branch: Option<&'a str>,
    /// The name of its linked worktree.
    pub worktree: Option<&'a str>,
    /// Where the repository comes from.
    pub remote: Option<&'a Remote>,
}

/// Looks for references by the rules of this provider.
pub fn extract(sources: &Sources<'_>, provider: &Provider) -> Snapshot {
    let mut search =
        Search { provider, remote: sources.remote, hits: BTreeMap::new(), made: Vec::new(), index: 0 };
    for command in newest(sources.commands, COMMANDS) {
        search.index += 1;
        search.command(cut(command.line), cut(command.output));
    }
    let texts: Vec<&str> = newest(sources.texts, TEXTS).iter().map(|text| cut(text)).collect();
    let before_texts = search.index;
    for text in &texts {
        search.index += 1;
        search.addresses(text, "text");
    }
    // The branch is where it works now: the last word.
    search.index += 1;
    for (name, source) in [(sources.worktree, "worktree"), (sources.branch, "branch")] {
        let named = name.zip(NAMED.as_ref()).and_then(|(name, pattern)| pattern.captures(name));
        if let Some(number) = named.and_then(|found| number(found.get(1)?.as_str())) {
            search.hit(ReferenceKind::Issue, number, Strength::Action, source, None);
        }
    }
    search.hits.retain(|_, hit| hit.found.strength != Strength::View || hit.views >= VIEWS);
    if !search.hits.keys().any(|(kind, _)| *kind == ReferenceKind::Issue)
        && let Some((number, place)) = mention::issue(&texts)
    {
        search.index = before_texts + u32::try_from(place + 1).unwrap_or(u32::MAX);
        search.hit(ReferenceKind::Issue, number, Strength::Mention, "text", None);
    }
    let mut all: Vec<Found> = search.hits.into_values().map(|hit| hit.found).collect();
    all.sort_by_key(|found| Reverse((found.strength, found.last_index)));
    all.truncate(MAX_REFERENCES);
    Snapshot { provider: provider.name.clone(), all }
}

fn newest<T>(all: &[T], most: usize) -> &[T] {
    all.get(all.len().saturating_sub(most)..).unwrap_or_default()
}

fn cut(text: &str) -> &str {
    text.char_indices().nth(MAX_CHARACTERS).map_or(text, |(at, _)| text.get(..at).unwrap_or(text))
}

/// One reference while it is looked for.
struct Hit {
    found: Found,
    views: u32,
}

struct Search<'a> {
    provider: &'a Provider,
    remote: Option<&'a Remote>,
    hits: BTreeMap<(ReferenceKind, u64), Hit>,
    /// What commands have made whose number is not known yet.
    made: Vec<(ReferenceKind, Strength)>,
    index: u32,
}

impl Search<'_> {
    fn command(&mut self, line: &str, output: &str) {
        self.addresses(line, "command");
        for rule in &self.provider.rules {
            if rule.number_from == NumberFrom::OutputUrl && rule.matches(line) {
                self.made.push((rule.kind, rule.strength));
            }
        }
        if BACK_LINKING.as_ref().is_some_and(|pattern| pattern.is_match(line)) {
            let numbers: Vec<u64> = BACK_LINK
                .iter()
                .flat_map(|pattern| pattern.captures_iter(line))
                .filter_map(|found| number(found.get(1)?.as_str()))
                .collect();
            for number in numbers {
                self.hit(ReferenceKind::Issue, number, Strength::Action, "command", None);
            }
        }
        self.resolve(output);
    }

    /// Everything that the rules find in a text.
    fn addresses(&mut self, text: &str, source: &str) {
        for rule in &self.provider.rules {
            if rule.number_from != NumberFrom::Capture {
                continue;
            }
            for (number, whole) in rule.numbers(text) {
                let url = whole.starts_with("http").then_some(whole);
                self.hit(rule.kind, number, rule.strength, source, url);
            }
        }
    }

    /// The numbers of what was made, once an address with one is printed.
    fn resolve(&mut self, output: &str) {
        let provider = self.provider;
        let waiting = std::mem::take(&mut self.made);
        for (kind, strength) in waiting {
            let printed = provider
                .rules
                .iter()
                .filter(|rule| rule.kind == kind && rule.number_from == NumberFrom::Capture)
                .flat_map(|rule| rule.numbers(output))
                .find(|(_, whole)| whole.contains('/'));
            match printed {
                Some((number, whole)) => {
                    let url = whole.starts_with("http").then_some(whole);
                    self.hit(kind, number, strength, "output", url);
                }
                None => self.made.push((kind, strength)),
            }
        }
    }

    fn hit(&mut self, kind: ReferenceKind, number: u64, strength: Strength, source: &str, url: Option<&str>) {
        let url = url.map(str::to_owned).or_else(|| self.provider.url(kind, number, self.remote));
        let found = Found {
            kind,
            number,
            strength,
            label: self.provider.label(kind, number),
            source: source.to_owned(),
            url,
            last_index: self.index,
        };
        let views = u32::from(strength == Strength::View);
        match self.hits.get_mut(&(kind, number)) {
            None => {
                self.hits.insert((kind, number), Hit { found, views });
            }
            Some(hit) => {
                hit.views += views;
                hit.found.last_index = self.index;
                if strength > hit.found.strength {
                    hit.found = found;
                } else if hit.found.url.is_none() {
                    hit.found.url = found.url;
                }
            }
        }
    }
}

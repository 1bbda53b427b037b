//! What the dialog asks of the link: once what it begins with, and directories whenever the list that it has does not tell
//! what is typed. Of each kind one question is open; the newest wins.

use super::picker::Listing;
use crate::{
    keymap::Room,
    machine::{Board, time::after},
};
use board_protocol::{
    daemon::LaunchPreferences,
    ids::UnixMs,
    pipe::{AgentChoice, InstanceId, Query, QueryPart, Up},
    text::{is_plain, plain_within},
};
use board_text::notice as texts;

/// An answer that has not come after this long was lost with a link: the link's own limit is shorter.
const LOST_AFTER_MS: u64 = 6_000;
/// Most parts of an answer that are kept.
const MAX_PARTS: usize = 300;
/// Widest line about an agent or a directory, in cells.
const MAX_COLUMNS: usize = 240;
/// Most words for thinking of one agent.
const MAX_THINKING: usize = 16;
/// Longest word that is remembered, in cells.
const MAX_WORD_COLUMNS: usize = 200;

/// A question without an answer.
#[derive(Debug)]
struct Asked {
    number: u64,
    at: UnixMs,
    what: Query,
    parts: Vec<QueryPart>,
    pages: u32,
}

/// Questions of the dialog, and the directories that it was told of.
#[derive(Debug, Default)]
pub(crate) struct Asking {
    choices: Option<Asked>,
    directories: Option<Asked>,
    pub(crate) listing: Option<Listing>,
    /// Why nothing is known of favourites and agents.
    pub(crate) problem: Option<String>,
}

impl Asking {
    /// Whether the list of directories for a text is on its way.
    pub(crate) const fn is_listing(&self) -> bool {
        self.directories.is_some()
    }
}

impl Board {
    /// Asks what the dialog begins with.
    pub(super) fn ask_choices(&mut self) {
        self.launch.asking.problem = None;
        self.launch.asking.choices = self.ask_link(Query::Launch);
        if self.launch.asking.choices.is_none() {
            self.launch.asking.problem = Some(texts::choices_not_known().to_owned());
        }
    }

    /// Asks for directories, unless what is known tells enough or that question is open.
    pub(super) fn ask_directories(&mut self) {
        let text = self.launch.form.folder.text();
        if self.launch.asking.listing.as_ref().is_some_and(|listing| listing.covers(text)) {
            return;
        }
        let what = Query::Directories { prefix: text.to_owned() };
        if self.launch.asking.directories.as_ref().is_some_and(|asked| asked.what == what) {
            return;
        }
        let asked = text.to_owned();
        self.launch.asking.directories = self.ask_link(what);
        if self.launch.asking.directories.is_none() {
            let problem = Some(texts::directories_not_known().to_owned());
            self.launch.asking.listing = Some(Listing { asked, problem, ..Listing::default() });
        }
    }

    fn ask_link(&mut self, what: Query) -> Option<Asked> {
        if self.cannot_ask() {
            return None;
        }
        self.views.count += 1;
        let number = self.views.count;
        self.send_up(Up::Query { number, query: what.clone() });
        Some(Asked { number, at: self.now, what, parts: Vec::new(), pages: 0 })
    }

    /// Nobody waits for an answer any more.
    pub(super) fn drop_questions(&mut self) {
        let asking = &mut self.launch.asking;
        let open = [asking.choices.take(), asking.directories.take()];
        for asked in open.into_iter().flatten() {
            self.send_up(Up::QueryDropped { number: asked.number });
        }
    }

    /// Another link: it was asked nothing.
    pub(in crate::machine) fn ask_launch_anew(&mut self) {
        let asking = &mut self.launch.asking;
        let (choices, directories) = (asking.choices.take(), asking.directories.take());
        if choices.is_some() {
            self.ask_choices();
        }
        if directories.is_some() {
            self.ask_directories();
        }
    }

    /// A page of an answer that the dialog waits for. `false`: it is none of them.
    pub(in crate::machine) fn launch_page(
        &mut self,
        instance: InstanceId,
        number: u64,
        (page, pages): (u32, u32),
        parts: &mut Vec<QueryPart>,
    ) -> bool {
        if self.instance() != Some(instance) {
            return false;
        }
        let asking = &mut self.launch.asking;
        let open = [&mut asking.choices, &mut asking.directories];
        let Some(slot) =
            open.into_iter().find(|slot| slot.as_ref().is_some_and(|asked| asked.number == number))
        else {
            return false;
        };
        let Some(mut asked) = slot.take() else { return false };
        if page != asked.pages {
            // Spoilt: as if it were lost.
            self.answered(asked.what, vec![QueryPart::Problem { text: texts::answer_lost().to_owned() }]);
            return true;
        }
        asked.pages += 1;
        let room = MAX_PARTS.saturating_sub(asked.parts.len());
        asked.parts.extend(std::mem::take(parts).into_iter().take(room));
        if asked.pages < pages {
            *slot = Some(asked);
        } else {
            self.answered(asked.what, asked.parts);
        }
        true
    }

    fn answered(&mut self, what: Query, parts: Vec<QueryPart>) {
        match what {
            Query::Directories { prefix } => self.directories_told(prefix, parts),
            _ => self.choices_told(parts),
        }
        self.changed();
    }

    fn directories_told(&mut self, asked: String, parts: Vec<QueryPart>) {
        let mut listing = Listing { asked, ..Listing::default() };
        for part in parts {
            match part {
                // A name with characters that nobody sees is another name than the one that would be shown.
                QueryPart::Directory { name } if name.chars().all(is_plain) => listing.names.push(name),
                QueryPart::Directory { .. } => listing.more += 1,
                QueryPart::Cut { left_out } => listing.more = listing.more.saturating_add(left_out),
                QueryPart::Problem { text } => listing.problem = Some(plain_within(&text, MAX_COLUMNS)),
                _ => {}
            }
        }
        self.launch.asking.listing = Some(listing);
        if self.room == Room::Folder {
            self.directories_came();
        }
    }

    fn choices_told(&mut self, parts: Vec<QueryPart>) {
        let mut agents = Vec::new();
        for part in parts {
            match part {
                QueryPart::Preferences(preferences) => self.begin_with(*preferences),
                QueryPart::Agent(choice) => agents.push(clean(choice)),
                QueryPart::Problem { text } => {
                    self.launch.asking.problem = Some(plain_within(&text, MAX_COLUMNS));
                }
                _ => {}
            }
        }
        if !agents.is_empty() {
            self.launch.form.agents = agents;
        }
        self.launch.form.settle();
    }

    fn begin_with(&mut self, preferences: LaunchPreferences) {
        let LaunchPreferences { directories, agent, model, thinking } = preferences;
        let shown = |path: &str| path.chars().all(is_plain);
        self.launch.form.favourites =
            directories.into_iter().filter(|favourite| shown(&favourite.path)).collect();
        let word = |word: Option<String>| plain_within(&word.unwrap_or_default(), MAX_WORD_COLUMNS);
        if agent.is_some() {
            self.launch.form.remember(&word(agent), &word(model), &word(thinking));
        }
    }

    /// When a question without an answer is given up.
    pub(in crate::machine) fn launch_deadline(&self) -> Option<UnixMs> {
        let asking = &self.launch.asking;
        let open = [&asking.choices, &asking.directories];
        open.into_iter().flatten().map(|asked| after(asked.at, LOST_AFTER_MS)).min()
    }

    /// Gives up questions that were lost.
    pub(in crate::machine) fn watch_launch(&mut self) {
        let now = self.now;
        let asking = &mut self.launch.asking;
        let late = |asked: &mut Asked| after(asked.at, LOST_AFTER_MS) <= now;
        let lost = [asking.choices.take_if(late), asking.directories.take_if(late)];
        for asked in lost.into_iter().flatten() {
            self.answered(
                asked.what,
                vec![QueryPart::Problem { text: texts::no_answer_in_time().to_owned() }],
            );
        }
    }
}

fn clean(choice: AgentChoice) -> AgentChoice {
    let line = |text: String| plain_within(&text, MAX_COLUMNS);
    AgentChoice {
        name: line(choice.name),
        problem: choice.problem.map(line),
        takes: choice.takes,
        thinking: choice.thinking.into_iter().take(MAX_THINKING).map(line).collect(),
    }
}

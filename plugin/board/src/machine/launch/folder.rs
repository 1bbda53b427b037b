//! The folder's list: opening it, moving in it, Tab and Shift+Tab, choosing.

use super::{
    Field, Tab,
    picker::{self, Offer, Picker, Source, Tabbed},
};
use crate::{
    editor::Editor,
    keymap::Room,
    machine::{Board, selection::Step},
};
use board_text::notice as texts;

impl Board {
    /// Opens the list with the favourites; what stands in the field stays.
    pub(super) fn open_picker(&mut self) {
        self.open_list(Source::Favourites);
    }

    /// Opens the list to go on with what stands in the field.
    pub(super) fn open_picker_at_text(&mut self) {
        if self.room != Room::Folder {
            self.open_list(Source::Directories);
        }
    }

    /// Opens the list to look for what is typed from here on.
    pub(super) fn open_picker_to_search(&mut self) {
        self.open_list(Source::Typed);
    }

    fn open_list(&mut self, source: Source) {
        let before = self.launch.form.folder.text().to_owned();
        if source == Source::Typed {
            self.launch.form.folder.take();
        }
        self.launch.picker = Some(Picker { before, selected: None, source });
        self.launch.tab = Tab::Idle;
        self.notice = None;
        self.leave_to(Room::Folder);
        self.ask_if_browsing();
    }

    /// What is offered under the folder.
    pub(crate) fn folder_offers(&self) -> Vec<Offer> {
        let Some(picker) = &self.launch.picker else { return Vec::new() };
        let listing = self.launch.asking.listing.as_ref();
        picker.offers(self.launch.form.folder.text(), &self.launch.form.favourites, listing)
    }

    /// Whether directories are offered, and not favourites.
    pub(crate) fn folder_browses(&self) -> bool {
        let text = self.launch.form.folder.text();
        self.launch.picker.as_ref().is_some_and(|picker| picker.browses(text, &self.launch.form.favourites))
    }

    fn ask_if_browsing(&mut self) {
        if self.folder_browses() {
            self.ask_directories();
        }
    }

    /// The folder's text changed.
    pub(super) fn folder_typed(&mut self) {
        if self.launch.form.field != Field::Folder {
            return;
        }
        self.launch.tab = Tab::Idle;
        if let Some(picker) = &mut self.launch.picker {
            picker.selected = None;
            if picker.source == Source::Favourites {
                picker.source = Source::Typed;
            }
        }
        self.ask_if_browsing();
    }

    pub(in crate::machine) fn step_offers(&mut self, step: Step) {
        let count = self.folder_offers().len();
        let Some(picker) = &mut self.launch.picker else { return };
        // Before the first and behind the last one stands the text itself.
        picker.selected = match (picker.selected, step) {
            (None, Step::Forth) => Some(0),
            (None, Step::Back) => count.checked_sub(1),
            (Some(at), Step::Forth) => Some(at + 1),
            (Some(at), Step::Back) => at.checked_sub(1),
        }
        .filter(|at| *at < count);
        self.changed();
    }

    /// Tab.
    pub(in crate::machine) fn complete(&mut self) {
        let text = self.launch.form.folder.text().to_owned();
        let offers = self.folder_offers();
        let Some(picker) = &mut self.launch.picker else { return };
        // A favourite is gone into at once; without one, what is typed is gone on with.
        if let Some(offer) = picker.selected.and_then(|at| offers.get(at)) {
            let inside = format!("{}/", offer.path.trim_end_matches('/'));
            return self.walk_to(&inside);
        }
        picker.source = Source::Directories;
        let Some(listing) = self.launch.asking.listing.as_ref().filter(|listing| listing.covers(&text))
        else {
            self.ask_directories();
            self.launch.tab = if self.launch.asking.is_listing() { Tab::Waits } else { Tab::Idle };
            return self.changed();
        };
        if listing.problem.is_some() {
            return self.changed();
        }
        let (picker, listing) = (picker.clone(), listing.clone());
        let offers = self.folder_offers();
        match picker.tab(&text, &offers, &listing) {
            Tabbed::Text(text) => self.walk_to(&text),
            Tabbed::Select => {
                if let Some(picker) = &mut self.launch.picker {
                    picker.selected = Some(0);
                }
                self.changed();
            }
            Tabbed::Nothing => self.tell_mode(texts::no_such_directory()),
        }
    }

    /// The directories are there: a Tab that waited for them is carried out.
    pub(super) fn directories_came(&mut self) {
        if std::mem::take(&mut self.launch.tab) == Tab::Waits {
            self.complete();
        }
    }

    /// Shift+Tab.
    pub(in crate::machine) fn ascend(&mut self) {
        let above = picker::above(self.launch.form.folder.text());
        self.walk_to(&above);
    }

    fn walk_to(&mut self, text: &str) {
        self.launch.form.folder = Editor::with(text);
        self.launch.form.edited.insert(Field::Folder);
        self.launch.tab = Tab::Idle;
        if let Some(picker) = &mut self.launch.picker {
            picker.source = Source::Directories;
            picker.selected = None;
        }
        self.ask_directories();
        self.changed();
    }

    /// Enter: the selected one, else what is typed; then the task is next.
    pub(in crate::machine) fn choose_folder(&mut self) {
        let selected = self.launch.picker.as_ref().and_then(|picker| picker.selected);
        let offer = selected.and_then(|at| self.folder_offers().into_iter().nth(at));
        let text = offer.map_or_else(|| self.launch.form.folder.text().to_owned(), |offer| offer.path);
        self.launch.form.folder = picker::chosen(&text);
        self.launch.form.edited.insert(Field::Folder);
        self.launch.picker = None;
        self.launch.form.field = Field::Task;
        self.leave_to(Room::Launch);
    }

    /// Esc: the field is as it was.
    pub(in crate::machine) fn close_picker(&mut self) {
        if let Some(picker) = self.launch.picker.take() {
            self.launch.form.folder = Editor::with(&picker.before);
        }
        self.leave_to(Room::Launch);
    }
}

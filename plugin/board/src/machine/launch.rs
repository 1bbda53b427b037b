//! The launch dialog: agent, folder, task, model, thinking, start. Its fields outlive it, so that Esc loses nothing; a
//! start that is refused leaves it open with every field as it was.
//!
//! Called by the actions of [`Room::Launch`] and [`Room::Folder`]. What is typed is never sent before Enter.

mod asking;
mod folder;
mod form;
pub(super) mod picker;
mod words;

use super::{Board, compose::Submitted, selection::Step};
use crate::{
    editor::Editor,
    keymap::{Edit, Room},
    notice::Level,
};
use asking::Asking;
use board_protocol::{
    command::{Launch as What, Remember, StartSession},
    ids::{CommandId, SessionId},
    pipe::Intent,
};
use board_text::notice as texts;
use form::Sending;
#[cfg(test)]
pub(crate) use form::tests::agents;
pub(crate) use form::{Field, Form, Then};
use picker::Picker;
pub(crate) use words::Words;

/// The dialog.
#[derive(Debug, Default)]
pub(crate) struct Launch {
    pub(crate) form: Form,
    pub(crate) asking: Asking,
    /// The list under the folder, while it is open.
    pub(crate) picker: Option<Picker>,
    /// Tab was pressed before the directories were there.
    tab: Tab,
}

/// Whether a Tab waits for its directories.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Tab {
    #[default]
    Idle,
    Waits,
}

impl Board {
    /// Opens the dialog with what it was left with.
    pub(super) fn open_launch(&mut self) {
        let form = &mut self.launch.form;
        if form.agent.is_empty() {
            form.agent = self.link.agent.clone().unwrap_or_else(|| "generic".to_owned());
        }
        if form.folder.is_blank()
            && let Some(cwd) = self.link.cwd()
        {
            form.folder = Editor::with(cwd);
        }
        form.field = Field::Task;
        self.notice = None;
        self.leave_to(Room::Launch);
        self.ask_choices();
    }

    /// The same with the text of the editor as its task, in front of one that was kept.
    pub(super) fn launch_with_text(&mut self) {
        let text = self.editor.text();
        let kept = self.launch.form.task.text();
        let joined = if kept.is_empty() || text.is_empty() {
            format!("{text}{kept}")
        } else {
            format!("{text}\n{kept}")
        };
        if joined.len() > crate::editor::MAX_BYTES {
            return self.tell(Level::Warn, texts::both_drafts_too_long());
        }
        self.editor.take();
        self.launch.form.task = Editor::with(&joined);
        self.open_launch();
    }

    /// Esc: the fields stay for the next opening.
    pub(super) fn leave_launch(&mut self) {
        self.drop_questions();
        self.launch.picker = None;
        let kept = !self.launch.form.task.is_blank();
        self.leave_to(self.page);
        self.tell_mode(if kept { texts::mode_normal_dialog() } else { texts::mode_normal() });
    }

    /// Ctrl+C: the fields go, too. A start that is on its way is not taken back.
    pub(super) fn drop_launch(&mut self) {
        self.launch.form.clear();
        self.leave_launch();
    }

    /// A start is on its way: until its answer nothing may be changed, or what came back would not be what was sent.
    pub(super) const fn launch_waits(&self) -> bool {
        self.launch.form.sending.is_some()
    }

    pub(super) fn go_to_field(&mut self, step: Step) {
        let form = &mut self.launch.form;
        form.field = match step {
            Step::Back => form.previous(),
            Step::Forth => form.next(),
        };
        self.changed();
    }

    /// ↑ and ↓: lines of the task first, then fields.
    pub(super) fn launch_vertical(&mut self, step: Step) {
        let task = &mut self.launch.form.task;
        let inside = match step {
            Step::Back => !task.is_in_first_line(),
            Step::Forth => !task.is_in_last_line(),
        };
        if self.launch.form.field == Field::Task && inside {
            return self.edit_launch(match step {
                Step::Back => Edit::Up,
                Step::Forth => Edit::Down,
            });
        }
        self.go_to_field(step);
    }

    /// ← and →: another choice, the other button, or the cursor.
    pub(super) fn launch_horizontal(&mut self, step: Step) {
        match (self.launch.form.field, &step) {
            (Field::Agent, _) => self.turn_agent(step),
            (Field::Thinking, _) => self.turn_thinking(step),
            (Field::Start | Field::StartAndEnter, _) => {
                let form = &mut self.launch.form;
                let other = if form.field == Field::Start { Field::StartAndEnter } else { Field::Start };
                form.field = other;
                self.changed();
            }
            (_, Step::Back) => self.edit_launch(Edit::Left),
            (_, Step::Forth) => self.edit_launch(Edit::Right),
        }
    }

    /// A blank is one in a text; elsewhere it chooses.
    pub(super) fn launch_space(&mut self) {
        match self.launch.form.field {
            Field::Agent => self.turn_agent(Step::Forth),
            Field::Thinking => self.turn_thinking(Step::Forth),
            Field::Start | Field::StartAndEnter => {
                self.submit_launch();
            }
            Field::Folder | Field::Task | Field::Model => self.type_text(" "),
        }
    }

    pub(super) fn launch_tab(&mut self) {
        if self.launch.form.field == Field::Folder {
            self.open_picker_at_text();
            self.complete();
        } else {
            self.go_to_field(Step::Forth);
        }
    }

    pub(super) fn launch_back_tab(&mut self) {
        if self.launch.form.field == Field::Folder {
            self.open_picker_at_text();
            self.ascend();
        } else {
            self.go_to_field(Step::Back);
        }
    }

    fn turn_agent(&mut self, step: Step) {
        let form = &mut self.launch.form;
        let names: Vec<String> = form.agents.iter().map(|choice| choice.name.clone()).collect();
        let name = turned(&names, &form.agent, &step);
        self.take_agent(name);
    }

    fn take_agent(&mut self, name: Option<String>) {
        let form = &mut self.launch.form;
        if let Some(name) = name {
            form.agent = name;
            form.edited.insert(Field::Agent);
            form.recall();
            form.settle();
        }
        self.notice = None;
        self.changed();
    }

    /// Takes the choice at a place of a field that has choices.
    pub(super) fn take_choice(&mut self, field: Field, at: usize) {
        if self.launch_waits() || self.launch.form.field != field {
            return;
        }
        let form = &self.launch.form;
        match field {
            Field::Agent => self.take_agent(form.agents.get(at).map(|choice| choice.name.clone())),
            Field::Thinking => {
                self.take_thinking(form.thinking_words().get(at).map(|word| (*word).to_owned()))
            }
            _ => {}
        }
    }

    fn turn_thinking(&mut self, step: Step) {
        let form = &self.launch.form;
        let words: Vec<String> = form.thinking_words().into_iter().map(str::to_owned).collect();
        let word = turned(&words, &form.thinking, &step);
        self.take_thinking(word);
    }

    fn take_thinking(&mut self, word: Option<String>) {
        let form = &mut self.launch.form;
        if let Some(word) = word {
            form.thinking = word;
            form.edited.insert(Field::Thinking);
        }
        self.changed();
    }

    /// An edit of the field's text. One of the folder opens its list.
    pub(super) fn edit_launch(&mut self, edit: Edit) {
        if self.room == Room::Launch && self.launch.form.field == Field::Folder {
            self.open_picker_at_text();
        }
        let form = &mut self.launch.form;
        if edit == Edit::NewLine && form.field != Field::Task {
            return;
        }
        let field = form.field;
        let Some(editor) = form.editor() else { return };
        let before = editor.text().len();
        let edited = editor.edit(edit);
        let changed = editor.text().len() != before;
        if changed {
            form.edited.insert(field);
        }
        if edited.is_err() {
            self.say_too_long();
        }
        if changed {
            self.folder_typed();
        }
        self.changed();
    }

    /// What is typed or pasted: into the field that has the keys; a paste where none is goes into the task.
    pub(super) fn type_into_launch(&mut self, text: &str) {
        if self.launch_waits() {
            return;
        }
        if self.room == Room::Launch && self.launch.form.field == Field::Folder {
            self.open_picker_to_search();
        }
        let form = &mut self.launch.form;
        if !form.field.is_text() {
            if text.chars().count() < 2 {
                return;
            }
            form.field = Field::Task;
        }
        let field = form.field;
        let text = if field == Field::Task { text.to_owned() } else { text.replace(['\r', '\n', '\t'], " ") };
        form.edited.insert(field);
        let typed = form.editor().map(|editor| editor.insert(&text));
        if matches!(typed, Some(Err(_))) {
            self.say_too_long();
        }
        self.folder_typed();
        self.changed();
    }

    /// Enter: opens the folder's list, goes on from a choice, starts from the task and from the buttons.
    pub(super) fn submit_launch(&mut self) -> Submitted {
        let then = match self.launch.form.field {
            Field::Folder => {
                self.open_picker();
                return Submitted::No;
            }
            Field::Agent | Field::Model | Field::Thinking => {
                self.go_to_field(Step::Forth);
                return Submitted::No;
            }
            Field::Task | Field::Start => Then::Stay,
            Field::StartAndEnter => Then::Enter,
        };
        self.start_from_launch(then);
        Submitted::No
    }

    fn start_from_launch(&mut self, then: Then) {
        if self.launch_waits() {
            return;
        }
        let form = &self.launch.form;
        let Words { name, tags, task } = Words::read(form.task.text());
        if let Some(problem) = form.choice().and_then(|choice| choice.problem.clone()) {
            return self.tell(Level::Warn, &problem);
        }
        if !form.takes_task() && task.trim().is_empty() {
            return self.tell(Level::Warn, texts::nothing_to_start());
        }
        let word =
            |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty() && form.takes_task());
        let start = StartSession {
            name,
            agent: form.agent.clone(),
            launch: What::Task(task),
            cwd: form.folder.text().trim().to_owned(),
            size: None,
            model: word(form.model.text()),
            thinking: word(&form.thinking),
            tags,
            remember: Remember::Choices,
        };
        if let Some(command_id) = self.want_with_id(Intent::Start(start), "") {
            self.launch.form.sending = Some(Sending { command_id, then });
            self.notice = None;
            self.changed();
        }
    }

    /// The dialog's start was answered, if this was it: what becomes of the session now.
    pub(super) fn launch_answered(&mut self, command_id: &CommandId) -> Option<Then> {
        let is_it = |sending: &mut Sending| sending.command_id == *command_id;
        Some(self.launch.form.sending.take_if(is_it)?.then)
    }

    /// It was started: the task is gone from the dialog, what was chosen stays.
    pub(super) fn launched(&mut self, session: &SessionId, then: Then) {
        let task = self.launch.form.task.take();
        self.history.keep(&task);
        self.launch.form.edited.clear();
        if matches!(self.room, Room::Launch | Room::Folder) {
            self.drop_questions();
            self.launch.picker = None;
            self.leave_to(self.page);
        }
        if then == Then::Enter {
            self.enter_once_there(session.clone());
        }
    }
}

/// The choice beside the current one, around the end.
fn turned(choices: &[String], current: &str, step: &Step) -> Option<String> {
    let at = choices.iter().position(|choice| choice == current);
    let last = choices.len().checked_sub(1)?;
    let to = match (at, step) {
        (None, _) => 0,
        (Some(at), Step::Back) => at.checked_sub(1).unwrap_or(last),
        (Some(at), Step::Forth) => {
            if at == last {
                0
            } else {
                at + 1
            }
        }
    };
    choices.get(to).cloned()
}

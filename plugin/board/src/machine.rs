//! The board's machine: one input in, a list of effects out, and a picture on demand.
//!
//! Called by the shell around it (the zellij plugin). It holds the last board, the selection, the mode and drafts, and
//! nothing else that matters: everything is fetched again after a reload. An instance belongs to one zellij client; it
//! acts only on its own key or on the answer to its own request (every instance of every client sees every line).

mod act;
pub(crate) mod anywhere;
mod attach;
mod batch;
mod compose;
mod focus;
mod intents;
mod launch;
mod link;
mod mouse;
mod permission;
mod places;
mod reading;
mod resurrected;
#[cfg(test)]
pub(crate) mod samples;
mod selection;
mod terminals;
#[cfg(test)]
mod tests;
mod time;
mod verdict;
mod views;

use crate::{
    editor::{Editor, History},
    effect::Effect,
    frame::Frame,
    input::{Granted, Input, Mode, ModeNews, PaneRef, Visibility},
    keymap::Room,
    meters::{Drawn, Meters, Whole},
    model::{Arrangement, BoardRow, Model},
    notice::{Level, Notice},
    settings::Settings,
    view,
};
use anywhere::Anywhere;
use attach::Panes;
use batch::Batch;
use board_protocol::{
    command::ReplyDelivery,
    ids::{SessionId, UnixMs},
    pipe::InstanceId,
    state::GlyphSet,
};
use board_text::{Language, speaking};
pub(crate) use compose::Addressee;
use focus::Questions;
use intents::Pending;
use launch::Launch;
#[cfg(test)]
pub(crate) use launch::agents;
pub(crate) use launch::{Field, Words};
pub(crate) use link::{Link, Standing};
pub(crate) use permission::Permission;
use resurrected::Waiting;
use selection::ArrangedFor;
pub(crate) use selection::{Selection, Typed};
use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet},
};
pub(crate) use time::{NOW_MS, age};
pub(crate) use verdict::Confirm;
pub(crate) use views::Views;

/// The board of one instance.
#[derive(Debug)]
pub struct Board {
    pub(crate) now: UnixMs,
    pub(crate) build: String,
    pub(crate) settings: Settings,
    pub(crate) permission: Permission,
    pub(crate) me: Option<Granted>,
    /// When this life began: makes command ids differ from those of an earlier life.
    born: UnixMs,
    location: String,
    session_name: Option<String>,
    pub(crate) link: Link,
    /// The signs that are drawn, as configured.
    pub(crate) glyphs: GlyphSet,
    /// The language of its texts: the layout's, then the link's.
    pub(crate) language: Language,
    pub(crate) model: Model,
    /// The rows as they are shown.
    pub(crate) shown: Arrangement,
    arranged_for: ArrangedFor,
    /// Sessions whose terminals are folded away.
    folded: BTreeSet<SessionId>,
    /// Whether rows came, in the middle of a board that is being paged in, that are not arranged yet.
    unsettled: bool,
    pub(crate) filter: Typed,
    pub(crate) selection: Selection,
    pub(crate) marks: BTreeSet<SessionId>,
    pub(crate) room: Room,
    /// The page that lies under a text, a question or help.
    pub(crate) page: Room,
    pub(crate) views: Views,
    /// How many lines of a view were shown last, and how far it can be scrolled: only drawing knows.
    pub(crate) scrollable: Cell<(usize, usize)>,
    /// The shown part of a transcript, wrapped.
    pub(crate) wrapped: RefCell<view::one::transcript::Memory>,
    pub(crate) confirm: Option<Confirm>,
    /// What the mouse can reach, and what it did last.
    pub(crate) pointer: mouse::Pointer,
    /// The first of two presses, and on which row.
    quick: Option<(SessionId, UnixMs)>,
    batch: Option<Batch>,
    /// The text of a new session.
    pub(crate) editor: Editor,
    history: History,
    /// The text of a reply, a name or tags, and whom it is for.
    pub(crate) line: Editor,
    pub(crate) addressee: Option<Addressee>,
    pub(crate) delivery: ReplyDelivery,
    reply_history: History,
    /// Replies that were begun.
    pub(crate) drafts: BTreeMap<SessionId, Editor>,
    /// The launch dialog and its draft.
    pub(crate) launch: Launch,
    /// Texts of refused starts that wait for an empty editor.
    returned: Vec<String>,
    pub(crate) notice: Option<Notice>,
    pending: Pending,
    panes: Panes,
    questions: Questions,
    visible: Visibility,
    mode: Mode,
    /// Whether Locked mode is this board's doing.
    locked_by_us: bool,
    /// Whether Locked mode is to be left as soon as zellij says that it holds.
    releasing: bool,
    reconfigured: bool,
    /// Whether Locked mode keeps Ctrl+G, so that no agent ever gets it.
    keeps_ctrl_g: bool,
    /// What zellij keeps for itself, and the keys that work from anywhere.
    pub(crate) anywhere: Anywhere,
    waiting: Waiting,
    missing_from: Option<(UnixMs, u32)>,
    /// By how much the wall clock was set back in this life.
    set_back_ms: u64,
    /// When the ages of rows were last drawn.
    aged: UnixMs,
    armed: Option<UnixMs>,
    dirty: bool,
    out: Vec<Effect>,
    /// What the board counts of itself.
    pub(crate) meters: Meters,
    /// How many notices there were: tells whether a key brought one.
    told: u64,
}

impl Board {
    /// A board that nobody has told anything.
    pub fn new() -> Self {
        Self {
            now: UnixMs::default(),
            build: String::new(),
            settings: Settings::default(),
            permission: Permission::Unasked,
            me: None,
            born: UnixMs::default(),
            location: String::new(),
            session_name: None,
            link: Link::default(),
            glyphs: GlyphSet::Unicode,
            language: Language::English,
            model: Model::default(),
            shown: Arrangement::default(),
            arranged_for: ArrangedFor::default(),
            folded: BTreeSet::new(),
            unsettled: false,
            filter: Typed::default(),
            selection: Selection::default(),
            marks: BTreeSet::new(),
            room: Room::List,
            page: Room::List,
            views: Views::default(),
            scrollable: Cell::new((1, 0)),
            wrapped: RefCell::default(),
            confirm: None,
            pointer: mouse::Pointer::default(),
            quick: None,
            batch: None,
            editor: Editor::default(),
            history: History::default(),
            line: Editor::default(),
            addressee: None,
            delivery: ReplyDelivery::Auto,
            reply_history: History::default(),
            drafts: BTreeMap::new(),
            launch: Launch::default(),
            returned: Vec::new(),
            notice: None,
            pending: Pending::default(),
            panes: Panes::default(),
            questions: Questions::default(),
            visible: Visibility::Shown,
            mode: Mode::Normal,
            locked_by_us: false,
            releasing: false,
            reconfigured: false,
            keeps_ctrl_g: false,
            anywhere: Anywhere::default(),
            waiting: Waiting::default(),
            missing_from: None,
            set_back_ms: 0,
            aged: UnixMs::default(),
            armed: None,
            dirty: false,
            out: Vec::new(),
            meters: Meters::default(),
            told: 0,
        }
    }

    /// Takes one input at a moment; returns what to do, in order.
    pub fn on(&mut self, input: Input, now: UnixMs) -> Vec<Effect> {
        speaking(self.language, || self.take_at(input, now))
    }

    fn take_at(&mut self, input: Input, now: UnixMs) -> Vec<Effect> {
        // A wall clock may be set back; the board's own time goes on from where it was.
        if now.0.saturating_add(self.set_back_ms) < self.now.0 {
            self.set_back_ms = self.now.0.saturating_sub(now.0);
        }
        let before = std::mem::replace(&mut self.now, UnixMs(now.0.saturating_add(self.set_back_ms)));
        if !matches!(input, Input::Pipe(_)) {
            self.settle();
        }
        self.take(input);
        self.pass_deadlines(before);
        self.arm_timer();
        if self.dirty {
            self.settle();
        }
        if std::mem::take(&mut self.dirty) && self.visible == Visibility::Shown {
            self.out.push(Effect::Render);
        }
        let mut out = std::mem::take(&mut self.out);
        // Field report H6: before the grant a value-returning call traps the instance. Nothing above emits one; this
        // line makes that true for everything that will ever be added.
        if self.permission != Permission::Granted {
            out.retain(Effect::needs_no_permission);
        }
        out
    }

    /// Makes the rows stand where they belong, while a board is being paged in. Whoever draws without having been asked to
    /// calls it first.
    pub fn settle(&mut self) {
        if std::mem::take(&mut self.unsettled) {
            self.settle_selection();
        }
    }

    /// A picture of exactly `rows` lines of exactly `columns` cells.
    pub fn render(&self, rows: usize, columns: usize) -> Frame {
        let frame = speaking(self.language, || view::frame(self, rows, columns));
        self.pointer.regions.replace(frame.regions());
        frame
    }

    /// A frame was printed.
    pub fn drew(&mut self, drawn: Drawn) {
        let whole = if self.model.is_complete() { Whole::Yes } else { Whole::NotYet };
        self.meters.drew(drawn, whole);
    }

    /// A counted key has a frame even where nothing else of it is to be seen: whoever counts waits for its number.
    fn count_key(&mut self) {
        self.meters.key();
        if self.settings.shows_meters {
            self.changed();
        }
    }

    fn take(&mut self, input: Input) {
        match input {
            Input::Loaded(loaded) => self.loaded(loaded),
            Input::PermissionGranted(granted) => self.granted(granted),
            Input::PermissionDenied => self.denied(),
            Input::Key(key) => {
                self.count_key();
                self.key(key.normalised());
            }
            Input::Mouse(mouse) => self.mouse(mouse),
            Input::Paste(text) => self.paste(&text),
            Input::Pipe(line) => self.pipe(line),
            Input::Timer => self.timer(),
            Input::Visible(visibility) => self.visibility(visibility),
            Input::Mode(news) => self.mode_is(news),
            Input::Panes(list) => self.panes_listed(&list),
            Input::Keybinds(keybinds) => self.keybinds_are(keybinds),
            Input::FocusFound(pane) => self.focus_found(pane),
            Input::AttachOpened(opened) => self.attach_opened(opened),
            Input::PaneChecked { pane, standing } => self.pane_checked(pane, standing),
            Input::PaneExited { pane, code } => self.pane_exited(pane, code),
            Input::PaneClosed(PaneRef::Terminal(pane)) => self.panes.forget(pane),
            Input::PaneClosed(PaneRef::Plugin(_)) => {}
            Input::LinkEnded { code, stderr } => self.link_ended(code, &stderr),
            Input::ReloadImpossible => self.reload_impossible(),
            Input::BeforeClose => self.before_close(),
        }
    }

    fn emit(&mut self, effect: Effect) {
        self.out.push(effect);
    }

    fn changed(&mut self) {
        self.dirty = true;
    }

    pub(crate) fn tell(&mut self, level: Level, text: &str) {
        self.told += 1;
        self.notice = Some(Notice::new(level, text, self.now));
        self.changed();
    }

    fn tell_mode(&mut self, text: &str) {
        self.told += 1;
        self.notice = Some(Notice::passing(text, self.now));
        self.changed();
    }

    fn instance(&self) -> Option<InstanceId> {
        self.me.as_ref().map(|me| InstanceId::new(me.plugin_id, me.client_id))
    }

    fn visibility(&mut self, visibility: Visibility) {
        let before = std::mem::replace(&mut self.visible, visibility);
        match visibility {
            Visibility::Shown => {
                self.changed();
                // The mode is the client's and follows the focus: the board's keys work in Normal mode.
                if std::mem::take(&mut self.locked_by_us) {
                    self.releasing = self.mode != Mode::Locked;
                    if !self.releasing {
                        self.emit(Effect::SwitchMode(Mode::Normal));
                    }
                }
            }
            Visibility::Hidden => {
                self.releasing = false;
                if before == Visibility::Shown {
                    self.ask(focus::Question::LeftBoard);
                }
            }
        }
    }

    /// zellij tells the mode to visible boards only, so the news of our own Locked mode may come after the board is
    /// back in view.
    fn mode_is(&mut self, news: ModeNews) {
        self.mode = news.mode;
        if news.session_name.is_some() {
            self.session_name = news.session_name;
        }
        if std::mem::take(&mut self.releasing) && self.mode == Mode::Locked {
            self.emit(Effect::SwitchMode(Mode::Normal));
        }
    }

    fn before_close(&mut self) {
        self.send_up(board_protocol::pipe::Up::Goodbye);
    }
}

impl Default for Board {
    fn default() -> Self {
        Self::new()
    }
}

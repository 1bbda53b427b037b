//! Entering a session: its pane is focused if it has one, else one is opened; panes that end are closed.

use super::{Board, Permission, focus::Question, resurrected::Ours, time::after};
use crate::{
    effect::{AttachTab, Effect, PanePlace},
    input::{AttachOpened, PaneList, PaneRef, PaneStanding},
    keymap::Room,
    notice::Level,
};
use board_protocol::{
    board::Revival,
    ids::{SessionId, UnixMs},
    pipe::Intent,
    state::HostState,
};
use board_text::notice as texts;

/// When a pane that was just opened is looked at: a command that was not found leaves a waiting pane and no event.
const CHECK_AFTER_MS: u64 = 1_500;
/// Most panes that are remembered; forgetting one only means that it is asked for through the board list again.
const MAX_PANES: usize = 256;
/// How long after a start its session is still entered by itself: later the person has gone on with something else.
const ENTER_WITHIN_MS: u64 = 10_000;
/// How long zellij may list panes without this instance before it believes that it has none.
const MISSING_MS: u64 = 2_000;

/// Panes that this instance opened.
#[derive(Debug, Default)]
pub(super) struct Panes {
    open: Vec<OpenPane>,
    /// A session that the person wants to enter through a pane that is being looked at.
    wanted: Option<(SessionId, u32)>,
    /// A session whose tab was asked for and is not there yet: a second key opens no second one.
    opening: Option<SessionId>,
    /// A session that is entered as soon as its row says that it can be, and when that was wished for.
    awaited: Option<(SessionId, UnixMs)>,
    /// Panes whose attach client has let go of its session. The pane itself goes a moment later, and is shown until then.
    left: Vec<u32>,
    /// Where the pane that was asked for goes.
    opening_in: Option<PanePlace>,
    /// The tiled terminals of the board's tab, with their names, as they were listed last.
    pub(super) beside: Vec<(u32, String)>,
    /// Panes that were listed with an attach client of ours: an instance that was loaded anew opened none of them itself.
    clients: Vec<(u32, SessionId)>,
    /// What had the focus in the board's tab.
    focused: Vec<PaneRef>,
}

#[derive(Debug)]
struct OpenPane {
    session: SessionId,
    name: String,
    pane: u32,
    opened_at: UnixMs,
    checked: bool,
    place: Place,
}

/// Where a pane is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// In a tab of its own, which has this name.
    Tab { tab: u64, title: String },
    /// In the board's tab.
    Beside,
    /// In the board's place.
    InsteadOfBoard,
    /// Somewhere else.
    Elsewhere,
}

/// A pane that has ended, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PaneEnd {
    pub(super) pane: u32,
    ending: Ending,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Exited(Option<i32>),
    NeverStarted,
}

impl Panes {
    /// Whether this instance opened the pane.
    pub(super) fn opened(&self, pane: u32) -> bool {
        self.open.iter().any(|open| open.pane == pane)
    }

    /// Whether the pane was opened for a session, by this instance or by another one.
    pub(super) fn is_ours(&self, pane: u32) -> bool {
        self.opened(pane) || self.clients.iter().any(|(client, _)| *client == pane)
    }

    pub(super) fn place_of(&self, pane: u32) -> Option<Place> {
        self.open.iter().find_map(|open| (open.pane == pane).then(|| open.place.clone()))
    }

    /// The pane in which the board's place is taken.
    pub(super) fn instead_of_board(&self) -> Option<u32> {
        self.open.iter().find_map(|open| (open.place == Place::InsteadOfBoard).then_some(open.pane))
    }

    /// The newest first.
    pub(super) fn opened_beside(&self) -> impl Iterator<Item = u32> {
        self.open.iter().rev().filter(|open| open.place == Place::Beside).map(|open| open.pane)
    }

    /// Sessions with a tab of their own, and its name.
    pub(super) fn tabs(&self) -> impl Iterator<Item = (&SessionId, u64, &String)> {
        self.open.iter().filter_map(|open| match &open.place {
            Place::Tab { tab, title } => Some((&open.session, *tab, title)),
            _ => None,
        })
    }

    pub(super) fn retitle(&mut self, renamed: u64, to: &str) {
        for open in &mut self.open {
            if let Place::Tab { tab, title } = &mut open.place
                && *tab == renamed
            {
                to.clone_into(title);
            }
        }
    }

    pub(super) fn forget(&mut self, pane: u32) {
        self.open.retain(|open| open.pane != pane);
        self.left.retain(|left| *left != pane);
        self.clients.retain(|(client, _)| *client != pane);
    }

    /// The client in this pane shows no session any more.
    pub(super) fn leave(&mut self, pane: u32) {
        self.join(pane);
        if self.left.len() >= MAX_PANES {
            self.left.remove(0);
        }
        self.left.push(pane);
    }

    /// A client in this pane shows a session, for the first time or again.
    pub(super) fn join(&mut self, pane: u32) {
        self.left.retain(|left| *left != pane);
    }

    pub(super) fn shows(&self, pane: u32) -> bool {
        !self.left.contains(&pane)
    }

    pub(super) fn next_check(&self) -> Option<UnixMs> {
        self.open.iter().filter(|open| !open.checked).map(|open| after(open.opened_at, CHECK_AFTER_MS)).min()
    }

    fn of(&self, session: &SessionId) -> Option<u32> {
        self.open
            .iter()
            .map(|open| (&open.session, open.pane))
            .find_map(|(shown, pane)| (shown == session && self.shows(pane)).then_some(pane))
    }
}

impl Board {
    /// Enters the selected session.
    pub(super) fn attach(&mut self) {
        let Some(row) = self.selected_row() else {
            self.tell(Level::Warn, texts::none_to_enter());
            return;
        };
        let id = row.id.clone();
        self.enter(&id);
    }

    /// Enters a session. `false`: it cannot be, and the board says why.
    pub(super) fn enter(&mut self, id: &SessionId) -> bool {
        if let super::Standing::ReadOnly(_) | super::Standing::Reloading = self.link.standing() {
            if let Some(obstacle) = self.obstacle() {
                self.tell(Level::Warn, &obstacle);
            }
            return false;
        }
        let Some(row) = self.model.row(id) else { return false };
        if self.panes.opening.as_ref() == Some(id) {
            return true;
        }
        let server = self.me.as_ref().map(|me| me.server_pid);
        // A pane that the person has just left still runs: whoever is led into it stands at the board again at once.
        let place = row.places.iter().filter(|place| Some(place.server_pid) == server);
        let place = place.map(|place| place.pane_id).find(|pane| self.panes.shows(*pane));
        // The list is pushed and a pane may be gone by now: zellij is asked before anything is focused.
        if let Some(pane) = place.or_else(|| self.panes.of(id)) {
            self.panes.wanted = Some((id.clone(), pane));
            self.emit(Effect::CheckPane(pane));
            return true;
        }
        self.enter_without_pane(id)
    }

    fn enter_without_pane(&mut self, id: &SessionId) -> bool {
        let Some(row) = self.model.row(id) else { return false };
        let (name, ending) = (row.name.to_string(), row.ending());
        match (row.host_state, row.revival) {
            (HostState::Starting | HostState::Alive, _)
            | (HostState::Exited | HostState::Failed, Revival::Resumes) => {
                return self.open_pane(id);
            }
            (HostState::Stopping, _) => {
                self.tell(Level::Warn, &texts::is_stopping(&name));
            }
            (HostState::None, _) if row.busy => {
                self.tell(Level::Warn, &texts::not_started(&name));
            }
            (HostState::None, Revival::Resumes) => return self.open_pane(id),
            (_, Revival::RunsAgain) => {
                let question = texts::ask_rerun(&name, ending);
                self.confirm(question, id.clone(), Intent::Rerun { session: id.clone() });
                // The person reads how it ended: there is nothing more to see of it by entering.
                self.visit(id);
            }
        }
        false
    }

    fn open_pane(&mut self, id: &SessionId) -> bool {
        let Some((runner, args)) = self.runner_call(&["attach", id.as_str()]) else {
            self.tell(Level::Error, texts::no_runner());
            return false;
        };
        let attach = AttachTab { session: id.clone(), runner, args };
        let place = self.next_place();
        if let (Some(PanePlace::InsteadOfBoard), Some(pane)) = (place, self.panes.instead_of_board()) {
            // The board's place is free for the next session only when it is back in it.
            self.emit(Effect::CloseTerminal(pane));
            self.panes.forget(pane);
        }
        self.panes.opening = Some(id.clone());
        self.panes.opening_in = place;
        self.emit(match place {
            None => Effect::OpenAttachTab(attach),
            Some(place) => Effect::OpenAttachPane { attach, place },
        });
        self.visit(id);
        true
    }

    /// Enters a session that was just started, once its row is there and its host listens.
    pub(super) fn enter_once_there(&mut self, session: SessionId) {
        self.panes.awaited = Some((session, self.now));
        self.enter_awaited();
    }

    /// Enters what was waited for, unless that took too long or the person is busy with something else by now.
    pub(super) fn enter_awaited(&mut self) {
        let Some((session, since)) = self.panes.awaited.clone() else { return };
        if after(since, ENTER_WITHIN_MS) <= self.now {
            self.panes.awaited = None;
            return;
        }
        let runs = |row: &crate::model::BoardRow| {
            matches!(row.host_state, HostState::Starting | HostState::Alive) && self.room == Room::List
        };
        if self.model.row(&session).is_some_and(runs) {
            self.panes.awaited = None;
            self.open_pane(&session);
        }
    }

    /// Says that a person looked at a row, if that is news.
    pub(super) fn visit(&mut self, id: &SessionId) {
        if self.model.row(id).is_some_and(|row| row.unread) && self.obstacle().is_none() {
            self.want(Intent::Visit { session: id.clone() }, "");
        }
    }

    pub(super) fn attach_opened(&mut self, opened: AttachOpened) {
        self.panes.opening = None;
        let name = self.model.row(&opened.session).map_or_else(String::new, |row| row.name.to_string());
        let Some(pane) = opened.pane else {
            self.tell(Level::Error, &texts::no_pane(&name));
            return;
        };
        let title = self.tab_title(&opened.session);
        let place = match (self.panes.opening_in.take(), opened.tab) {
            (None, Some(tab)) => Place::Tab { tab, title: title.clone() },
            (Some(PanePlace::InsteadOfBoard), _) => Place::InsteadOfBoard,
            (Some(PanePlace::Near | PanePlace::Stacked(_) | PanePlace::Instead(_)), _) => Place::Beside,
            (None | Some(PanePlace::Floating), _) => Place::Elsewhere,
        };
        if let Place::Tab { tab, .. } = place {
            self.emit(Effect::RenameTab { tab, name: title });
        }
        self.emit(Effect::RenamePane { pane, name: String::new() });
        // zellij leaves the focus where it was when a pane opens near a plugin.
        if place == Place::Beside || place == Place::InsteadOfBoard {
            self.emit(Effect::FocusTerminal(pane));
        }
        self.lock();
        if self.panes.open.len() >= MAX_PANES {
            self.panes.open.remove(0);
        }
        self.panes.open.push(OpenPane {
            session: opened.session,
            name,
            pane,
            opened_at: self.now,
            checked: false,
            place,
        });
    }

    /// Looks once at panes that should run by now.
    pub(super) fn check_panes(&mut self) {
        let now = self.now;
        let due: Vec<u32> = self
            .panes
            .open
            .iter_mut()
            .filter(|open| !open.checked && after(open.opened_at, CHECK_AFTER_MS) <= now)
            .map(|open| {
                open.checked = true;
                open.pane
            })
            .collect();
        for pane in due {
            self.emit(Effect::CheckPane(pane));
        }
    }

    pub(super) fn pane_checked(&mut self, pane: u32, standing: PaneStanding) {
        if let Some((session, _)) = self.panes.wanted.take_if(|(_, wanted)| *wanted == pane) {
            match standing {
                PaneStanding::Running => {
                    self.emit(Effect::FocusTerminal(pane));
                    self.lock();
                }
                PaneStanding::Waiting | PaneStanding::Gone => {
                    if standing == PaneStanding::Waiting
                        && self.panes.open.iter().any(|open| open.pane == pane)
                    {
                        self.emit(Effect::CloseTerminal(pane));
                    }
                    self.panes.forget(pane);
                    if !self.enter_without_pane(&session) && self.visible == super::Visibility::Hidden {
                        // The key may have been pressed anywhere; what stands in the way is said on the board.
                        self.go_to_board();
                    }
                }
            }
            return;
        }
        match standing {
            PaneStanding::Running => {}
            PaneStanding::Waiting => self.own_pane_waits(pane),
            PaneStanding::Gone => self.own_pane_never_came(pane),
        }
    }

    /// zellij tells of a pane that closes. One that is gone without a word had no room: zellij drops it.
    fn own_pane_never_came(&mut self, pane: u32) {
        let Some(open) = self.panes.open.iter().find(|open| open.pane == pane) else { return };
        let text = texts::no_room(&open.name);
        self.panes.forget(pane);
        if self.visible == super::Visibility::Shown && std::mem::take(&mut self.locked_by_us) {
            self.emit(Effect::SwitchMode(crate::input::Mode::Normal));
        }
        self.tell(Level::Error, &text);
    }

    fn own_pane_waits(&mut self, pane: u32) {
        if self.panes.open.iter().any(|open| open.pane == pane) {
            self.ask(Question::OwnPaneEnded(PaneEnd { pane, ending: Ending::NeverStarted }));
        }
    }

    pub(super) fn pane_exited(&mut self, pane: u32, code: Option<i32>) {
        self.adopt(pane);
        if self.panes.opened(pane) {
            self.ask(Question::OwnPaneEnded(PaneEnd { pane, ending: Ending::Exited(code) }));
        }
    }

    /// zellij tells the end of a command only to the plugin that opened its pane: this one was opened in an earlier life.
    fn adopt(&mut self, pane: u32) {
        let client = self.panes.clients.iter().find(|(client, _)| *client == pane);
        let Some(session) = client.filter(|_| !self.panes.opened(pane)).map(|(_, session)| session.clone())
        else {
            return;
        };
        let name = self.name_of(&session);
        let place = Place::Elsewhere;
        self.panes.open.push(OpenPane { session, name, pane, opened_at: self.now, checked: true, place });
    }

    /// The session that a pane of this server shows.
    pub(super) fn session_in(&self, pane: u32) -> Option<SessionId> {
        let server = self.me.as_ref().map(|me| me.server_pid);
        let opened = self.panes.open.iter().find(|open| open.pane == pane).map(|open| &open.session);
        let listed = || {
            let mut rows = (0..self.model.len()).filter_map(|index| self.model.row_at(index));
            let row = rows.find(|row| {
                row.places.iter().any(|place| Some(place.server_pid) == server && place.pane_id == pane)
            });
            row.map(|row| &row.id)
        };
        opened.or_else(listed).cloned()
    }

    pub(super) fn close_ended(&mut self, end: &PaneEnd) {
        let Some(place) = self.panes.open.iter().position(|open| open.pane == end.pane) else { return };
        let open = self.panes.open.remove(place);
        self.panes.forget(end.pane);
        self.emit(Effect::CloseTerminal(end.pane));
        let (name, id) = (&open.name, &open.session);
        let text = match end.ending {
            Ending::Exited(Some(0)) => return,
            Ending::Exited(Some(1)) => texts::entry_refused(name, id),
            Ending::Exited(Some(3)) => texts::entry_unreachable(name),
            Ending::Exited(Some(4)) => texts::entry_late(name),
            Ending::Exited(Some(code)) => texts::pane_exited(name, code),
            Ending::Exited(None) => texts::pane_signalled(name),
            Ending::NeverStarted => {
                let runner = self.runner().map_or(texts::the_runner(), |(runner, _)| runner);
                texts::never_started(name, runner)
            }
        };
        self.tell(Level::Error, &text);
    }

    /// Whether a pane of this server shows a session.
    pub(super) fn shows_a_session(&self, pane: u32) -> bool {
        self.session_in(pane).is_some()
    }

    /// zellij's list of panes comes only while the board's tab is active, so it is a hint, not the source.
    pub(super) fn panes_listed(&mut self, list: &PaneList) {
        // Before the grant the shell does not know its own id, so the list says nothing about this instance.
        if self.permission != Permission::Granted {
            return;
        }
        if let Some(url) = &list.own_url {
            self.missing_from = None;
            self.set_location(&url.clone());
        } else {
            self.miss_own_pane(list.count);
        }
        let waiting = |pane: u32| list.terminals.contains(&(pane, PaneStanding::Waiting));
        let listed = |pane: u32| list.terminals.iter().any(|(listed, _)| *listed == pane);
        let now = self.now;
        // A list may be older than a pane that was just opened.
        self.panes.open.retain(|open| listed(open.pane) || after(open.opened_at, CHECK_AFTER_MS) > now);
        let ended: Vec<u32> =
            self.panes.open.iter().map(|open| open.pane).filter(|pane| waiting(*pane)).collect();
        for pane in ended {
            if !self.questions.is_ending(pane) {
                self.own_pane_waits(pane);
            }
        }
        self.panes.beside.clone_from(&list.beside);
        let clients = list.commands.iter().filter_map(|(pane, command)| match self.ours(command)? {
            Ours::Attach(session) => Some((*pane, session)),
            Ours::Link => None,
        });
        self.panes.clients = clients.take(MAX_PANES).collect();
        self.note_waiting(&list.suspended);
        if self.panes.focused != list.focused {
            self.panes.focused.clone_from(&list.focused);
            self.ask(Question::FocusMoved);
        }
    }

    /// An address that matches nothing makes zellij load an instance without a pane, which gets every line for ever.
    /// Such a one closes itself; never on one list alone, which may be older than its pane.
    fn miss_own_pane(&mut self, listed: usize) {
        if listed == 0 || self.me.is_none() {
            return;
        }
        let (since, times) = self.missing_from.unwrap_or((self.now, 0));
        self.missing_from = Some((since, times + 1));
        if times >= 1 && after(since, MISSING_MS) <= self.now {
            self.send_up(board_protocol::pipe::Up::Goodbye);
            self.emit(Effect::CloseSelf);
        }
    }
}

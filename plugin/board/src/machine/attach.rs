//! Entering a session: its pane is focused if it has one, else one is opened; panes that end are closed.

use super::{Board, Permission, focus::Question, time::after};
use crate::{
    effect::{AttachTab, Effect},
    input::{AttachOpened, PaneList, PaneStanding},
    notice::Level,
};
use board_protocol::{
    board::Revival,
    ids::{SessionId, UnixMs},
    pipe::Intent,
    state::HostState,
    text::plain_within,
};

/// When a pane that was just opened is looked at: a command that was not found leaves a waiting pane and no event.
const CHECK_AFTER_MS: u64 = 1_500;
/// Most panes that are remembered; forgetting one only means that it is asked for through the board list again.
const MAX_PANES: usize = 256;
/// Widest name of a tab in cells.
const MAX_TAB_COLUMNS: usize = 30;
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
    /// Panes whose attach client has let go of its session. The pane itself goes a moment later, and is shown until then.
    left: Vec<u32>,
}

#[derive(Debug)]
struct OpenPane {
    session: SessionId,
    name: String,
    pane: u32,
    opened_at: UnixMs,
    checked: bool,
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

    pub(super) fn forget(&mut self, pane: u32) {
        self.open.retain(|open| open.pane != pane);
        self.left.retain(|left| *left != pane);
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

    fn shows(&self, pane: u32) -> bool {
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
            self.tell(Level::Warn, "No session to enter. Press i, type a command, Enter starts it.");
            return;
        };
        if let super::Standing::ReadOnly(_) | super::Standing::Reloading = self.link.standing() {
            if let Some(obstacle) = self.obstacle() {
                self.tell(Level::Warn, &obstacle);
            }
            return;
        }
        let id = row.id.clone();
        if self.panes.opening.as_ref() == Some(&id) {
            return;
        }
        let server = self.me.as_ref().map(|me| me.server_pid);
        // A pane that the person has just left still runs: whoever is led into it stands at the board again at once.
        let place = row.places.iter().filter(|place| Some(place.server_pid) == server);
        let place = place.map(|place| place.pane_id).find(|pane| self.panes.shows(*pane));
        // The list is pushed and a pane may be gone by now: zellij is asked before anything is focused.
        if let Some(pane) = place.or_else(|| self.panes.of(&id)) {
            self.panes.wanted = Some((id, pane));
            self.emit(Effect::CheckPane(pane));
            return;
        }
        self.enter_without_pane(&id);
    }

    fn enter_without_pane(&mut self, id: &SessionId) {
        let Some(row) = self.model.row(id) else { return };
        let (name, ending) = (row.name.to_string(), row.ending());
        match (row.host_state, row.revival) {
            (HostState::Starting | HostState::Alive, _) => self.open_tab(id),
            (HostState::Stopping, _) => {
                self.tell(Level::Warn, &format!("\"{name}\" is stopping; it can be entered no more"));
            }
            (HostState::None, _) if row.busy => {
                self.tell(Level::Warn, &format!("\"{name}\" has not started yet; try again in a moment"));
            }
            (_, Revival::Resumes) => self.open_tab(id),
            (_, Revival::RunsAgain) => {
                let question = format!("\"{name}\" ended ({ending}). Run it again? (y/N)");
                self.confirm(question, id.clone(), Intent::Rerun { session: id.clone() });
                // The person reads how it ended: there is nothing more to see of it by entering.
                self.visit(id);
            }
        }
    }

    fn open_tab(&mut self, id: &SessionId) {
        let Some((runner, args)) = self.runner_call(&["attach", id.as_str()]) else {
            self.tell(Level::Error, "No runner is known, so nothing can be opened: run host-runner up");
            return;
        };
        self.panes.opening = Some(id.clone());
        self.emit(Effect::OpenAttachTab(AttachTab { session: id.clone(), runner, args }));
        self.visit(id);
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
            self.tell(Level::Error, &format!("zellij opened no pane for \"{name}\"; try again"));
            return;
        };
        if let Some(tab) = opened.tab {
            self.emit(Effect::RenameTab { tab, name: plain_within(&name, MAX_TAB_COLUMNS) });
        }
        self.emit(Effect::RenamePane { pane, name: String::new() });
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
                    self.enter_without_pane(&session);
                }
            }
            return;
        }
        match standing {
            PaneStanding::Running => {}
            PaneStanding::Waiting => self.own_pane_waits(pane),
            PaneStanding::Gone => self.panes.forget(pane),
        }
    }

    fn own_pane_waits(&mut self, pane: u32) {
        if self.panes.open.iter().any(|open| open.pane == pane) {
            self.ask(Question::OwnPaneEnded(PaneEnd { pane, ending: Ending::NeverStarted }));
        }
    }

    pub(super) fn pane_exited(&mut self, pane: u32, code: Option<i32>) {
        if self.panes.open.iter().any(|open| open.pane == pane) {
            self.ask(Question::OwnPaneEnded(PaneEnd { pane, ending: Ending::Exited(code) }));
        }
    }

    pub(super) fn close_ended(&mut self, end: &PaneEnd) {
        let Some(place) = self.panes.open.iter().position(|open| open.pane == end.pane) else { return };
        let open = self.panes.open.remove(place);
        self.panes.forget(end.pane);
        self.emit(Effect::CloseTerminal(end.pane));
        let (name, id) = (&open.name, &open.session);
        let text = match end.ending {
            Ending::Exited(Some(0)) => return,
            Ending::Exited(Some(1)) => {
                format!(
                    "\"{name}\" could not be entered: refused. host-runner attach {id} in a pane says why"
                )
            }
            Ending::Exited(Some(3)) => {
                format!("\"{name}\" could not be entered: its host cannot be reached. Try again")
            }
            Ending::Exited(Some(4)) => format!("\"{name}\" could not be entered in time. Try again"),
            Ending::Exited(Some(code)) => format!("The pane of \"{name}\" ended with exit code {code}"),
            Ending::Exited(None) => {
                format!("The pane of \"{name}\" was ended by a signal; the session goes on")
            }
            Ending::NeverStarted => {
                let runner = self.runner().map_or("the runner", |(runner, _)| runner);
                format!("\"{name}\" could not be entered: {runner} did not start")
            }
        };
        self.tell(Level::Error, &text);
    }

    /// Whether a pane of this server shows a session.
    pub(super) fn shows_a_session(&self, pane: u32) -> bool {
        let server = self.me.as_ref().map(|me| me.server_pid);
        let listed = || {
            (0..self.model.len()).filter_map(|index| self.model.row_at(index)).any(|row| {
                row.places.iter().any(|place| Some(place.server_pid) == server && place.pane_id == pane)
            })
        };
        self.panes.opened(pane) || listed()
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

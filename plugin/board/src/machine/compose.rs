//! Texts that the person types: a new session, a reply, a name, tags. A text leaves its editor only once it is on its
//! way, and comes back if it is refused (field report D14).

use super::{Board, BoardRow};
use crate::{editor::Editor, keymap::Room, notice::Level};
use board_protocol::{
    board::MAX_NAME_COLUMNS,
    command::ReplyDelivery,
    ids::{QueueItemId, SessionId},
    pipe::Intent,
    text::plain_within,
};
use board_text::notice as texts;

/// Most rows with a kept draft: a draft is never thrown away for another one, so there is a limit.
const MAX_DRAFTS: usize = 64;
/// Most bytes of one draft that comes back joined to what was typed meanwhile.
const MAX_JOINED_BYTES: usize = crate::editor::MAX_BYTES;
/// What Ctrl+N puts into an empty editor (reference F.2).
const GREETING: &str = "hello";

/// Whether a text is on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Submitted {
    Yes,
    No,
}

impl From<bool> for Submitted {
    fn from(sent: bool) -> Self {
        if sent { Self::Yes } else { Self::No }
    }
}

/// Whom a text is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Addressee {
    pub(crate) session: SessionId,
    pub(crate) name: String,
    /// Words in the queue that the text shall replace.
    pub(crate) item: Option<QueueItemId>,
}

impl Board {
    pub(super) fn insert(&mut self) {
        self.take_returned();
        self.history.settle();
        self.leave_to(Room::Insert);
        self.tell_mode(if self.starts_agents() { texts::insert_agent() } else { texts::insert_shell() });
    }

    /// Whether what is typed for a new session is a task for an agent, and no command line.
    fn starts_agents(&self) -> bool {
        self.link.agent.as_deref().is_some_and(|agent| agent != "generic")
    }

    /// How a session is started from here.
    pub(crate) fn invitation(&self) -> &'static str {
        if self.starts_agents() { texts::invitation_agent() } else { texts::invitation_shell() }
    }

    pub(super) fn insert_greeting(&mut self) {
        self.insert();
        if self.editor.is_blank() && self.starts_agents() {
            self.editor = Editor::with(GREETING);
        }
    }

    pub(super) fn submit_start(&mut self) -> Submitted {
        if self.editor.is_blank() {
            self.tell(Level::Warn, texts::nothing_to_start());
            return Submitted::No;
        }
        let text = self.editor.text().to_owned();
        if !self.start(text.clone()) {
            return Submitted::No;
        }
        self.history.keep(&text);
        self.editor.take();
        self.notice = None;
        self.take_returned();
        Submitted::Yes
    }

    pub(super) fn open_reply(&mut self) {
        let Some(row) = self.selected_row() else { return };
        let (session, name) = (row.id.clone(), row.name.to_string());
        self.line = self.drafts.remove(&session).unwrap_or_default();
        self.addressee = Some(Addressee { session, name, item: None });
        self.delivery = ReplyDelivery::Auto;
        self.reply_history.settle();
        self.leave_to(Room::Reply);
        self.tell_mode(texts::mode_reply());
    }

    /// Takes words of the queue into the editor.
    pub(super) fn open_queued(&mut self, session: SessionId, item: QueueItemId, text: &str) {
        let name = self.name_of(&session);
        self.line = Editor::with(text);
        self.addressee = Some(Addressee { session, name, item: Some(item) });
        self.leave_to(Room::Reply);
        self.tell_mode(texts::mode_edit_queued());
    }

    pub(super) fn change_delivery(&mut self) {
        self.delivery = match self.delivery {
            ReplyDelivery::Auto => ReplyDelivery::Now,
            ReplyDelivery::Now => ReplyDelivery::Queue,
            ReplyDelivery::Queue => ReplyDelivery::Auto,
        };
        self.changed();
    }

    pub(super) fn submit_reply(&mut self) -> Submitted {
        let Some(Addressee { session, name, item }) = self.addressee.clone() else { return Submitted::Yes };
        if self.line.is_blank() {
            self.tell(Level::Warn, texts::nothing_to_send());
            return Submitted::No;
        }
        let asks = self.model.row(&session).is_some_and(BoardRow::awaits_answer);
        if asks && item.is_none() && self.delivery != ReplyDelivery::Queue {
            self.tell(Level::Warn, texts::answer_there());
            return Submitted::No;
        }
        let text = self.line.text().to_owned();
        let intent = match item {
            Some(item) => Intent::EditQueued { session: session.clone(), item, text: text.clone() },
            None => Intent::Reply { session: session.clone(), text: text.clone(), delivery: self.delivery },
        };
        if !self.want(intent, &name) {
            return Submitted::No;
        }
        // Whoever answers has read.
        self.visit(&session);
        self.reply_history.keep(&text);
        self.line.take();
        self.addressee = None;
        self.notice = None;
        Submitted::Yes
    }

    /// A number in peek. It is never typed into a screen: what stands there may be another question by then.
    pub(super) fn choose(&mut self) {
        if self.selected_row().is_some_and(BoardRow::awaits_answer) {
            self.tell(Level::Warn, texts::answer_there());
        } else {
            self.tell_mode(texts::no_question());
        }
    }

    pub(super) fn open_rename(&mut self) {
        let Some(row) = self.selected_row() else { return };
        let (session, name) = (row.id.clone(), row.name.to_string());
        self.line = Editor::with(&name);
        self.addressee = Some(Addressee { session, name, item: None });
        self.leave_to(Room::Rename);
        self.tell_mode(texts::mode_rename());
    }

    pub(super) fn submit_rename(&mut self) -> Submitted {
        let Some(Addressee { session, name: old, .. }) = self.addressee.clone() else {
            return Submitted::Yes;
        };
        let name = plain_within(self.line.text(), MAX_NAME_COLUMNS);
        if name.is_empty() {
            self.tell(Level::Warn, texts::needs_a_name());
            return Submitted::No;
        }
        if name == old {
            return Submitted::Yes;
        }
        self.want(Intent::Rename { session, name }, &old).into()
    }

    pub(super) fn open_tags(&mut self) {
        let Some(row) = self.selected_row() else { return };
        let (session, name) = (row.id.clone(), row.name.to_string());
        let tags: Vec<&str> = row.tags.iter().map(|tag| &**tag).collect();
        let tags = tags.join(" ");
        self.line = Editor::with(&tags);
        self.addressee = Some(Addressee { session, name, item: None });
        self.leave_to(Room::Tags);
        self.tell_mode(texts::mode_tags());
    }

    pub(super) fn submit_tags(&mut self) -> Submitted {
        let Some(Addressee { session, name, .. }) = self.addressee.clone() else { return Submitted::Yes };
        let Some(row) = self.model.row(&session) else { return Submitted::Yes };
        let typed = self.line.text().split(|c: char| c.is_whitespace() || c == ',');
        let typed = typed.map(|tag| tag.trim_start_matches('#').to_owned());
        let wanted: std::collections::BTreeSet<String> = typed.filter(|tag| !tag.is_empty()).collect();
        let had: std::collections::BTreeSet<String> = row.tags.iter().map(|tag| tag.to_string()).collect();
        let add: Vec<String> = wanted.difference(&had).cloned().collect();
        let remove: Vec<String> = had.difference(&wanted).cloned().collect();
        if add.is_empty() && remove.is_empty() {
            return Submitted::Yes;
        }
        self.want(Intent::Tag { session, add, remove }, &name).into()
    }

    pub(super) fn keep_draft(&mut self) {
        if self.room == Room::Launch {
            return self.leave_launch();
        }
        if self.room == Room::Reply && !self.put_draft_away() {
            return;
        }
        let kept = if self.room == Room::Reply { false } else { !self.editor.text().is_empty() };
        self.leave_to(self.page);
        if self.page == Room::List {
            self.tell_mode(if kept { texts::mode_normal_draft() } else { texts::mode_normal() });
        }
    }

    /// The reply that is being typed becomes its row's draft. `false`: there is no place for it, and it stays.
    fn put_draft_away(&mut self) -> bool {
        let Some(addressee) = self.addressee.clone() else { return true };
        if self.line.text().is_empty() || addressee.item.is_some() {
            // Words of the queue are still there.
            self.line.take();
            self.addressee = None;
            return true;
        }
        if self.drafts.len() >= MAX_DRAFTS && !self.drafts.contains_key(&addressee.session) {
            self.tell(Level::Warn, texts::too_many_drafts());
            return false;
        }
        let text = self.line.take();
        self.drafts.insert(addressee.session, Editor::with(&text));
        self.addressee = None;
        self.tell_mode(texts::draft_kept());
        true
    }

    pub(super) fn drop_draft(&mut self) {
        match self.room {
            Room::Launch => return self.drop_launch(),
            Room::Insert => {
                self.editor.take();
            }
            Room::Filter => {
                self.leave_to(self.page);
                return self.clear_filter();
            }
            _ => {
                self.line.take();
                self.addressee = None;
            }
        }
        self.leave_to(self.page);
        if self.page == Room::List {
            self.tell_mode(texts::mode_normal());
        }
    }

    /// A refused reply goes back to its row, in front of what was typed there meanwhile.
    pub(super) fn bring_back_reply(&mut self, session: SessionId, text: String) {
        let open = self.room == Room::Reply
            && self.addressee.as_ref().is_some_and(|to| to.session == session && to.item.is_none());
        let typed = if open { Some(&mut self.line) } else { self.drafts.get_mut(&session) };
        match typed {
            Some(typed) if typed.is_blank() => *typed = Editor::with(&text),
            Some(typed) if typed.text().len() + text.len() < MAX_JOINED_BYTES => {
                *typed = Editor::with(&format!("{text}\n{}", typed.text()));
            }
            // Beyond what an editor holds it can be taken up again with ↑.
            Some(_) => self.reply_history.keep(&text),
            None => {
                self.drafts.insert(session, Editor::with(&text));
            }
        }
        self.changed();
    }

    /// A refused name or list of tags goes back to its line, unless the person is elsewhere by now.
    pub(super) fn bring_back_line(&mut self, room: Room, session: SessionId, name: &str, text: &str) {
        if self.room == Room::List && self.model.row(&session).is_some() {
            self.line = Editor::with(text);
            self.addressee = Some(Addressee { session, name: name.to_owned(), item: None });
            self.leave_to(room);
        }
    }

    /// What is laid over a session that is gone closes; what was typed for it waits in the editor of new sessions.
    pub(super) fn leave_what_is_gone(&mut self) {
        let gone = self.addressee.as_ref().is_some_and(|to| self.model.row(&to.session).is_none());
        let viewed_gone = self.page.is_about_one() && self.selected_row().is_none();
        if gone {
            if self.room == Room::Reply && !self.line.is_blank() {
                let text = self.line.take();
                self.bring_back(text);
            }
            self.addressee = None;
        }
        if viewed_gone || (gone && matches!(self.room, Room::Reply | Room::Rename | Room::Tags)) {
            let room = if viewed_gone { Room::List } else { self.page };
            // The editor may hold what was just brought back.
            if self.room != Room::Insert {
                self.leave_to(room);
            } else {
                self.page = room;
            }
            self.tell(Level::Warn, texts::session_gone());
        }
    }
}

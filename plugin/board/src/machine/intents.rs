//! What the person asked for and the daemon has not answered yet. Sent again, with the same id, to a new link.

use super::{Board, Standing, time::after};
use crate::{editor::Editor, keymap::Room, notice::Level};
use board_protocol::{
    command::{CommandOutcome, Launch, Pin, StartSession},
    ids::{CommandId, SessionId, UnixMs},
    pipe::{InstanceId, Intent, Up},
    refusal::Refusal,
    text::plain_within,
};
use board_text::notice as texts;
use std::collections::VecDeque;

/// Most unanswered intents: each may be 30 KiB of text.
const MAX_PENDING: usize = 16;
/// After this long without an answer the person is told.
const PATIENCE_MS: u64 = 10_000;
/// An answer that has not come after this long never will; a start that is this old would surprise.
const GIVEN_UP_MS: u64 = 10 * 60_000;
/// Widest piece of a task in the notice of its start (reference F.4).
const DISPATCHED_COLUMNS: usize = 40;

#[derive(Debug)]
struct Sent {
    command_id: CommandId,
    intent: Intent,
    /// The session's name when it was asked for, for the notice.
    name: String,
    at: UnixMs,
    complained: bool,
    in_batch: bool,
}

/// Where an intent comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    Key,
    Batch,
}

/// Unanswered intents, oldest first.
#[derive(Debug, Default)]
pub(super) struct Pending {
    sent: VecDeque<Sent>,
    count: u64,
}

impl Pending {
    /// When the person has waited long enough to be told.
    pub(super) fn next_complaint(&self) -> Option<UnixMs> {
        self.sent.iter().filter(|sent| !sent.complained).map(|sent| after(sent.at, PATIENCE_MS)).min()
    }
}

impl Board {
    /// Why nothing can be asked for at this moment, if so.
    pub(super) fn obstacle(&self) -> Option<String> {
        match self.link.standing() {
            Standing::ReadOnly(text) => return Some(texts::read_only(text)),
            Standing::Reloading => return Some(texts::renewed().to_owned()),
            Standing::Unknown | Standing::Fits => {}
        }
        if self.link.up().is_none() || !self.link.is_speaking(self.now) {
            return Some(texts::not_connected().to_owned());
        }
        (self.pending.sent.len() >= MAX_PENDING).then(|| texts::too_many_requests().to_owned())
    }

    /// Sends what the person wants, and gives the id under which it is answered; `None` as for [`Self::want`].
    pub(super) fn want_with_id(&mut self, intent: Intent, name: &str) -> Option<CommandId> {
        self.want(intent, name).then(|| self.pending.sent.back().map(|sent| sent.command_id.clone()))?
    }

    /// Sends what the person wants. `false` if it could not be sent; then the notice says why.
    pub(super) fn want(&mut self, intent: Intent, name: &str) -> bool {
        self.send_intent(intent, name, Origin::Key)
    }

    /// The same for one of many: what becomes of it is told with the others.
    pub(super) fn want_in_batch(&mut self, intent: Intent) -> bool {
        self.send_intent(intent, "", Origin::Batch)
    }

    fn send_intent(&mut self, intent: Intent, name: &str, origin: Origin) -> bool {
        if let Some(obstacle) = self.obstacle() {
            self.tell(Level::Warn, &obstacle);
            return false;
        }
        let Some(me) = &self.me else { return false };
        self.pending.count += 1;
        // Unique by server, instance and life; the shell has no randomness to offer, and needs none.
        let command_id = CommandId(format!(
            "{}-{}-{}-{}-{}",
            me.server_pid, me.plugin_id, me.client_id, self.born.0, self.pending.count
        ));
        self.pending.sent.push_back(Sent {
            command_id: command_id.clone(),
            intent: intent.clone(),
            name: name.to_owned(),
            at: self.now,
            complained: false,
            in_batch: origin == Origin::Batch,
        });
        self.send_up(Up::Intent { command_id, intent });
        true
    }

    /// Starts what was typed, in the background.
    pub(super) fn start(&mut self, task: String) -> bool {
        let intent = Intent::Start(StartSession {
            name: None,
            agent: self.link.agent.clone().unwrap_or_else(|| "generic".into()),
            launch: Launch::Task(task),
            cwd: String::new(),
            size: None,
            model: None,
            thinking: None,
            tags: Vec::new(),
            remember: Default::default(),
        });
        self.want(intent, "")
    }

    /// A new link, or a new up pipe: what was not answered may never have arrived.
    pub(super) fn send_pending(&mut self) {
        let again: Vec<(CommandId, Intent)> =
            self.pending.sent.iter().map(|sent| (sent.command_id.clone(), sent.intent.clone())).collect();
        for (command_id, intent) in again {
            self.send_up(Up::Intent { command_id, intent });
        }
    }

    pub(super) fn outcome(&mut self, instance: InstanceId, command_id: &CommandId, outcome: CommandOutcome) {
        if self.instance() != Some(instance) {
            return;
        }
        let place = self.pending.sent.iter().position(|sent| sent.command_id == *command_id);
        let Some(sent) = place.and_then(|place| self.pending.sent.remove(place)) else { return };
        match outcome {
            CommandOutcome::Applied { .. } if sent.in_batch => self.batch_answered(None),
            CommandOutcome::Refused(refusal) if sent.in_batch => self.batch_answered(Some(refusal.text)),
            CommandOutcome::Applied { session, notice } => {
                if let Some(then) = self.launch_answered(&sent.command_id) {
                    self.launched(&session, then);
                }
                self.applied(&sent, session, notice);
            }
            CommandOutcome::Refused(refusal) => self.refused(sent, &refusal),
        }
    }

    fn refused(&mut self, sent: Sent, refusal: &Refusal) {
        let text = match &sent.intent {
            Intent::Visit { .. } => return,
            Intent::MarkHolding { .. } => texts::holding_failed(&refusal.text),
            Intent::ClearHolding { .. } => texts::resume_failed(&refusal.text),
            Intent::Remove { .. } => texts::delete_failed(&refusal.text),
            _ => refusal.text.clone(),
        };
        self.give_back(sent);
        self.tell(Level::Error, &text);
    }

    /// What was typed comes back (field report D14). The dialog still has what was typed there.
    fn give_back(&mut self, sent: Sent) {
        if self.launch_answered(&sent.command_id).is_some() {
            return;
        }
        match sent.intent {
            Intent::Start(StartSession { launch: Launch::Task(task), .. }) => self.bring_back(task),
            Intent::Reply { session, text, .. } | Intent::EditQueued { session, text, .. } => {
                self.bring_back_reply(session, text);
            }
            Intent::Rename { session, name } => {
                self.bring_back_line(Room::Rename, session, &sent.name, &name);
            }
            Intent::Tag { session, add, remove } => {
                let row = self.model.row(&session);
                let had = row.iter().flat_map(|row| row.tags.iter()).map(|tag| tag.to_string());
                let kept = had.filter(|tag| !remove.contains(tag));
                let typed = kept.chain(add).collect::<Vec<_>>().join(" ");
                self.bring_back_line(Room::Tags, session, &sent.name, &typed);
            }
            _ => {}
        }
    }

    fn applied(&mut self, sent: &Sent, session: SessionId, notice: Option<String>) {
        let name = &sent.name;
        let done = match &sent.intent {
            Intent::Start(start) => {
                self.selection.awaited = Some(session);
                let task = match &start.launch {
                    Launch::Task(task) => task.clone(),
                    Launch::Argv(argv) => argv.join(" "),
                };
                texts::dispatched(plain_within(&task, DISPATCHED_COLUMNS))
            }
            Intent::Rerun { .. } => {
                self.enter_once_there(session);
                texts::runs_again(name)
            }
            Intent::Interrupt { .. } => texts::interrupted(name),
            Intent::Stop { .. } => texts::stopped(name),
            Intent::Remove { .. } => texts::deleted(name),
            Intent::Visit { .. } => return,
            Intent::MarkUnread { .. } => texts::marked_unread().to_owned(),
            Intent::Reply { .. } => texts::reply_sent().to_owned(),
            Intent::EditQueued { .. } => texts::queued_changed().to_owned(),
            Intent::MoveQueued { .. } => texts::order_changed().to_owned(),
            Intent::RemoveQueued { .. } => texts::queued_removed().to_owned(),
            Intent::SendQueued { .. } => texts::sent().to_owned(),
            Intent::ClearQueue { .. } => texts::queue_emptied().to_owned(),
            Intent::MarkCompleted { .. } => texts::marked_done().to_owned(),
            Intent::MarkHolding { .. } => texts::holding().to_owned(),
            Intent::ClearHolding { .. } => texts::resumed().to_owned(),
            Intent::Rename { name, .. } => texts::renamed(name),
            Intent::SetPin { pin: Pin::Pinned, .. } => texts::pinned(name),
            Intent::SetPin { pin: Pin::Unpinned, .. } => texts::unpinned(name),
            Intent::Tag { .. } => texts::tags_changed().to_owned(),
            Intent::ClearLog { .. } => texts::log_cleared().to_owned(),
            Intent::SkipWaits { .. } => texts::waits_skipped().to_owned(),
        };
        self.settle_selection();
        self.views.doubt();
        match (&sent.intent, notice) {
            // What the daemon says about a reply is the whole truth: it may wait.
            // Of waits it says how many there were.
            (Intent::Reply { .. } | Intent::ClearHolding { .. } | Intent::SkipWaits { .. }, Some(notice)) => {
                self.tell(Level::Info, &notice)
            }
            (_, Some(notice)) => self.tell(Level::Info, &format!("{done} · {notice}")),
            (_, None) => self.tell(Level::Info, &done),
        }
    }

    /// A refused text goes back where it was typed, unless something else is being typed there: then it waits.
    pub(super) fn bring_back(&mut self, task: String) {
        if self.editor.is_blank() {
            self.editor = Editor::with(&task);
            if self.room == Room::List {
                self.leave_to(Room::Insert);
            }
        } else if self.returned.len() < MAX_PENDING {
            self.returned.push(task);
        }
        self.changed();
    }

    /// On the way into the editor: a text that waited for its turn.
    pub(super) fn take_returned(&mut self) {
        if self.editor.is_blank()
            && let Some(task) = self.returned.pop()
        {
            self.editor = Editor::with(&task);
        }
    }

    pub(super) fn watch_intents(&mut self) {
        let now = self.now;
        let given_up = self.pending.sent.iter().filter(|sent| after(sent.at, GIVEN_UP_MS) <= now).count();
        for sent in self.pending.sent.drain(..given_up).collect::<Vec<_>>() {
            if sent.in_batch {
                self.batch_answered(Some(texts::no_answer().to_owned()));
            } else {
                self.give_back(sent);
            }
        }
        let late = self.pending.sent.iter_mut().filter(|sent| !sent.complained);
        let mut told = false;
        for sent in late.filter(|sent| after(sent.at, PATIENCE_MS) <= now) {
            sent.complained = true;
            told |= !matches!(sent.intent, Intent::Visit { .. });
        }
        if told {
            self.tell(Level::Warn, texts::no_answer_yet());
        }
    }
}

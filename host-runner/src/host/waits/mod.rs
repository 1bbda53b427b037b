//! The open waits on this host's output: pure (reference G.1, G.2). The host owns them; nothing of them is written down.
//!
//! What happens to a wait is noted when it happens, and [`Waits::ended`] says at the end of a turn of the loop which ones
//! ended and how. Nothing is polled: new output, an edge, or the nearest deadline. A needle is looked for in small steps,
//! so that no pattern and no flood keeps the loop from its other work for long.

mod outcome;
mod short;
#[cfg(test)]
mod tests;

use super::client::ClientId;
use crate::terminal::{Looked, Needle, NeedleFound, PlainText};
use board_protocol::{
    host::Exit,
    ids::UnixMs,
    refusal::RefusalKind,
    terminals::{MAX_WAIT_MS, MAX_WAITS_PER_TERMINAL, MIN_WAIT_MS, Wait, WaitEnd},
};
use outcome::{Moment, outcome};
pub(super) use short::in_short;
use std::time::{Duration, Instant};

/// How long one turn of the loop looks for needles: a key waits this long at most, and one step.
const LOOK_AT_MOST: Duration = Duration::from_millis(2);
/// How long a wait that is over may still take to look at the text that was there in time. In a flood with a pattern that
/// is slow to look for there is always more.
const BEHIND_AT_MOST: Duration = Duration::from_secs(1);
/// When a wait is told although what was there already is not looked at whole: a person could see it by then.
const TOLD_AFTER: Duration = Duration::from_millis(50);

/// A wait as it is asked for.
#[derive(Debug)]
pub(super) struct Asked {
    /// Who waits.
    pub(super) client: ClientId,
    /// The id of its question.
    pub(super) id: u64,
    /// What for.
    pub(super) needle: Needle,
    /// The time of day.
    pub(super) since: UnixMs,
    /// How long.
    pub(super) timeout_ms: u64,
}

/// A wait that ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Ended {
    /// Who waited.
    pub(super) client: ClientId,
    /// The id of its question.
    pub(super) id: u64,
    /// How.
    pub(super) end: WaitEnd,
    /// Why the needle was taken literally, if it was.
    pub(super) literal: Option<String>,
}

/// Why a wait is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum NotTaken {
    /// There are too many.
    #[error("{MAX_WAITS_PER_TERMINAL} waits are open on this terminal already")]
    TooMany,
    /// The same question waits already.
    #[error("a wait with this id is open on this connection already")]
    Again,
}

impl NotTaken {
    /// As what it is refused.
    pub(super) fn kind(self) -> RefusalKind {
        match self {
            Self::TooMany => RefusalKind::Limit,
            Self::Again => RefusalKind::BadInput,
        }
    }
}

#[derive(Debug)]
struct Open {
    asked: Asked,
    began: Instant,
    deadline: Instant,
    /// Whether anybody hears of it: not before it is known that the needle is not in the text already.
    is_told: bool,
    /// Up to where the text was looked at.
    upto: u64,
    /// Where the text ended when the wait began: what is in front of it was there already.
    start: u64,
    /// Which picture of a full-screen program was looked at, and how far.
    seen: (u64, u64),
    moment: Moment,
}

impl Open {
    fn is_behind(&self, end: u64, picture: Option<&Picture>) -> bool {
        !self.moment.is_decided()
            && (self.upto < end
                || picture.is_some_and(|picture| {
                    self.seen.0 != picture.number || self.seen.1 < picture.text.len() as u64
                }))
    }
}

/// The screen of a full-screen program, as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Picture {
    /// Another picture has another number.
    pub(super) number: u64,
    /// Its rows, separated by `\n`.
    pub(super) text: String,
}

/// All of them.
#[derive(Debug, Default)]
pub(super) struct Waits {
    open: Vec<Open>,
    /// Whose turn it is to be looked for.
    next: usize,
    changed: bool,
}

impl Waits {
    /// Takes a wait. It is open, and told to nobody, until the text that is there was looked at.
    pub(super) fn begin(&mut self, asked: Asked, text: &PlainText, now: Instant) -> Result<(), NotTaken> {
        if self.open.len() >= MAX_WAITS_PER_TERMINAL {
            return Err(NotTaken::TooMany);
        }
        if self.open.iter().any(|open| open.asked.client == asked.client && open.asked.id == asked.id) {
            return Err(NotTaken::Again);
        }
        let time = Duration::from_millis(asked.timeout_ms.clamp(MIN_WAIT_MS, MAX_WAIT_MS));
        self.open.push(Open {
            asked: Asked { timeout_ms: asked.timeout_ms.clamp(MIN_WAIT_MS, MAX_WAIT_MS), ..asked },
            began: now,
            deadline: now + time,
            is_told: false,
            upto: 0,
            start: text.end(),
            seen: (0, 0),
            moment: Moment::default(),
        });
        Ok(())
    }

    /// Whoever waits takes it back.
    pub(super) fn cancel(&mut self, client: ClientId, id: u64) {
        for open in self.open.iter_mut().filter(|open| open.asked.client == client && open.asked.id == id) {
            open.moment.aborted = true;
        }
    }

    /// A connection is lost: nobody waits for the answers.
    pub(super) fn lost(&mut self, client: ClientId) {
        let told = self.told().count();
        self.open.retain(|open| open.asked.client != client);
        self.changed |= self.told().count() != told;
    }

    /// A person ends every wait. The result is how many there were; one that was skipped already does not count again.
    pub(super) fn skip(&mut self) -> u32 {
        let mut count = 0;
        for open in self.open.iter_mut().filter(|open| open.is_told && !open.moment.skipped) {
            open.moment.skipped = true;
            count += 1;
        }
        count
    }

    /// The program ended.
    pub(super) fn exited(&mut self, exit: Exit) {
        for open in &mut self.open {
            open.moment.exited = Some(exit);
        }
    }

    /// The text changed from this offset on.
    pub(super) fn edited(&mut self, from: u64) {
        for open in &mut self.open {
            open.upto = open.upto.min(from);
        }
    }

    /// Whether there is text that was not looked at.
    pub(super) fn is_behind(&self, text: &PlainText, picture: Option<&Picture>) -> bool {
        self.open.iter().any(|open| open.is_behind(text.end(), picture))
    }

    /// Looks for the needles, each a little at a time, until nothing is left or the time is over.
    pub(super) fn look(
        &mut self,
        text: &PlainText,
        picture: Option<&Picture>,
        clock: &mut dyn FnMut() -> Instant,
    ) {
        if !self.is_behind(text, picture) {
            return;
        }
        let (end, until) = (text.end(), clock() + LOOK_AT_MOST);
        let mut idle = 0;
        while idle < self.open.len() {
            self.next = if self.next + 1 < self.open.len() { self.next + 1 } else { 0 };
            let Some(open) = self.open.get_mut(self.next) else { return };
            if open.is_behind(end, picture) {
                idle = 0;
                open.step(text, picture);
                if clock() >= until {
                    return;
                }
            } else {
                idle += 1;
            }
        }
    }

    /// Takes out what ended by now.
    pub(super) fn ended(&mut self, text: &PlainText, picture: Option<&Picture>, now: Instant) -> Vec<Ended> {
        let (end, total_lines) = (text.end(), text.total_lines());
        let mut ended = Vec::new();
        for mut open in std::mem::take(&mut self.open) {
            let is_behind = open.is_behind(end, picture);
            // Text of before the deadline counts, also where there was no time to look at it.
            let over = if is_behind { open.deadline + BEHIND_AT_MOST } else { open.deadline };
            open.moment.timed_out = now >= over;
            let Asked { client, id, ref needle, timeout_ms, .. } = open.asked;
            let elapsed_ms = u64::try_from((now - open.began).as_millis()).unwrap_or(u64::MAX);
            if let Some(end) = outcome(&open.moment, needle.text(), elapsed_ms, timeout_ms, total_lines) {
                self.changed |= open.is_told;
                ended.push(Ended { client, id, end, literal: needle.literal().map(str::to_owned) });
                continue;
            }
            // What was there already is looked at whole, and the needle is not in it; or that takes long.
            let looked_at = open.upto >= open.start
                && picture.is_none_or(|picture| open.seen == (picture.number, picture.text.len() as u64));
            if !open.is_told && (looked_at || now >= open.began + TOLD_AFTER) {
                open.is_told = true;
                self.changed = true;
            }
            self.open.push(open);
        }
        ended
    }

    fn told(&self) -> impl DoubleEndedIterator<Item = &Open> {
        self.open.iter().filter(|open| open.is_told)
    }

    /// What [`Waits::take_changed`] would say.
    pub(super) fn has_changed(&self) -> bool {
        self.changed
    }

    /// Whether what [`Waits::list`] gives changed since this was last asked.
    pub(super) fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// Those that anybody hears of, the oldest first.
    pub(super) fn list(&self) -> Vec<Wait> {
        self.told()
            .map(|open| Wait { needle: open.asked.needle.text().to_owned(), since_ms: open.asked.since })
            .collect()
    }

    /// Whether there is any wait.
    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// The nearest deadline.
    pub(super) fn next_deadline(&self) -> Option<Instant> {
        self.open.iter().map(|open| open.deadline).min()
    }
}

impl Open {
    /// One look, at the text or at the picture.
    fn step(&mut self, text: &PlainText, picture: Option<&Picture>) {
        let needle = &self.asked.needle;
        if self.upto < text.end() {
            match text.look(needle, self.upto) {
                Looked::Upto(upto) => self.upto = upto,
                Looked::Found(found) => self.moment.found = Some(found),
            }
        } else if let Some(picture) = picture {
            if self.seen.0 != picture.number {
                self.seen = (picture.number, 0);
            }
            match needle.look_at_screen(&picture.text, self.seen.1) {
                Looked::Upto(upto) => self.seen.1 = upto,
                // Its rows count on behind the lines of the text.
                Looked::Found(found) => {
                    let line = text.total_lines() + found.line;
                    self.moment.found = Some(NeedleFound { line, ..found });
                }
            }
        }
    }
}

//! Exports under way: whoever reads one names the page that comes next, and a reader that went away costs nothing for
//! long.
//!
//! While one is open the store's log cannot be shortened, so each has an end.

use crate::store::{Export, Store, StoreError};
use board_protocol::{
    daemon::Answer,
    ids::UnixMs,
    refusal::{Refusal, RefusalKind},
};
use board_text::coordinator as texts;
use std::collections::BTreeMap;

/// Most exports at once: a person runs one.
const MAX_OPEN: usize = 4;
/// How long the next page may stay unasked for, in milliseconds.
const IDLE_MS: u64 = 60_000;
/// How long one may take in all, in milliseconds: a hundred times what a full board takes.
const LONGEST_MS: u64 = 600_000;
/// Bits of a cursor that count pages.
const PAGE_BITS: u32 = 24;

/// The exports.
#[derive(Debug, Default)]
pub(super) struct Exports {
    open: BTreeMap<u64, Ongoing>,
    newest: u64,
}

#[derive(Debug)]
struct Ongoing {
    export: Export,
    page: u64,
    began: u64,
    asked: u64,
}

impl Exports {
    /// A page: the first one of a new export for cursor 0, else the one that the cursor names.
    ///
    /// # Errors
    /// Too many are open, it is not open any more, or the store cannot be read.
    pub(super) fn page(
        &mut self,
        store: &Store,
        cursor: u64,
        now: UnixMs,
        uptime_ms: u64,
    ) -> Result<Answer, Refusal> {
        self.forget(uptime_ms);
        let id = if cursor == 0 { self.begin(store, now, uptime_ms)? } else { cursor >> PAGE_BITS };
        let wanted = cursor & ((1 << PAGE_BITS) - 1);
        let Some(ongoing) = self.open.get_mut(&id).filter(|ongoing| ongoing.page == wanted) else {
            let text = texts::export_gone();
            return Err(Refusal::new(RefusalKind::WrongState, text));
        };
        let page = match ongoing.export.page() {
            Ok(page) => page,
            Err(error) => {
                self.open.remove(&id);
                return Err(failed(&error));
            }
        };
        ongoing.page += 1;
        ongoing.asked = uptime_ms;
        let next = (!page.last).then_some(id << PAGE_BITS | ongoing.page);
        if page.last {
            self.open.remove(&id);
        }
        Ok(Answer::Exported { lines: page.lines, next, unfinished: page.unfinished })
    }

    fn begin(&mut self, store: &Store, now: UnixMs, uptime_ms: u64) -> Result<u64, Refusal> {
        if self.open.len() >= MAX_OPEN {
            let text = texts::too_many_exports(MAX_OPEN);
            return Err(Refusal::new(RefusalKind::Limit, text));
        }
        let export = store.export(now).map_err(|error| failed(&error))?;
        // Beyond every number of this daemon and of earlier ones: a cursor of theirs must not fit.
        self.newest = (self.newest + 1).max(now.0 & (u64::MAX >> (PAGE_BITS + 1)));
        self.open.insert(self.newest, Ongoing { export, page: 0, began: uptime_ms, asked: uptime_ms });
        Ok(self.newest)
    }

    /// Ends those that nobody reads any more.
    pub(super) fn forget(&mut self, uptime_ms: u64) {
        self.open.retain(|_, ongoing| {
            uptime_ms.saturating_sub(ongoing.asked) < IDLE_MS
                && uptime_ms.saturating_sub(ongoing.began) < LONGEST_MS
        });
    }

    /// Ends all of them: their file is about to be replaced, and a reader that closes later would remove the new one's
    /// log.
    pub(super) fn end_all(&mut self) {
        self.open.clear();
    }
}

fn failed(error: &StoreError) -> Refusal {
    Refusal::new(RefusalKind::Internal, texts::export_failed(error))
}

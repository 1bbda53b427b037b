//! What the clients of this zellij session look at: asked of every board that listens, answered to the daemon once, in
//! time, with what is known by then.

use super::{Machine, Output};
use board_protocol::{
    daemon::ClientFocus,
    hello::Agreement,
    pipe::{Down, InstanceId},
};
use std::{collections::BTreeMap, time::Duration};

/// How long boards may take: they ask zellij, which answers in milliseconds; the daemon waits a little longer.
const LIMIT: Duration = Duration::from_millis(1_000);
/// Most questions at once: the daemon asks one after the other.
const MAX_OPEN: usize = 4;

/// One question.
#[derive(Debug)]
struct Open {
    since: Duration,
    seen: BTreeMap<InstanceId, Option<ClientFocus>>,
}

/// Questions that are not answered yet, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Looks(BTreeMap<u64, Open>);

impl Looks {
    pub(super) fn next_deadline(&self) -> Option<Duration> {
        self.0.values().map(|open| open.since + LIMIT).min()
    }
}

impl Machine {
    /// The daemon wants to know. Without a board there is nobody to ask.
    pub(super) fn on_look(&mut self, number: u64, now: Duration, out: &mut Vec<Output>) {
        let speaks = |agreement| matches!(agreement, Agreement::Speak(_));
        let boards = self.instances.iter().filter(|(_, instance)| speaks(instance.agreement));
        let seen: BTreeMap<_, _> = boards.map(|(id, _)| (*id, None)).collect();
        if seen.is_empty() {
            out.push(Output::Looked { number, clients: Vec::new() });
            return;
        }
        while self.looks.0.len() >= MAX_OPEN {
            self.looks.0.pop_first();
        }
        self.looks.0.insert(number, Open { since: now, seen });
        self.down.tell(Down::Look { number });
    }

    /// A board has answered.
    pub(super) fn on_looking(
        &mut self,
        instance: InstanceId,
        number: u64,
        focus: ClientFocus,
        out: &mut Vec<Output>,
    ) {
        let Some(open) = self.looks.0.get_mut(&number) else { return };
        if let Some(seen) = open.seen.get_mut(&instance) {
            *seen = Some(focus);
        }
        if open.seen.values().all(Option::is_some) {
            self.looked(number, out);
        }
    }

    /// Answers what has waited long enough.
    pub(super) fn give_up_looks(&mut self, now: Duration, out: &mut Vec<Output>) {
        let late: Vec<u64> =
            self.looks.0.iter().filter(|(_, open)| now >= open.since + LIMIT).map(|(id, _)| *id).collect();
        for number in late {
            self.looked(number, out);
        }
    }

    fn looked(&mut self, number: u64, out: &mut Vec<Output>) {
        if let Some(open) = self.looks.0.remove(&number) {
            let known = |focus: Option<ClientFocus>| focus.unwrap_or(ClientFocus::Unknown);
            out.push(Output::Looked { number, clients: open.seen.into_values().map(known).collect() });
        }
    }
}

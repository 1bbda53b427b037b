//! Facts that the daemon has not committed yet: pure.
//!
//! A fact stays here until it is acknowledged and is sent again after every reconnect; the daemon knows a second delivery
//! by generation and number. What is also on disk is only a copy for the case that this process ends.

use board_protocol::{
    host::HostFact,
    ids::{FactSeq, UnixMs},
};
use std::collections::VecDeque;

/// Most agent events that wait for the daemon in memory: minutes of a busy agent. Over it the hook is told to write to
/// the disk itself.
const MAX_REPORTS: usize = 1_000;
/// Most bytes of them, so that a host stays small while the daemon is away.
const MAX_REPORT_BYTES: usize = 4 * 1024 * 1024;

/// One fact that waits.
#[derive(Debug, Clone)]
pub(super) struct Waiting {
    /// Its number.
    pub(super) seq: FactSeq,
    /// When it happened; never before the fact in front of it, so that files on disk sort in the order of numbers.
    pub(super) at_ms: UnixMs,
    /// What happened.
    pub(super) fact: HostFact,
    /// Whether it is on disk, too.
    pub(super) spooled: bool,
}

/// The waiting facts.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    waiting: VecDeque<Waiting>,
    last: FactSeq,
    last_at: UnixMs,
    report_bytes: usize,
}

impl Outbox {
    /// Takes a fact and gives it its number. `None`: there is no room for one more event of the agent.
    ///
    /// Only the newest list of attached clients waits, and one line end of a person stands for those behind it: both
    /// can come at any rate while the daemon is away.
    pub(super) fn add(&mut self, fact: HostFact, now: UnixMs) -> Option<&Waiting> {
        match &fact {
            HostFact::AgentReported(report) => {
                let reports =
                    self.waiting.iter().filter(|w| matches!(w.fact, HostFact::AgentReported(_))).count();
                if reports >= MAX_REPORTS || self.report_bytes + report.payload.len() > MAX_REPORT_BYTES {
                    return None;
                }
                self.report_bytes += report.payload.len();
            }
            HostFact::AttachedChanged { .. } => {
                self.waiting.retain(|w| !matches!(w.fact, HostFact::AttachedChanged { left: None, .. }));
                if self.count_of_departures() >= MAX_REPORTS {
                    self.waiting.retain(|w| !matches!(w.fact, HostFact::AttachedChanged { .. }));
                }
            }
            HostFact::PersonTyped => {
                self.waiting.retain(|w| w.fact != HostFact::PersonTyped);
            }
            _ => {}
        }
        self.last = self.last.next();
        self.last_at = self.last_at.max(now);
        self.waiting.push_back(Waiting { seq: self.last, at_ms: self.last_at, fact, spooled: false });
        self.waiting.back()
    }

    fn count_of_departures(&self) -> usize {
        self.waiting.iter().filter(|w| matches!(w.fact, HostFact::AttachedChanged { .. })).count()
    }

    /// Everything up to `seq` is committed.
    pub(super) fn acknowledge(&mut self, seq: FactSeq) {
        while let Some(first) = self.waiting.front()
            && first.seq <= seq
        {
            if let Some(Waiting { fact: HostFact::AgentReported(report), .. }) = self.waiting.pop_front() {
                self.report_bytes = self.report_bytes.saturating_sub(report.payload.len());
            }
        }
    }

    /// Every waiting fact, oldest first.
    pub(super) fn waiting(&self) -> impl Iterator<Item = &Waiting> {
        self.waiting.iter()
    }

    /// Facts that are not on disk and belong there while the daemon is away. A list of attached clients does not: it is
    /// part of every registration, and on disk it would lie after a restart.
    pub(super) fn unspooled(&mut self) -> impl Iterator<Item = &mut Waiting> {
        self.waiting.iter_mut().filter(|w| !w.spooled && !matches!(w.fact, HostFact::AttachedChanged { .. }))
    }

    /// Whether everything is committed.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use board_protocol::{host::AgentReport, ids::Token};

    fn report(bytes: usize) -> HostFact {
        HostFact::AgentReported(AgentReport {
            token: Token("t".into()),
            adapter: "pi".into(),
            at_ms: UnixMs(1),
            payload: vec![0; bytes],
        })
    }

    fn numbers(outbox: &Outbox) -> Vec<u64> {
        outbox.waiting().map(|w| w.seq.0).collect()
    }

    #[test]
    fn facts_wait_in_order_until_they_are_acknowledged() {
        let mut outbox = Outbox::default();
        for at in [10, 5, 20] {
            outbox.add(report(1), UnixMs(at)).unwrap();
        }
        assert_eq!(numbers(&outbox), [1, 2, 3]);
        assert!(
            outbox.waiting().map(|w| w.at_ms).is_sorted(),
            "a clock that goes back does not reorder facts"
        );
        outbox.acknowledge(FactSeq(2));
        assert_eq!(numbers(&outbox), [3]);
        outbox.acknowledge(FactSeq(9));
        assert!(outbox.is_empty());
        assert_eq!(outbox.add(report(1), UnixMs(30)).unwrap().seq, FactSeq(4));
    }

    #[test]
    fn events_have_a_limit_and_acknowledging_makes_room() {
        let mut outbox = Outbox::default();
        for _ in 0..4 {
            outbox.add(report(MAX_REPORT_BYTES / 4), UnixMs(1)).unwrap();
        }
        assert!(outbox.add(report(1), UnixMs(1)).is_none());
        outbox.acknowledge(FactSeq(1));
        assert!(outbox.add(report(1), UnixMs(1)).is_some());
    }

    #[test]
    fn only_the_newest_list_of_clients_and_one_line_end_wait() {
        let mut outbox = Outbox::default();
        for _ in 0..5 {
            outbox.add(HostFact::AttachedChanged { attached: vec![], left: None }, UnixMs(1)).unwrap();
            outbox.add(HostFact::PersonTyped, UnixMs(1)).unwrap();
        }
        assert_eq!(numbers(&outbox), [9, 10]);
        assert_eq!(outbox.unspooled().count(), 1);
    }
}

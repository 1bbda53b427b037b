//! The status bar on its way through the machine: which instance speaks to it, and when.

use super::{Machine, SemanticState};
use crate::link::bar::{Bar, BarCounts, Freshness};
use board_protocol::{
    hello::Agreement,
    pipe::{DaemonHealth, Down, InstanceId},
};
use std::time::Duration;

/// The first version of the board protocol in which an instance can speak to a bar.
const SPEAKS_SINCE: u32 = 4;

/// So many answers to pings by each of the others without one of the speaker: then it is gone without a word.
const MISSED: usize = 8;

/// The bar, and who speaks to it.
#[derive(Debug)]
pub(super) struct Bars {
    bar: Option<Bar>,
    speaker: Option<InstanceId>,
    /// Who answered a ping last.
    alive: Option<InstanceId>,
    /// Answers of others since the speaker's last one.
    missed: usize,
}

impl Bars {
    pub(super) fn new(bar: Option<Bar>) -> Self {
        Self { bar, speaker: None, alive: None, missed: 0 }
    }

    /// An instance answered a ping.
    pub(super) fn alive(&mut self, instance: InstanceId) {
        self.alive = Some(instance);
        self.missed = if self.speaker == Some(instance) { 0 } else { self.missed.saturating_add(1) };
    }
}

impl Machine {
    /// When a bar is to be told something, given that somebody is there who can.
    pub(super) fn bar_deadline(&self) -> Option<Duration> {
        let bar = self.bars.bar.as_ref()?;
        self.bar_speaker()?;
        (self.wants_down() && self.mirror.is_known())
            .then(|| bar.next_deadline(&self.bar_counts(), self.freshness()))
    }

    /// Has an instance say what the bar should show, if that is due.
    pub(super) fn tell_bar(&mut self, now: Duration) {
        let Some(instance) = self.bar_speaker() else { return };
        if !self.mirror.is_known() {
            return;
        }
        let (counts, known) = (self.bar_counts(), self.freshness());
        let Some(bar) = &mut self.bars.bar else { return };
        if self.bars.speaker != Some(instance) {
            self.bars.speaker = Some(instance);
            self.bars.missed = 0;
            bar.forget();
        }
        if let Some(text) = bar.say(&counts, known, now) {
            let last_text = bar.farewell();
            self.down.tell_newest(Down::StatusBar { instance, text, last_text });
        }
    }

    /// The speaker so far, if it is still there; else whoever answered last, else the first that can.
    fn bar_speaker(&self) -> Option<InstanceId> {
        self.bars.bar.as_ref()?;
        let heard = self.bars.missed < MISSED.saturating_mul(self.instances.len());
        let can = |id: &InstanceId| {
            self.instances.get(id).is_some_and(
                |instance| matches!(instance.agreement, Agreement::Speak(v) if v >= SPEAKS_SINCE),
            )
        };
        let known = [self.bars.speaker.filter(|_| heard), self.bars.alive].into_iter().flatten();
        known.chain(self.instances.keys().copied()).find(can)
    }

    fn bar_counts(&self) -> BarCounts {
        BarCounts {
            groups: SemanticState::ALL.map(|state| self.mirror.count(state)),
            unread: self.mirror.unread(),
        }
    }

    fn freshness(&self) -> Freshness {
        match self.health {
            DaemonHealth::Connected { .. } => Freshness::Now,
            _ => Freshness::LastHeard,
        }
    }
}

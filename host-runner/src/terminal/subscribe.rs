//! What a client that subscribes gets: the chunks that it missed, or a snapshot (reference E.3). Used by the host
//! loop; decides, sends nothing.

use super::ring::OutputRing;
use board_protocol::{host::SnapshotCause, ids::OutputSeq};

/// The answer to a subscription.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubscribePlan {
    /// Send the chunks of the ring from this number on, then live output. There may be none yet.
    Replay {
        /// The first chunk to send.
        from: OutputSeq,
    },
    /// Send a snapshot, then live output.
    Snapshot {
        /// What to say about it.
        cause: SnapshotCause,
    },
}

/// Decides by reference E.3. `since` is the last chunk that the client shows, of this generation: 0 for a client that
/// shows the empty terminal of this generation, `None` for one that asks for a fresh screen.
pub fn subscribe_plan(ring: &OutputRing, since: Option<OutputSeq>) -> SubscribePlan {
    match since {
        None => SubscribePlan::Snapshot { cause: SnapshotCause::Asked },
        Some(since) if ring.after(since).is_some() => SubscribePlan::Replay { from: since.next() },
        Some(_) => SubscribePlan::Snapshot { cause: SnapshotCause::Resync },
    }
}

#[cfg(test)]
mod tests {
    use super::{super::ring::MAX_RING_CHUNKS, *};

    #[test]
    fn a_cursor_in_the_ring_is_replayed_and_every_other_one_gets_a_snapshot() {
        let replay = |from| SubscribePlan::Replay { from: OutputSeq(from) };
        let snapshot = |cause| SubscribePlan::Snapshot { cause };
        let mut ring = OutputRing::new();
        assert_eq!(subscribe_plan(&ring, None), snapshot(SnapshotCause::Asked));
        assert_eq!(
            subscribe_plan(&ring, Some(OutputSeq(0))),
            replay(1),
            "nothing to say until the first output"
        );
        assert_eq!(subscribe_plan(&ring, Some(OutputSeq(1))), snapshot(SnapshotCause::Resync));
        for _ in 0..MAX_RING_CHUNKS + 10 {
            ring.push(b"x");
        }
        let last = MAX_RING_CHUNKS as u64 + 10;
        assert_eq!(subscribe_plan(&ring, None), snapshot(SnapshotCause::Asked));
        assert_eq!(
            subscribe_plan(&ring, Some(OutputSeq(9))),
            snapshot(SnapshotCause::Resync),
            "a part is evicted"
        );
        assert_eq!(
            subscribe_plan(&ring, Some(OutputSeq(10))),
            replay(11),
            "everything that is missing is there"
        );
        assert_eq!(subscribe_plan(&ring, Some(OutputSeq(last))), replay(last + 1), "up to date");
        assert_eq!(
            subscribe_plan(&ring, Some(OutputSeq(last + 1))),
            snapshot(SnapshotCause::Resync),
            "from nowhere"
        );
    }
}

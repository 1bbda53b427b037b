//! From the PTY to everybody who looks: the part of the loop that has to be fast.

use super::{
    client::{Attached, Client, ClientId},
    event_loop::Host,
    pty::PtyRead,
    serve::SHRINK_AFTER,
};
use crate::terminal::{History, Snapshot};
use board_protocol::{
    daemon::ToDaemon,
    frame,
    host::{FromHost, LiveOutput, MAX_SNAPSHOT_FRAME_BYTES, ScrollbackOwner, SnapshotCause},
    ids::Size,
};
use rustix::event::PollFlags;
use serde::Serialize;
use std::{
    io,
    time::{Duration, Instant},
};

/// How much of the PTY one wake reads and one chunk holds.
const READ_BYTES: usize = 64 * 1024;
/// A read that gives less than this has taken what was there.
const FLOOD_READ_BYTES: usize = 1024;
/// Most reads after the program's end, when nobody writes any more.
const MAX_LAST_READS: usize = 1_000;
/// How often the daemon hears that a session prints.
const ACTIVITY_EVERY: Duration = Duration::from_secs(2);

/// [`FromHost::Unnumbered`] without owning its bytes.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum BorrowedUnnumbered<'a> {
    Unnumbered {
        #[serde(with = "serde_bytes")]
        data: &'a [u8],
    },
}

impl Host {
    /// The PTY is ready.
    pub(super) fn on_pty(&mut self, flags: PollFlags, now: Instant) {
        if let Some(pty) = &mut self.pty
            && flags.contains(PollFlags::OUT)
        {
            pty.flush();
        }
        if flags.intersects(PollFlags::IN | PollFlags::HUP | PollFlags::ERR)
            && self.read_pty(now) == PtyRead::HungUp
        {
            self.pty = None;
        }
        self.write_on(now);
    }

    /// Reads once and passes on what came.
    fn read_pty(&mut self, now: Instant) -> PtyRead {
        let Some(pty) = &mut self.pty else { return PtyRead::HungUp };
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.resize(READ_BYTES, 0);
        let mut filled = 0;
        // The kernel gives at most 4 KiB a read; one chunk for everything that is there costs clients less.
        let outcome = loop {
            match pty.read(buffer.get_mut(filled..).unwrap_or_default()) {
                PtyRead::Some(count) => {
                    filled += count;
                    // An answer to a key is there whole: asking for more would only delay it.
                    if filled == READ_BYTES || count < FLOOD_READ_BYTES {
                        break PtyRead::Some(filled);
                    }
                }
                end => break end,
            }
        };
        if let Some(input) = buffer.get(..filled)
            && !input.is_empty()
        {
            self.pass_on(input, now);
        }
        self.buffer = buffer;
        outcome
    }

    fn pass_on(&mut self, input: &[u8], now: Instant) {
        let mut answers = Vec::new();
        if self.screen.lag() == 0 {
            self.lags_since = Some(now);
        }
        let look = self.sizes.owner().and_then(|owner| {
            let client = self.clients.iter().find(|client| client.id == owner)?;
            client.attached.as_ref().map(|attached: &Attached| &attached.look)
        });
        let chunk = self.screen.take(input, look.unwrap_or(&self.no_look), &mut answers);
        let mut watched = false;
        if let Some((seq, data)) = chunk {
            if let Some(owned) = &mut self.owned {
                owned.printed(data, now);
            }
            self.screen_log.printed(now);
            self.encoded.clear();
            let encoded = frame::encode_into(&LiveOutput::Output { seq, data }, &mut self.encoded);
            for client in self.clients.iter_mut().filter(|client| client.is_subscribed()) {
                watched = true;
                let shown = match &encoded {
                    Ok(()) => client.show(seq, data, &self.encoded),
                    Err(error) => Err(io::Error::other(error.to_string())),
                };
                if let Err(error) = shown {
                    client.drop_at_once(now, &error);
                }
            }
            if self.clients.iter().any(Client::takes_unnumbered) {
                self.encoded.clear();
                let encoded = frame::encode_into(&BorrowedUnnumbered::Unnumbered { data }, &mut self.encoded);
                for client in self.clients.iter_mut().filter(|client| client.takes_unnumbered()) {
                    watched = true;
                    if encoded.is_ok()
                        && let Err(error) = client.show_unnumbered(&self.encoded)
                    {
                        client.drop_at_once(now, &error);
                    }
                }
            }
        }
        if let Some(pty) = &mut self.pty
            && !answers.is_empty()
        {
            pty.answer(&answers);
        }
        if !watched {
            self.screen.flush();
            // A session that nobody ever enters gives back what its output needed, as one that was left does.
            if self.shrink_at.is_none() && self.clients.iter().all(|client| client.attached.is_none()) {
                self.shrink_at = Some(now + SHRINK_AFTER);
            }
        }
        if let Some(writing) = &mut self.writing {
            writing.printed(now);
        }
        self.report_activity(now);
    }

    fn report_activity(&mut self, now: Instant) {
        let quiet = self.last_active.is_none_or(|last| now.duration_since(last) >= ACTIVITY_EVERY);
        if quiet && self.uplink.is_up() {
            self.last_active = Some(now);
            let event = self.uplink.send(&ToDaemon::HostActive { at_ms: Self::wall_clock() }, now);
            self.on_uplink_maybe(event, now);
        }
    }

    /// The program ended: whatever it wrote is read to the end.
    pub(super) fn drain_pty(&mut self, now: Instant) {
        for _ in 0..MAX_LAST_READS {
            if !matches!(self.read_pty(now), PtyRead::Some(_)) {
                break;
            }
        }
        self.screen.flush();
    }

    /// Gives the session the size that its clients want, PTY and model in one step (reference D.14).
    pub(super) fn apply_size(&mut self) {
        let Some(wanted) = self.sizes.wanted() else { return };
        if wanted != self.screen.size() {
            self.resize(wanted);
        }
    }

    fn resize(&mut self, size: Size) {
        let Some(pty) = &self.pty else { return };
        if let Err(error) = pty.resize(size) {
            tracing::warn!("the terminal stays at {}: {error}", self.screen.size());
            return;
        }
        self.screen.resize(size);
        if let Some(owned) = &mut self.owned {
            owned.text.resize(size);
        }
        for client in &mut self.clients {
            if client.is_subscribed() {
                // Queued behind what was shown already; the snapshot follows at once if nothing waits.
                if client.send(&FromHost::Resized(size)).is_ok() {
                    client.fall_behind(SnapshotCause::Resize);
                }
            }
        }
    }

    /// Sends a whole screen; live output follows.
    pub(super) fn send_snapshot(&mut self, id: ClientId, cause: SnapshotCause) -> io::Result<()> {
        let Some(client) = self.clients.iter_mut().find(|client| client.id == id) else { return Ok(()) };
        let owner = client.attached.as_ref().map_or(ScrollbackOwner::Person, |attached| attached.scrollback);
        let history = match owner {
            ScrollbackOwner::Session => History::Include,
            ScrollbackOwner::Person => History::Omit,
        };
        let Snapshot { bytes, unfinished } = self.screen.snapshot(history);
        client.send(&FromHost::SnapshotBegin {
            snapshot_seq: self.screen.last(),
            size: self.screen.size(),
            cause,
            generation: self.launch.generation.clone(),
        })?;
        for part in bytes.chunks(MAX_SNAPSHOT_FRAME_BYTES) {
            client.send(&FromHost::SnapshotFrame { data: part.to_vec() })?;
        }
        client.send(&FromHost::SnapshotEnd { next_seq: self.screen.next_seq() })?;
        client.go_live(unfinished);
        client.flush()
    }

    /// Writes what waits, sends snapshots that are due, and removes connections that are over.
    pub(super) fn tend_clients(&mut self, now: Instant) {
        let mut due = Vec::new();
        for client in &mut self.clients {
            if let Err(error) = client.flush() {
                client.drop_at_once(now, &error);
            }
            if let Some(cause) = client.snapshot_due() {
                due.push((client.id, cause));
            }
        }
        for (id, cause) in due {
            if let Err(error) = self.send_snapshot(id, cause) {
                self.client_mut(id, |client: &mut Client| client.drop_at_once(now, &error));
            }
        }
        self.remove_closed(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use board_protocol::ids::OutputSeq;

    #[test]
    fn the_borrowed_frame_is_the_frame_of_the_protocol() {
        let seq = OutputSeq(7);
        let owned = frame::encode(&FromHost::Output { seq, data: b"\x1b[mx".to_vec() }).unwrap();
        let live = LiveOutput::Output { seq, data: b"\x1b[mx" };
        assert_eq!(frame::encode(&live).unwrap(), owned);
        assert_eq!(LiveOutput::read(&owned[4..]), Some(live));
        let other = frame::encode(&FromHost::SnapshotFrame { data: b"x".to_vec() }).unwrap();
        assert_eq!(LiveOutput::read(&other[4..]), None);
        let owned = frame::encode(&FromHost::Unnumbered { data: b"y".to_vec() }).unwrap();
        assert_eq!(frame::encode(&BorrowedUnnumbered::Unnumbered { data: b"y" }).unwrap(), owned);
    }
}

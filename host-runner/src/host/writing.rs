//! How a person's words are written to the program: pure, a machine of time and what the terminal says.
//!
//! An agent that gets text and Enter in one go takes the Enter for a part of a paste (field report D4: 200 to 300 ms of
//! debounce were seen). So the Enter goes by itself, after the program has been quiet for a while. Nothing waits for it:
//! the loop comes back at [`Writing::next_deadline`].

use board_protocol::{host::Typing, ids::QueueItemId};
use board_text::host as texts;
use std::time::{Duration, Instant};

/// How long the program must have been quiet before the Enter: half more than the longest debounce that was reported.
const QUIET: Duration = Duration::from_millis(300);
/// When the Enter goes although the program is not quiet: one that draws a clock or a spinner never is.
const QUIET_AT_MOST: Duration = Duration::from_secs(2);
/// How long a program that pastes are meant for may take until it asks for them: an agent that starts on a loaded machine.
/// After that it is one that never does.
const READY_AT_MOST: Duration = Duration::from_secs(10);
/// How long the keys of whoever is attached wait for the end of the writing, at most. Among the words they would be
/// read as a part of them; later than this the program does not read at all, and the person may want to interrupt it.
const KEYS_WAIT_AT_MOST: Duration = Duration::from_secs(3);

/// Most bytes of one line that the kernel hands to a program for which it puts lines together; it drops the rest without
/// a word (`termios(3)`: 4096 with the line end).
pub(super) const MAX_COOKED_LINE_BYTES: usize = 4095;

/// Whether the program asked for marked pastes (`?2004`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pastes {
    /// It did: line ends inside the marks do not submit.
    Marked,
    /// It did not.
    Plain,
}

/// Who assembles lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lines {
    /// The kernel: the program gets a line once it is complete.
    Cooked,
    /// The program, key by key.
    Raw,
}

/// What the terminal is like right now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Terminal {
    /// Whether pastes are marked.
    pub(super) pastes: Pastes,
    /// Who assembles lines.
    pub(super) lines: Lines,
    /// Bytes that the program has not taken yet.
    pub(super) waiting: usize,
}

/// What to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// Write these bytes.
    Write(Vec<u8>),
    /// Everything is written. Nothing else should be typed for this long, or the Enter is one of many keys again.
    Done {
        /// How long.
        rest: Duration,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The Enter of the words before is still too near.
    Resting { until: Instant },
    /// The program is not ready for a paste.
    Readying { until: Instant },
    /// The words are on their way.
    Words,
    /// They were taken; the program draws them.
    Settling { quiet_since: Instant, until: Instant },
    /// The Enter is on its way.
    Enter { rest: Duration },
}

/// Words on their way to the program.
#[derive(Debug)]
pub(super) struct Writing {
    /// Which.
    pub(super) item: QueueItemId,
    text: String,
    typing: Typing,
    phase: Phase,
    begun: bool,
    /// Until when keys wait for the end.
    keys_until: Option<Instant>,
}

impl Writing {
    /// Nothing is written yet, and nothing will be before `from`.
    pub(super) fn new(item: QueueItemId, text: String, typing: Typing, from: Instant) -> Self {
        Self { item, text, typing, phase: Phase::Resting { until: from }, begun: false, keys_until: None }
    }

    /// Whether the program may have got a part of the words.
    pub(super) fn has_begun(&self) -> bool {
        self.begun
    }

    /// Why these words may not be written to a terminal like this, if they may not: a part of them would be lost. Nothing
    /// of them is written yet.
    pub(super) fn unwritable(&self, terminal: Terminal) -> Option<String> {
        let cooked = terminal.lines == Lines::Cooked && terminal.pastes == Pastes::Plain;
        // A paste waits for a program that is only starting.
        if !cooked || self.begun || self.typing == Typing::Paste {
            return None;
        }
        let longest = self.text.split('\n').map(str::len).max().unwrap_or(0);
        (longest > MAX_COOKED_LINE_BYTES).then(|| texts::line_cut(longest, MAX_COOKED_LINE_BYTES))
    }

    /// Whether the keys of whoever is attached wait for the end.
    pub(super) fn keeps_keys(&self, now: Instant) -> bool {
        self.keys_until.is_some_and(|until| now < until)
    }

    /// The program printed something.
    pub(super) fn printed(&mut self, now: Instant) {
        if let Phase::Settling { quiet_since, .. } = &mut self.phase {
            *quiet_since = now;
        }
    }

    /// What is to be done now, if anything is. Asked until there is nothing.
    pub(super) fn on(&mut self, terminal: Terminal, now: Instant) -> Option<Step> {
        // Once over it is over, and nobody waits for it again.
        self.keys_until.take_if(|until| now >= *until);
        if let Phase::Resting { until } = self.phase {
            if now < until {
                return None;
            }
            let ready_by = match self.typing {
                Typing::Line => now,
                Typing::Paste => now + READY_AT_MOST,
            };
            self.phase = Phase::Readying { until: ready_by };
        }
        match self.phase {
            Phase::Resting { .. } => None,
            Phase::Readying { until } => {
                if terminal.pastes == Pastes::Plain && now < until {
                    return None;
                }
                self.begun = true;
                self.keys_until = Some(now + KEYS_WAIT_AT_MOST);
                let mut bytes = typed(&self.text, terminal.pastes);
                self.phase = Phase::Words;
                // Nobody debounces what the kernel hands over line by line.
                if terminal.lines == Lines::Cooked && terminal.pastes == Pastes::Plain {
                    bytes.push(b'\r');
                    self.phase = Phase::Enter { rest: Duration::ZERO };
                }
                Some(Step::Write(bytes))
            }
            Phase::Words if terminal.waiting > 0 => None,
            Phase::Words => {
                self.phase = Phase::Settling { quiet_since: now, until: now + QUIET_AT_MOST };
                None
            }
            Phase::Settling { quiet_since, until } => {
                if now < (quiet_since + QUIET).min(until) {
                    return None;
                }
                self.phase = Phase::Enter { rest: QUIET };
                Some(Step::Write(b"\r".to_vec()))
            }
            Phase::Enter { .. } if terminal.waiting > 0 => None,
            Phase::Enter { rest } => Some(Step::Done { rest }),
        }
    }

    /// When [`Writing::on`] has to be asked again although nothing happened.
    pub(super) fn next_deadline(&self) -> Option<Instant> {
        let phase = match self.phase {
            Phase::Resting { until } | Phase::Readying { until } => Some(until),
            Phase::Settling { quiet_since, until } => Some((quiet_since + QUIET).min(until)),
            Phase::Words | Phase::Enter { .. } => None,
        };
        phase.into_iter().chain(self.keys_until).min()
    }
}

/// The bytes that a terminal sends when a person pastes these words: line ends are the key Enter there.
fn typed(text: &str, pastes: Pastes) -> Vec<u8> {
    let keys = text.replace('\n', "\r").into_bytes();
    match pastes {
        Pastes::Plain => keys,
        Pastes::Marked => [b"\x1b[200~".as_slice(), &keys, b"\x1b[201~"].concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MARKED: Terminal = Terminal { pastes: Pastes::Marked, lines: Lines::Raw, waiting: 0 };
    const RAW: Terminal = Terminal { pastes: Pastes::Plain, lines: Lines::Raw, waiting: 0 };
    const COOKED: Terminal = Terminal { pastes: Pastes::Plain, lines: Lines::Cooked, waiting: 0 };

    fn writing(text: &str, typing: Typing, now: Instant) -> Writing {
        Writing::new(QueueItemId("aa".into()), text.into(), typing, now)
    }

    fn write(bytes: &[u8]) -> Option<Step> {
        Some(Step::Write(bytes.to_vec()))
    }

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn a_line_for_the_kernel_goes_in_one_piece() {
        let now = Instant::now();
        let mut writing = writing("a\nb", Typing::Line, now);
        assert!(!writing.has_begun());
        assert_eq!(writing.on(COOKED, now), write(b"a\rb\r"));
        assert!(writing.has_begun());
        assert_eq!(writing.on(Terminal { waiting: 1, ..COOKED }, now), None);
        assert_eq!(writing.on(COOKED, now), Some(Step::Done { rest: Duration::ZERO }));
    }

    // The kernel drops what is over its limit, and the words counted as written.
    #[test]
    fn a_line_that_the_kernel_would_cut_is_not_written() {
        let now = Instant::now();
        let fits = "é".repeat(MAX_COOKED_LINE_BYTES / 2);
        assert_eq!(writing(&format!("{fits}\n{fits}"), Typing::Line, now).unwritable(COOKED), None);
        let long = writing(&format!("a\n{fits}xy"), Typing::Line, now);
        assert!(long.unwritable(COOKED).unwrap().contains("4096 bytes"), "{:?}", long.unwritable(COOKED));
        assert_eq!(long.unwritable(RAW), None, "a program that reads keys gets them all");
        assert_eq!(long.unwritable(Terminal { pastes: Pastes::Marked, ..COOKED }), None);
    }

    // Field report D4: text and Enter too close together, and the Enter was swallowed.
    #[test]
    fn d4_the_enter_follows_once_the_program_is_quiet_and_at_last_in_any_case() {
        let start = Instant::now();
        let mut quiet = writing("fix it", Typing::Line, start);
        assert_eq!(quiet.on(RAW, start), write(b"fix it"));
        assert_eq!(quiet.on(Terminal { waiting: 3, ..RAW }, start), None);
        let taken = start + ms(40);
        assert_eq!(quiet.on(RAW, taken), None);
        assert_eq!(quiet.next_deadline(), Some(taken + QUIET));
        quiet.printed(taken + ms(100));
        assert_eq!(quiet.on(RAW, taken + ms(399)), None);
        assert_eq!(quiet.on(RAW, taken + ms(400)), write(b"\r"));
        assert_eq!(quiet.on(RAW, taken + ms(401)), Some(Step::Done { rest: QUIET }));
        let mut never = writing("fix it", Typing::Line, start);
        assert_eq!(never.on(RAW, start), write(b"fix it"));
        assert_eq!(never.on(RAW, start), None);
        let mut now = start;
        while now < start + QUIET_AT_MOST {
            never.printed(now);
            assert_eq!(never.on(RAW, now), None, "{:?}", now - start);
            now += ms(50);
        }
        never.printed(now);
        assert_eq!(never.on(RAW, now), write(b"\r"));
    }

    #[test]
    fn the_next_words_keep_away_from_the_enter_before() {
        let start = Instant::now();
        let mut next = writing("fix it", Typing::Line, start + QUIET);
        assert_eq!(next.on(RAW, start), None);
        assert_eq!(next.next_deadline(), Some(start + QUIET));
        assert_eq!(next.on(RAW, start + QUIET), write(b"fix it"));
    }

    #[test]
    fn a_paste_waits_for_a_program_that_starts_and_not_for_ever() {
        let start = Instant::now();
        let mut paste = writing("one\ntwo", Typing::Paste, start);
        assert_eq!(paste.on(COOKED, start), None);
        assert_eq!(paste.next_deadline(), Some(start + READY_AT_MOST));
        assert!(!paste.keeps_keys(start), "nothing is being written");
        assert_eq!(paste.on(MARKED, start + ms(900)), write(b"\x1b[200~one\rtwo\x1b[201~"));
        assert!(paste.keeps_keys(start + ms(950)));
        assert!(!paste.keeps_keys(start + ms(900) + KEYS_WAIT_AT_MOST));
        let mut never = writing("one", Typing::Paste, start);
        assert_eq!(never.on(RAW, start), None);
        assert_eq!(never.on(RAW, start + READY_AT_MOST), write(b"one"));
    }

    proptest! {
        // Whatever the terminal does in between: the words once, then one Enter, then the end; and there is always
        // something to wait for.
        #[test]
        fn words_then_one_enter_then_the_end(
            steps in prop::collection::vec((0_u64..600, any::<bool>(), any::<bool>(), 0_usize..2, any::<bool>()), 1..80),
            paste in any::<bool>(),
        ) {
            let mut now = Instant::now();
            let typing = if paste { Typing::Paste } else { Typing::Line };
            let mut writing = writing("words", typing, now);
            let (mut written, mut done) = (Vec::new(), 0);
            let quiet = std::iter::repeat_n((600, false, true, 0, false), 40);
            for (passed, marked, raw, waiting, printed) in steps.into_iter().chain(quiet) {
                now += ms(passed);
                if printed {
                    writing.printed(now);
                }
                let pastes = if marked { Pastes::Marked } else { Pastes::Plain };
                let lines = if raw { Lines::Raw } else { Lines::Cooked };
                while done == 0 && let Some(step) = writing.on(Terminal { pastes, lines, waiting }, now) {
                    match step {
                        Step::Write(bytes) => written.push(bytes),
                        Step::Done { .. } => done += 1,
                    }
                }
                prop_assert!(done == 1 || writing.next_deadline().is_some() || waiting > 0);
            }
            prop_assert_eq!(done, 1);
            let all = String::from_utf8(written.concat()).unwrap();
            let words = all.replace("\x1b[200~", "").replace("\x1b[201~", "");
            prop_assert_eq!(words, "words\r");
        }
    }
}

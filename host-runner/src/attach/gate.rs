//! What is typed while it cannot be passed on: pure. It is kept up to a limit; what is beyond is dropped whole, never a part
//! of it in silence, and a paste that was begun is ended.

use super::keys::Within;

const PASTE_END: &[u8] = b"\x1b[201~";

/// What became of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admitted {
    /// It may go on.
    All,
    /// It was dropped, or all of it but what ends a paste: the person must be told.
    Dropped,
}

/// Between the person's keys and whoever takes them.
#[derive(Debug, Default)]
pub struct Gate {
    /// Something was dropped: everything else is, too, until there is room again and no paste is cut in two.
    dropping: bool,
    /// What was passed on ends inside a bracketed paste.
    open_paste: bool,
}

impl Gate {
    /// Looks at a batch: `waiting` bytes wait in front of it and at most `limit` may. `within` is where the batch ends.
    pub fn admit(&mut self, typed: &mut Vec<u8>, waiting: usize, limit: usize, within: Within) -> Admitted {
        if self.dropping && waiting == 0 && within == Within::Keys {
            self.dropping = false;
            // The end of the paste that was cut comes with this batch: only what is typed next is whole.
            if typed.windows(PASTE_END.len()).any(|part| part == PASTE_END) {
                typed.clear();
                return Admitted::Dropped;
            }
        }
        if !self.dropping && waiting.saturating_add(typed.len()) <= limit {
            self.open_paste = within == Within::Paste;
            return Admitted::All;
        }
        self.dropping = true;
        typed.clear();
        // A program that saw the start of a paste takes every key for text until it sees an end.
        if std::mem::take(&mut self.open_paste) {
            typed.extend_from_slice(PASTE_END);
        }
        Admitted::Dropped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: usize = 10;

    fn admit(gate: &mut Gate, text: &str, waiting: usize, within: Within) -> (String, Admitted) {
        let mut typed = text.as_bytes().to_vec();
        let admitted = gate.admit(&mut typed, waiting, LIMIT, within);
        (String::from_utf8(typed).unwrap(), admitted)
    }

    #[test]
    fn what_fits_passes_and_what_does_not_is_dropped_whole_until_there_is_room() {
        let mut gate = Gate::default();
        assert_eq!(admit(&mut gate, "0123", 6, Within::Keys), ("0123".into(), Admitted::All));
        assert_eq!(admit(&mut gate, "x", 10, Within::Keys), (String::new(), Admitted::Dropped));
        assert_eq!(admit(&mut gate, "y", 3, Within::Keys), (String::new(), Admitted::Dropped), "no gap");
        assert_eq!(admit(&mut gate, "z", 0, Within::Keys), ("z".into(), Admitted::All));
    }

    // Field report D3: an oversize paste was cut, and its end marker lost.
    #[test]
    fn d3_a_paste_that_is_cut_is_ended_once_and_its_rest_never_arrives() {
        let mut gate = Gate::default();
        assert_eq!(admit(&mut gate, "\x1b[200~abc", 0, Within::Paste).1, Admitted::All);
        assert_eq!(admit(&mut gate, "def", 9, Within::Paste), ("\x1b[201~".into(), Admitted::Dropped));
        assert_eq!(admit(&mut gate, "ghi", 9, Within::Paste), (String::new(), Admitted::Dropped));
        assert_eq!(admit(&mut gate, "jkl", 0, Within::Paste), (String::new(), Admitted::Dropped));
        assert_eq!(admit(&mut gate, "m\x1b[201~", 0, Within::Keys), (String::new(), Admitted::Dropped));
        assert_eq!(admit(&mut gate, "n", 0, Within::Keys), ("n".into(), Admitted::All));
    }
}

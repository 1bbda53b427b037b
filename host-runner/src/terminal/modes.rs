//! The switches of a terminal that draw nothing: mouse, paste, keypad, focus and their kin. Used by the model, by
//! snapshots and by DECRQM.

use super::answer::ModeReport;

/// Most modes that are remembered beside the known ones; programs set a handful.
const MAX_OTHER_MODES: usize = 64;

/// Known modes that are off at the start.
const KNOWN: [u16; 19] =
    [1, 5, 9, 12, 45, 66, 1000, 1002, 1003, 1004, 1005, 1006, 1015, 1016, 2004, 2026, 2031, 1001, 1042];
/// Known modes that are on at the start.
const KNOWN_SET: [u16; 2] = [25, 1007];
/// Only one of these is on.
const MOUSE_PROTOCOLS: [u16; 5] = [9, 1000, 1001, 1002, 1003];
/// Only one of these is on.
const MOUSE_ENCODINGS: [u16; 4] = [1005, 1006, 1015, 1016];

/// Private modes that differ from their start, in the order in which they were changed.
#[derive(Debug, Clone, Default)]
pub(super) struct Modes {
    changed: Vec<(u16, bool)>,
}

impl Modes {
    /// Follows DECSET and DECRST.
    pub(super) fn set(&mut self, mode: u16, on: bool) {
        if on {
            for group in [&MOUSE_PROTOCOLS[..], &MOUSE_ENCODINGS[..]] {
                if group.contains(&mode) {
                    self.changed.retain(|(other, _)| !group.contains(other));
                }
            }
        }
        self.changed.retain(|(other, _)| *other != mode);
        if on != starts_set(mode) {
            if self.changed.len() >= MAX_OTHER_MODES + KNOWN.len() {
                self.changed.remove(0);
            }
            self.changed.push((mode, on));
        }
    }

    pub(super) fn is_set(&self, mode: u16) -> bool {
        self.changed.iter().find(|(other, _)| *other == mode).map_or(starts_set(mode), |(_, on)| *on)
    }

    /// How DECRPM reports it. A mode that we only pass on is unknown: nobody can say what the client makes of it.
    pub(super) fn report(&self, mode: u16) -> ModeReport {
        if KNOWN.contains(&mode) || KNOWN_SET.contains(&mode) {
            self.is_set(mode).into()
        } else {
            ModeReport::Unknown
        }
    }

    /// Everything that differs from the start, oldest change first.
    pub(super) fn changed(&self) -> impl Iterator<Item = (u16, bool)> {
        self.changed.iter().copied()
    }
}

fn starts_set(mode: u16) -> bool {
    KNOWN_SET.contains(&mode)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mouse_protocols_and_encodings_exclude_each_other() {
        let mut modes = Modes::default();
        for mode in [1000, 1003, 1006, 1002, 1005] {
            modes.set(mode, true);
        }
        assert_eq!(modes.changed().collect::<Vec<_>>(), [(1002, true), (1005, true)]);
        modes.set(1000, false);
        assert!(modes.is_set(1002), "switching another protocol off leaves this one");
    }

    #[test]
    fn only_what_differs_is_remembered_and_it_is_bounded() {
        let mut modes = Modes::default();
        modes.set(25, false);
        modes.set(25, true);
        modes.set(2004, false);
        assert_eq!(modes.changed().count(), 0);
        for mode in 3000..4000 {
            modes.set(mode, true);
        }
        assert!(modes.changed().count() <= MAX_OTHER_MODES + KNOWN.len());
        assert!(modes.is_set(3999));
    }
}

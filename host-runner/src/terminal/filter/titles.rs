//! The window titles of a program, and the stack that it keeps them on (`CSI 22 t`, `CSI 23 t`). Used by the filter.
//!
//! Clients never see the stack: their terminals have one of their own, with the person's title on it, and a client that
//! attaches late would have to fill it. A title that comes back is sent as a title.

/// Deepest stack that is kept (xterm); the oldest title goes then.
const MAX_DEPTH: usize = 10;

/// What a program does with the stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TitleStack {
    Push,
    Pop,
    /// The name of the icon only, which nobody shows.
    Icon,
}

/// What `CSI body` does with the stack; `None` when that is none of its sequences.
pub(super) fn stack(body: &[u8]) -> Option<TitleStack> {
    let mut numbers = body.strip_suffix(b"t")?.split(|b| *b == b';');
    let (verb, which) = (numbers.next()?, numbers.next().unwrap_or_default());
    match (verb, which) {
        (b"22" | b"23", b"1") => Some(TitleStack::Icon),
        (b"22", b"" | b"0" | b"2") => Some(TitleStack::Push),
        (b"23", b"" | b"0" | b"2") => Some(TitleStack::Pop),
        _ => None,
    }
}

/// The titles. Each is as the program wrote it, and at most as long as a sequence that the filter collects.
#[derive(Debug, Default)]
pub(super) struct Titles {
    current: Vec<u8>,
    stack: Vec<Vec<u8>>,
}

impl Titles {
    /// A title was set: `body` of an operating system command, with its number.
    pub(super) fn set(&mut self, body: &[u8]) {
        let start = body.iter().position(|b| *b == b';').map_or(body.len(), |n| n + 1);
        self.current = body.get(start..).unwrap_or_default().to_vec();
    }

    /// Follows the stack. Writes the title that comes back; one from an empty stack is nobody's.
    pub(super) fn follow(&mut self, change: TitleStack, output: &mut Vec<u8>) {
        match change {
            TitleStack::Icon => {}
            TitleStack::Push => {
                if self.stack.len() >= MAX_DEPTH {
                    self.stack.remove(0);
                }
                self.stack.push(self.current.clone());
            }
            TitleStack::Pop => {
                let Some(title) = self.stack.pop() else { return };
                output.extend_from_slice(b"\x1b]2;");
                output.extend_from_slice(&title);
                output.extend_from_slice(b"\x1b\\");
                self.current = title;
            }
        }
    }
}

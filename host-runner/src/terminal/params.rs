//! The numbers of a control sequence, with their sub-parameters. Used by the parser and by everything that reads one.

/// Most numbers of one sequence; more are ignored, as by `vte`.
pub(super) const MAX_PARAMS: usize = 32;

/// Numbers separated by `;`, each with sub-parameters separated by `:`.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Params {
    values: [u16; MAX_PARAMS],
    /// Bit n is set when value n is a sub-parameter of the one before it.
    sub: u32,
    len: usize,
}

impl Params {
    /// Appends a number; `false` when there is no room.
    pub(super) fn push(&mut self, value: u16, is_sub: bool) -> bool {
        let Some(slot) = self.values.get_mut(self.len) else { return false };
        *slot = value;
        if is_sub {
            self.sub |= 1 << self.len;
        }
        self.len += 1;
        true
    }

    /// Each number with its sub-parameters.
    pub(super) fn groups(&self) -> Groups<'_> {
        Groups { params: self, at: 0 }
    }

    /// Number `n` (from 0), or `default` where it is missing or 0.
    pub(super) fn get(&self, n: usize, default: u16) -> u16 {
        if self.sub == 0 {
            return match self.values.get(n) {
                Some(&value) if n < self.len && value != 0 => value,
                _ => default,
            };
        }
        match self.groups().nth(n).and_then(|group| group.first().copied()) {
            Some(value) if value != 0 => value,
            _ => default,
        }
    }

    /// How many values there are, sub-parameters included.
    pub(super) fn len(&self) -> usize {
        self.len
    }
}

/// See [`Params::groups`].
pub(super) struct Groups<'a> {
    params: &'a Params,
    at: usize,
}

impl<'a> Iterator for Groups<'a> {
    type Item = &'a [u16];

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.at;
        if start >= self.params.len {
            return None;
        }
        self.at += 1;
        while self.at < self.params.len && self.params.sub & (1 << self.at) != 0 {
            self.at += 1;
        }
        self.params.values.get(start..self.at)
    }
}

/// A complete control sequence.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Csi {
    pub(super) params: Params,
    /// One of `<=>?`, or 0.
    pub(super) prefix: u8,
    /// The last intermediate, or 0.
    pub(super) intermediate: u8,
    pub(super) last: u8,
}

/// What [`parse_csi`] found.
pub(super) enum Parsed {
    /// A sequence and how many bytes it has, ESC and `[` included.
    Complete(Csi, usize),
    /// Something else than a whole, plain sequence: for the slow parser.
    Other,
}

/// Reads a control sequence at the start of `bytes`, which begin with ESC `[`, if it is whole and of the usual form.
pub(super) fn parse_csi(bytes: &[u8]) -> Parsed {
    let mut csi = Csi::default();
    let mut at = 2;
    if let Some(&mark @ b'<'..=b'?') = bytes.get(at) {
        csi.prefix = mark;
        at += 1;
    }
    let mut value = 0_u16;
    let mut is_sub = false;
    loop {
        let Some(&byte) = bytes.get(at) else { return Parsed::Other };
        at += 1;
        match byte {
            b'0'..=b'9' => value = value.saturating_mul(10).saturating_add(u16::from(byte - b'0')),
            b';' | b':' => {
                if !csi.params.push(value, is_sub) {
                    return Parsed::Other;
                }
                value = 0;
                is_sub = byte == b':';
            }
            b'@'..=b'~' => {
                if !csi.params.push(value, is_sub) {
                    return Parsed::Other;
                }
                csi.last = byte;
                return Parsed::Complete(csi, at);
            }
            b' '..=b'/' => {
                // One intermediate directly before the final byte.
                let Some(&last @ b'@'..=b'~') = bytes.get(at) else { return Parsed::Other };
                if !csi.params.push(value, is_sub) {
                    return Parsed::Other;
                }
                csi.intermediate = byte;
                csi.last = last;
                return Parsed::Complete(csi, at + 1);
            }
            _ => return Parsed::Other,
        }
    }
}

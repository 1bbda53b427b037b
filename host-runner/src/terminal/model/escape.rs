//! Control characters, escape sequences and operating system commands.

use super::{
    super::state::{Charset, MAX_TITLE_BYTES},
    Model,
};

/// Longest hyperlink (parameters and address) that is kept, in bytes; a longer one is no link.
const MAX_LINK_BYTES: usize = 4 * 1024;
/// Longest colour that is kept, in bytes.
const MAX_COLOUR_BYTES: usize = 64;

impl Model {
    pub(super) fn control(&mut self, byte: u8) {
        match byte {
            0x08 => {
                self.unwrap_cursor();
                self.out.push(byte);
            }
            b'\t' => self.tab(1),
            b'\n' | 0x0b | 0x0c => {
                self.line_feed();
                if self.state.newline {
                    self.carriage_return();
                }
            }
            b'\r' => self.carriage_return(),
            0x0e => self.state.charsets.active = 1,
            0x0f => self.state.charsets.active = 0,
            _ => {}
        }
    }

    pub(super) fn carriage_return(&mut self) {
        self.may_wrap = false;
        self.out.push(b'\r');
    }

    pub(super) fn escape(&mut self, intermediates: &[u8], byte: u8) {
        match (intermediates, byte) {
            ([], b'7') => self.save_cursor(),
            ([], b'8') => self.restore_cursor(),
            ([], b'=') => self.state.application_keypad = true,
            ([], b'>') => self.state.application_keypad = false,
            ([], b'D') => self.line_feed(),
            ([], b'E') => {
                self.line_feed();
                self.carriage_return();
            }
            ([], b'H') => {
                let col = self.cursor().col;
                self.state.tabs.set(col, true);
            }
            ([], b'M') => self.reverse_index(),
            ([], b'c') => self.reset(),
            ([], b'n') => self.state.charsets.active = 2,
            ([], b'o') => self.state.charsets.active = 3,
            ([b'#'], b'8') => self.alignment_test(),
            ([set @ (b'(' | b')' | b'*' | b'+')], name) => {
                let charset = if name == b'0' { Charset::Graphics } else { Charset::Ascii };
                if let Some(slot) = self.state.charsets.sets.get_mut(usize::from(set - b'(')) {
                    *slot = charset;
                }
            }
            _ => {}
        }
    }

    pub(super) fn operating_system_command(&mut self, params: &[&[u8]]) {
        let Some((&number, values)) = params.split_first() else { return };
        match number {
            b"0" | b"2" => {
                if values.is_empty() {
                    return;
                }
                let joined = values.join(&b';');
                let mut title = String::from_utf8_lossy(&joined).trim().to_owned();
                let mut end = title.len().min(MAX_TITLE_BYTES);
                while !title.is_char_boundary(end) {
                    end -= 1;
                }
                title.truncate(end);
                title.retain(|c| !c.is_control());
                self.state.title = Some(title);
            }
            b"8" => {
                if let Some((parameters, address)) = values.split_first() {
                    let address = address.join(&b';');
                    let link = [parameters, &b";"[..], &address].concat();
                    let is_link = !address.is_empty() && link.len() <= MAX_LINK_BYTES && is_clean(&link);
                    self.state.link = is_link.then(|| link.into());
                }
            }
            b"4" => {
                for pair in values.chunks(2) {
                    if let &[index, colour] = pair
                        && let Some(index) = palette_index(index)
                        && is_colour(colour)
                    {
                        self.state.palette.insert(index, colour.into());
                        self.state.touched.palette = true;
                    }
                }
            }
            b"104" => {
                if values.iter().all(|value| value.is_empty()) {
                    self.state.palette.clear();
                }
                for index in values.iter().filter_map(|value| palette_index(value)) {
                    self.state.palette.remove(&index);
                }
            }
            b"10" | b"11" | b"12" => {
                let first = usize::from(number[1] - b'0');
                let slots = self.state.dynamic.iter_mut().zip(&mut self.state.touched.dynamic);
                for ((slot, touched), colour) in slots.skip(first).zip(values) {
                    if is_colour(colour) {
                        *slot = Some((*colour).into());
                        *touched = true;
                    }
                }
            }
            b"110" | b"111" | b"112" => {
                if let Some(slot) = self.state.dynamic.get_mut(usize::from(number[2] - b'0')) {
                    *slot = None;
                }
            }
            _ => {}
        }
    }
}

fn palette_index(digits: &[u8]) -> Option<u8> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

fn is_colour(text: &[u8]) -> bool {
    !text.is_empty() && text.len() <= MAX_COLOUR_BYTES && text != b"?" && is_clean(text)
}

/// Text that can stand in a sequence of ours without ending it.
fn is_clean(text: &[u8]) -> bool {
    std::str::from_utf8(text).is_ok_and(|text| !text.chars().any(char::is_control))
}

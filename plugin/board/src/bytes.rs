//! What zellij writes to a plugin's standard input: bytes, as a JSON list of numbers. Called by the shell around the board.

/// Turns a JSON list of bytes into those bytes, where it lies, and returns how many they are. `None`: it is no such list.
///
/// A page of rows is a list of sixteen thousand, and this is an interpreter: a general reader of JSON took longer for it
/// than everything that the board does with the rows.
pub fn in_place(line: &mut [u8]) -> Option<usize> {
    let (mut written, mut number) = (0_usize, None::<u32>);
    for at in 0..line.len() {
        match *line.get(at)? {
            digit @ b'0'..=b'9' => {
                number = Some(number.unwrap_or(0) * 10 + u32::from(digit - b'0'));
                if number > Some(255) {
                    return None;
                }
            }
            b',' | b']' => {
                if let Some(number) = number.take() {
                    // A number has at least one digit and one sign after it: what is written never overtakes what is read.
                    *line.get_mut(written)? = u8::try_from(number).ok()?;
                    written += 1;
                }
            }
            // zellij ends its lines as for a terminal: with a carriage return in front of the line feed.
            b'[' | b' ' | b'\t' | b'\r' | b'\n' => {}
            _ => return None,
        }
    }
    number.is_none().then_some(written)
}

#[cfg(test)]
mod tests {
    use super::in_place;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_list_is_read_as_every_reader_of_json_reads_it(bytes: Vec<u8>, line_end in "\r?\n?", spaced: bool) {
            let json = serde_json::to_string(&bytes).unwrap();
            let mut line = if spaced { json.replace(',', " , ") } else { json }.into_bytes();
            line.extend(line_end.bytes());
            let length = in_place(&mut line).unwrap();
            prop_assert_eq!(&line[..length], &bytes[..]);
        }

        #[test]
        fn whatever_comes_nothing_panics(mut line: Vec<u8>) {
            in_place(&mut line);
        }
    }

    #[test]
    fn what_is_no_list_of_bytes_is_refused() {
        for bad in ["[256]", "[-1]", "[1", "[1.5]", "null", "[99999999999]", "{\"a\":1}"] {
            assert_eq!(in_place(&mut bad.as_bytes().to_vec()), None, "{bad}");
        }
    }
}

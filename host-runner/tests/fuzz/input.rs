//! Random bytes that look enough like the real thing to reach its corners.

use crate::random::Random;
use board_protocol::{frame, host::FromHost, ids::OutputSeq};

/// Characters of every width, and what changes them.
const CHARACTERS: [&str; 22] = [
    "a",
    "Zebra",
    "é",
    "漢",
    "字テスト",
    "한글",
    "e\u{301}",
    "\u{301}",
    "☁\u{fe0f}",
    "\u{fe0f}",
    "👍🏽",
    "👩\u{200d}👧",
    "\u{200d}",
    "🇩🇪",
    "🇫",
    "שלום",
    "\u{e01f0}",
    "\u{e0ffd}",
    "\u{fffd}",
    "\u{ad}",
    "नमस्ते",
    "ก็",
];
const CONTROLS: &[u8] = b"\r\n\n\n\x08\t\x0b\x0c\x0e\x0f\x07\x00\x05\x7f\x18\x1a\x1b\x9b\x9d\xff\xc3\xe4\xf0";
const NUMBERS: [&str; 14] =
    ["", "0", "1", "2", "3", "5", "7", "9", "20", "80", "499", "65535", "65536", "99999999999999999999"];
const MODES: [&str; 24] = [
    "1", "4", "5", "6", "7", "9", "12", "20", "25", "47", "1000", "1002", "1003", "1004", "1006", "1007",
    "1047", "1048", "1049", "2004", "2026", "2031", "2048", "66",
];
const STRINGS: [&str; 14] = [
    "2;title",
    "0;",
    "8;id=1;http://e.org/",
    "8;;",
    "4;1;rgb:1/2/3",
    "4;1;?",
    "10;?",
    "11;#112233",
    "104",
    "111",
    "52;c;aGk=",
    "52;c;?",
    "133;A",
    "9999;x",
];

fn pick<'a>(random: &mut Random, from: &[&'a str]) -> &'a str {
    from[random.below(from.len())]
}

/// One to some pieces of what a program prints.
pub(crate) fn output(random: &mut Random) -> Vec<u8> {
    let mut out = Vec::new();
    for _ in 0..=random.below(6) {
        match random.below(12) {
            0..4 => out.extend_from_slice(pick(random, &CHARACTERS).as_bytes()),
            4 => out.push(CONTROLS[random.below(CONTROLS.len())]),
            5..8 => control_sequence(random, &mut out),
            8 => {
                let (mark, on) = (pick(random, &["?", "", "?"]), pick(random, &["h", "l", "$p"]));
                out.extend_from_slice(format!("\x1b[{mark}{}{on}", pick(random, &MODES)).as_bytes());
            }
            9 => {
                let kind = pick(
                    random,
                    &["\x1b]", "\x1b]", "\x1b]", "\x1bP$q", "\x1bP+q", "\x1bPq", "\x1b_G", "\x1b^", "\x1bX"],
                );
                let end = pick(random, &["\x07", "\x1b\\", "\x18", "\x1b[m", ""]);
                out.extend_from_slice(format!("{kind}{}{end}", pick(random, &STRINGS)).as_bytes());
            }
            10 => {
                let middle = pick(random, &["", "(", ")", "*", "+", "#", "%", " "]);
                let last = char::from(b'0' + random.below(0x4f) as u8);
                out.extend_from_slice(format!("\x1b{middle}{last}").as_bytes());
            }
            _ => out.extend((0..random.below(8)).map(|_| random.next() as u8)),
        }
    }
    // A read ends anywhere.
    if random.below(4) == 0 {
        out.truncate(random.below(out.len() + 1));
    }
    out
}

fn control_sequence(random: &mut Random, out: &mut Vec<u8>) {
    let mark = pick(random, &["", "", "", "", "?", ">", "=", "<"]);
    let mut parameters = String::new();
    for n in 0..random.below(5) {
        if n > 0 {
            parameters.push_str(pick(random, &[";", ";", ":"]));
        }
        parameters.push_str(pick(random, &NUMBERS));
    }
    let middle = pick(random, &["", "", "", "", " ", "$", "!", "\"", "*", "'"]);
    let last = char::from(b'@' + random.below(0x3f) as u8);
    out.extend_from_slice(format!("\x1b[{mark}{parameters}{middle}{last}").as_bytes());
}

/// Some bytes of frames, whole ones and broken ones.
pub(crate) fn frame(random: &mut Random) -> Vec<u8> {
    let data = (0..random.below(40)).map(|_| random.next() as u8).collect();
    let message = FromHost::Output { seq: OutputSeq(random.next()), data };
    let mut bytes = frame::encode(&message).unwrap();
    match random.below(64) {
        0 => bytes = (0..random.below(64)).map(|_| random.next() as u8).collect(),
        1..4 => {
            let at = random.below(bytes.len());
            bytes[at] = random.next() as u8;
        }
        4 => bytes.truncate(random.below(bytes.len())),
        _ => {}
    }
    bytes
}

/// What a person and their terminal type.
pub(crate) fn typing(random: &mut Random) -> Vec<u8> {
    let keys: [&[u8]; 20] = [
        b"a",
        b"\x1b",
        b"\x1b[D",
        b"\x1b[1;5D",
        b"\x1b[92;5u",
        b"\x1b[27;5;92~",
        b"\x1c",
        b"\x1bOD",
        b"\x1b[200~",
        b"\x1b[201~",
        b"pasted\x1c",
        b"\x1b[<0;10;5M",
        b"\x1b[?62;4c",
        b"\x1b]11;rgb:1/2/3\x1b\\",
        b"\x1b[I",
        b"\x1b]",
        b"\x1bP",
        b"\x1b[6;18;9t",
        b"\xc3\xa9",
        b"\x1b[1;2",
    ];
    let mut out = Vec::new();
    for _ in 0..=random.below(4) {
        match random.below(6) {
            0 => out.push(random.next() as u8),
            _ => out.extend_from_slice(keys[random.below(keys.len())]),
        }
    }
    if random.below(3) == 0 {
        out.truncate(random.below(out.len() + 1));
    }
    out
}

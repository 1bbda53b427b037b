use super::*;

const SIZE: Size = Size { cols: 20, rows: 5 };

fn fed(pieces: &[&[u8]]) -> PlainText {
    let mut text = PlainText::new(SIZE);
    for piece in pieces {
        text.feed(piece);
    }
    text
}

fn lines(output: &str) -> Vec<String> {
    fed(&[output.as_bytes()]).page(Some(0), 500).lines
}

#[test]
fn g1_sequences_are_no_text() {
    assert_eq!(lines("\x1b]2;title\x07\x1b[1;31mred\x1b[m \x1b[?25lplain\x1b(B\r\n"), ["red plain"]);
}

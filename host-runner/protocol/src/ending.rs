//! How programs end, in the language of whoever reads it.
//!
//! Rows carry the words that the model wrote down (`exit code 3`, `signal 9 (SIGKILL)`, and after a colon what the program
//! said last). They are stored and compared in English; the board, the attach client and the command line call
//! [`said`] where they show them. It never changes what it does not know.

use board_text::ending as texts;

/// Between how it ended and why, as it is stored.
const COLON: &str = ": ";

/// An ending, or an error that begins with one, for a reader.
pub fn said(stored: &str) -> String {
    if let Some(ending) = known(stored) {
        return ending;
    }
    let parts = stored.split_once(COLON).and_then(|(ending, why)| Some((known(ending)?, why)));
    parts.map_or_else(|| stored.to_owned(), |(ending, why)| texts::with_reason(ending, why))
}

fn known(stored: &str) -> Option<String> {
    match stored {
        "could not be started" => return Some(texts::never_started().to_owned()),
        "its host ended unexpectedly" => return Some(texts::host_lost().to_owned()),
        "exit code 126 (command cannot be run)" => return Some(texts::cannot_run().to_owned()),
        "exit code 127 (command not found)" => return Some(texts::not_found().to_owned()),
        _ => {}
    }
    if let Some(code) = stored.strip_prefix("exit code ") {
        return is_number(code).then(|| texts::exit_code(code));
    }
    let signal = stored.strip_prefix("signal ")?;
    let number = signal.split_once(" (").map_or(signal, |(number, _)| number);
    is_number(number).then(|| texts::signal(signal))
}

fn is_number(text: &str) -> bool {
    text.parse::<i32>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use board_text::{Language, speaking};

    #[test]
    fn i8_an_ending_is_read_in_each_language_and_stays_in_english_as_it_is_stored() {
        let table = [
            ("exit code 0", "退出码 0"),
            ("exit code -1", "退出码 -1"),
            ("exit code 127 (command not found)", "退出码 127，找不到命令"),
            ("exit code 126 (command cannot be run)", "退出码 126，命令无法运行"),
            ("signal 9 (SIGKILL)", "信号 9 (SIGKILL)"),
            ("signal 64", "信号 64"),
            ("could not be started", "无法启动"),
            ("its host ended unexpectedly", "它的宿主进程意外结束"),
            ("exit code 1: error: no such file", "退出码 1：error: no such file"),
        ];
        for (stored, chinese) in table {
            assert_eq!(said(stored), stored);
            assert_eq!(speaking(Language::Chinese, || said(stored)), chinese);
            assert!(!speaking(Language::Japanese, || said(stored)).is_ascii(), "{stored}");
        }
    }

    #[test]
    fn what_is_no_ending_stays_as_it_is() {
        for other in ["", "exit code x", "exit code ", "signal", "signals 9", "error: exit code 3", "a: b: c"]
        {
            assert_eq!(speaking(Language::Chinese, || said(other)), other);
        }
    }
}

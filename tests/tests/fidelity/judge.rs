//! A zellij whose panes are as large as its terminal, and the two ways to bring bytes into one of them.

use board_protocol::ids::Size;
use e2e::{Terminal, World, wait::eventually};
use std::{cell::Cell, fs};

/// Shows that everything before it was drawn: where and how whatever came before ends.
const MARK: &[u8] = b"\x18\x1b[?2026l\x1b[m\x1b(B\x0f\x1b[?6l\x1b[?7h\x1b[4l\x1b[r\x1b[1;1HEND";

/// The running zellij.
pub(crate) struct Judge {
    world: World,
    size: Size,
    count: Cell<u32>,
    _terminal: Terminal,
}

/// What a pane shows and has scrolled away: as text, and with its styles.
#[derive(Debug, PartialEq, Eq)]
struct Dump {
    text: String,
    styled: String,
}

impl Judge {
    pub(crate) fn new(size: Size) -> Self {
        let world = World::with(e2e::world::Grant::Given, "pane_frames false\nmouse_mode false");
        let plain = "layout {\n    pane borderless=true\n}\n";
        fs::write(world.path("plain.kdl"), plain).unwrap();
        let layout = world.path("plain.kdl");
        let terminal = world.terminal_of(
            "zellij",
            size,
            &["zellij", "--session", "judge", "--new-session-with-layout", layout.to_str().unwrap()],
        );
        terminal.wait("a prompt inside zellij", |screen| screen.has("$"));
        Self { world, size, count: Cell::new(0), _terminal: terminal }
    }

    /// Whether an attach that begins after `cut` bytes shows what a bare pane shows that saw all of them; else how not.
    pub(crate) fn compare(&self, name: &str, bytes: &[u8], cut: usize) -> Option<String> {
        self.compare_without(name, bytes, cut, None)
    }

    /// As [`Self::compare`], without the lines that begin with `known`: their difference is named by the caller, and is a
    /// fault if it is none any more.
    pub(crate) fn compare_without(
        &self,
        name: &str,
        bytes: &[u8],
        cut: usize,
        known: Option<&str>,
    ) -> Option<String> {
        let expected = self.bare(bytes);
        let shown = self.attached(bytes, cut);
        let place = format!("{name}, cut at {cut} of {}", bytes.len());
        if let Some(known) = known {
            let of = |dump: &Dump| {
                let lines = shown_lines(&dump.text).into_iter().filter(|line| line.starts_with(known));
                lines.map(str::to_owned).collect::<Vec<_>>()
            };
            if of(&expected) == of(&shown) {
                return Some(format!("{place}: {known:?} does not differ any more"));
            }
        }
        let is_known = |text: Option<&&str>, styled: Option<&&str>| {
            let line = text.or(styled).map(|line| plain(line));
            known.zip(line).is_some_and(|(known, line)| line.starts_with(known))
        };
        let lines = |a: &str, b: &str| {
            let (a, b) = (shown_lines(a), shown_lines(b));
            let first =
                (0..a.len().max(b.len())).find(|n| a.get(*n) != b.get(*n) && !is_known(a.get(*n), b.get(*n)));
            first.map(|n| {
                format!(
                    "{} lines instead of {}, line {n}:\n    {:?} instead of\n    {:?}",
                    b.len(),
                    a.len(),
                    b.get(n),
                    a.get(n)
                )
            })
        };
        let difference =
            lines(&expected.text, &shown.text).or_else(|| lines(&expected.styled, &shown.styled));
        difference.map(|difference| format!("{place}: {difference}"))
    }

    fn next(&self) -> u32 {
        self.count.set(self.count.get() + 1);
        self.count.get()
    }

    fn bare(&self, bytes: &[u8]) -> Dump {
        let file = self.world.path(&format!("whole-{}", self.next()));
        fs::write(&file, [bytes, MARK].concat()).unwrap();
        self.pane("sh", &["-c", &format!("stty raw -echo; cat {}; exec sleep 1000", file.display())])
    }

    fn attached(&self, bytes: &[u8], cut: usize) -> Dump {
        let n = self.next();
        let path = |what: &str| self.world.path(&format!("{what}-{n}"));
        let (before, after) = bytes.split_at(cut);
        fs::write(path("before"), before).unwrap();
        fs::write(path("after"), [after, MARK].concat()).unwrap();
        let script = format!(
            "stty raw -echo; cat {}; touch {}; until [ -e {} ]; do sleep 0.02; done; cat {}; exec sleep 1000",
            path("before").display(),
            path("printed").display(),
            path("go").display(),
            path("after").display(),
        );
        let size = format!("{}x{}", self.size.cols, self.size.rows);
        let name = format!("session-{n}");
        let arguments = ["--agent", "generic", "--name", &name, "--size", &size, "--", "sh", "-c", &script];
        let session = self.world.start(&arguments);
        eventually("the first bytes", || path("printed").exists().then_some(()));
        self.open("host-runner", &["attach", &session]);
        self.world.wait_row(&session, "one client", |row| row["attached"] == 1);
        fs::write(path("go"), "").unwrap();
        let dump = self.dump();
        self.close();
        self.world.runner(&["stop", &session]).ok();
        dump
    }

    /// What a command makes of a pane.
    fn pane(&self, command: &str, arguments: &[&str]) -> Dump {
        self.open(command, arguments);
        let dump = self.dump();
        self.close();
        dump
    }

    fn open(&self, command: &str, arguments: &[&str]) {
        let arguments: String = arguments.iter().map(|argument| format!(" {argument:?}")).collect();
        let layout = format!(
            "layout {{\n    pane borderless=true command={command:?} {{\n        args{arguments}\n    }}\n}}\n"
        );
        let file = self.world.path(&format!("tab-{}.kdl", self.next()));
        fs::write(&file, layout).unwrap();
        self.action(&["new-tab", "--layout", file.to_str().unwrap()]);
    }

    fn close(&self) {
        self.action(&["close-tab"]);
    }

    /// The pane once it shows the mark.
    fn dump(&self) -> Dump {
        let rows = usize::from(self.size.rows);
        let has_mark = |text: &str| text.lines().any(|line| line.contains("END"));
        eventually("the mark on the screen", || {
            let screen = self.action(&["dump-screen"]);
            if !screen.lines().take(rows).any(|line| line.starts_with("END")) {
                return None;
            }
            let text = self.action(&["dump-screen", "--full"]);
            let styled = self.action(&["dump-screen", "--full", "--ansi"]);
            // A loaded zellij may answer for the tab that was there before.
            (has_mark(&text) && has_mark(&styled)).then(|| Dump { text, styled: named(styled) })
        })
    }

    fn action(&self, arguments: &[&str]) -> String {
        self.world.zellij(&[&["--session", "judge", "action"], arguments].concat()).ok().stdout
    }
}

/// Without the blank rows at the end, which zellij has only once something cleared them, and without the reset of styles
/// that stands behind the last row that it has.
fn shown_lines(dump: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = dump.lines().map(|line| line.trim_end_matches("\u{1b}[m")).collect();
    while lines.last().is_some_and(|line| line.replace("\u{1b}[m", "").trim().is_empty()) {
        lines.pop();
    }
    lines
}

/// Without its styles.
fn plain(line: &str) -> String {
    let mut parts = line.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    first + &parts.map(|part| part.split_once('m').map_or(part, |(_, rest)| rest)).collect::<String>()
}

/// The first sixteen colours have names and numbers; it is the same colour.
fn named(mut dump: String) -> String {
    for n in 0..16 {
        let (foreground, background) = if n < 8 { (30 + n, 40 + n) } else { (82 + n, 92 + n) };
        dump = dump.replace(&format!("\u{1b}[38;5;{n}m"), &format!("\u{1b}[{foreground}m"));
        dump = dump.replace(&format!("\u{1b}[48;5;{n}m"), &format!("\u{1b}[{background}m"));
    }
    dump
}

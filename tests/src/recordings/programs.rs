//! A shell, pagers, editors and the like.

use super::SIZE;
use crate::{Terminal, World, keys, recording::Recording};
use board_protocol::ids::Size;
use std::fs;

/// Lines of every kind that a source file has.
const SAMPLE: &str = "//! A sample file with colours to show.
use std::collections::HashMap;

/// 漢字 and e\u{301} and \u{1f44d} in a comment.
fn main() {
    let mut words: HashMap<&str, usize> = HashMap::new();
    for word in \"one two three two three three\".split(' ') {
        *words.entry(word).or_default() += 1; // a comment that is long enough to reach the margin of an eighty column terminal
    }
    println!(\"{words:?}\");
}
";

fn world() -> World {
    let world = World::new();
    let work = world.home().join("work");
    fs::write(work.join("sample.rs"), SAMPLE).unwrap();
    let lines = (1..=120).map(|n| {
        format!(
            "line {n} of a text that less and vim scroll through{}\n",
            if n % 3 == 0 { ", wide enough to be wrapped by a terminal of eighty columns" } else { "" }
        )
    });
    fs::write(work.join("text.txt"), lines.collect::<String>()).unwrap();
    world
}

/// A terminal in the directory with the samples.
fn start(world: &World, name: &str, command: &str) -> Terminal {
    world.recorded_terminal(name, SIZE, &["sh", "-c", &format!("cd work && exec {command}")])
}

fn ended(mut terminal: Terminal) -> Recording {
    terminal.wait_ended();
    terminal.recording().expect("a recorded terminal")
}

const BASH: &str = "env PS1='\\[\\e[1;32m\\]\\w\\[\\e[0m\\] $ ' bash --norc --noprofile -i";

fn shell(world: &World, name: &str) -> Terminal {
    let terminal = start(world, name, BASH);
    terminal.wait_for("~/work $");
    terminal
}

/// A command whose end shows by a word that is not in the command line.
fn run(terminal: &Terminal, command: &str, n: u32) {
    terminal.line(&format!("{command}; echo done-$(({n}+0))"));
    terminal.wait_for(&format!("done-{n}"));
}

pub(super) fn bash() -> Recording {
    let world = world();
    let terminal = shell(&world, "bash");
    run(&terminal, "ls -la --color=always", 1);
    run(&terminal, "seq 1 40", 2);
    run(
        &terminal,
        "printf '\\033[1;31mred\\033[0m \\033[4;58;5;9;4:3mcurly\\033[0m \\033[9mgone\\033[0m %s\\n' 漢字テスト 한글",
        3,
    );
    run(&terminal, "cat sample.rs", 4);
    // A command line that wraps, with editing in the middle of it.
    terminal.send("echo one two three four five six seven eight nine ten eleven twelve thirteen fourteen");
    terminal.wait("the wrapped line", |screen| screen.text().replace('\n', "").contains("fourteen"));
    terminal
        .send("\x1bb\x1bb\x1bbinserted ")
        .wait("the edited line", |screen| screen.text().replace('\n', "").contains("inserted"));
    terminal.send("\x01\x1bd\x1bdecho\x05; echo done-$((5+0))\r");
    terminal.wait_for("done-5");
    // Completion, search, and a line taken back.
    terminal.send("cat sam\t").wait_for("cat sample.rs");
    terminal.send("\x15\x12seq").wait_for("reverse-i-search)`seq'");
    // The terminal forgets what was typed before Ctrl+C: its echo must be there first.
    terminal.send("\x07").send("\x15sleep 60\r").wait_for("$ sleep 60");
    terminal.send("\x03").wait_for("^C");
    run(&terminal, "clear", 6);
    run(&terminal, "seq 1 30; tput smcup; echo other; tput rmcup", 7);
    terminal.line("exit");
    ended(terminal)
}

/// Wider and narrower, too: every terminal makes something else of the lines that are there.
pub(super) fn bash_resized() -> Recording {
    resized_shell("bash-resized", &[(50, 24), (50, 12), (100, 30), (80, 10), (80, 24)])
}

pub(super) fn bash_rows() -> Recording {
    resized_shell("bash-rows", &[(80, 12), (80, 34), (80, 10), (80, 11), (80, 24)])
}

fn resized_shell(name: &str, sizes: &[(u16, u16)]) -> Recording {
    let world = world();
    let terminal = shell(&world, name);
    run(&terminal, "seq 1 60", 1);
    terminal
        .send("echo a command line that is long enough to wrap at eighty columns and again at fifty columns");
    terminal.wait("the line", |screen| screen.text().replace('\n', "").contains("fifty columns"));
    for (n, (cols, rows)) in sizes.iter().copied().enumerate() {
        terminal.resize(Size { cols, rows });
        // Readline draws its line again when it is told; the text says that it did.
        terminal.send(format!(" r{n}"));
        terminal.wait("the typed word", |screen| screen.text().replace('\n', "").contains(&format!("r{n}")));
        if n % 2 == 1 {
            terminal.send("\x03");
            run(&terminal, "ls --color=always; seq 1 15", 10 + u32::try_from(n).unwrap_or(0));
        }
    }
    terminal.send("\x03");
    run(&terminal, "cat text.txt | head -n 30", 20);
    terminal.line("exit");
    ended(terminal)
}

pub(super) fn less() -> Recording {
    let world = world();
    let terminal = start(&world, "less", "less -R text.txt");
    terminal.wait_for("line 1 of");
    terminal.send(" ").wait_for("line 30 of");
    terminal.send("b").wait_for("line 1 of");
    terminal.send("/line 42\r").wait_for("line 42 of");
    terminal.send("n").send("G").wait_for("line 120 of");
    terminal.send("kkkk").send("g").wait_for("line 1 of");
    terminal.send("jjjjj").wait_for("line 20 of");
    terminal.send("-S\r").wait("chopped lines", |screen| screen.has(">") || screen.has("line"));
    terminal.send("q");
    ended(terminal)
}

const VIM: &str = "vim -u NONE -N --cmd 'syntax on' --cmd 'set number mouse=a ruler' sample.rs";

fn edit(world: &World) -> Terminal {
    let terminal = start(world, "vim", VIM);
    terminal.wait_for("sample file");
    terminal
}

pub(super) fn vim() -> Recording {
    let world = world();
    let terminal = edit(&world);
    terminal.send("Gonew text 漢字\x1b").wait_for("new text");
    terminal.send("yyppp").send(":vsplit text.txt\r").wait_for("line 1 of");
    terminal.send("\x04\x04\x15").send("/line 9\r").wait_for("line 9");
    terminal.send("Vjjd").send("u").send(":set list\r").wait_for("$");
    terminal.send(":set hlsearch wrap\r").send("G").wait_for("line 120");
    terminal.send("dd10kzz").send("\x17w").send("ggVG=").send(":q!\r:q!\r");
    ended(terminal)
}

pub(super) fn vim_resized() -> Recording {
    let world = world();
    let terminal = edit(&world);
    terminal.send(":split text.txt\r").wait_for("line 1 of");
    for (cols, rows) in [(60, 24), (60, 12), (110, 34), (80, 24)] {
        terminal.resize(Size { cols, rows });
        // The lower status line is where and as wide as the new size says.
        terminal.wait("the status line of the new size", |screen| {
            let line = screen.lines().get(usize::from(rows) - 2).cloned().unwrap_or_default();
            line.starts_with("sample.rs") && line.len() == usize::from(cols)
        });
    }
    terminal.send(":qa!\r");
    ended(terminal)
}

pub(super) fn tmux() -> Recording {
    let world = world();
    // Keys that are typed in one piece are no paste here.
    let configuration =
        "set -g assume-paste-time 0\nset -g default-command \"env PS1='$ ' bash --norc --noprofile -i\"\n";
    fs::write(world.home().join("work/tmux.conf"), configuration).unwrap();
    let terminal = start(&world, "tmux", "tmux -f tmux.conf -S tmux.socket");
    terminal.wait_for("$");
    run(&terminal, "cat sample.rs", 1);
    terminal.send("\x02\"").wait("a second pane", |screen| screen.has("──────"));
    terminal.line("seq 1 50; echo second-$((1+1))").wait_for("second-2");
    terminal.send("\x02%").wait("a third pane", |screen| screen.has("│"));
    terminal.send("\x02[").wait_for("[0/");
    terminal.send("\x15").send("q").wait_gone("[0/");
    terminal.send("\x02c").wait_for("1:");
    terminal.line("echo window-$((1+1))").wait_for("window-2");
    terminal.send("\x02n").wait_for("second-2");
    terminal.send("\x02:").wait("tmux's prompt", |screen| screen.lines().iter().any(|line| line == ":"));
    terminal.send("kill-server\r");
    ended(terminal)
}

/// Only our own processes are listed: a recording says nothing about the machine that it was made on.
pub(super) fn htop() -> Recording {
    let world = world();
    let terminal = start(
        &world,
        "htop",
        "sh -c 'sleep 500 & a=$!; sleep 501 & b=$!; sleep 502 & exec htop -d 5 -p $$,$a,$b,$!'",
    );
    terminal.wait_for("sleep 502");
    terminal.send(keys::DOWN).send(keys::DOWN).send("t").wait_for("F10");
    terminal.send("H").send("I").send("\x1bOR").send("sleep").wait_for("Search");
    terminal.send("\x1b").send("\x1bOQ").wait_for("Setup");
    terminal.send(keys::DOWN).send("\x1b").wait_for("sleep 500");
    terminal.send("+").send("q");
    ended(terminal)
}

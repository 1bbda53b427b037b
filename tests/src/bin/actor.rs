//! A program that plays the part of a session, told by its words what to do, one after the other:
//!
//! `say TEXT` prints a line · `draw` fills the screen through the alternate screen, numbered rows · `ask TEXT` prints a
//! question and waits for a line, then prints `answer: <line>` · `lines` echoes lines until `quit` · `hex` echoes every
//! byte in hexadecimal, in raw mode, until Ctrl+D · `echo` sends every byte back as it is, in raw mode, until Ctrl+D ·
//! `pour KIND N` writes N megabytes for each byte that it reads, in raw mode (`plain` lines, or `repaint` of whole screens),
//! then `poured-` and a number · `env NAME` prints `NAME=value` · `size` prints the size of its
//! terminal, again after each change · `osc TEXT` sets the window title · `raw HEX` writes bytes · `child` starts a
//! plain child that sleeps · `stray` starts one that leaves the process tree as a daemon does · `stubborn` ignores SIGTERM from here on ·
//! `wait` does nothing until it is killed · `flood N` prints N numbered lines · `crash` ends by SIGABRT · `exit CODE`.
//!
//! Children write `child <pid>` and `stray <pid>` to the screen. It ends with code 0 after its last word.

use rustix::{
    process::{Signal, getpid, kill_process, setsid},
    termios::{OptionalActions, tcgetattr, tcgetwinsize, tcsetattr},
};
use signal_hook::{consts::SIGTERM, consts::SIGWINCH, iterator::Signals};
use std::{
    io::{self, BufRead, Read, Write},
    process::{Child, Command, ExitCode},
};

fn main() -> io::Result<ExitCode> {
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut next = || words.next().ok_or_else(|| io::Error::other(format!("{word} wants a word more")));
        match word.as_str() {
            "say" => print_line(&next()?)?,
            "draw" => draw()?,
            "ask" => ask(&next()?)?,
            "lines" => echo_lines()?,
            "hex" => echo_hex()?,
            "echo" => echo_raw()?,
            "pour" => {
                let kind = next()?;
                pour(&kind, next()?.parse().map_err(io::Error::other)?)?;
            }
            "env" => {
                let name = next()?;
                print_line(&format!("{name}={}", std::env::var(&name).unwrap_or_else(|_| "(unset)".into())))?;
            }
            "size" => report_sizes()?,
            "osc" => print_bytes(format!("\x1b]2;{}\x07", next()?).as_bytes())?,
            "raw" => print_bytes(&from_hex(&next()?))?,
            "child" => drop(start("wait", "child")?),
            "stray" => drop(Command::new(std::env::current_exe()?).arg("depart").status()?),
            // What `stray` starts: it takes a session of its own, and its child loses it as a parent.
            "depart" => {
                setsid()?;
                start("wait", "stray")?;
            }
            "stubborn" => {
                let mut signals = Signals::new([SIGTERM])?;
                std::thread::spawn(move || signals.forever().for_each(drop));
                print_line("stubborn")?;
            }
            "wait" => wait_for_ever(),
            "flood" => {
                let count: u32 = next()?.parse().map_err(io::Error::other)?;
                for number in 1..=count {
                    print_line(&format!("line {number}"))?;
                }
            }
            "crash" => kill_process(getpid(), Signal::ABORT)?,
            "exit" => return Ok(ExitCode::from(next()?.parse::<u8>().map_err(io::Error::other)?)),
            other => return Err(io::Error::other(format!("{other} is no word of mine"))),
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn print_line(text: &str) -> io::Result<()> {
    print_bytes(format!("{text}\n").as_bytes())
}

fn print_bytes(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()
}

fn draw() -> io::Result<()> {
    let size = tcgetwinsize(io::stdout())?;
    let mut picture = String::from("\x1b[?1049h\x1b[2J");
    for row in 1..=size.ws_row {
        picture += &format!("\x1b[{row};1H\x1b[{}mrow {row}\x1b[m", 31 + row % 7);
    }
    picture += "\x1b[5;10H";
    print_bytes(picture.as_bytes())
}

fn ask(question: &str) -> io::Result<()> {
    print_bytes(format!("{question} ").as_bytes())?;
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    print_line(&format!("answer: {}", line.trim_end()))
}

fn echo_lines() -> io::Result<()> {
    print_line("lines:")?;
    for line in io::stdin().lock().lines() {
        let line = line?;
        if line == "quit" {
            break;
        }
        print_line(&format!("got: {line}"))?;
    }
    Ok(())
}

fn make_raw() -> io::Result<()> {
    let mut attributes = tcgetattr(io::stdin())?;
    attributes.make_raw();
    Ok(tcsetattr(io::stdin(), OptionalActions::Now, &attributes)?)
}

fn echo_raw() -> io::Result<()> {
    make_raw()?;
    let mut chunk = [0; 4096];
    loop {
        let count = io::stdin().lock().read(&mut chunk)?;
        let bytes = &chunk[..count];
        if bytes.is_empty() || bytes.contains(&4) {
            return Ok(());
        }
        print_bytes(bytes)?;
    }
}

/// Writes `megabytes` of output each time it is asked to.
fn pour(kind: &str, megabytes: usize) -> io::Result<()> {
    let block: String = match kind {
        "repaint" => (0..16).map(repaint).collect(),
        _ => (0..2_000)
            .map(|n| format!("{n:>6} the quick brown fox jumps over the lazy dog, again and again\r\n"))
            .collect(),
    };
    make_raw()?;
    print_bytes(b"pour:\r\n")?;
    let mut order = [0];
    for number in 0_u32.. {
        io::stdin().lock().read_exact(&mut order)?;
        let mut left = megabytes * 1_000_000;
        while left > 0 {
            let part = &block.as_bytes()[..left.min(block.len())];
            print_bytes(part)?;
            left -= part.len();
        }
        // Whatever was cut in two ends here.
        print_bytes(format!("\x18\x1b[m\x1b[2J\x1b[Hpoured-{number}\r\n").as_bytes())?;
    }
    Ok(())
}

/// A screen of 120 by 36 cells in colours, another one for each number.
fn repaint(number: usize) -> String {
    let mut screen = String::from("\x1b[H");
    for row in 1..=36 {
        screen += &format!("\x1b[{row};1H");
        for run in 0..10 {
            let colour = 16 + (number * 7 + row * 3 + run) % 200;
            screen += &format!("\x1b[38;5;{colour}m{:>12}", number * 1000 + row * 10 + run);
        }
    }
    screen
}

fn echo_hex() -> io::Result<()> {
    make_raw()?;
    print_bytes(b"hex:\r\n")?;
    for byte in io::stdin().lock().bytes() {
        let byte = byte?;
        print_bytes(format!("<{byte:02x}>").as_bytes())?;
        if byte == 4 {
            break;
        }
    }
    Ok(())
}

fn report_sizes() -> io::Result<()> {
    let mut signals = Signals::new([SIGWINCH])?;
    loop {
        let size = tcgetwinsize(io::stdout())?;
        print_line(&format!("size {}x{}", size.ws_col, size.ws_row))?;
        if signals.forever().next().is_none() {
            return Ok(());
        }
    }
}

fn start(word: &str, name: &str) -> io::Result<Child> {
    let child = Command::new(std::env::current_exe()?).arg(word).spawn()?;
    print_line(&format!("{name} {}", child.id()))?;
    Ok(child)
}

fn wait_for_ever() -> ! {
    loop {
        std::thread::park();
    }
}

fn from_hex(text: &str) -> Vec<u8> {
    let digit =
        |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok()).unwrap_or(0);
    text.as_bytes().chunks(2).map(|pair| pair.iter().fold(0, |byte, half| byte << 4 | digit(*half))).collect()
}

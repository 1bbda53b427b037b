use board_protocol::ids::Size;
use host_runner::terminal::{History, OutputFilter, SessionTerminal};
const SIZE: Size = Size { cols: 120, rows: 36 };
const STREAM_BYTES: usize = 1024 * 1024;
fn cpu() -> f64 {
    let t = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    t.tv_sec as f64 + t.tv_nsec as f64 * 1e-9
}
/// Lines of a log, some longer than the screen is wide.
fn plain() -> String {
    let mut out = String::new();
    let mut n = 0_u64;
    while out.len() < STREAM_BYTES {
        n = n.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let words = 4 + (n >> 33) % 22;
        for word in 0..words {
            out.push_str(
                ["compiling", "the", "crate", "host-runner", "v0.1.0", "warning:", "unused"]
                    [(word % 7) as usize],
            );
            out.push(' ');
        }
        out.push_str("\r\n");
    }
    out
}

/// A program that repaints its whole screen with colours, as agents do.
fn repaint() -> String {
    let mut out = String::new();
    let mut frame = 0;
    while out.len() < STREAM_BYTES {
        frame += 1;
        out.push_str("\x1b[?2026h\x1b[H");
        for row in 1..=36 {
            let colour = 31 + (row + frame) % 7;
            out.push_str(&format!(
                "\x1b[{row};1H\x1b[{colour}m> \x1b[1mframe {frame}\x1b[0m row {row} \x1b[38;5;{row}msome text that changes\x1b[39m and some that does not\x1b[K"
            ));
        }
        out.push_str("\x1b[?2026l");
    }
    out
}

fn cjk() -> String {
    let mut out = String::new();
    while out.len() < STREAM_BYTES {
        out.push_str("端末の出力を読む速さを測る。한글과 漢字를 섞은 문장입니다。\r\n");
    }
    out
}

fn links() -> String {
    let mut out = String::new();
    let mut n = 0;
    while out.len() < STREAM_BYTES {
        n += 1;
        out.push_str(&format!(
            "\x1b]8;;file:///src/{}.rs\x1b\\src/{}.rs\x1b]8;;\x1b\\ \x1b[9mold\x1b[29m new\r\n",
            n % 50,
            n % 50
        ));
    }
    out
}

fn main() {
    let only = std::env::args().nth(1);
    for (name, stream) in [("plain", plain()), ("repaint", repaint()), ("cjk", cjk()), ("links", links())] {
        if only.as_ref().is_some_and(|o| o != name) {
            continue;
        }
        for slice_bytes in [4096, 16384, 65536] {
            let mut best = f64::MAX;
            for _ in 0..7 {
                let start = cpu();
                let mut terminal = SessionTerminal::new(SIZE, 2000);
                for slice in stream.as_bytes().chunks(slice_bytes) {
                    terminal.feed(slice);
                }
                std::hint::black_box(terminal.cursor());
                best = best.min(cpu() - start);
            }
            println!("{name} {slice_bytes}: {:.1} MB/s", stream.len() as f64 / best / 1e6);
        }
        let mut best = f64::MAX;
        for _ in 0..7 {
            let start = cpu();
            let mut f = OutputFilter::new();
            let (mut o, mut fo) = (Vec::new(), Vec::new());
            for slice in stream.as_bytes().chunks(16384) {
                o.clear();
                f.scan(slice, &mut o, &mut fo);
            }
            best = best.min(cpu() - start);
        }
        println!("{name} filter: {:.1} MB/s", stream.len() as f64 / best / 1e6);
        let mut terminal = SessionTerminal::new(SIZE, 2000);
        for slice in stream.as_bytes().chunks(16384) {
            terminal.feed(slice);
        }
        for h in [History::Omit, History::Include] {
            let mut best = f64::MAX;
            for _ in 0..20 {
                let start = cpu();
                std::hint::black_box(terminal.snapshot(h).bytes.len());
                best = best.min(cpu() - start);
            }
            println!(
                "{name} snapshot {h:?}: {:.0} us, {} bytes",
                best * 1e6,
                terminal.snapshot(h).bytes.len()
            );
        }
    }
}

//! How fast the canonical terminal follows output, and how long a snapshot takes. `cargo bench -p host-runner --bench
//! terminal`; the numbers that matter are medians at 120x36.

#![expect(missing_docs, reason = "criterion's macro makes public functions without docs")]

use board_protocol::ids::Size;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use host_runner::terminal::{History, OutputFilter, SessionTerminal};
use std::hint::black_box;

const SIZE: Size = Size { cols: 120, rows: 36 };
/// What the host parses at once when nothing else waits.
const SLICE_BYTES: usize = 16 * 1024;
const STREAM_BYTES: usize = 1024 * 1024;

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

fn feed(c: &mut Criterion) {
    let mut group = c.benchmark_group("feed");
    group.sample_size(10);
    for (name, stream) in [("plain", plain()), ("repaint", repaint()), ("cjk", cjk()), ("links", links())] {
        group.throughput(Throughput::Bytes(stream.len() as u64));
        group.bench_function(name, |b| {
            b.iter(|| {
                let mut terminal = SessionTerminal::new(SIZE, 2000);
                for slice in stream.as_bytes().chunks(SLICE_BYTES) {
                    terminal.feed(slice);
                }
                black_box(terminal.cursor())
            });
        });
        group.bench_function(format!("{name} filter"), |b| {
            b.iter(|| {
                let mut filter = OutputFilter::new();
                let (mut output, mut found) = (Vec::new(), Vec::new());
                for slice in stream.as_bytes().chunks(SLICE_BYTES) {
                    output.clear();
                    filter.scan(slice, &mut output, &mut found);
                }
                black_box(output.len())
            });
        });
    }
    group.finish();
}

fn snapshot(c: &mut Criterion) {
    let mut group = c.benchmark_group("snapshot");
    for (name, stream) in [("plain", plain()), ("repaint", repaint()), ("links", links())] {
        let mut terminal = SessionTerminal::new(SIZE, 2000);
        for slice in stream.as_bytes().chunks(SLICE_BYTES) {
            terminal.feed(slice);
        }
        group.bench_function(format!("{name} screen"), |b| {
            b.iter(|| black_box(terminal.snapshot(History::Omit).bytes.len()))
        });
        group.bench_function(format!("{name} history"), |b| {
            b.iter(|| black_box(terminal.snapshot(History::Include).bytes.len()))
        });
    }
    group.finish();
}

criterion_group!(benches, feed, snapshot);
criterion_main!(benches);

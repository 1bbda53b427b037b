//! The board's own plugin inside zellij's interpreter: keys at many rows, with and without updates, the whole list, an
//! idle board, memory and size. The plugin counts (its setting `count_keys`), and its header is read from zellij's PTY.

use super::{
    Effort,
    ear::Ear,
    pass,
    report::{Line, Unit},
    stats::Samples,
    stored,
};
use crate::{Screen, Terminal, World, keys, wait::eventually, world::SIZE};
use serde_json::json;
use std::{
    fs,
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

/// Rows of the board at which keys are typed.
const ROWS: usize = 1_000;
/// Rows of the board whose list and memory are looked at.
const MANY_ROWS: usize = 2_000;
/// Updates of rows in a second.
const UPDATES: u32 = 50;
/// Sessions that send them, in turns.
const SENDERS: usize = 5;
/// Between two keys: longer than a key takes, and no multiple of the time between two updates.
const QUIET: Duration = Duration::from_millis(43);
/// How long nothing is done to an idle board.
const IDLE: Duration = Duration::from_secs(10);
/// The first keys have the plugin's code translated.
const WARM_KEYS: usize = 10;
/// Bytes of a mebibyte.
const MIB: f64 = 1024.0 * 1024.0;

/// Measures it.
pub fn measure(effort: Effort) -> Vec<Line> {
    let mut lines = keys_at_many_rows(effort);
    lines.extend(many_rows(effort));
    lines
}

/// What the header of a board says that counts.
#[derive(Debug, Clone, Copy)]
struct Meters {
    keys: u64,
    draws: u64,
    timers: u64,
    key_us: f64,
    list_ms: f64,
    memory_kib: f64,
}

impl Meters {
    fn read(screen: &Screen) -> Option<Self> {
        let line = screen.line_with(" KiB")?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let after = |name: &str| {
            let at = words.iter().position(|word| *word == name)?;
            words.get(at + 1)?.parse::<u32>().ok()
        };
        Some(Self {
            keys: after("keys")?.into(),
            draws: after("draws")?.into(),
            timers: after("timers")?.into(),
            key_us: after("key")?.into(),
            list_ms: after("list")?.into(),
            memory_kib: after("memory")?.into(),
        })
    }
}

/// Types a key and waits for the frame that counts it.
fn type_key(terminal: &Terminal) -> (Duration, Meters) {
    let before = Meters::read(&terminal.screen()).expect("a board that counts").keys;
    let start = Instant::now();
    terminal.send(keys::DOWN);
    let mut last = None;
    terminal.wait("the key is counted", |screen| {
        last = Meters::read(screen);
        last.is_some_and(|meters| meters.keys > before)
    });
    (start.elapsed(), last.expect("it was just there"))
}

fn keys_at_many_rows(effort: Effort) -> Vec<Line> {
    let world = World::new();
    stored::fill(&world, ROWS);
    let layout = counting_layout(&world);
    let terminal = open(&world, &layout, ROWS);
    let count = effort.pick(300, 60);
    let idle = type_keys(&terminal, count);
    let mut ears: Vec<Ear> =
        (0..SENDERS).map(|number| Ear::start(&world, &format!("sender-{number}"))).collect();
    let over = AtomicBool::new(false);
    let (busy, sent, took) = std::thread::scope(|scope| {
        let sender = scope.spawn(|| send_updates(&mut ears, &over));
        let busy = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| type_keys(&terminal, count)));
        over.store(true, Ordering::Relaxed);
        let (sent, took) = sender.join().expect("the sender only sends");
        (busy.unwrap_or_else(|panic| std::panic::resume_unwind(panic)), sent, took)
    });
    let rate = f64::from(sent) / took.as_secs_f64();
    let frames = |keys: &Keys| format!("{:.0} frames/s", keys.frames_per_second);
    let note = |keys: &Keys| format!("{}; zellij's own way of a key: see key to board frame", frames(keys));
    vec![
        Line::new("key to frame, 1,000 rows, idle", Unit::Milliseconds, &Samples::of_times(&idle.whole), "-")
            .note(note(&idle)),
        Line::new("of it in the plugin, idle", Unit::Milliseconds, &Samples::new(idle.inside), "p99 16 ms"),
        Line::new(
            "key to frame, 1,000 rows, 50 updates/s",
            Unit::Milliseconds,
            &Samples::of_times(&busy.whole),
            "-",
        )
        .note(format!("{rate:.0} updates/s sent, {}", frames(&busy))),
        Line::new(
            "of it in the plugin, 50 updates/s",
            Unit::Milliseconds,
            &Samples::new(busy.inside),
            "p99 16 ms",
        ),
    ]
}

/// What some keys took.
struct Keys {
    /// From the typing until the frame was read from zellij's terminal.
    whole: Vec<Duration>,
    /// Milliseconds from the key's arrival in the plugin until its frame was printed.
    inside: Vec<f64>,
    frames_per_second: f64,
}

fn type_keys(terminal: &Terminal, count: usize) -> Keys {
    let (mut whole, mut inside) = (Vec::new(), Vec::new());
    let mut first: Option<(Instant, Meters)> = None;
    let mut last = None;
    for number in 0..count + WARM_KEYS {
        pass(QUIET);
        let (took, meters) = type_key(terminal);
        if number < WARM_KEYS {
            continue;
        }
        match first {
            None => first = Some((Instant::now(), meters)),
            // A frame says what the key before it took.
            Some(_) => inside.push(meters.key_us / 1e3),
        }
        whole.push(took);
        last = Some(meters);
    }
    let frames_per_second = first.zip(last).map_or(0.0, |((start, first), last)| {
        let frames = u32::try_from(last.draws.saturating_sub(first.draws)).unwrap_or(u32::MAX);
        f64::from(frames) / start.elapsed().as_secs_f64()
    });
    Keys { whole, inside, frames_per_second }
}

/// Questions open and close until it is over: each moves a row to another group. Returns how many were sent, and in
/// which time.
fn send_updates(ears: &mut [Ear], over: &AtomicBool) -> (u32, Duration) {
    let start = Instant::now();
    let mut sent = 0;
    for ear in ears.iter_mut() {
        ear.say(json!({"type": "agent_start"}));
        ear.taken();
    }
    for round in 0_u32.. {
        let kind = if round % 2 == 0 { "ui_prompt_start" } else { "ui_prompt_end" };
        for ear in ears.iter_mut() {
            if over.load(Ordering::Relaxed) {
                return (sent, start.elapsed());
            }
            let id = format!("q{}", round / 2);
            ear.say(json!({"type": kind, "id": id, "kind": "confirm", "title": "May I?"}));
            ear.taken();
            sent += 1;
            let due = Duration::from_secs(1) * sent / UPDATES;
            pass(due.saturating_sub(start.elapsed()));
        }
    }
    (sent, start.elapsed())
}

fn many_rows(effort: Effort) -> Vec<Line> {
    let world = World::new();
    stored::fill(&world, MANY_ROWS);
    let layout = counting_layout(&world);
    let (mut lists, mut opened, mut memory) = (Vec::new(), Vec::new(), Vec::new());
    let (mut draws, mut timers) = (Vec::new(), Vec::new());
    let rounds = effort.pick(10, 3);
    for round in 0..rounds {
        let start = Instant::now();
        let terminal = open(&world, &layout, MANY_ROWS);
        opened.push(start.elapsed().as_secs_f64() * 1e3);
        lists.push(type_key(&terminal).1.list_ms);
        for _ in 0..WARM_KEYS {
            type_key(&terminal);
        }
        memory.push(type_key(&terminal).1.memory_kib / 1024.0);
        // Ages change once a minute where they are as young as these: several looks, of which one may have seen it.
        if round < 3 {
            // The news about the key itself (its row is lit no more, its notice goes) is no idleness.
            pass(Duration::from_secs(2));
            let (_, before) = type_key(&terminal);
            pass(IDLE);
            let (_, after) = type_key(&terminal);
            let less = |after: u64, before: u64| u32::try_from(after - before).map_or(f64::MAX, f64::from);
            // The frame of the first of the two keys is among the draws of the second.
            draws.push((less(after.draws, before.draws) - 1.0) / IDLE.as_secs_f64());
            timers.push(less(after.timers, before.timers) / IDLE.as_secs_f64());
        }
        drop(terminal);
        end_zellij(&world);
    }
    let opened = Samples::new(opened).median();
    let size = fs::metadata(&world.programs().plugin)
        .map_or(f64::NAN, |file| u32::try_from(file.len()).map_or(f64::INFINITY, f64::from));
    vec![
        Line::new(
            "list of 2,000 rows, from hello to frame",
            Unit::Milliseconds,
            &Samples::new(lists),
            "300 ms",
        )
        .note(format!("from zellij's start, its own included, {opened:.0} ms")),
        Line::rate("idle board, frames", Unit::PerSecond, &Samples::new(draws), "0 without a change"),
        Line::rate("idle board, timers", Unit::PerSecond, &Samples::new(timers), "1 /s"),
        Line::new("plugin's linear memory, 2,000 rows", Unit::Mebibytes, &Samples::new(memory), "8 MiB"),
        Line::rate("plugin's file", Unit::Mebibytes, &Samples::new([size / MIB]), "2 MiB"),
    ]
}

/// The layout as `up` writes it, but that the plugin counts. zellij does not run afterwards.
fn counting_layout(world: &World) -> PathBuf {
    let terminal = world.terminal("up", &["host-runner", "up"]);
    terminal.wait("the board", |screen| !screen.groups().is_empty());
    drop(terminal);
    end_zellij(world);
    let written = world.plugin().with_file_name("agent-board.kdl");
    let text = fs::read_to_string(written).expect("up wrote its layout");
    let text = text.replacen("attach_in ", "count_keys \"yes\"\n                attach_in ", 1);
    let path = world.path("counting.kdl");
    fs::write(&path, text).expect("a file in the world");
    path
}

fn end_zellij(world: &World) {
    for server in world.zellij_servers() {
        world.kill_if_running(&server);
    }
    eventually("the end of zellij and its link", || world.runners("link").is_empty().then_some(()));
}

fn open(world: &World, layout: &std::path::Path, rows: usize) -> Terminal {
    static NUMBER: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    // A session of its own each time: zellij would bring a dead one back without asking our layout.
    let name = format!("counting-{}", NUMBER.fetch_add(1, Ordering::Relaxed));
    let layout = layout.to_str().expect("paths of worlds are text");
    let terminal = world.terminal_of(
        "board",
        SIZE,
        &["zellij", "--session", &name, "--new-session-with-layout", layout],
    );
    terminal.wait("a board of many rows that counts", |screen| {
        screen.groups().iter().any(|group| group.count >= rows) && Meters::read(screen).is_some()
    });
    terminal
}

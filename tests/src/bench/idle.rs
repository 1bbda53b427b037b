//! What sessions cost in which nothing happens: private memory of their hosts, and the processor time of all of them.

use super::{
    Effort,
    cpu::Cpu,
    pass,
    raw::RawTerminal,
    report::{Line, Unit},
    stats::Samples,
};
use crate::{World, processes::Process, wait::within, world::SIZE};
use std::{fs, time::Duration};

/// Sessions with a full history, whose memory is looked at: half of them were attached once, half never.
const WITH_HISTORY: usize = 20;
/// The last words of these.
const LAST: &str = "the-last-row";
/// How long two hundred sessions may take to be there.
const UP_DEADLINE: Duration = Duration::from_secs(120);

/// Measures it.
pub fn measure(effort: Effort) -> Vec<Line> {
    let world = World::new();
    let sessions = effort.pick(200, 50);
    let ids: Vec<String> = (0..sessions)
        .map(|number| {
            let name = format!("idle-{number}");
            if number >= WITH_HISTORY {
                return world.start_actor(&name, &["wait"]);
            }
            let id = world.start_actor(&name, &["flood", "2100", "say", LAST, "wait"]);
            world.wait_text(&id, LAST);
            id
        })
        .collect();
    let hosts = within(UP_DEADLINE, "a host for every session", || {
        let hosts = world.runners("host");
        (hosts.len() == sessions).then_some(hosts)
    });
    let (visited, rest) = ids.split_at(WITH_HISTORY / 2);
    let (never, plain) = rest.split_at(WITH_HISTORY / 2);
    for id in visited {
        let mut terminal = RawTerminal::open(world.runner_command(&["attach", id]), SIZE);
        terminal.until(LAST.as_bytes());
        terminal.close();
    }
    // Nobody attached for a minute; a host gives memory back after 30 s.
    pass(Duration::from_secs(if effort == Effort::Full { 60 } else { 35 }));
    let memory = |ids: &[String]| -> Vec<f64> { ids.iter().map(|id| private(host_of(&world, id))).collect() };
    let (visited, never) = (memory(visited), memory(never));
    let plain = Samples::new(memory(plain.get(..10).unwrap_or(plain)));
    let all = Samples::new(visited.iter().chain(&never).copied());
    let note = format!(
        "was attached {:.2}, never {:.2}, without history {:.2} MiB",
        Samples::new(visited).median(),
        Samples::new(never).median(),
        plain.median()
    );
    let time = Duration::from_secs(if effort == Effort::Full { 30 } else { 10 });
    let daemon = world.daemon();
    let watched: Vec<&Process> = hosts.iter().chain([&daemon]).collect();
    let before: Vec<Cpu> = watched.iter().map(|process| Cpu::of(process)).collect();
    pass(time);
    let spent: Vec<f64> =
        watched.iter().zip(before).map(|(process, before)| Cpu::of(process).since(before)).collect();
    let share = |ms: f64| ms / time.as_secs_f64() / 10.0;
    let of_daemon = share(spent.last().copied().unwrap_or_default());
    let cpu = Samples::new([share(spent.iter().sum())]);
    vec![
        Line::new("memory of an idle session, 2,000 lines", Unit::Mebibytes, &all, "2.5 MiB").note(note),
        Line::rate(&format!("processor time of {sessions} idle sessions"), Unit::PercentOfCore, &cpu, "1 %")
            .note(format!("{of_daemon:.3} % of it the daemon, over {} s", time.as_secs())),
    ]
}

fn host_of(world: &World, id: &str) -> u64 {
    let shown = world.runner(&["show", "--json", id]).ok().json();
    shown["host"]["process"]["pid"].as_u64().expect("it has a host")
}

/// Memory that nobody shares with this process, in MiB.
fn private(pid: u64) -> f64 {
    let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).expect("a host of ours");
    let kib =
        text.lines().filter(|line| line.starts_with("Private_Clean:") || line.starts_with("Private_Dirty:"));
    let kib: f64 = kib.filter_map(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok()).sum();
    kib / 1024.0
}

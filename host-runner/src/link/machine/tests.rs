//! Tables and stories of the link machine: pacing, coalescing, gaps, several instances, stuck children, renames.

mod intents;
mod notices;

use super::*;
use board_protocol::{
    board::{AttachPlace, BoardUpdate, Revival, Row},
    daemon::Answer,
    hello::Versions,
    ids::{BoardSeq, SessionId, UnixMs},
    pipe::PAGE_BYTES,
    state::{GlyphSet, HostState, ProcessState},
};

const SERVER: u32 = 77;

fn ms(count: u64) -> Duration {
    Duration::from_millis(count)
}

fn machine() -> Machine {
    Machine::new(Facts {
        link: Generation("link".into()),
        hello: LinkHello {
            versions: BOARD_PROTOCOL,
            build: "1".into(),
            plugin_build: "1".into(),
            runner: "/r".into(),
            root: "/root".into(),
            cwd: "/work".into(),
            default_agent: String::new(),
            glyphs: GlyphSet::default(),
            language: String::new(),
        },
        server_pid: SERVER,
        environment: vec![],
        session: Some("agent-board".into()),
        first_up_at: ms(0),
    })
}

fn hello(instance: u32) -> Input {
    hello_with(instance, |_| {})
}

fn hello_with(instance: u32, change: impl FnOnce(&mut PluginHello)) -> Input {
    let mut hello = PluginHello {
        versions: BOARD_PROTOCOL,
        build: "1".into(),
        server_pid: SERVER,
        client_id: 1,
        location: "file:/p.wasm".into(),
        configuration: [("root".to_owned(), "/root".to_owned())].into(),
        session_name: None,
        up_pipe: "pipe".into(),
    };
    change(&mut hello);
    up(instance, Up::Hello(hello))
}

fn up(instance: u32, up: Up) -> Input {
    Input::Up(Box::new(UpLine { instance: InstanceId(instance), up }))
}

fn row(number: u64, name: &str) -> Row {
    Row {
        id: SessionId(format!("{number:010x}")),
        name: name.into(),
        agent: "generic".into(),
        state: SemanticState::Working,
        process_state: ProcessState::Alive,
        host_state: HostState::Alive,
        busy: true,
        summary: "x".repeat(80),
        question: None,
        error: None,
        cwd: "/work".into(),
        pinned: false,
        unread: false,
        created_at_ms: UnixMs(number),
        last_activity_at_ms: UnixMs(number),
        revival: Revival::RunsAgain,
        ended: None,
        attached: 0,
        places: vec![],
        strays: 0,
        doubt: None,
        revision: 0,
        tags: Vec::new(),
        queued: 0,
        stalled_ms: None,
        errors: 0,
        background: 0,
        headless: false,
        resumes_on_attach: false,
        review: None,
        plan: board_protocol::plan::PlanStatus::None,
        references: Vec::new(),
        worktree: None,
        parent: None,
        waiting: None,
    }
}

fn connected(generation: &str) -> Input {
    Input::Daemon(DaemonEvent::Connected { build: "1".into(), generation: Generation(generation.into()) })
}

fn full(seq: u64, rows: Vec<Row>) -> Input {
    Input::Daemon(DaemonEvent::Board(BoardUpdate::Full { seq: BoardSeq(seq), rows, warnings: vec![] }))
}

fn delta(base: u64, upserted: Vec<Row>, removed: Vec<SessionId>) -> Input {
    Input::Daemon(DaemonEvent::Board(BoardUpdate::Delta {
        base: BoardSeq(base),
        seq: BoardSeq(base + 1),
        upserted,
        removed,
        warnings: None,
    }))
}

/// The lines of every write among the outputs.
fn lines(outputs: &[Output]) -> Vec<Down> {
    let mut lines = Vec::new();
    for output in outputs {
        if let Output::Write(bytes) = output {
            for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
                let line: DownLine = serde_json::from_slice(line).unwrap();
                assert_eq!(line.up, "pipe");
                lines.push(line.down);
            }
        }
    }
    lines
}

/// The answer that an instance gives to the ping at the end of the outputs.
fn ack(outputs: &[Output]) -> Input {
    match lines(outputs).last() {
        Some(Down::Ping { number }) => up(1, Up::Alive { number: *number }),
        other => panic!("no ping at the end: {other:?}"),
    }
}

fn kinds(outputs: &[Output]) -> Vec<&'static str> {
    lines(outputs)
        .iter()
        .map(|line| match line {
            Down::Hello(_) => "hello",
            Down::Page { .. } => "page",
            Down::Delta { .. } => "delta",
            Down::Daemon(_) => "daemon",
            Down::Outcome { .. } => "outcome",
            Down::Pane(_) => "pane",
            Down::Ping { .. } => "ping",
            Down::Look { .. } => "look",
            Down::Goodbye => "goodbye",
            Down::QueryPage { .. } => "answer",
        })
        .collect()
}

/// A machine whose plugin has the board `seq` 1 with these rows, at 100 ms.
fn settled(rows: Vec<Row>) -> Machine {
    let mut machine = machine();
    machine.on(Input::Tick, ms(0));
    machine.on(connected("d"), ms(0));
    machine.on(full(1, rows), ms(0));
    let mut outputs = machine.on(hello(1), ms(10));
    let mut now = 10;
    while outputs.iter().any(|output| matches!(output, Output::Write(_))) {
        now += 1;
        outputs = machine.on(ack(&outputs), ms(now));
    }
    assert!(now < 100);
    machine
}

fn starts_down(outputs: &[Output]) -> Option<Option<&Address>> {
    outputs.iter().find_map(|output| match output {
        Output::StartDown { address, .. } => Some(address.as_ref()),
        _ => None,
    })
}

#[test]
fn up_starts_with_one_line_and_down_only_after_the_first_hello() {
    let mut machine = machine();
    let outputs = machine.on(Input::Tick, ms(0));
    let [Output::StartUp { session, line }] = outputs.as_slice() else { panic!("{outputs:?}") };
    assert_eq!(session.as_deref(), Some("agent-board"));
    let line: DownLine = serde_json::from_slice(line).unwrap();
    assert_eq!(line.up, "");
    assert!(matches!(line.down, Down::Hello(_)));
    assert_eq!(machine.on(connected("d"), ms(5)), []);
    assert_eq!(machine.on(full(1, vec![row(1, "a")]), ms(6)), []);
    assert_eq!(machine.next_deadline(), None, "nothing to do before a plugin speaks");

    let outputs = machine.on(hello(1), ms(7));
    let address = starts_down(&outputs).unwrap().unwrap();
    assert_eq!(address.location, "file:/p.wasm");
    assert_eq!(address.configuration.as_deref(), Some("root=/root"));
    assert_eq!(kinds(&outputs), ["hello", "daemon", "page", "ping"]);
}

#[test]
fn changes_are_coalesced_to_one_batch_in_fifty_milliseconds() {
    let mut machine = settled(vec![row(1, "a"), row(2, "b")]);
    let outputs = machine.on(delta(1, vec![row(1, "a1")], vec![]), ms(200));
    assert_eq!(kinds(&outputs), ["delta", "ping"], "the first change goes at once");
    let acknowledged = ack(&outputs);
    assert_eq!(machine.on(acknowledged, ms(201)), []);
    assert_eq!(machine.on(delta(2, vec![row(1, "a2")], vec![]), ms(202)), []);
    assert_eq!(machine.on(delta(3, vec![row(1, "a3")], vec![SessionId(format!("{:010x}", 2))]), ms(240)), []);
    assert_eq!(machine.next_deadline(), Some(ms(250)));
    let outputs = machine.on(Input::Tick, ms(250));
    let [Down::Delta { base, seq, upserted, removed, .. }, Down::Ping { .. }] = &lines(&outputs)[..] else {
        panic!("{outputs:?}")
    };
    assert_eq!((base.0, seq.0), (2, 4));
    assert_eq!(upserted[0].name, "a3");
    assert_eq!((upserted.len(), removed.len()), (1, 1));
}

#[test]
fn nothing_leaves_while_a_batch_is_not_acknowledged() {
    let mut machine = settled(vec![row(1, "a")]);
    let first = machine.on(delta(1, vec![row(1, "b")], vec![]), ms(200));
    assert_eq!(machine.on(delta(2, vec![row(1, "c")], vec![]), ms(400)), []);
    assert_eq!(machine.on(Input::Tick, ms(600)), []);
    // The answer to another ping is none.
    assert_eq!(machine.on(up(1, Up::Alive { number: 0 }), ms(610)), []);
    let outputs = machine.on(ack(&first), ms(700));
    assert_eq!(kinds(&outputs), ["delta", "ping"]);
}

#[test]
fn a_large_board_goes_in_pages_each_within_its_limit_and_a_large_delta_too() {
    let rows: Vec<Row> = (1..=1000).map(|n| row(n, "name")).collect();
    let mut machine = machine();
    machine.on(Input::Tick, ms(0));
    machine.on(connected("d"), ms(0));
    machine.on(full(1, rows.clone()), ms(0));
    let mut outputs = machine.on(hello(1), ms(10));
    let mut seen = Vec::new();
    let mut expected_page = 0;
    let mut now = 10;
    while !outputs.is_empty() {
        for output in &outputs {
            if let Output::Write(bytes) = output {
                assert!(bytes.len() <= 48 * 1024, "a write must fit into the kernel's pipe: {}", bytes.len());
                assert!(bytes.split(|b| *b == b'\n').all(|line| line.len() <= PAGE_BYTES));
            }
        }
        for line in lines(&outputs) {
            if let Down::Page { page, pages, rows, seq, .. } = line {
                assert_eq!((page, seq.0), (expected_page, 1));
                assert!(pages > 10);
                expected_page += 1;
                seen.extend(rows);
            }
        }
        now += 1;
        outputs = machine.on(ack(&outputs), ms(now));
    }
    assert_eq!(seen, rows);
    assert!(now < 60, "pages follow each other without a pause");

    let outputs = machine.on(delta(1, rows, vec![]), ms(1000));
    assert!(kinds(&outputs).contains(&"page"), "{:?}", kinds(&outputs));
}

#[test]
fn a_gap_on_either_side_is_closed_by_the_whole_board() {
    let mut machine = settled(vec![row(1, "a")]);
    // The daemon's delta does not fit: the link asks for everything.
    let outputs = machine.on(delta(7, vec![row(1, "b")], vec![]), ms(200));
    assert_eq!(outputs, [Output::Ask { id: 0, request: Request::Subscribe }]);
    let outputs = machine.on(full(9, vec![row(1, "c")]), ms(210));
    assert_eq!(kinds(&outputs), ["delta", "ping"], "the plugin's own state is known all the same");
    machine.on(ack(&outputs), ms(211));
    // The plugin missed something: it gets everything.
    assert_eq!(machine.on(up(1, Up::Resync), ms(230)), []);
    let outputs = machine.on(Input::Tick, ms(260));
    assert_eq!(kinds(&outputs), ["page", "ping"]);
    machine.on(ack(&outputs), ms(261));
    // Another daemon counts anew.
    machine.on(connected("e"), ms(300));
    let outputs = machine.on(full(9, vec![row(1, "c")]), ms(400));
    assert!(kinds(&outputs).contains(&"page"), "{:?}", kinds(&outputs));
}

#[test]
fn the_same_daemon_counts_anew_on_a_new_connection_and_the_plugin_does_not() {
    let mut machine = settled(vec![row(1, "a")]);
    let outputs = machine.on(delta(1, vec![row(1, "b")], vec![]), ms(200));
    machine.on(ack(&outputs), ms(201));
    // A delta before the whole board would belong to the connection that was lost.
    machine.on(connected("d"), ms(300));
    let gap = machine.on(delta(2, vec![row(9, "x")], vec![]), ms(301));
    assert!(matches!(&gap[..], [Output::Ask { request: Request::Subscribe, .. }]), "{gap:?}");
    assert_eq!(machine.on(full(1, vec![row(1, "b")]), ms(310)), [], "nothing new");
    let outputs = machine.on(delta(1, vec![row(2, "c")], vec![]), ms(400));
    let [Down::Delta { base, seq, upserted, .. }, Down::Ping { .. }] = &lines(&outputs)[..] else {
        panic!("{outputs:?}")
    };
    assert_eq!((base.0, seq.0, upserted[0].name.as_str()), (2, 3, "c"));
}

#[test]
fn every_hello_is_answered_and_the_last_goodbye_ends_the_link() {
    let mut machine = settled(vec![row(1, "a")]);
    let outputs = machine.on(hello(2), ms(200));
    assert_eq!(kinds(&outputs), ["hello", "daemon", "page", "ping"]);
    machine.on(ack(&outputs), ms(201));
    assert_eq!(machine.on(up(1, Up::Goodbye), ms(300)), []);
    let outputs = machine.on(up(2, Up::Goodbye), ms(310));
    assert_eq!(outputs, [Output::StopDown, Output::StopUp, Output::Finish]);
    assert_eq!(machine.on(full(5, vec![]), ms(400)), [], "nothing reaches an address without an instance");
    assert_eq!(machine.next_deadline(), None);
}

#[test]
fn an_address_that_cannot_be_said_or_is_not_shared_is_a_broadcast() {
    let mut machine = machine();
    machine.on(Input::Tick, ms(0));
    let outputs = machine.on(hello_with(1, |hello| hello.location = "agent-board".into()), ms(10));
    assert_eq!(starts_down(&outputs), Some(None));

    let mut machine = settled(vec![]);
    let outputs = machine.on(hello_with(2, |hello| hello.configuration.clear()), ms(1000));
    assert_eq!(outputs, [Output::StopDown]);
    let outputs = machine.on(Input::Tick, ms(1250));
    assert_eq!(starts_down(&outputs), Some(None), "after a pause: zellij must have forgotten the first");
    // With the odd one gone, the cheap way is taken again.
    machine.on(ack(&outputs), ms(1251));
    machine.on(up(2, Up::Goodbye), ms(1300));
    let outputs = machine.on(Input::Tick, ms(1750));
    assert!(starts_down(&outputs).unwrap().is_some());
}

// Field report H1: an instance at a permission prompt blocks a pipe for good; children pile up.
#[test]
fn h1_a_stuck_child_is_replaced_never_doubled_and_nothing_is_done_twice() {
    let mut machine = settled(vec![row(1, "a")]);
    let pane = |id: u32| {
        let place = AttachPlace { server_pid: SERVER, pane_id: id };
        let session = SessionId("a".into());
        Input::Daemon(DaemonEvent::Pane(PaneEvent::Attached { session, place }))
    };
    let outputs = machine.on(pane(1), ms(200));
    assert_eq!(kinds(&outputs), ["pane", "ping"]);
    for id in 2..500 {
        assert_eq!(machine.on(pane(id), ms(200 + u64::from(id))), [], "never a child per message");
    }
    assert_eq!(machine.next_deadline(), Some(ms(1200)));
    assert_eq!(machine.on(Input::Tick, ms(1200)), [Output::StopDown], "killed first");
    let at = machine.next_deadline().unwrap();
    assert!(at >= ms(1450), "zellij takes a newcomer for the one that it still removes");
    let outputs = machine.on(Input::Tick, at);
    assert_eq!(starts_down(&outputs), Some(None), "then everybody is addressed");
    let told: Vec<u32> = lines(&outputs)
        .iter()
        .filter_map(|line| match line {
            Down::Pane(request) => Some(request.place.pane_id),
            _ => None,
        })
        .collect();
    assert!(!told.contains(&1), "the first line was delivered to whoever is not stuck");
    assert_eq!(told.last(), Some(&499), "the newest is not lost");

    assert!(machine.next_deadline() > Some(at + ms(1000)), "a new child has to start first");
    // However long it lasts: one child at a time, at most two in a second, and in the end silence.
    let (mut started, mut alive) = (0, 1);
    let mut now = 1450;
    while let Some(at) = machine.next_deadline() {
        now = u64::try_from(at.as_millis()).unwrap().max(now + 1);
        for output in machine.on(Input::Tick, ms(now)) {
            match output {
                Output::StartDown { .. } => {
                    started += 1;
                    alive += 1;
                    assert_eq!(alive, 1);
                }
                Output::StopDown => alive -= 1,
                _ => {}
            }
        }
        assert!(started <= 1 + (now - 1200) / 500);
        assert!(now < 60_000, "it goes on for ever");
    }
    assert_eq!(alive, 0);
}

#[test]
fn a_child_that_ends_by_itself_comes_back_with_a_delay_and_loses_nothing() {
    let mut machine = settled(vec![row(1, "a")]);
    machine.on(delta(1, vec![row(1, "b")], vec![]), ms(200));
    assert_eq!(machine.on(Input::DownEnded, ms(210)), []);
    assert_eq!(machine.next_deadline(), Some(ms(460)));
    let outputs = machine.on(Input::Tick, ms(460));
    assert!(starts_down(&outputs).is_some());
    assert_eq!(kinds(&outputs), ["delta", "ping"]);
    // It fails again: longer.
    machine.on(Input::DownEnded, ms(470));
    assert_eq!(machine.next_deadline(), Some(ms(970)));
}

#[test]
fn without_an_up_pipe_nothing_goes_down_and_the_name_is_doubted_at_the_second_end() {
    let mut machine = settled(vec![row(1, "a")]);
    let outputs = machine.on(Input::UpEnded, ms(200));
    assert_eq!(outputs, [Output::StopDown]);
    assert_eq!(machine.next_deadline(), Some(ms(450)));
    let outputs = machine.on(Input::Tick, ms(450));
    assert!(matches!(&outputs[..], [Output::StartUp { session: Some(_), .. }]), "{outputs:?}");
    machine.on(Input::UpEnded, ms(460));
    let outputs = machine.on(Input::Tick, ms(960));
    assert!(matches!(&outputs[..], [Output::StartUp { session: None, .. }]), "{outputs:?}");
    // A plugin knows the new name.
    machine.on(hello_with(1, |hello| hello.session_name = Some("renamed".into())), ms(1000));
    machine.on(Input::UpEnded, ms(1100));
    let outputs = machine.on(Input::Tick, ms(1350));
    assert!(matches!(&outputs[..], [Output::StartUp { session: Some(name), .. }] if name == "renamed"));
}

#[test]
fn an_idle_link_pings_now_and_then_so_that_new_instances_find_it() {
    let mut machine = settled(vec![]);
    let deadline = machine.next_deadline().unwrap();
    assert!(deadline > ms(1000) && deadline < ms(2000), "a new instance waits two seconds: {deadline:?}");
    let outputs = machine.on(Input::Tick, deadline);
    assert_eq!(kinds(&outputs), ["ping"]);
}

#[test]
fn an_instance_that_misses_the_link_makes_it_announce_itself_anew_but_not_all_the_time() {
    let mut machine = settled(vec![]);
    assert_eq!(machine.on(Input::Missed, ms(500)), [], "it has just announced itself");
    let outputs = machine.on(Input::Missed, ms(3000));
    assert_eq!(outputs, [Output::StopUp, Output::StopDown]);
    let outputs = machine.on(Input::Tick, ms(3250));
    assert!(matches!(&outputs[..], [Output::StartUp { .. }]), "{outputs:?}");
    assert_eq!(machine.on(Input::Missed, ms(3300)), []);
}

#[test]
fn panes_and_plugins_of_another_server_are_none_of_ours() {
    let mut machine = machine();
    machine.on(Input::Tick, ms(0));
    assert_eq!(machine.on(hello_with(1, |hello| hello.server_pid = 5), ms(10)), []);
    let mut machine = settled(vec![]);
    let place = AttachPlace { server_pid: 5, pane_id: 1 };
    let event = PaneEvent::Detached { session: SessionId("a".into()), place };
    assert_eq!(machine.on(Input::Daemon(DaemonEvent::Pane(event)), ms(200)), []);
}

// Field report H16: a plugin of another version.
#[test]
fn h16_an_instance_of_another_protocol_is_told_who_speaks_and_nothing_else() {
    let mut machine = machine();
    machine.on(Input::Tick, ms(0));
    machine.on(connected("d"), ms(0));
    machine.on(full(1, vec![row(1, "a")]), ms(0));
    let old = |hello: &mut PluginHello| hello.versions = Versions { oldest: 0, newest: 0 };
    let outputs = machine.on(hello_with(1, old), ms(10));
    assert_eq!(kinds(&outputs), ["hello", "ping"]);
    machine.on(ack(&outputs), ms(11));
    assert_eq!(machine.on(Input::Tick, ms(100)), [], "no busy loop");
    // It reloaded itself and speaks our protocol now.
    let outputs = machine.on(hello(1), ms(200));
    assert_eq!(kinds(&outputs), ["hello", "daemon", "page", "ping"]);
}

#[test]
fn the_status_counts_what_the_board_shows() {
    let mut machine = settled(vec![
        Row { state: SemanticState::NeedsInput, unread: true, ..row(1, "a") },
        row(2, "b"),
        Row { state: SemanticState::Failed, unread: true, ..row(3, "c") },
    ]);
    assert_eq!(machine.status().counts, Some([1, 1, 2]));
    assert!(machine.status().board_listens);
    machine.on(Input::UpEnded, ms(500));
    assert!(!machine.status().board_listens);
}

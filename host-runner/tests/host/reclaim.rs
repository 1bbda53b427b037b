//! The end of an idle program: refused while anybody needs it, and what is said of it otherwise (decision 14); and who
//! counts as attached.

use crate::support::{Board, Client, FakeDaemon, Host, client::read_screen, wait_for_end};
use board_protocol::{
    daemon::ToDaemon,
    hello::Role,
    host::{AttachMode, DeliveryProgress, FromHost, HostFact, HostOrder, ToHost, Typing},
    ids::QueueItemId,
};

/// Orders the end and then something that the host answers, so that it is known what became of the order: the text of a
/// refusal when the program ends, nothing when it goes on.
fn reclaim(daemon: &mut FakeDaemon, number: u32) -> Option<String> {
    daemon.order(HostOrder::Reclaim);
    words(daemon, number)
}

/// Short words, and why they were not written, if they were not.
fn words(daemon: &mut FakeDaemon, number: u32) -> Option<String> {
    let item = QueueItemId(format!("{number:010x}"));
    daemon.order(HostOrder::Deliver { item: item.clone(), text: "words".into(), typing: Typing::Line });
    let answer = |fact: &HostFact| match fact {
        HostFact::ReplyProgressed { item: other, progress } if *other == item => match progress {
            DeliveryProgress::Applied => Some(None),
            DeliveryProgress::Refused { reason } => Some(Some(reason.clone())),
            DeliveryProgress::Accepted => None,
        },
        _ => None,
    };
    daemon.wait_for_fact("what became of the words", answer).1
}

fn attached(daemon: &mut FakeDaemon, count: usize) {
    daemon.wait_for_fact("who is attached", |fact| match fact {
        HostFact::AttachedChanged { attached, .. } => (attached.len() == count).then_some(()),
        _ => None,
    });
}

fn was_reclaimed(daemon: &FakeDaemon) -> bool {
    let says =
        |message: &ToDaemon| matches!(message, ToDaemon::HostReported { fact: HostFact::Reclaimed, .. });
    daemon.passed.iter().any(says)
}

#[test]
fn i6_75_a3_a_program_that_somebody_is_in_goes_on_and_ends_once_they_have_left() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let mut host = board.start(board.shell("echo up; exec cat"));
    let child = daemon.wait_for_child();
    for (number, mode) in [(1, AttachMode::Interactive), (2, AttachMode::ReadOnly)] {
        let mut client = Client::attach_as(&host, crate::support::SIZE, mode, None);
        client.wait_for("up");
        attached(&mut daemon, 1);
        assert_eq!(reclaim(&mut daemon, number), None, "{mode:?}");
        client.wait_for("words");
        client.send(&ToHost::Detach);
        client.wait_for_message(|message| (*message == FromHost::Detached).then_some(()));
        attached(&mut daemon, 0);
        assert!(!was_reclaimed(&daemon));
    }
    let refused = reclaim(&mut daemon, 3).expect("nobody is in it");
    assert!(refused.contains("ends"), "{refused}");
    assert!(was_reclaimed(&daemon), "said before anything else of the end");
    wait_for_end(child);
    daemon.wait_for_fact("the end", |fact| matches!(fact, HostFact::ChildExited { .. }).then_some(()));
    host.wait();
}

#[test]
fn i6_75_a3_whoever_has_only_connected_keeps_the_program_and_a_look_at_the_screen_does_not() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let host = board.start(board.shell("echo up; exec cat"));
    daemon.wait_for_child();
    let coming = Client::connect(&host, Role::Attach);
    assert_eq!(reclaim(&mut daemon, 1), None);
    drop(coming);
    let viewer = Client::connect(&host, Role::Viewer);
    // The host hears of the end of a connection only when it reads: the order may be refused until then.
    let mut number = 2;
    while reclaim(&mut daemon, number).is_none() {
        number += 1;
        assert!(number < 10_000);
    }
    drop(viewer);
}

#[test]
fn i6_75_a3_a_job_in_the_background_keeps_the_program() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let host = board.start(board.launch(&["bash", "--norc", "-c", "set -m; sleep 1000 & echo up; cat"]));
    daemon.wait_for_child();
    Client::attach(&host).wait_for("up");
    attached(&mut daemon, 1);
    attached(&mut daemon, 0);
    assert_eq!(reclaim(&mut daemon, 1), None);
    assert!(!was_reclaimed(&daemon));
}

#[test]
fn i6_75_a3_facts_that_the_daemon_has_not_recorded_keep_the_program() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let host = board.start(board.shell("echo up; exec cat"));
    daemon.wait_for_child();
    daemon.stay_silent();
    event(&host);
    daemon.wait_for_fact("event", |fact| matches!(fact, HostFact::AgentReported(_)).then_some(()));
    assert_eq!(reclaim(&mut daemon, 1), None);
}

fn event(host: &Host) {
    let mut hook = Client::connect(host, Role::Hook);
    hook.send(&ToHost::Event(host.report("{}")));
    assert_eq!(hook.receive(), FromHost::EventTaken);
}

// Reference I.6, probe accounting #130: whoever connects to look is not attached.
#[test]
fn i6_130_a1_a_look_leaves_nobody_attached_and_a_real_client_is_exactly_one() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let host = board.start(board.shell("echo up; exec cat"));
    daemon.wait_for_child();
    let probe = Client::connect(&host, Role::Viewer);
    let command = Client::connect(&host, Role::Cli);
    event(&host);
    while !read_screen(&host, 0).contains("up") {}
    daemon.wait_for_fact("event", |fact| matches!(fact, HostFact::AgentReported(_)).then_some(()));
    let told = |daemon: &FakeDaemon| {
        let changes = daemon.passed.iter().filter(|message| {
            matches!(message, ToDaemon::HostReported { fact: HostFact::AttachedChanged { .. }, .. })
        });
        changes.count()
    };
    assert_eq!(told(&daemon), 0, "nobody was ever attached");
    let mut client = Client::attach(&host);
    client.wait_for("up");
    attached(&mut daemon, 1);
    assert_eq!(told(&daemon), 0, "one client is one, and never was two");
    // A daemon that comes back is told the same number.
    daemon.kill();
    let mut daemon = FakeDaemon::start(&board.root);
    assert_eq!(daemon.wait_for_registration().attached.len(), 1);
    client.send(&ToHost::Detach);
    attached(&mut daemon, 0);
    drop((probe, command));
}

// The kernel cuts such a line, and it counted as written.
#[test]
fn a_line_that_is_too_long_for_the_kernel_is_given_back_and_nothing_of_it_is_written() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let host = board.start(board.shell("echo up; exec cat"));
    daemon.wait_for_child();
    while !read_screen(&host, 0).contains("up") {}
    let item = QueueItemId("00000000aa".into());
    let order = HostOrder::Deliver { item, text: "x".repeat(4096), typing: Typing::Line };
    daemon.order(order);
    let (_, reason) = daemon.wait_for_fact("refusal", |fact| match fact {
        HostFact::ReplyProgressed { progress: DeliveryProgress::Refused { reason }, .. } => {
            Some(reason.clone())
        }
        _ => None,
    });
    assert!(reason.contains("4096 bytes"), "{reason}");
    // What fits goes through afterwards.
    assert_eq!(words(&mut daemon, 1), None);
    assert!(!read_screen(&host, 0).contains("xxx"));
}

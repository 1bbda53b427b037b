//! What a control comes to, and who says so (reference E.5): a size is told as it is, the newest wins; a departure and a stop may
//! be asked for twice; an interrupt is typed once for each time that it is asked for. Words of a person are in `words`.

use crate::support::{Board, Client, FakeDaemon, SIZE};
use board_protocol::{
    hello::Role,
    host::{AttachMode, AttachRequest, FromHost, HostFact, HostOrder, ScrollbackOwner, TerminalLook, ToHost},
    ids::Size,
};
use host_runner::wire::WireError;

/// Says its size at each change.
const SIZES: &str = r#"$| = 1; $SIG{WINCH} = sub { my ($r, $c) = split ' ', `stty size`; print "size $r $c\r\n" }; print "ready\n"; sleep 1 while 1"#;

// E.5, resize: the newest one wins, and what is told is the size that the session really has.
#[test]
fn e5_of_many_sizes_the_newest_wins_and_what_is_told_is_the_real_one() {
    let board = Board::new();
    let host = board.start(board.launch(&["perl", "-e", SIZES]));
    let mut client = Client::attach(&host);
    client.wait_for("ready");
    // The last one is smaller than a session may be.
    let asked = (0..40_u16).map(|n| Size { cols: 100 + n, rows: 30 }).chain([Size { cols: 90, rows: 2 }]);
    for size in asked {
        client.send(&ToHost::Resize(size));
    }
    let real = Size { cols: 90, rows: 5 };
    client.wait_for_message(|message| {
        matches!(message, FromHost::Resized(size) if *size == real).then_some(())
    });
    client.wait_for("size 5 90");
    client.send(&ToHost::Reconcile);
    let told = client.wait_for_message(|message| match message {
        FromHost::Reconciled { size, .. } => Some(*size),
        _ => None,
    });
    assert_eq!(told, real);
}

// E.5, resize: a client that is killed while it holds the size a cell smaller leaves the session as it was.
#[test]
fn e12_a_client_that_is_killed_while_it_shrinks_the_session_gives_its_size_back() {
    let board = Board::new();
    let host = board.start(board.launch(&["perl", "-e", SIZES]));
    let mut reader = Client::attach_as(&host, SIZE, AttachMode::ReadOnly, None);
    reader.wait_for("ready");
    let mut killed = Client::connect(&host, Role::Attach);
    let (look, scrollback) = (TerminalLook::default(), ScrollbackOwner::Session);
    killed.send(&ToHost::Attach(AttachRequest {
        size: SIZE,
        mode: AttachMode::Interactive,
        place: None,
        look,
        scrollback,
    }));
    killed.send(&ToHost::Resize(Size { cols: SIZE.cols - 1, rows: SIZE.rows - 1 }));
    reader.wait_for(&format!("size {} {}", SIZE.rows - 1, SIZE.cols - 1));
    drop(killed);
    reader.wait_for(&format!("size {} {}", SIZE.rows, SIZE.cols));
}

// E.5, detach: asked for twice, it is answered and carried out once.
#[test]
fn e5_a_departure_may_be_asked_for_twice() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let host = board.start(board.shell("echo up; exec cat"));
    let mut client = Client::attach(&host);
    client.wait_for("up");
    client.send(&ToHost::Detach);
    // The host may have closed the connection by now.
    let _ = client.connection.send(&ToHost::Detach);
    let mut said = 0;
    loop {
        match client.connection.receive::<FromHost>(crate::support::PATIENCE) {
            Ok(FromHost::Detached) => said += 1,
            Ok(_) => {}
            Err(WireError::Closed | WireError::Io(_)) => break,
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!(said, 1);
    daemon.wait_for_fact("nobody", |fact| match fact {
        HostFact::AttachedChanged { attached, .. } => attached.is_empty().then_some(()),
        _ => None,
    });
    Client::attach(&host).wait_for("up");
}

// E.5, terminate: asked for twice, it is seen once, when it is over.
#[test]
fn e5_a_stop_may_be_asked_for_twice_and_is_seen_at_the_end() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let mut host =
        board.start(board.shell("trap 'echo asked; exit 7' TERM; echo up; while :; do sleep 0.05; done"));
    let mut client = Client::attach(&host);
    client.wait_for("up");
    daemon.wait_for_child();
    daemon.order(HostOrder::Stop);
    daemon.order(HostOrder::Stop);
    let exit = client.wait_for_message(|message| match message {
        FromHost::Exited(exit) => Some(*exit),
        _ => None,
    });
    let (_, seen) = daemon.wait_for_fact("end", |fact| match fact {
        HostFact::ChildExited { exit, .. } => Some(*exit),
        _ => None,
    });
    assert_eq!(seen, exit);
    host.wait();
}

// E.5, interrupt: never typed again by itself, and as often as it is asked for.
#[test]
fn e5_an_interrupt_is_typed_as_often_as_it_is_asked_for() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let host = board.start(board.launch(&["perl", "-e", r#"system "stty raw -echo"; $| = 1; print "up\r\n"; while (sysread STDIN, my $k, 1) { printf "<%02x>", ord $k }"#]));
    let mut client = Client::attach(&host);
    client.wait_for("up");
    daemon.wait_for_child();
    daemon.order(HostOrder::Interrupt { key: vec![3] });
    client.wait_for("<03>");
    client.type_in("a");
    client.wait_for("<03><61>");
    daemon.order(HostOrder::Interrupt { key: vec![3] });
    client.wait_for("<03><61><03>");
}

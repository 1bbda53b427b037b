//! Words of a person on their way into a program: submitted once, as they are, whatever else happens.

use crate::support::{Board, Client, FakeDaemon, Host};
use board_protocol::{
    hello::Role,
    host::{DeliveryProgress, FromHost, HostFact, HostOrder, ToHost, Typing},
    ids::QueueItemId,
};
use rustix::process::Signal;
use std::{fs, time::Duration};

/// An agent that takes everything within 200 ms for one paste, Enter included: only an Enter by itself submits.
const DEBOUNCING: &str = r#"$| = 1; system "stty raw -echo"; print "ready\r\n"; my $text = "";
while (1) {
    my $burst = ""; last unless sysread STDIN, $burst, 4096;
    while (1) {
        my $set = ""; vec($set, 0, 1) = 1;
        last unless select($set, undef, undef, 0.2);
        sysread STDIN, my $more, 4096 or last; $burst .= $more;
    }
    if ($burst eq "\r") { print "submitted <$text>\r\n"; $text = ""; }
    else { $burst =~ s/\r/ newline /g; $text .= $burst; print "pasted <$burst>\r\n"; }
}"#;

/// An agent that asks for marked pastes and shows every byte that it gets; the Enter submits.
const MARKED: &str = r#"$| = 1; system "stty raw -echo"; print "\e[?2004hready\r\n"; my $text = "";
while (sysread STDIN, my $bytes, 4096) {
    $text .= $bytes; next unless $text =~ /\e\[201~\r$/;
    $text =~ s/\e/ESC/g; $text =~ s/\r/CR/g; $text =~ s/\t/TAB/g; print "submitted <$text>\r\n"; $text = "";
}"#;

fn item(number: u32) -> QueueItemId {
    QueueItemId(format!("{number:010x}"))
}

fn deliver(daemon: &FakeDaemon, number: u32, text: &str, typing: Typing) {
    daemon.order(HostOrder::Deliver { item: item(number), text: text.into(), typing });
}

fn wait_for_progress(daemon: &mut FakeDaemon, number: u32) -> DeliveryProgress {
    let found = |fact: &HostFact| match fact {
        HostFact::ReplyProgressed { item, progress } if *item == self::item(number) => Some(progress.clone()),
        _ => None,
    };
    daemon.wait_for_fact("progress", found).1
}

fn wait_applied(daemon: &mut FakeDaemon, number: u32) {
    assert_eq!(wait_for_progress(daemon, number), DeliveryProgress::Accepted);
    assert_eq!(wait_for_progress(daemon, number), DeliveryProgress::Applied);
}

/// A host that runs this Perl program, and a client that has seen it start.
fn agent(board: &Board, daemon: &mut FakeDaemon, program: &str) -> (Host, Client) {
    let host = board.start(board.launch(&["perl", "-e", program]));
    daemon.wait_for_child();
    let mut client = Client::attach(&host);
    client.wait_for("ready");
    (host, client)
}

fn count(client: &mut Client, text: &str) -> usize {
    client.contents().matches(text).count()
}

// Field report D4: text and Enter too close together; the agent took the Enter for a part of the paste.
#[test]
fn d4_an_agent_with_a_paste_debounce_gets_words_submitted_once() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let (_host, mut client) = agent(&board, &mut daemon, DEBOUNCING);
    // That it does what the report says: without a pause nothing is submitted.
    client.type_in("too fast\r");
    client.wait_for("pasted <too fast newline >");
    client.type_in("\r");
    client.wait_for("submitted <too fast newline >");
    for (number, typing) in [(1, Typing::Line), (2, Typing::Paste)] {
        deliver(&daemon, number, &format!("fix it {number}"), typing);
        wait_applied(&mut daemon, number);
        client.wait_for(&format!("submitted <fix it {number}>"));
    }
    deliver(&daemon, 1, "fix it 1", Typing::Line);
    assert_eq!(wait_for_progress(&mut daemon, 1), DeliveryProgress::Applied, "it is only said again");
    deliver(&daemon, 3, "the end", Typing::Line);
    wait_applied(&mut daemon, 3);
    client.wait_for("submitted <the end>");
    assert_eq!(count(&mut client, "submitted <fix it"), 2);
    assert_eq!(count(&mut client, "submitted <"), 4);
}

// Field report D5: words were taken for keys, options or commands.
#[test]
fn d5_words_reach_the_program_byte_for_byte() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let (_host, mut client) = agent(&board, &mut daemon, MARKED);
    let words = ["Enter", "-t", ";", "C-c", "!=x", "/help", "two\nlines", "a\ttab", "修复 it"];
    for (number, words) in (1..).zip(words) {
        deliver(&daemon, number, words, Typing::Paste);
        wait_applied(&mut daemon, number);
        let shown = words.replace('\n', "CR").replace('\t', "TAB");
        client.wait_for(&format!("submitted <ESC[200~{shown}ESC[201~CR>"));
    }
    assert_eq!(count(&mut client, "submitted <"), words.len());
}

#[test]
fn a_program_that_reads_lines_gets_lines() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let host = board.start(board.shell("while read -r line; do echo \"got <$line>\"; done"));
    daemon.wait_for_child();
    deliver(&daemon, 1, "one\ntwo", Typing::Line);
    wait_applied(&mut daemon, 1);
    let mut client = Client::attach(&host);
    client.wait_for("got <two>");
    assert_eq!((count(&mut client, "got <one>"), count(&mut client, "got <")), (1, 2));
}

// A key that was typed into the middle of a reply became a part of it.
#[test]
fn keys_of_whoever_is_attached_wait_for_the_end_of_the_words() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let (_host, mut client) = agent(&board, &mut daemon, DEBOUNCING);
    deliver(&daemon, 1, "the words", Typing::Line);
    // They are on the terminal, and the Enter has not been sent: it waits for the agent's echo to end.
    client.wait_for("pasted <the words>");
    client.type_in("my key");
    wait_applied(&mut daemon, 1);
    client.wait_for("submitted <the words>");
    client.wait_for("pasted <my key>");
}

// Keys, Ctrl+C among them, waited until forty replies had been written one behind the other.
#[test]
fn keys_go_between_two_replies_and_the_next_one_lets_whoever_types_finish() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let (_host, mut client) = agent(&board, &mut daemon, DEBOUNCING);
    deliver(&daemon, 1, "the first", Typing::Line);
    client.wait_for("pasted <the first>");
    client.type_in("my key");
    wait_applied(&mut daemon, 1);
    // At once, as a daemon with a queue does.
    deliver(&daemon, 2, "the second", Typing::Line);
    client.wait_for("pasted <my key>");
    assert!(!client.contents().contains("the second"), "{}", client.contents());
    wait_applied(&mut daemon, 2);
    client.wait_for("the second");
}

// Between the daemon's look and the writing somebody began to type; or the daemon is new and has not been told.
#[test]
fn words_wait_while_the_agents_text_field_holds_a_draft() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let (host, mut client) = agent(&board, &mut daemon, MARKED);
    let mut hook = Client::connect(&host, Role::Hook);
    let mut editor = |state: &str| {
        hook.send(&ToHost::Event(host.report(&format!(r#"{{"type":"editor","state":"{state}"}}"#))));
        assert_eq!(hook.receive(), FromHost::EventTaken);
    };
    editor("text");
    deliver(&daemon, 1, "from outside", Typing::Paste);
    assert_eq!(wait_for_progress(&mut daemon, 1), DeliveryProgress::Accepted);
    // Longer than the pause before an Enter: nothing comes.
    assert!(client.stays_silent(Duration::from_millis(600)));
    editor("empty");
    assert_eq!(wait_for_progress(&mut daemon, 1), DeliveryProgress::Applied);
    client.wait_for("submitted <ESC[200~from outsideESC[201~CR>");
}

#[test]
fn words_are_on_the_disk_before_they_are_taken_and_a_killed_host_leaves_what_it_knew() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    // It never asks for pastes: the words wait for it, taken and not written.
    let host = board.start(board.shell("exec cat"));
    daemon.wait_for_child();
    let journal = board.root.deliveries(&host.session(), &host.generation());
    assert!(!journal.exists());
    deliver(&daemon, 1, "never seen", Typing::Paste);
    assert_eq!(wait_for_progress(&mut daemon, 1), DeliveryProgress::Accepted);
    let written = fs::read_to_string(&journal).unwrap();
    assert!(written.contains(item(1).as_str()) && written.contains("accepted"), "{written}");
    host.signal(Signal::KILL);
    assert!(!fs::read_to_string(&journal).unwrap().contains("applied"));
}

#[test]
fn words_of_which_nothing_was_written_are_given_back_when_the_program_ends() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let _host = board.start(board.shell("read -r line; exit 3"));
    daemon.wait_for_child();
    deliver(&daemon, 1, "for nobody", Typing::Paste);
    assert_eq!(wait_for_progress(&mut daemon, 1), DeliveryProgress::Accepted);
    // One at a time: the second is refused, and nothing of it is written.
    deliver(&daemon, 2, "too early", Typing::Line);
    assert!(matches!(wait_for_progress(&mut daemon, 2), DeliveryProgress::Refused { .. }));
    daemon.order(HostOrder::Stop);
    let progress = wait_for_progress(&mut daemon, 1);
    assert!(matches!(progress, DeliveryProgress::Refused { .. }), "{progress:?}");
    daemon.wait_for_fact("end", |fact| matches!(fact, HostFact::ChildExited { .. }).then_some(()));
}

// Exactly once when the daemon dies at each step: the host says again what it knows, and writes nothing again.
#[test]
fn a_daemon_that_comes_back_hears_once_more_what_became_of_words() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let (_host, mut client) = agent(&board, &mut daemon, DEBOUNCING);
    deliver(&daemon, 1, "while it is away", Typing::Line);
    assert_eq!(wait_for_progress(&mut daemon, 1), DeliveryProgress::Accepted);
    daemon.stay_silent();
    daemon.kill();
    client.wait_for("submitted <while it is away>");
    let mut daemon = FakeDaemon::start(&board.root);
    daemon.wait_for_registration();
    deliver(&daemon, 1, "while it is away", Typing::Line);
    // The report that waited, and the answer to the order that came again.
    assert_eq!(wait_for_progress(&mut daemon, 1), DeliveryProgress::Applied);
    assert_eq!(wait_for_progress(&mut daemon, 1), DeliveryProgress::Applied);
    deliver(&daemon, 2, "the end", Typing::Line);
    wait_applied(&mut daemon, 2);
    client.wait_for("submitted <the end>");
    assert_eq!(count(&mut client, "submitted <"), 2);
}

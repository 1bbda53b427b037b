//! `host-runner attach` in a terminal of the test's own: keys, picture, and the terminal afterwards.

use crate::support::{
    Board, Client, FakeDaemon, Host, SIZE, SIZE_REPORTER, client::read_screen, pane::Pane, wait_for_end,
};
use board_protocol::{host::HostOrder, ids::Size, state::SemanticState};
use rustix::process::{Pid, Signal, kill_process};

/// A session that runs, and a pane that shows it.
fn attached(script: &str, arguments: &[&str]) -> (Board, FakeDaemon, Host, Pane) {
    attached_at(SIZE, script, arguments)
}

fn attached_at(size: Size, script: &str, arguments: &[&str]) -> (Board, FakeDaemon, Host, Pane) {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let host = board.start(board.shell(script));
    daemon.wait_for_child();
    let session = host.session().to_string();
    let all = [&["attach", &session][..], arguments].concat();
    let pane = Pane::open(&board, size, &all);
    (board, daemon, host, pane)
}

/// Everything a program can switch on.
const EVERY_MODE: &str = r"printf '\033[?1049h\033[?1003h\033[?1006h\033[?1004h\033[?2004h\033[>7u\033[>4;2m\033[?1h\033=\033[?25l\033[5 q\033[1;31m\033[3;9r\033[4h\033]2;mine\007'";

fn assert_modes_are_off(pane: &Pane) {
    let screen = pane.screen.screen();
    assert!(!screen.alternate_screen());
    assert!(!screen.hide_cursor());
    assert!(!screen.bracketed_paste());
    assert!(!screen.application_cursor());
    assert!(!screen.application_keypad());
    assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
    assert_eq!(screen.mouse_protocol_encoding(), vt100::MouseProtocolEncoding::Default);
    assert_eq!(screen.fgcolor(), vt100::Color::Default);
    assert!(!screen.bold());
    let shape = pane.raw.windows(5).any(|part| part == b"\x1b[0 q");
    assert!(shape, "the cursor's shape is the terminal's own again");
}

// Field report B1: the detach key was missed when it came in one read with other bytes.
#[test]
fn b1_the_detach_key_leaves_from_inside_a_batch_and_the_session_goes_on() {
    let (_board, _daemon, host, mut pane) = attached("echo up; exec cat", &[]);
    pane.wait_for("up");
    pane.type_in(b"typed before\r\x1cdropped");
    assert_eq!(pane.wait_for_exit(), Some(0));
    pane.wait_for("it goes on");
    let mut client = Client::attach(&host);
    client.wait_for("typed before\ntyped before");
    assert!(!client.contents().contains("dropped"));
}

#[test]
fn every_other_key_reaches_the_session() {
    let script = "stty raw -echo; echo up; head -c 12 | od -An -tx1; exec cat";
    let (_board, _daemon, _host, mut pane) = attached(script, &[]);
    pane.wait_for("up");
    // Ctrl+T O G Q B, Left, Escape alone, é.
    pane.type_in(b"\x14\x0f\x07\x11\x02\x1b[D\xc3\xa9");
    pane.type_in(b"x\x1b");
    pane.wait_for("14 0f 07 11 02 1b 5b 44 c3 a9 78 1b");
}

// Field reports B6, B8: the terminal was dead after detaching, or kept the session's modes.
#[test]
fn b6_b8_after_detaching_the_terminal_is_as_it_was() {
    let script = format!("{EVERY_MODE}; printf '\\033[Hready'; exec cat");
    let (_board, _daemon, _host, mut pane) = attached(&script, &[]);
    pane.wait_for("ready");
    assert!(pane.screen.screen().alternate_screen());
    assert_ne!(pane.settings(), pane.before, "raw while attached");
    pane.type_in(b"\x1b[92;5u");
    assert_eq!(pane.wait_for_exit(), Some(0));
    assert_eq!(pane.settings(), pane.before);
    assert_modes_are_off(&pane);
    for reset in [&b"\x1b[<u"[..], b"\x1b[?1004l", b"\x1b[?1003l", b"\x1b[>4m", b"\x1b[r", b"\x1b[4l"] {
        assert!(pane.raw.windows(reset.len()).any(|part| part == reset), "{}", reset.escape_ascii());
    }
}

#[test]
fn b6_a_signal_restores_the_terminal_as_detaching_does() {
    for signal in [Signal::TERM, Signal::HUP, Signal::INT, Signal::QUIT] {
        let script = format!("{EVERY_MODE}; printf '\\033[Hready'; exec cat");
        let (_board, _daemon, _host, mut pane) = attached(&script, &[]);
        pane.wait_for("ready");
        kill_process(Pid::from_raw(pane.identity().pid as i32).unwrap(), signal).unwrap();
        assert_eq!(pane.wait_for_exit(), Some(0), "{signal:?}");
        assert_eq!(pane.settings(), pane.before, "{signal:?}");
        assert_modes_are_off(&pane);
    }
}

// Field report C14: a killed program left mouse, focus, paste and keyboard modes armed.
#[test]
fn c14_a_killed_program_leaves_no_mode_behind_and_its_end_is_told() {
    let script = format!("{EVERY_MODE}; printf '\\033[Hready'; kill -STOP $$");
    let (_board, _daemon, host, mut pane) = attached(&script, &[]);
    pane.wait_for("ready");
    let child = host_runner::process::stat(host.pid()).unwrap();
    let program =
        std::fs::read_to_string(format!("/proc/{0}/task/{0}/children", child.identity.pid)).unwrap();
    let program = program.split_whitespace().next().unwrap().parse().unwrap();
    kill_process(Pid::from_raw(program).unwrap(), Signal::KILL).unwrap();
    pane.wait_for("ended with signal 9");
    assert_eq!(pane.wait_for_exit(), Some(0));
    assert_modes_are_off(&pane);
    let position = |needle: &[u8]| pane.raw.windows(needle.len()).rposition(|part| part == needle).unwrap();
    assert!(position(b"\x1b[?1003l") < position(b"ended with signal 9"));
    assert_eq!(pane.settings(), pane.before);
}

/// How often somebody types in the moment of an end. That moment is short, and on a busy machine it can be over before the
/// keys are typed, but not so often.
const MOMENTS: usize = 20;

// Keys that were meant for a program that had just ended became commands of the board, or of the shell.
#[test]
fn keys_typed_in_the_moment_of_the_end_are_swallowed_while_the_pane_says_what_happened() {
    let typed = |_| {
        let (_board, daemon, _host, mut pane) = attached("echo up; exec cat", &[]);
        pane.wait_for("up");
        daemon.order(HostOrder::Stop);
        pane.wait_for("Run it again from the board");
        pane.type_in(b"xy");
        pane.type_in(b"y\r");
        (!pane.has_ended()).then_some(pane)
    };
    let mut pane = (0..MOMENTS).find_map(typed).expect("a moment in which keys are typed");
    assert_eq!(pane.wait_for_exit(), Some(0));
    assert_eq!(pane.unread(), 0, "the next program would get what was typed");
    assert_eq!(pane.contents().matches("ended with signal 15").count(), 1, "{}", pane.contents());
    assert!(!pane.contents().contains("xy"), "{}", pane.contents());
    assert_eq!(pane.settings(), pane.before);
}

#[test]
fn the_keys_that_leave_can_be_others_and_then_the_usual_ones_reach_the_session() {
    let (board, _daemon, host, _) =
        attached("stty raw -echo; printf 'up\\r\\n'; head -c 7 | od -An -tx1; exec cat", &[]);
    let session = host.session().to_string();
    let keys = [("AGENT_BOARD_DETACH_KEYS", "ctrl+d f12")];
    let mut pane = Pane::open_with(&board, SIZE, &["attach", &session], &keys);
    pane.wait_for("up");
    pane.type_in(b"\x1c\x1b[1;5D");
    pane.wait_for("1c 1b 5b 31 3b 35 44");
    pane.type_in(b"\x1b[24~");
    assert_eq!(pane.wait_for_exit(), Some(0));
}

// I.6, mouse: the attach client switches no mouse mode on by itself, so that the wheel scrolls the pane's own history; the
// session's own modes go through.
#[test]
fn i6_the_mouse_is_the_terminals_unless_the_session_asks_for_it() {
    let script = "printf 'up'; read -r x; printf '\\033[?1002h\\033[?1006htracks'; exec cat";
    let (_board, _daemon, _host, mut pane) = attached(script, &[]);
    pane.wait_for("up");
    let on = |pane: &Pane| {
        let text = String::from_utf8_lossy(&pane.raw).into_owned();
        ["1000", "1001", "1002", "1003", "1006", "1015", "1016"]
            .map(|mode| text.matches(&format!("\x1b[?{mode}h")).count())
    };
    assert_eq!(on(&pane), [0; 7]);
    pane.type_in(b"\r");
    pane.wait_for("tracks");
    assert_eq!(on(&pane), [0, 0, 1, 0, 1, 0, 0]);
}

// I.6, settle scheme: of a change of colours an agent that asked hears once, however many clients show it.
#[test]
fn i6_a_change_of_the_terminals_colours_reaches_an_agent_that_asked_exactly_once() {
    let script = "stty raw -echo; printf '\\033[?2031hup'; od -An -tx1 -v -w1";
    let (board, _daemon, host, mut pane) = attached(script, &[]);
    pane.wait_for("up");
    pane.type_in(b"a");
    pane.wait_for("61");
    let mut other = Pane::open(&board, SIZE, &["attach", &host.session().to_string()]);
    other.wait_for("61");
    for pane in [&mut other, &mut pane] {
        pane.wait_for_raw(b"\x1b[?2031h");
        pane.type_in(b"\x1b[?997;1n");
    }
    pane.type_in(b"\x1b[?997;1nb");
    pane.wait_for("62");
    let bytes: Vec<String> = pane.contents().lines().map(|line| line.trim().to_owned()).collect();
    assert_eq!(bytes.iter().filter(|byte| *byte == "3f").count(), 1, "{bytes:?}");
}

// Focus reports go to the program that asked for them, and claim no size.
#[test]
fn focus_reports_reach_a_session_that_asked() {
    let script = "stty raw -echo; printf '\\033[?1004hup'; head -c 6 | od -An -tx1; exec cat";
    let (_board, _daemon, _host, mut pane) = attached(script, &[]);
    pane.wait_for("up");
    pane.wait_for_raw(b"\x1b[?1004h");
    pane.type_in(b"\x1b[O\x1b[I");
    pane.wait_for("1b 5b 4f 1b 5b 49");
}

// Field report D8: writes to the clipboard were lost, or an empty one erased it, or a program could read it.
#[test]
fn d8_a_write_to_the_clipboard_is_forwarded_once_and_nothing_else_of_it() {
    let script = r"printf '\033]52;c;aGk=\007\033]52;c;\007\033]52;c;?\007up'; exec cat";
    let (board, _daemon, host, mut first) = attached("stty -echo; echo ready; read -r go; eval \"$go\"", &[]);
    let mut pane = Pane::open(&board, SIZE, &["attach", &host.session().to_string()]);
    pane.wait_for("ready");
    first.type_in(format!("{script}\r").as_bytes());
    pane.wait_for("up");
    let text = String::from_utf8_lossy(&pane.raw).into_owned();
    assert_eq!(text.matches("\x1b]52;c;aGk=").count(), 1);
    assert_eq!(text.matches("\x1b]52;").count(), 1, "neither an empty write nor a read");
    // Not again for whoever attaches later.
    let mut late = Pane::open(&board, SIZE, &["attach", &host.session().to_string()]);
    late.wait_for("up");
    assert!(!String::from_utf8_lossy(&late.raw).contains("\x1b]52;"));
}

// Field report D1: without bracketed paste each pasted line was submitted.
#[test]
fn d1_a_paste_is_one_block_in_a_session_that_asked_for_it() {
    let script = "stty raw -echo; printf '\\033[?2004hup'; head -c 15 | od -An -tx1; exec cat";
    let (_board, _daemon, _host, mut pane) = attached(script, &[]);
    pane.wait_for("up");
    assert!(pane.screen.screen().bracketed_paste(), "the terminal will bracket what is pasted");
    pane.type_in(b"\x1b[200~a\rb\x1b[201~");
    pane.wait_for("1b 5b 32 30 30 7e 61 0d 62 1b 5b 32 30 31 7e");
}

// Field report H15: attaching to a session that had just ended hung, or left a re-run banner.
#[test]
fn h15_a_session_that_has_ended_says_so_and_what_to_do() {
    let (board, daemon, mut host, mut pane) = attached("echo up; exec cat", &[]);
    pane.wait_for("up");
    daemon.session_ended("exit code 3", "its last screen\n");
    daemon.order(HostOrder::Stop);
    pane.wait_for("ended with signal 15");
    pane.wait_for_exit();
    host.wait();
    let session = host.session().to_string();
    let mut late = Pane::open(&board, SIZE, &["attach", &session]);
    late.wait_for("has ended (exit code 3)");
    late.wait_for("host-runner screen");
    assert_eq!(late.wait_for_exit(), Some(1));
    assert_eq!(late.settings(), late.before);
    let mut screen = Pane::open(&board, SIZE, &["screen", &session]);
    screen.wait_for("its last screen");
    assert_eq!(screen.wait_for_exit(), Some(0));
}

#[test]
fn a_killed_host_is_told_with_what_the_daemon_knows() {
    let (_board, daemon, host, mut pane) = attached("echo up; exec cat", &[]);
    pane.wait_for("up");
    daemon.session_ended("its host was killed", "");
    host.signal(Signal::KILL);
    pane.wait_for("has ended (its host was killed)");
    assert_eq!(pane.wait_for_exit(), Some(1));
    assert_eq!(pane.settings(), pane.before);
}

#[test]
fn a_lost_host_can_be_left_while_it_is_looked_for() {
    let (_board, daemon, host, mut pane) = attached("echo up; exec cat", &[]);
    pane.wait_for("up");
    host.signal(Signal::KILL);
    pane.wait_for_raw("reconnecting".as_bytes());
    pane.type_in(b"\x1c");
    assert_eq!(pane.wait_for_exit(), Some(0));
    drop(daemon);
}

// Field report F20: whoever asked a daemon that accepts and never answers waited for it, with a dead keyboard.
#[test]
fn f20_a_lost_host_can_be_left_while_a_daemon_that_hangs_is_asked() {
    let (board, daemon, host, mut pane) = attached("echo up; exec cat", &[]);
    pane.wait_for("up");
    daemon.kill();
    std::fs::remove_file(board.root.daemon_socket()).unwrap();
    let listener = std::os::unix::net::UnixListener::bind(board.root.daemon_socket()).unwrap();
    host.signal(Signal::KILL);
    pane.wait_for_raw("reconnecting".as_bytes());
    // The title's own thread asks, too; the second connection is the question about the host.
    let questions = [listener.accept().unwrap(), listener.accept().unwrap()];
    pane.type_in(b"\x1c");
    assert_eq!(pane.wait_for_exit(), Some(0));
    drop(questions);
}

// Field report D3: a large paste was cut, froze everything, or lost its markers.
#[test]
fn d3_a_paste_of_a_mebibyte_through_a_pane_arrives_whole_with_one_pair_of_markers() {
    const PASTE: usize = 1024 * 1024;
    let script = format!(
        "stty raw -echo; printf '\\033[?2004hready'; read -r -n 1 x; head -c {} | sha256sum; exec cat",
        PASTE + 12
    );
    let (board, _daemon, host, mut pane) = attached(&script, &[]);
    pane.wait_for("ready");
    let text: String = (0..PASTE).map(|n| char::from(b'a' + (n % 23) as u8)).collect();
    let paste = format!("\x1b[200~{text}\x1b[201~");
    let file = board.path("paste");
    std::fs::write(&file, &paste).unwrap();
    let sum = std::process::Command::new("sha256sum").arg(&file).output().unwrap().stdout;
    pane.type_in(b"!");
    pane.type_in(paste.as_bytes());
    pane.wait_for(std::str::from_utf8(&sum[..64]).unwrap());
    Client::attach(&host).wait_for("ready");
}

#[test]
fn the_session_takes_the_size_of_its_pane_and_follows_it() {
    let script = format!("echo up; read -r x; echo first $(stty size); exec perl -e '{SIZE_REPORTER}'");
    let (_board, _daemon, host, mut pane) = attached_at(Size { cols: 100, rows: 30 }, &script, &[]);
    pane.wait_for("up");
    pane.type_in(b"\r");
    pane.wait_for("first 30 100");
    pane.wait_for("ready");
    pane.resize(Size { cols: 90, rows: 20 });
    pane.wait_for("size 20 90");
    assert_eq!(pane.contents().trim_end(), read_screen(&host, 0).trim_end());
}

#[test]
fn the_title_is_the_sessions_name_and_state_and_follows_the_board() {
    // A title of the session's own is half said for the whole time; ours must not cut it in two.
    let script = r"stty -echo; printf 'up\033]2;half'; read -r x; printf ' said\007'; exec cat";
    let (_board, daemon, _host, mut pane) = attached(script, &[]);
    pane.wait_for("up");
    pane.wait_for_raw("\x1b]2;a session · Running\x1b\\".as_bytes());
    daemon.publish(SemanticState::NeedsInput);
    pane.type_in(b"go\r");
    pane.wait_for_raw(b"\x1b]2;half said\x07");
    pane.wait_for_raw("\x1b]2;a session · Needs answer\x1b\\".as_bytes());
    // Without a daemon the state is not known, and not claimed.
    daemon.kill();
    pane.wait_for_raw("\x1b]2;a session\x1b\\".as_bytes());
}

// Field report E5: the other viewer is drawn at its own size and never types.
#[test]
fn e5_a_reader_of_another_size_sees_a_cropped_picture_and_types_nothing() {
    let script = r"printf '\033[20;60Hfar corner\033[1;1Hnear\033[20;71H'; exec cat";
    let small = Size { cols: 40, rows: 10 };
    let (_board, _daemon, host, mut pane) = attached_at(small, script, &["--read-only"]);
    pane.wait_for("far corner");
    assert!(!pane.contents().contains("near"), "{}", pane.contents());
    pane.type_in(b"typed\r");
    let mut client = Client::attach(&host);
    client.wait_for("far corner");
    client.type_in("by me");
    pane.wait_for("by me");
    assert!(!read_screen(&host, 0).contains("typed"));
    assert_eq!(client.causes.len(), 1, "a reader never resizes");
    pane.type_in(b"\x1b[1;5D");
    assert_eq!(pane.wait_for_exit(), Some(0));
    assert_eq!(pane.settings(), pane.before);
}

#[test]
fn what_stood_on_a_persons_screen_is_pushed_up_and_not_lost() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let host = board.start(board.shell("echo up; exec cat"));
    daemon.wait_for_child();
    let session = host.session().to_string();
    let mut pane = Pane::open(&board, SIZE, &["attach", &session]);
    pane.screen.process(b"$ make\r\nall is built\r\n$ ");
    pane.wait_for("up");
    assert!(!pane.contents().contains("all is built"));
    pane.type_in(b"\x1c");
    pane.wait_for_exit();
    pane.screen.screen_mut().set_scrollback(usize::MAX);
    assert!(pane.contents().contains("all is built"), "{}", pane.contents());
}

#[test]
fn a_session_inside_itself_and_a_pipe_are_refused() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let program = env!("CARGO_BIN_EXE_host-runner");
    let script = format!(
        "read -r go; {program} attach $AGENT_BOARD_SESSION; echo code $?; {program} attach x | cat; echo done; exec cat"
    );
    let host = board.start(board.shell(&script));
    daemon.wait_for_child();
    let mut client = Client::attach(&host);
    client.type_in("go\r");
    client.wait_for("done");
    assert!(client.contents().contains("this terminal is that session"), "{}", client.contents());
    assert!(client.contents().contains("code 1"));
    assert!(client.contents().contains("attach needs a terminal"));
}

// Field report F6: closing a window cold-started the server or took the session with it.
#[test]
fn f6_a_closed_terminal_ends_the_client_only() {
    let (_board, mut daemon, host, mut pane) = attached("echo up; exec cat", &[]);
    pane.wait_for("up");
    let client = pane.identity();
    drop(pane);
    wait_for_end(client);
    daemon.wait_for_fact("departure", |fact| match fact {
        board_protocol::host::HostFact::AttachedChanged { attached, .. } => attached.is_empty().then_some(()),
        _ => None,
    });
    Client::attach(&host).wait_for("up");
}

/// What a terminal answers to the attach client's own questions.
const LOOK: &str =
    "\x1b]10;rgb:dddd/dddd/dddd\x1b\\\x1b]11;rgb:1111/2222/3333\x1b\\\x1b[6;18;9t\x1b[4;432;720t\x1b[?62;4c";

#[test]
fn a_program_is_told_the_colours_of_the_persons_terminal_and_their_answers_are_not_typed() {
    let script = r"stty raw -echo; printf up; key=$(head -c 1); printf '\033]11;?\033\\\033[16t'
        answer=$(head -c 34 | tr -d '\033\\'); stty sane; echo; echo key $key; echo $answer; exec cat";
    let (_board, _daemon, _host, mut pane) = attached(script, &[]);
    pane.wait_for_raw(b"\x1b]11;?\x1b\\");
    pane.type_in(LOOK.as_bytes());
    pane.wait_for("up");
    pane.type_in(b"k");
    pane.wait_for("key k");
    pane.wait_for("]11;rgb:1111/2222/3333[6;18;9t");
}

#[test]
fn answers_of_the_terminal_that_come_while_we_leave_are_not_left_to_the_shell() {
    let (_board, _daemon, _host, mut pane) = attached("printf up; exec cat", &[]);
    pane.wait_for("up");
    pane.type_in(b"\x1c");
    pane.wait_for_raw(b"\x1b]11;?\x1b\\");
    pane.type_in(LOOK.as_bytes());
    assert_eq!(pane.wait_for_exit(), Some(0));
    assert_eq!(pane.left_to_the_shell(), b"");
}

//! The client's matrix, a test for every row of reference E.4b, and the rows of I.4 that are the client's.

use super::*;

const MODE: fn(Mode) -> Action = Action::Mode;

fn unnumbered(text: &str) -> FromHost {
    FromHost::Unnumbered { data: text.into() }
}

fn empty_screen() -> Action {
    Action::Snapshot { size: SIZE, bytes: EMPTY_SCREEN.to_vec() }
}

fn resize(cols: u16, rows: u16) -> Action {
    Action::Send(ToHost::Resize(Size { cols, rows }))
}

/// At a host that does not answer the first subscription.
fn legacy() -> Client {
    let mut client = Client::subscribed(AttachMode::Interactive);
    assert_eq!(client.after(ANSWER_WITHIN), [MODE(Mode::Legacy), empty_screen()]);
    client
}

#[test]
fn probe_then_begin_frame_end_is_ready_and_live_from_next_seq() {
    let mut client = Client::live();
    assert_eq!(client.says(chunk(6, "x")), [output("x")]);
    assert_eq!(client.says(chunk(7, "y")), [output("y")]);
    assert_eq!(client.machine.next_deadline(), None, "no timer while nothing happens");
}

// I.4, Probe: an old host that is silent is legacy after 1500 ms, without a visible failure.
#[test]
fn i4_probe_timeout_is_legacy_and_the_connection_still_works() {
    let mut client = Client::subscribed(AttachMode::Interactive);
    assert_eq!(client.after(ANSWER_WITHIN - Duration::from_millis(1)), []);
    assert_eq!(client.after(Duration::from_millis(1)), [MODE(Mode::Legacy), empty_screen()]);
    assert_eq!(client.machine.condition(), Condition::Fine);
    assert_eq!(client.says(unnumbered("x")), [output("x")]);
    let typed = client.machine.on_input(b"k".to_vec());
    assert_eq!(typed, [Action::Send(ToHost::Input { data: b"k".to_vec() })]);
    assert_eq!(client.machine.detach(client.now), [Action::Send(ToHost::Detach)]);
}

// I.4, Probe: the kill switch is legacy without a probe.
#[test]
fn i4_forced_legacy_sends_no_probe() {
    let mut client = Client::with(AttachMode::Interactive, Snapshots::Off);
    client.after(Duration::ZERO);
    client.hello("a");
    let actions = client.says(reconciled("a"));
    assert_eq!(actions, [MODE(Mode::Legacy), empty_screen(), Action::Condition]);
    assert_eq!(client.says(unnumbered("x")), [output("x")]);
}

#[test]
fn forced_legacy_with_a_host_that_has_only_snapshots_takes_those() {
    let mut client = Client::with(AttachMode::Interactive, Snapshots::Off);
    client.after(Duration::ZERO);
    let welcome = Welcome { version: 2, build: "t".into(), generation: g("a"), process: PROCESS };
    client.machine.on_hello(HelloReply::Welcome(welcome), client.now);
    assert_eq!(client.says(reconciled("a")), [subscribe(None), Action::Condition]);
}

// I.4, Probe: frame_version_mismatch is legacy.
#[test]
fn i4_frame_version_mismatch_is_legacy() {
    let other = || FromHost::Refused(Refusal::new(RefusalKind::Version, "other frames"));
    let mut client = Client::subscribed(AttachMode::Interactive);
    assert_eq!(client.says(other()), [MODE(Mode::Legacy), empty_screen()]);
    // The way down from the protocol is told, too.
    let mut client = Client::live();
    assert_eq!(client.says(other()), [MODE(Mode::Legacy), empty_screen()]);
    assert_eq!(client.says(other()), [], "once");
}

#[test]
fn only_output_that_follows_what_is_shown_may_skip_the_machine() {
    let mut client = Client::live();
    assert!(!client.machine.passes_on(OutputSeq(7)), "a gap");
    assert!(client.machine.passes_on(OutputSeq(6)));
    assert!(!client.machine.passes_on(OutputSeq(6)), "a duplicate");
    assert_eq!(client.says(chunk(7, "y")), [output("y")]);
    client.says(chunk(9, "gap"));
    assert!(!client.machine.passes_on(OutputSeq(8)), "a fresh screen was asked for");
}

#[test]
fn a_gap_resyncs_and_nothing_is_stitched() {
    let mut client = Client::live();
    assert_eq!(client.says(chunk(8, "z")), [subscribe(None)]);
    assert_eq!(client.says(chunk(9, "z")), []);
    client.says(begin(9, "a"));
    client.says(frame("fresh"));
    assert_eq!(client.says(end(10)), [snapshot("fresh")]);
    assert_eq!(client.says(chunk(10, "w")), [output("w")]);
}

// Here a host says so by beginning another snapshot.
#[test]
fn resnapshot_required_resyncs_an_unsolicited_begin_while_live_is_taken() {
    let mut client = Client::live();
    assert_eq!(client.says(begin(9, "a")), [], "the mode is no news");
    client.says(frame("fresh"));
    assert_eq!(client.says(end(10)), [snapshot("fresh")]);
    assert_eq!(client.says(chunk(10, "w")), [output("w")]);
}

#[test]
fn resnapshot_required_instead_of_the_end_throws_the_part_away() {
    let mut client = Client::subscribed(AttachMode::Interactive);
    client.says(begin(5, "a"));
    client.says(frame("half"));
    client.says(begin(8, "a"));
    client.says(frame("whole"));
    assert_eq!(client.says(end(9)), [snapshot("whole")]);
}

#[test]
fn a_snapshot_whose_end_does_not_follow_from_its_beginning_is_none() {
    for (first, parts, next) in [(9, "x", 77), (9, "x", 9), (9, "", 10)] {
        let mut client = Client::live();
        client.says(begin(first, "a"));
        if !parts.is_empty() {
            client.says(frame(parts));
        }
        assert_eq!(client.says(end(next)), [subscribe(None)]);
        assert_eq!(client.says(frame("late part")), []);
        assert_eq!(client.says(end(10)), []);
    }
    // Nor are parts without a beginning.
    assert_eq!(Client::live().says(frame("x")), [subscribe(None)]);
    assert_eq!(Client::live().says(end(7)), [subscribe(None)]);
}

#[test]
fn an_empty_baseline_is_ready_and_the_first_live_seq_is_one() {
    let mut client = Client::subscribed(AttachMode::Interactive);
    client.says(begin(0, "a"));
    assert_eq!(client.says(end(1)), [snapshot("")]);
    assert_eq!(client.says(chunk(1, "first")), [output("first")]);
}

#[test]
fn a_reconnect_with_replay_does_not_reset() {
    let mut client = Client::live();
    client.says(chunk(6, "x"));
    assert_eq!(client.reconnected("a"), [subscribe(Some(6)), Action::Condition]);
    assert_eq!(client.says(chunk(7, "y")), [output("y")]);
}

#[test]
fn a_reconnect_answered_by_a_snapshot_resets() {
    let mut client = Client::live();
    client.reconnected("a");
    client.says(begin(9, "a"));
    client.says(frame("new"));
    assert_eq!(client.says(end(10)), [snapshot("new")]);
}

#[test]
fn duplicate_and_stale_seq_are_ignored() {
    let mut client = Client::live();
    client.says(chunk(6, "x"));
    for seq in [6, 5, 1, 0] {
        assert_eq!(client.says(chunk(seq, "old")), []);
    }
    assert_eq!(client.says(chunk(7, "y")), [output("y")]);
}

#[test]
fn output_before_any_frame_is_a_violation_and_resyncs() {
    // Before the beginning of the first snapshot.
    let mut client = Client::subscribed(AttachMode::Interactive);
    assert_eq!(client.says(chunk(1, "x")), [MODE(Mode::Protocol), subscribe(None)]);
    assert_eq!(client.says(chunk(2, "x")), [], "asked already");
    // After the beginning.
    let mut client = Client::subscribed(AttachMode::Interactive);
    client.says(begin(5, "a"));
    assert_eq!(client.says(chunk(6, "x")), [subscribe(None)]);
}

#[test]
fn output_between_frame_and_end_is_kept_in_order_and_counted_once() {
    let mut client = Client::subscribed(AttachMode::Interactive);
    client.says(begin(5, "a"));
    client.says(frame("s"));
    assert_eq!(client.says(chunk(6, "x")), []);
    assert_eq!(client.says(chunk(6, "x")), []);
    assert_eq!(client.says(chunk(7, "y")), []);
    assert_eq!(client.says(end(8)), [snapshot("s"), output("x"), output("y")]);
    assert_eq!(client.says(chunk(8, "z")), [output("z")]);
    // With a gap between them it is none.
    client.says(begin(8, "a"));
    client.says(frame("s"));
    assert_eq!(client.says(chunk(10, "x")), [subscribe(None)]);
}

#[test]
fn output_without_seq_in_protocol_mode_is_never_counted_and_never_shown() {
    let mut client = Client::live();
    assert_eq!(client.says(unnumbered("x")), []);
    assert_eq!(client.says(chunk(6, "x")), [output("x")]);
    client.reconnected("a");
    assert_eq!(client.says(unnumbered("y")), []);
    assert_eq!(client.says(chunk(7, "y")), [output("y")]);
}

#[test]
fn output_before_the_mode_is_decided_is_shown_in_legacy_and_never_in_protocol() {
    let early = |client: &mut Client| {
        client.after(Duration::ZERO);
        client.hello("a");
        assert_eq!(client.says(unnumbered("one ")), []);
        client.says(reconciled("a"));
        assert_eq!(client.says(unnumbered("two")), []);
    };
    let mut client = Client::new(AttachMode::Interactive);
    early(&mut client);
    assert_eq!(client.after(ANSWER_WITHIN), [MODE(Mode::Legacy), empty_screen(), output("one two")]);
    let mut client = Client::new(AttachMode::Interactive);
    early(&mut client);
    client.says(begin(2, "a"));
    client.says(frame("s"));
    assert_eq!(client.says(end(3)), [snapshot("s")]);
}

#[test]
fn since_seq_zero_on_an_empty_model_is_live_without_a_message() {
    let mut client = Client::subscribed(AttachMode::Interactive);
    client.says(begin(0, "a"));
    client.says(end(1));
    assert_eq!(client.reconnected("a"), [subscribe(Some(0)), Action::Condition]);
    assert!(client.machine.is_live());
    assert_eq!(client.says(chunk(1, "first")), [output("first")]);
}

#[test]
fn after_protocol_was_once_reached_a_reconnect_neither_probes_nor_falls_back_by_silence() {
    let mut client = Client::live();
    assert_eq!(client.reconnected("b"), [subscribe(None), Action::Condition]);
    assert_eq!(client.after(ANSWER_WITHIN), []);
    assert_eq!(client.after(SNAPSHOT_WITHIN - ANSWER_WITHIN), [subscribe(None)], "no legacy");
}

#[test]
fn a_stall_in_collecting_resyncs_after_three_seconds() {
    let mut client = Client::subscribed(AttachMode::Interactive);
    client.says(begin(5, "a"));
    assert_eq!(client.after(Duration::from_secs(2)), []);
    client.says(frame("a part"));
    assert_eq!(client.after(Duration::from_secs(2)), [], "each part gives it time");
    assert_eq!(client.after(Duration::from_secs(1)), [subscribe(None)]);
}

#[test]
fn after_three_failed_snapshots_the_person_is_told_and_the_tries_are_five_seconds_apart() {
    let mut client = Client::live();
    client.says(chunk(9, "gap"));
    for _ in 1..FAILED_SNAPSHOTS {
        assert_eq!(client.after(SNAPSHOT_WITHIN), [subscribe(None)]);
        assert_eq!(client.machine.condition(), Condition::Fine);
    }
    assert_eq!(client.after(SNAPSHOT_WITHIN), [subscribe(None), Action::Condition]);
    assert_eq!(client.machine.condition(), Condition::NoScreen);
    assert_eq!(client.after(SNAPSHOT_WITHIN), []);
    assert_eq!(client.after(SNAPSHOT_RETRY - SNAPSHOT_WITHIN), [subscribe(None), Action::Condition]);
    // Once it is there, that is told as well.
    client.says(begin(9, "a"));
    client.says(frame("s"));
    assert_eq!(client.says(end(10)), [snapshot("s"), Action::Condition]);
    assert_eq!(client.machine.condition(), Condition::Fine);
}

// I.4 A5c: the runner was killed and a new child started; a foreign cursor must not survive.
#[test]
fn i4_a5c_a_changed_generation_drops_cursor_and_screen_and_takes_a_fresh_snapshot() {
    let mut client = Client::live();
    assert_eq!(client.reconnected("b"), [subscribe(None), Action::Condition]);
    assert_eq!(client.says(chunk(6, "old")), [], "not from the new child");
    client.says(begin(0, "b"));
    assert_eq!(client.says(end(1)), [snapshot("")]);
    assert_eq!(client.says(chunk(1, "x")), [output("x")]);
    // Also when it is told first by the snapshot.
    client.says(begin(0, "c"));
    assert_eq!(client.says(end(1)), [snapshot("")]);
    assert_eq!(client.says(chunk(1, "z")), [output("z")]);
}

// I.4 A6: in protocol mode an attach of equal size sends no size.
#[test]
fn i4_a6_an_attach_of_equal_size_sends_no_resize() {
    let mut client = Client::live();
    let mut sent = client.reconnected("a");
    sent.extend(client.says(begin(9, "a")));
    client.says(frame("fresh"));
    sent.extend(client.says(end(10)));
    while let Some(at) = client.machine.next_deadline() {
        sent.extend(client.after(at - client.now));
    }
    assert!(!sent.iter().any(|action| matches!(action, Action::Send(ToHost::Resize(_)))), "{sent:?}");
}

#[test]
fn strays_while_reconciling_are_shown_once_and_move_the_cursor() {
    let mut client = Client::live();
    client.machine.on_lost(client.now);
    client.after(RETRY_EVERY);
    client.hello("a");
    assert_eq!(client.says(chunk(6, "x")), [output("x")]);
    assert_eq!(client.says(chunk(6, "x")), []);
    assert_eq!(client.says(reconciled("a")), [subscribe(Some(6)), Action::Condition]);
}

#[test]
fn legacy_makes_the_program_draw_by_a_size_and_gives_it_back_before_leaving() {
    let mut client = legacy();
    assert_eq!(client.after(Duration::from_millis(100)), [resize(80, 24), resize(79, 23)]);
    assert_eq!(client.says(unnumbered("\x1b[?2026h")), [output("\x1b[?2026h"), resize(80, 24)]);
    let mut client = legacy();
    client.after(Duration::from_millis(100));
    assert_eq!(client.machine.detach(client.now), [resize(80, 24), Action::Send(ToHost::Detach)]);
    // Another size of the pane is the size that counts.
    let mut client = legacy();
    client.after(Duration::from_millis(100));
    let size = Size { cols: 100, rows: 30 };
    let actions = client.machine.on_resize(size, client.now);
    assert_eq!(actions.first(), Some(&Action::Send(ToHost::Resize(size))));
    assert_eq!(client.machine.detach(client.now), [Action::Send(ToHost::Detach)]);
}

#[test]
fn a_reader_in_legacy_never_resizes() {
    let mut client = Client::subscribed(AttachMode::ReadOnly);
    client.after(ANSWER_WITHIN);
    assert_eq!(client.machine.next_deadline(), None);
}

#[test]
fn a_reconnect_in_legacy_stays_legacy_and_draws_again() {
    let mut client = legacy();
    let actions = client.reconnected("a");
    assert_eq!(actions, [empty_screen(), Action::Condition]);
    assert_eq!(client.after(Duration::from_millis(100)), [resize(80, 24), resize(79, 23)]);
}

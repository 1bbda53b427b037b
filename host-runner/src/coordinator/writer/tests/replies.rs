//! Replies on a real store, in a thousand random orders of events: every one is written once, or it is said that this is
//! not known.

use super::*;
use board_protocol::{command::ReplyDelivery, daemon::ReplyProgress};
use game::{Game, any_step, prepared};
use proptest::{prelude::*, test_runner::Config};

mod game;

/// Orders that are tried.
const INTERLEAVINGS: u32 = 1_000;

#[test]
fn words_for_an_agent_that_waits_leave_in_the_turn_in_which_they_came() {
    let mut game = Game::new();
    let reply =
        Command::Reply { session: game.session.clone(), text: "go on".into(), delivery: ReplyDelivery::Auto };
    let input = prepared(game.play().command("r", reply));
    let outputs = game.play().coordinator.handle(vec![input]);
    let delivered = |order: &&HostOrder| matches!(order, HostOrder::Deliver { text, .. } if text == "go on");
    assert_eq!(orders(&outputs).iter().filter(|order| delivered(order)).count(), 1);
    // The person hears of it after the commit, and the host last.
    let place = |what: fn(&Output) -> bool| outputs.iter().position(what).unwrap();
    assert!(
        place(|output| matches!(output, Output::Answer { .. }))
            < place(|output| matches!(output, Output::Order { .. }))
    );
    assert_eq!(game.record().queue.items[0].progress, ReplyProgress::Sent);
}

// A host that was started before an upgrade cannot read the order: it would drop the connection.
#[test]
fn a_host_of_an_older_build_is_never_told_to_write_words() {
    let mut game = Game::new();
    game.cut();
    let host = game.host.as_ref().unwrap();
    let mut registration = registration(&host.launch, host.pid);
    registration.child = Some(process(host.pid + 1));
    let connection = ConnectionId(77);
    game.host.as_mut().unwrap().connection = Some(connection);
    game.handle(vec![Input::HostRegistered { connection, version: 4, registration }]);
    game.reply(ReplyDelivery::Auto);
    game.time_passes();
    let unread = &game.host.as_ref().unwrap().unread;
    assert!(!unread.iter().any(|order| matches!(order, HostOrder::Deliver { .. })), "{unread:?}");
    assert_eq!(game.record().queue.items[0].progress, ReplyProgress::Waiting);
}

// Field reports D11 and F16: words for a row that a person stopped stay, and nothing of them is ever typed by itself.
#[test]
fn d11_f16_words_for_a_stopped_row_wait_over_restarts_until_a_person_starts_it() {
    let mut game = Game::new();
    let session = game.session.clone();
    game.command(Command::Stop { session: session.clone() });
    game.read();
    assert!(!game.record().is_live());
    game.reply(ReplyDelivery::Auto);
    for _ in 0..3 {
        game.restart();
        game.time_passes();
        assert_eq!(game.record().state, SemanticState::Stopped);
        assert!(game.host.is_none(), "nothing starts it");
    }
    assert_eq!(game.written, Vec::<String>::new());
    game.command(Command::Resume { session });
    game.finish();
    assert_eq!(game.written.len(), 1);
    game.judge().unwrap();
}

proptest! {
    #![proptest_config(Config { cases: INTERLEAVINGS, failure_persistence: None, ..Config::default() })]

    // Field report I2: a flush on an edge strands a message that was enqueued at the same instant.
    #[test]
    fn i2_every_reply_is_written_once_in_any_order_of_events(steps in prop::collection::vec(any_step(), 1..40)) {
        let mut game = Game::new();
        for step in steps {
            game.take_step(step);
        }
        game.finish();
        game.judge()?;
    }
}

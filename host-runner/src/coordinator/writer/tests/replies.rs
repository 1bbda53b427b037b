//! Replies on a real store, in a thousand random orders of events: every one is written once, or it is said that this is
//! not known.

use super::*;
use board_protocol::{
    command::ReplyDelivery,
    daemon::ReplyProgress,
    host::{DeliveryProgress, HostFact},
};
use game::{Game, any_step, prepared};
use proptest::{prelude::*, test_runner::Config};
use serde_json::json;

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

impl Game {
    /// The words that the host was told and has not read.
    fn told(&self) -> Vec<String> {
        let unread = self.host.iter().flat_map(|host| &host.unread);
        unread
            .filter_map(|order| match order {
                HostOrder::Deliver { text, .. } => Some(text.clone()),
                _ => None,
            })
            .collect()
    }

    /// The notice of a command that is carried out.
    fn notice(&mut self, command: Command) -> Option<String> {
        match self.command(command) {
            CommandOutcome::Applied { notice, .. } => notice,
            CommandOutcome::Refused(refusal) => panic!("{refusal}"),
        }
    }
}

// Words wait because somebody types; the person puts the row on hold; the text field becomes empty. What they wrote
// before they put it aside was typed then, and took the row off hold.
#[test]
fn what_waited_before_a_row_was_put_aside_waits_until_it_is_released() {
    for delivery in [ReplyDelivery::Auto, ReplyDelivery::Now] {
        let mut game = Game::new();
        let session = game.session.clone();
        game.take_step(game::Step::SomebodyTypes);
        game.reply(delivery);
        assert_eq!(game.record().queue.items[0].delivery, delivery, "it waits for the text field only");
        game.take_step(game::Step::MarkHolding);
        game.take_step(game::Step::NobodyTypes);
        game.time_passes();
        game.cut();
        game.connect();
        game.restart();
        game.connect();
        game.take_step(game::Step::NobodyTypes);
        game.time_passes();
        assert_eq!(game.told(), Vec::<String>::new(), "{delivery:?}");
        assert_eq!(game.record().state, SemanticState::Holding);
        game.command(Command::ClearHolding { session });
        assert_eq!(game.told().len(), 1, "{delivery:?}");
    }
}

// Words that the host gave back, or never heard of, are words of before too.
#[test]
fn words_on_their_way_when_a_row_is_put_aside_are_not_said_again_into_it() {
    let mut game = Game::new();
    game.reply(ReplyDelivery::Auto);
    assert_eq!(game.told().len(), 1);
    game.take_step(game::Step::MarkHolding);
    // The order is lost with the connection.
    game.cut();
    game.connect();
    game.time_passes();
    assert_eq!(game.told(), Vec::<String>::new());
    assert_eq!(game.record().state, SemanticState::Holding);
    game.finish();
    assert_eq!(game.written.len(), 1);
    game.judge().unwrap();
}

// Reference D.10: what becomes of words stands in the session's log.
#[test]
fn d10_every_step_of_words_is_in_the_log() {
    let mut game = Game::new();
    let (session, at_once) = (game.session.clone(), ["follow_up_sent", "follow_up_started"]);
    let log = |game: &mut Game| game.play().log(&session);
    game.reply(ReplyDelivery::Auto);
    game.read();
    game.type_words();
    game.write_down();
    assert_eq!(log(&mut game), at_once, "what goes at once was never queued");
    // In a turn it waits, and goes at its end.
    game.reply(ReplyDelivery::Auto);
    assert_eq!(log(&mut game)[2..], ["follow_up_queued"]);
    game.tell(json!({"type": "agent_settled"}));
    assert_eq!(log(&mut game)[3..], ["follow_up_sent"]);
    // Its host cannot: the words are given back, and sent again after a pause.
    let refused = DeliveryProgress::Refused { reason: "no room".into() };
    let item = game.record().queue.items[0].id.clone();
    game.report(HostFact::ReplyProgressed { item, progress: refused });
    assert_eq!(log(&mut game)[4..], ["follow_up_send_failed"]);
    game.host.as_mut().unwrap().unread.clear();
    game.time_passes();
    assert_eq!(log(&mut game)[5..], ["follow_up_sent"]);
    game.finish();
    assert_eq!(log(&mut game)[6..], ["follow_up_started"]);
    // A host that is away.
    game.cut();
    game.reply(ReplyDelivery::Auto);
    assert_eq!(log(&mut game)[7..], ["follow_up_queued", "waiting_for_pty"]);
    game.finish();
    assert_eq!(log(&mut game)[9..], at_once);
}

// A reply into a row on hold is the person speaking to it: it goes, and the row is off hold once the agent has it.
#[test]
fn words_that_are_written_into_a_holding_row_go_at_once_and_lift_it() {
    let mut game = Game::new();
    game.take_step(game::Step::MarkHolding);
    game.reply(ReplyDelivery::Auto);
    assert_eq!(game.told().len(), 1);
    assert_eq!(game.record().state, SemanticState::Holding);
    game.read();
    game.type_words();
    game.write_down();
    assert_ne!(game.record().state, SemanticState::Holding);
}

#[test]
fn c6_releasing_a_row_sends_what_waited() {
    let mut game = Game::new();
    let session = game.session.clone();
    game.take_step(game::Step::MarkHolding);
    game.reply(ReplyDelivery::Queue);
    game.reply(ReplyDelivery::Queue);
    game.time_passes();
    assert_eq!(game.told(), Vec::<String>::new());
    let notice = game.notice(Command::ClearHolding { session });
    assert_eq!(notice.as_deref(), Some("Resumed — 2 queued will be sent"));
    let first = game.record().queue.items[0].text.clone();
    assert_eq!(game.told(), [first], "the first goes at once, the second in its turn");
    game.finish();
    assert_eq!(game.written.len(), 2);
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

//! What agents wait for, as the coordinator mirrors it, and a person's skip (reference G.2, G.3).

use super::{
    terminals::{opened, parent},
    *,
};
use crate::coordinator::{Question, Ticket};
use board_protocol::{
    board::Row,
    daemon::Answer,
    host::{HostLaunch, HostRegistration},
    refusal::Refusal,
    terminals::{MAX_WAITS_PER_TERMINAL, TerminalWaits, Wait},
};

const TERMINAL: ConnectionId = ConnectionId(60);

fn wait(needle: &str, since: u64) -> Wait {
    Wait { needle: needle.into(), since_ms: UnixMs(since) }
}

fn says(connection: ConnectionId, waits: &[Wait]) -> Input {
    Input::HostWaits { connection, waits: waits.to_vec() }
}

/// Rows that a turn publishes, by id.
fn published(outputs: &[Output]) -> Vec<&Row> {
    let changes = outputs.iter().filter_map(|output| match output {
        Output::BoardChanged { upserted, .. } => Some(upserted),
        _ => None,
    });
    changes.flatten().collect()
}

fn shown(play: &mut Play, session: &SessionId) -> Option<(String, u32)> {
    play.show(session).row.waiting.map(|waiting| (waiting.needle, waiting.count))
}

fn all(play: &mut Play) -> Vec<TerminalWaits> {
    let asked = Input::Asked { ticket: Ticket(900), question: Question::Waits };
    match play.coordinator.handle(vec![asked]).pop() {
        Some(Output::Answer { answer: Ok(Answer::Waits(all)), .. }) => all,
        other => panic!("{other:?}"),
    }
}

fn skip(play: &mut Play, typed: &str) -> (Ticket, Vec<Output>) {
    play.tickets += 1;
    let ticket = Ticket(play.tickets);
    let outputs = play.coordinator.handle(vec![Input::SkipWaits { ticket, session: typed.to_owned() }]);
    (ticket, outputs)
}

/// The answer to a skip, if it is among these.
fn skipped(outputs: &[Output], of: Ticket) -> Option<Result<u32, Refusal>> {
    outputs.iter().find_map(|output| match output {
        Output::Answer { ticket, answer } if *ticket == of => Some(match answer {
            Ok(Answer::WaitsSkipped { count }) => Ok(*count),
            Ok(other) => panic!("{other:?}"),
            Err(refusal) => Err(refusal.clone()),
        }),
        _ => None,
    })
}

/// The orders to end waits: connection and number.
fn orders_to_skip(outputs: &[Output]) -> Vec<(ConnectionId, u64)> {
    let orders = outputs.iter().filter_map(|output| match output {
        Output::Order { connection, order: HostOrder::SkipWaits { number } } => Some((*connection, *number)),
        _ => None,
    });
    orders.collect()
}

/// A session with two terminals, on connections 60 and 70.
fn family(play: &mut Play) -> (HostLaunch, HostLaunch, HostLaunch) {
    let owner = parent(play);
    let one = opened(play, &owner, "one", 60);
    let two = opened(play, &owner, "two", 70);
    (owner, one, two)
}

#[test]
fn g3_the_newest_wait_and_their_number_stand_on_the_terminal_and_on_its_session() {
    let mut play = Play::new();
    let (owner, one, two) = family(&mut play);
    let outputs = play.coordinator.handle(vec![says(TERMINAL, &[wait("old", 10), wait("new", 20)])]);
    let mut rows: Vec<&SessionId> = published(&outputs).into_iter().map(|row| &row.id).collect();
    rows.sort();
    assert_eq!(rows, [&owner.session, &one.session]);
    play.coordinator.handle(vec![says(ConnectionId(70), &[wait("between", 15)])]);
    assert_eq!(shown(&mut play, &one.session), Some(("new".into(), 2)));
    assert_eq!(shown(&mut play, &two.session), Some(("between".into(), 1)));
    assert_eq!(shown(&mut play, &owner.session), Some(("new".into(), 3)));
    let listed: Vec<(SessionId, usize)> =
        all(&mut play).into_iter().map(|listed| (listed.terminal, listed.waits.len())).collect();
    assert_eq!(listed, [(one.session.clone(), 2), (two.session, 1)]);
    let needles: Vec<String> = play.show(&owner.session).waits.into_iter().map(|wait| wait.needle).collect();
    assert_eq!(needles, ["old", "between", "new"]);
    // Nothing waits there any more.
    play.coordinator.handle(vec![says(TERMINAL, &[])]);
    assert_eq!(shown(&mut play, &one.session), None);
    assert_eq!(shown(&mut play, &owner.session), Some(("between".into(), 1)));
}

#[test]
fn g3_a_needle_is_cut_and_plain_on_rows_and_whole_and_visible_in_peek() {
    let mut play = Play::new();
    let (owner, one, _) = family(&mut play);
    let needle = format!("\u{1b}[31m{}\n", "字".repeat(100));
    play.coordinator.handle(vec![says(TERMINAL, &[wait(&needle, 1)])]);
    let cut = format!("␛[31m{}…", "字".repeat(74));
    assert_eq!(shown(&mut play, &one.session), Some((cut.clone(), 1)));
    assert_eq!(shown(&mut play, &owner.session), Some((cut, 1)));
    assert_eq!(play.show(&one.session).waits[0].needle, format!("␛[31m{}␊", "字".repeat(100)));
}

#[test]
fn g3_waits_that_come_and_go_are_shown_four_times_a_second_and_never_written() {
    let mut play = Play::new();
    let (owner, one, _) = family(&mut play);
    let before = agent::journal(&play);
    let mut changes = 0;
    let mut due = Vec::new();
    for at in (10_000_u64..11_000).step_by(10) {
        play.stage.0.uptime.set(at);
        let waits = if at % 20 == 0 { vec![wait("ready", at)] } else { Vec::new() };
        let mut inputs = vec![says(TERMINAL, &waits)];
        due.retain(|(session, when): &(SessionId, u64)| {
            let is_due = *when <= at;
            if is_due {
                inputs.push(Input::ShowDue { session: session.clone() });
            }
            !is_due
        });
        let outputs = play.coordinator.handle(inputs);
        changes += published(&outputs).iter().filter(|row| row.id == one.session).count();
        for output in outputs {
            if let Output::ShowLater { session, after_ms } = output {
                due.push((session, at + after_ms));
            }
        }
    }
    assert!((2..=5).contains(&changes), "{changes}");
    // The last word is shown in the end, on both rows.
    let left: Vec<SessionId> = due.into_iter().map(|(session, _)| session).collect();
    assert!(left.contains(&one.session) && left.contains(&owner.session), "{left:?}");
    assert_eq!(agent::journal(&play), before);
    // The same list again is no news.
    let same = play.coordinator.handle(vec![says(TERMINAL, &[])]);
    assert!(published(&same).is_empty());
}

#[test]
fn g3_what_a_host_said_goes_with_it_and_comes_back_with_it() {
    let mut play = Play::new();
    let (owner, one, _) = family(&mut play);
    play.coordinator.handle(vec![says(TERMINAL, &[wait("ready", 1)])]);
    let outputs = play.coordinator.handle(vec![Input::HostLeft { connection: TERMINAL }]);
    let rows: Vec<&SessionId> = published(&outputs).into_iter().map(|row| &row.id).collect();
    assert!(rows.contains(&&owner.session) && rows.contains(&&one.session), "{rows:?}");
    assert_eq!((shown(&mut play, &one.session), shown(&mut play, &owner.session)), (None, None));
    // Nothing of it is on a disk: a daemon that was started since hears it from the host.
    let (mut play, _) = play.restart();
    assert_eq!(shown(&mut play, &one.session), None);
    let waits = vec![wait("ready", 1)];
    let registration = HostRegistration { child: Some(process(61)), waits, ..registration(&one, 60) };
    let connection = ConnectionId(61);
    let outputs =
        play.coordinator.handle(vec![Input::HostRegistered { connection, version: 7, registration }]);
    let rows: Vec<&SessionId> = published(&outputs).into_iter().map(|row| &row.id).collect();
    assert!(rows.contains(&&owner.session) && rows.contains(&&one.session), "{rows:?}");
    assert_eq!(shown(&mut play, &owner.session), Some(("ready".into(), 1)));
    // The end of its program ends them as well, whatever the connection does.
    let outputs = play.coordinator.handle(vec![reported(connection, 2, exit(0))]);
    assert!(published(&outputs).iter().any(|row| row.id == owner.session && row.waiting.is_none()));
    assert_eq!(all(&mut play), []);
}

#[test]
fn g4_a_persons_own_session_has_no_waits_and_a_list_has_a_limit() {
    let mut play = Play::new();
    let (owner, one, _) = family(&mut play);
    play.coordinator.handle(vec![says(ConnectionId(1), &[wait("never", 1)])]);
    assert_eq!(shown(&mut play, &owner.session), None);
    let many: Vec<Wait> = (0..500).map(|n| wait("x", n)).collect();
    play.coordinator.handle(vec![says(TERMINAL, &many)]);
    let most = u32::try_from(MAX_WAITS_PER_TERMINAL).unwrap();
    assert_eq!(shown(&mut play, &one.session), Some(("x".into(), most)));
}

#[test]
fn g2_a_skip_is_carried_out_by_the_host_and_its_count_is_the_answer() {
    let mut play = Play::new();
    let (owner, one, two) = family(&mut play);
    play.coordinator.handle(vec![says(TERMINAL, &[wait("a", 1), wait("b", 2)])]);
    // By name, and by the beginning of its id as well.
    for typed in [one.name.as_str(), one.session.as_str()] {
        let (ticket, outputs) = skip(&mut play, typed);
        assert!(
            outputs
                .iter()
                .any(|output| matches!(output, Output::SkipLater { ticket: waits, .. } if *waits == ticket))
        );
        let asked = orders_to_skip(&outputs);
        assert_eq!(asked.len(), 1);
        assert_eq!(skipped(&outputs, ticket), None, "the host has not answered");
        // Nothing goes from a row because a person wanted it to: the host says when.
        assert_eq!(shown(&mut play, &one.session), Some(("b".into(), 2)));
        let (connection, number) = asked[0];
        let answered = Input::WaitsSkipped { connection, number, count: 2 };
        let outputs = play.coordinator.handle(vec![answered.clone()]);
        assert_eq!(skipped(&outputs, ticket), Some(Ok(2)));
        // A second answer, and the end of the time, mean nothing any more.
        assert!(play.coordinator.handle(vec![answered, Input::SkipDue { ticket }]).is_empty());
    }
    // A session: all its terminals, summed. One without waits says 0.
    let (ticket, outputs) = skip(&mut play, owner.session.as_str());
    let asked = orders_to_skip(&outputs);
    assert_eq!(asked.iter().map(|(connection, _)| connection.0).collect::<Vec<_>>(), [60, 70]);
    let mut last = Vec::new();
    for ((connection, number), count) in asked.into_iter().zip([3, 0]) {
        assert_eq!(skipped(&last, ticket), None);
        last = play.coordinator.handle(vec![Input::WaitsSkipped { connection, number, count }]);
    }
    assert_eq!(skipped(&last, ticket), Some(Ok(3)), "{:?}", two.session);
}

#[test]
fn g2_where_nobody_waits_zero_is_skipped_and_what_is_not_there_is_refused() {
    let mut play = Play::new();
    let (owner, one, _) = family(&mut play);
    let (lonely, _) = play.start("lonely");
    let (ticket, outputs) = skip(&mut play, lonely.session.as_str());
    assert_eq!(skipped(&outputs, ticket), Some(Ok(0)));
    let (ticket, outputs) = skip(&mut play, "nobody");
    assert_eq!(skipped(&outputs, ticket).unwrap().unwrap_err().kind, RefusalKind::UnknownSession);
    play.coordinator.handle(vec![reported(TERMINAL, 2, exit(0))]);
    let (ticket, outputs) = skip(&mut play, one.session.as_str());
    assert_eq!(skipped(&outputs, ticket).unwrap().unwrap_err().kind, RefusalKind::WrongState);
    // One that has ended keeps nobody from skipping the others.
    let (_, outputs) = skip(&mut play, owner.session.as_str());
    assert_eq!(orders_to_skip(&outputs).len(), 1);
}

#[test]
fn g2_a_host_that_does_not_answer_is_told_of() {
    let mut play = Play::new();
    let (owner, one, two) = family(&mut play);
    // In time it says nothing.
    let (ticket, outputs) = skip(&mut play, owner.session.as_str());
    let (connection, number) = orders_to_skip(&outputs)[1];
    play.coordinator.handle(vec![Input::WaitsSkipped { connection, number, count: 4 }]);
    let outputs = play.coordinator.handle(vec![Input::SkipDue { ticket }]);
    let refusal = skipped(&outputs, ticket).unwrap().unwrap_err();
    assert_eq!(refusal.kind, RefusalKind::HostUnreachable);
    assert!(refusal.text.starts_with("4 waits") && refusal.text.contains(one.session.as_str()), "{refusal}");
    assert!(!refusal.text.contains(two.session.as_str()), "{refusal}");
    // It goes before it has answered.
    let (ticket, _) = skip(&mut play, one.session.as_str());
    let outputs = play.coordinator.handle(vec![Input::HostLeft { connection: TERMINAL }]);
    assert_eq!(skipped(&outputs, ticket).unwrap().unwrap_err().kind, RefusalKind::HostUnreachable);
    // It is away.
    let (ticket, outputs) = skip(&mut play, one.session.as_str());
    assert_eq!(skipped(&outputs, ticket).unwrap().unwrap_err().kind, RefusalKind::HostUnreachable);
    assert!(orders_to_skip(&outputs).is_empty());
}

#[test]
fn g4_a_host_of_an_older_build_is_sent_nothing_that_it_cannot_read() {
    let mut play = Play::new();
    let (_, one, _) = family(&mut play);
    play.coordinator.handle(vec![Input::HostRegistered {
        connection: ConnectionId(61),
        version: 6,
        registration: HostRegistration { child: Some(process(61)), ..registration(&one, 60) },
    }]);
    let (ticket, outputs) = skip(&mut play, one.session.as_str());
    assert!(orders_to_skip(&outputs).is_empty());
    assert_eq!(skipped(&outputs, ticket), Some(Ok(0)));
}

//! What the daemon has a link do for a notification: ask every board what its client looks at, and tell the persons there.

use super::*;
use board_protocol::daemon::{ClientFocus, LinkOrder, NoticeWay};

fn order(order: LinkOrder) -> Input {
    Input::Daemon(DaemonEvent::Order(order))
}

fn looking(instance: u32, number: u64, focus: ClientFocus) -> Input {
    up(instance, Up::Looking { number, focus })
}

fn looked(outputs: &[Output]) -> Option<(u64, Vec<ClientFocus>)> {
    outputs.iter().find_map(|output| match output {
        Output::Looked { number, clients } => Some((*number, clients.clone())),
        _ => None,
    })
}

#[test]
fn every_board_is_asked_and_their_answers_go_back_as_one() {
    let mut machine = settled(vec![]);
    let mut outputs = machine.on(hello(2), ms(110));
    let mut now = 110;
    while outputs.iter().any(|output| matches!(output, Output::Write(_))) {
        now += 1;
        outputs = machine.on(ack(&outputs), ms(now));
    }
    let outputs = machine.on(order(LinkOrder::Look { number: 9 }), ms(300));
    assert_eq!(lines(&outputs)[0], Down::Look { number: 9 }, "{outputs:?}");
    let outputs = machine.on(looking(1, 9, ClientFocus::Terminal(4)), ms(301));
    assert_eq!(looked(&outputs), None, "the other one has not answered");
    let outputs = machine.on(looking(7, 9, ClientFocus::Terminal(5)), ms(301));
    assert_eq!(looked(&outputs), None, "nobody asked that one");
    let outputs = machine.on(looking(2, 9, ClientFocus::Gone), ms(302));
    assert_eq!(looked(&outputs), Some((9, vec![ClientFocus::Terminal(4), ClientFocus::Gone])));
    let outputs = machine.on(looking(2, 9, ClientFocus::NoTerminal), ms(303));
    assert_eq!(looked(&outputs), None, "once");
}

#[test]
fn a_board_that_says_nothing_is_not_waited_for_and_without_one_the_answer_comes_at_once() {
    let mut machine = settled(vec![]);
    machine.on(order(LinkOrder::Look { number: 3 }), ms(300));
    assert_eq!(looked(&machine.on(Input::Tick, ms(1_299))), None);
    assert!(machine.next_deadline().is_some_and(|at| at <= ms(1_300)));
    assert_eq!(looked(&machine.on(Input::Tick, ms(1_300))), Some((3, vec![ClientFocus::Unknown])));
    let mut alone = self::machine();
    alone.on(Input::Tick, ms(0));
    alone.on(connected("d"), ms(0));
    let outputs = alone.on(order(LinkOrder::Look { number: 4 }), ms(10));
    assert_eq!(looked(&outputs), Some((4, vec![])));
}

#[test]
fn a_notification_goes_to_the_status_pane_and_not_to_boards() {
    let mut machine = settled(vec![]);
    let ways = vec![NoticeWay::Bell];
    let text = "Agent Board: job has finished".to_owned();
    let outputs = machine.on(order(LinkOrder::Notify { text: text.clone(), ways: ways.clone() }), ms(200));
    assert_eq!(outputs, [Output::Notify { text, ways }]);
}

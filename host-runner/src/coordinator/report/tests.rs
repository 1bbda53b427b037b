//! What hosts say, in every order and more than once.

use super::*;
use crate::model::{
    AfterStop, apply,
    samples::{begun, exited, fact, generation, process, session, started},
};
use board_protocol::{
    host::{AttachMode, Exit},
    ids::Size,
};

const ID: &str = "0000000001";

fn running() -> Sessions {
    let mut sessions = Sessions::new();
    begun(&mut sessions, ID, "sample");
    apply(&mut sessions, &fact(ID, 20, started(1)));
    sessions
}

fn token() -> Token {
    Token("secret".into())
}

fn registration() -> HostRegistration {
    HostRegistration {
        session: session(ID),
        generation: generation(),
        token: token(),
        process: process(50),
        child: Some(process(77)),
        socket: "/run/x.sock".into(),
        size: Size::DEFAULT,
        attached: Vec::new(),
        text_field: None,
        waits: Vec::new(),
    }
}

fn client(pane_id: u32) -> AttachedClient {
    let place = Some(AttachPlace { server_pid: 900, pane_id });
    AttachedClient { mode: AttachMode::Interactive, place }
}

fn reported(sessions: &Sessions, seq: u64, fact: &HostFact, delivery: Delivery) -> Decision {
    let report = Report {
        session: &session(ID),
        generation: &generation(),
        seq: FactSeq(seq),
        at: UnixMs(99),
        fact,
        delivery,
    };
    decide_report(sessions, report)
}

#[test]
fn who_is_adopted() {
    let secret = Acquaintance::Secret(token());
    let meet = |sessions: &Sessions, registration: &HostRegistration, acquaintance: &Acquaintance| match meet(
        sessions,
        registration,
        acquaintance,
        UnixMs(1),
    ) {
        Verdict::Adopted(_) => "adopted",
        Verdict::Revoked(_) => "revoked",
        Verdict::Stranger => "stranger",
    };
    assert_eq!(meet(&running(), &registration(), &secret), "adopted");
    let wrong = HostRegistration { token: Token("guess".into()), ..registration() };
    assert_eq!(meet(&running(), &wrong, &secret), "revoked");
    let older = HostRegistration { generation: Generation("older".into()), ..registration() };
    assert_eq!(meet(&running(), &older, &secret), "revoked");
    let mut ended = running();
    apply(&mut ended, &fact(ID, 30, exited(2, Exit::Code(0))));
    assert_eq!(meet(&ended, &registration(), &secret), "revoked");
    assert_eq!(meet(&Sessions::new(), &registration(), &Acquaintance::Removed), "revoked");
    // A store that was lost must not end agents that still run.
    assert_eq!(meet(&Sessions::new(), &registration(), &Acquaintance::Never), "stranger");
    // Nor may a row in quarantine, whose secret is still there, or a secret that cannot be read.
    assert_eq!(meet(&Sessions::new(), &registration(), &secret), "stranger");
    assert_eq!(meet(&running(), &registration(), &Acquaintance::Never), "stranger");
}

#[test]
fn a_host_that_comes_back_with_nothing_new_writes_nothing() {
    let mut sessions = running();
    let secret = Acquaintance::Secret(token());
    let Verdict::Adopted(first) = meet(&sessions, &registration(), &secret, UnixMs(1)) else { panic!() };
    assert_eq!(first.facts.len(), 1);
    apply(&mut sessions, &first.facts[0]);
    assert_eq!(meet(&sessions, &registration(), &secret, UnixMs(2)), Verdict::Adopted(Decision::default()));
}

#[test]
fn a_stop_that_found_no_host_is_ordered_when_it_comes() {
    let mut sessions = running();
    apply(&mut sessions, &fact(ID, 30, FactKind::StopRequested { then: AfterStop::Stays }));
    let Verdict::Adopted(decision) =
        meet(&sessions, &registration(), &Acquaintance::Secret(token()), UnixMs(1))
    else {
        panic!()
    };
    assert!(decision.effects.contains(&Effect::OrderHost { session: session(ID), order: HostOrder::Stop }));
}

#[test]
fn a_report_said_twice_is_recorded_once() {
    let mut sessions = running();
    let news = HostFact::AttachedChanged { attached: vec![client(4)], left: None };
    assert_eq!(reported(&sessions, 1, &news, Delivery::Connection), Decision::default());
    let decision = reported(&sessions, 2, &news, Delivery::Connection);
    assert_eq!(decision.facts.len(), 1);
    apply(&mut sessions, &decision.facts[0]);
    assert_eq!(reported(&sessions, 2, &news, Delivery::Spool), Decision::default());
    assert_eq!(reported(&Sessions::new(), 3, &news, Delivery::Connection), Decision::default());
    // A line end that a person types costs no write.
    assert_eq!(reported(&sessions, 3, &HostFact::PersonTyped, Delivery::Connection), Decision::default());
}

#[test]
fn zellij_is_told_about_panes_that_come_and_go() {
    let mut sessions = running();
    let came = HostFact::AttachedChanged { attached: vec![client(4)], left: None };
    let place = AttachPlace { server_pid: 900, pane_id: 4 };
    let attached = PaneEvent::Attached { session: session(ID), place };
    let detached = PaneEvent::Detached { session: session(ID), place };
    let tell = |event: &PaneEvent| vec![Effect::TellPane { server_pid: 900, event: event.clone() }];

    let decision = reported(&sessions, 2, &came, Delivery::Connection);
    assert_eq!(decision.effects, tell(&attached));
    assert_eq!(reported(&sessions, 2, &came, Delivery::Spool).effects, []);
    apply(&mut sessions, &decision.facts[0]);

    // Another client comes: the first one's pane is no news.
    let more = HostFact::AttachedChanged {
        attached: vec![client(4), AttachedClient { mode: AttachMode::ReadOnly, place: None }],
        left: None,
    };
    assert_eq!(reported(&sessions, 3, &more, Delivery::Connection).effects, []);
    let left = HostFact::AttachedChanged { attached: Vec::new(), left: Some(place) };
    assert_eq!(reported(&sessions, 3, &left, Delivery::Connection).effects, tell(&detached));
    // A pane that was closed takes nobody's focus.
    let closed = HostFact::AttachedChanged { attached: Vec::new(), left: None };
    assert_eq!(reported(&sessions, 3, &closed, Delivery::Connection).effects, []);
    let ended = HostFact::ChildExited { exit: Exit::Code(0), last_screen: String::new(), strays: Vec::new() };
    // A session that ends by itself takes nobody's focus: the next key may be on its way.
    let over = PaneEvent::Ended { session: session(ID), place };
    assert_eq!(reported(&sessions, 3, &ended, Delivery::Connection).effects, tell(&over));
}

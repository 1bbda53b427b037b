//! Tables of which link is chosen and which session counts as looked at.

use super::*;
use crate::coordinator::notify::Event;
use board_protocol::host::AttachedClient;

fn link(number: u64, used: u64, clients: Option<&[ClientFocus]>) -> Candidate {
    Candidate {
        connection: ConnectionId(number),
        server_pid: 100 + u32::try_from(number).unwrap(),
        terminal: LinkTerminal::StatusPane,
        used,
        clients: clients.map(<[_]>::to_vec),
    }
}

#[test]
fn one_terminal_is_told_the_one_where_somebody_is_and_acted_last() {
    use ClientFocus::{Gone, NoTerminal, Terminal, Unknown};
    let there = Some(&[NoTerminal][..]);
    for (candidates, chosen, why) in [
        (vec![], None, "nobody"),
        (vec![link(1, 0, Some(&[Gone]))], None, "the session is detached: nobody would see it"),
        (vec![link(1, 0, None)], Some(1), "nobody knows: rather once too often"),
        (vec![link(1, 5, there), link(2, 0, there)], Some(1), "acted there last"),
        (vec![link(1, 5, there), link(2, 6, there)], Some(2), "acted there last"),
        (vec![link(1, 0, there), link(2, 0, there)], Some(2), "the newest"),
        (vec![link(1, 9, Some(&[Gone, Gone])), link(2, 0, there)], Some(2), "nobody is at the other"),
        (
            vec![link(1, 9, Some(&[Unknown])), link(2, 0, Some(&[Gone, Terminal(3)]))],
            Some(2),
            "known to be there",
        ),
        (vec![link(1, 9, Some(&[]))], Some(1), "no board says anything"),
    ] {
        assert_eq!(elected(&candidates), chosen.map(ConnectionId), "{why}");
    }
    let mute = Candidate { terminal: LinkTerminal::Absent, ..link(3, 99, there) };
    assert_eq!(elected(&[mute.clone(), link(1, 0, there)]), Some(ConnectionId(1)));
    assert_eq!(elected(&[mute]), None, "it has nothing to write to");
}

#[test]
fn a_session_is_watched_while_somebody_looks_at_its_pane() {
    use ClientFocus::{Gone, NoTerminal, Terminal, Unknown};
    let place = |pane_id| Some(AttachPlace { server_pid: 101, pane_id });
    let attached = |mode, place| vec![AttachedClient { mode, place }];
    let interactive = |pane| attached(AttachMode::Interactive, place(pane));
    let links = |clients: &[ClientFocus]| vec![link(1, 0, Some(clients)), link(2, 0, Some(&[Terminal(7)]))];
    for (attached, candidates, watched, why) in [
        (vec![], links(&[Terminal(7)]), false, "nobody is attached"),
        (interactive(7), links(&[Terminal(7)]), true, "it has the focus"),
        (interactive(7), links(&[NoTerminal]), false, "they look at the board"),
        (interactive(7), links(&[Terminal(8)]), false, "they look at another pane"),
        (interactive(7), links(&[Gone]), false, "they have left the session"),
        (interactive(7), links(&[NoTerminal, Terminal(7)]), true, "one of two looks"),
        (interactive(7), links(&[Unknown]), true, "not known"),
        (interactive(7), vec![], true, "not known: no link"),
        (interactive(7), vec![link(1, 0, None)], true, "not known: no answer"),
        (attached(AttachMode::Interactive, None), vec![], true, "in a terminal of its own"),
        (attached(AttachMode::ReadOnly, None), vec![], false, "a viewer is not at it"),
    ] {
        let notice = Notice { event: Event::Finished, row: crate::model::samples::row("a"), attached };
        assert_eq!(is_watched(&notice, &candidates), watched, "{why}");
    }
}

//! Golden samples of terminals of agents and of waits.

use crate::{Encoding::MessagePack, Golden, rows, variants};
use board_protocol::{
    board::Row,
    daemon::Answer,
    host::HostLaunch,
    ids::{CommandId, Size, Token, UnixMs},
    state::HostState,
    terminals::{
        AgentAsk, AgentTerminal, CursorKeys, OpenTerminal, Parent, TerminalAnswer, TerminalAsk,
        TerminalSignal, TerminalWaits, TextPage, Wait, WaitEnd, Waiting,
    },
};

variants!(AgentAsk: Open, List, Close);
variants!(TerminalAsk: Send, Read, Screen, WaitFor, Cancel, Signal, Resize);
variants!(TerminalSignal: Int, Quit, Tstp, Cont, Term, Kill, Hup, Usr1, Usr2, Winch);
variants!(TerminalAnswer: Done, Text, Screen, Waited);
variants!(WaitEnd: Aborted, Exited, Skipped, Found, Timeout);

const SIZE: Size = Size { cols: 100, rows: 30 };

pub(crate) fn open() -> OpenTerminal {
    OpenTerminal {
        command: Some("make serve".into()),
        cwd: Some("/srv/job".into()),
        size: Some(SIZE),
        title: Some("server".into()),
    }
}

pub(crate) fn parent() -> Parent {
    Parent { session: rows::session(), token: Token("5ec2e7".into()) }
}

pub(crate) fn terminal() -> AgentTerminal {
    AgentTerminal {
        id: rows::session(),
        title: "server".into(),
        cwd: "/srv/job".into(),
        command: "make serve".into(),
        host_state: HostState::Alive,
        socket: Some("/data/run/x.sock".into()),
        ended: None,
        size: SIZE,
    }
}

pub(crate) fn wait() -> Wait {
    Wait { needle: "listening".into(), since_ms: UnixMs(7) }
}

pub(crate) fn waiting() -> Waiting {
    Waiting { needle: "listening".into(), since_ms: UnixMs(7), count: 2 }
}

pub(crate) fn waits() -> TerminalWaits {
    TerminalWaits {
        terminal: rows::session(),
        title: "server".into(),
        parent: rows::session(),
        parent_name: "task".into(),
        waits: vec![wait()],
    }
}

pub(crate) fn asks() -> [AgentAsk; 3] {
    let command_id = || CommandId("c-1".into());
    [
        AgentAsk::Open { command_id: command_id(), open: open(), environment: vec![rows::variable()] },
        AgentAsk::List,
        AgentAsk::Close { command_id: command_id(), terminal: rows::session() },
    ]
}

fn ends() -> [WaitEnd; 5] {
    let needle = || String::from("listening");
    [
        WaitEnd::Aborted,
        WaitEnd::Exited { needle: needle(), exit_code: Some(3), signal: None },
        WaitEnd::Skipped { needle: needle() },
        WaitEnd::Found { needle: needle(), line: 7, column: 2, matched: needle(), elapsed_ms: 12 },
        WaitEnd::Timeout { needle: needle(), timeout_ms: 10_000, total_lines: 40 },
    ]
}

pub(crate) fn check(golden: &mut Golden, launch: HostLaunch) {
    golden.check_all(MessagePack, &asks());
    golden.check_all(
        MessagePack,
        &[
            TerminalAsk::Send { data: b"ls\r".to_vec() },
            TerminalAsk::Read { from: Some(10), lines: 500 },
            TerminalAsk::Screen,
            TerminalAsk::WaitFor { needle: "listening".into(), timeout_ms: 10_000 },
            TerminalAsk::Cancel { wait: 4 },
            TerminalAsk::Signal { signal: TerminalSignal::Int },
            TerminalAsk::Resize(SIZE),
        ],
    );
    golden.check_all(
        MessagePack,
        &[
            TerminalSignal::Int,
            TerminalSignal::Quit,
            TerminalSignal::Tstp,
            TerminalSignal::Cont,
            TerminalSignal::Term,
            TerminalSignal::Kill,
            TerminalSignal::Hup,
            TerminalSignal::Usr1,
            TerminalSignal::Usr2,
            TerminalSignal::Winch,
        ],
    );
    let lines = || vec![String::from("$ ls")];
    let page = TextPage { from: 3, lines: lines(), total_lines: 4, oldest_line: 1 };
    golden.check_all(
        MessagePack,
        &[
            TerminalAnswer::Done,
            TerminalAnswer::Text(page),
            TerminalAnswer::Screen {
                lines: lines(),
                cursor: [4, 0],
                size: SIZE,
                cursor_keys: CursorKeys::Application,
            },
            TerminalAnswer::Waited { end: WaitEnd::Aborted, literal: Some("no such class".into()) },
        ],
    );
    golden.check_all(MessagePack, &ends());
    golden.check("TerminalWaits", MessagePack, &waits());
    let row = Row { parent: Some(rows::session()), waiting: Some(waiting()), ..rows::row() };
    golden.check("Row.waiting", MessagePack, &row);
    golden.check("HostLaunch.parent", MessagePack, &HostLaunch { parent: Some(parent()), ..launch });
    golden.check("Answer.AgentTerminals.none", MessagePack, &Answer::AgentTerminals(Vec::new()));
}

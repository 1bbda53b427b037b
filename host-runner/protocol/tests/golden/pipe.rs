//! Samples of what zellij's pipes carry.

use crate::{
    Encoding, Golden,
    rows::{generation, outcomes, place, row, session, start, warning},
    variants,
};
use board_protocol::{
    hello::Versions,
    ids::{BoardSeq, CommandId},
    pipe::{
        DaemonHealth, Down, DownLine, InstanceId, Intent, LinkHello, PaneChange, PaneRequest, PluginHello,
        Up, UpLine,
    },
};
use std::collections::BTreeMap;

variants!(Down: Hello, Page, Delta, Daemon, Outcome, Pane, Ping, Goodbye);
variants!(DaemonHealth: Connected, Unreachable, Incompatible, ShutDown);
variants!(PaneChange: Attached, Detached, Ended);
variants!(Up: Hello, Resync, Intent, Alive, Goodbye);
variants!(Intent: Start, Rerun, Interrupt, Stop, Remove, Visit);

pub(crate) fn check(golden: &mut Golden) {
    use Encoding::Json;
    let versions = Versions { oldest: 1, newest: 1 };
    let [outcome, _] = outcomes();
    let hello = LinkHello {
        versions,
        build: "0.1.0".into(),
        plugin_build: "0.1.0".into(),
        runner: "/bin/host-runner".into(),
        root: "/data".into(),
        cwd: "/srv/job".into(),
        default_agent: "pi".into(),
    };
    golden.check("LinkHello.default_agent", Json, &hello);
    golden.check("DownLine", Json, &DownLine { up: "up-1".into(), link: generation(), down: Down::Goodbye });
    golden.check_all(
        Json,
        &[
            Down::Hello(LinkHello {
                versions,
                build: "0.1.0".into(),
                plugin_build: "0.1.0".into(),
                runner: "/bin/host-runner".into(),
                root: "/data".into(),
                cwd: "/srv/job".into(),
                default_agent: String::new(),
            }),
            Down::Page {
                generation: generation(),
                seq: BoardSeq(4),
                page: 0,
                pages: 1,
                rows: vec![row()],
                warnings: vec![warning()],
            },
            Down::Delta {
                generation: generation(),
                base: BoardSeq(4),
                seq: BoardSeq(5),
                upserted: vec![row()],
                removed: vec![session()],
                warnings: Some(vec![warning()]),
            },
            Down::Daemon(DaemonHealth::Connected { build: "0.1.0".into() }),
            Down::Outcome { instance: InstanceId(3), command_id: CommandId("c-1".into()), outcome },
            Down::Pane(PaneRequest { session: session(), place: place(), change: PaneChange::Attached }),
            Down::Ping { number: 6 },
            Down::Goodbye,
        ],
    );
    golden.check_all(
        Json,
        &[
            DaemonHealth::Connected { build: "0.1.0".into() },
            DaemonHealth::Unreachable { text: "no daemon".into() },
            DaemonHealth::Incompatible { text: "another version".into() },
            DaemonHealth::ShutDown { text: "shut down".into() },
        ],
    );
    golden.check_all(Json, &[PaneChange::Attached, PaneChange::Detached, PaneChange::Ended]);
    golden.check("UpLine", Json, &UpLine { instance: InstanceId(3), up: Up::Resync });
    golden.check_all(
        Json,
        &[
            Up::Hello(PluginHello {
                versions,
                build: "0.1.0".into(),
                server_pid: 900,
                client_id: 1,
                location: "file:/x.wasm".into(),
                configuration: BTreeMap::from([("root".into(), "/data".into())]),
                session_name: Some("agent-board".into()),
                up_pipe: "up-1".into(),
            }),
            Up::Resync,
            Up::Intent { command_id: CommandId("c-1".into()), intent: Intent::Stop { session: session() } },
            Up::Alive { number: 6 },
            Up::Goodbye,
        ],
    );
    golden.check_all(
        Json,
        &[
            Intent::Start(start()),
            Intent::Rerun { session: session() },
            Intent::Interrupt { session: session() },
            Intent::Stop { session: session() },
            Intent::Remove { session: session() },
            Intent::Visit { session: session() },
        ],
    );
}

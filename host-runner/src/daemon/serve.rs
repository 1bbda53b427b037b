//! Who may connect: the same user, with a hello that we understand, within a time. Everybody else is told why and
//! closed.

use super::{connection::Conversation, frames::Frames, shell::Shell};
use crate::{process, wire::ANSWER_DEADLINE};
use board_protocol::{
    hello::{Agreement, COORDINATOR_PROTOCOL, Hello, HelloReply, Refused, Role, Welcome},
    refusal::{Refusal, RefusalKind},
};
use board_text::daemon as texts;
use std::{rc::Rc, time::Duration};
use tokio::{
    net::{UnixListener, UnixStream},
    task::spawn_local,
};

/// Most connections at once: every host, link and command of a large board, and room.
const MAX_CONNECTIONS: usize = 4096;
/// How long accepting pauses when the process has no descriptors left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Accepts for ever.
pub(super) async fn accept(shell: Rc<Shell>, listener: UnixListener) {
    loop {
        match listener.accept().await {
            Ok((stream, _)) if shell.connections.get() < MAX_CONNECTIONS => {
                let shell = Rc::clone(&shell);
                shell.connections.set(shell.connections.get() + 1);
                spawn_local(async move {
                    greet(&shell, stream).await;
                    shell.connections.set(shell.connections.get() - 1);
                });
            }
            Ok(_) => tracing::warn!("over {MAX_CONNECTIONS} connections: one was closed"),
            Err(error) => {
                tracing::warn!(%error, "cannot accept a connection");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

async fn greet(shell: &Rc<Shell>, stream: UnixStream) {
    let peer = rustix::net::sockopt::socket_peercred(&stream);
    let Ok(peer) = peer else { return };
    let mut frames = Frames::new(stream);
    if peer.uid != rustix::process::getuid() {
        let text = texts::other_user();
        refuse(shell, &mut frames, Refusal::new(RefusalKind::Forbidden, text)).await;
        return;
    }
    let hello: Hello = match frames.next_within(ANSWER_DEADLINE).await {
        Ok(hello) => hello,
        Err(ended) => {
            tracing::info!(reason = %ended, "a connection without a hello");
            return;
        }
    };
    let version = match COORDINATOR_PROTOCOL.agree_with(hello.versions) {
        Agreement::Speak(version) => version,
        Agreement::TheyAreOlder | Agreement::TheyAreNewer => {
            refuse(shell, &mut frames, foreign_version(&hello)).await;
            return;
        }
    };
    if let Err(refusal) = check_role(&hello, peer.pid.as_raw_nonzero().get()) {
        refuse(shell, &mut frames, refusal).await;
        return;
    }
    let welcome = Welcome { version, ..shell.welcome.clone() };
    if frames.send(&HelloReply::Welcome(welcome)).await.is_ok() {
        Conversation::new(Rc::clone(shell), frames, hello.role, version).run().await;
    }
}

async fn refuse(shell: &Shell, frames: &mut Frames, refusal: Refusal) {
    tracing::info!(%refusal, "a connection was refused");
    let refused = Refused {
        versions: COORDINATOR_PROTOCOL,
        build: shell.welcome.build.clone(),
        process: shell.welcome.process,
        refusal,
    };
    let _ = frames.send(&HelloReply::Refused(refused)).await;
}

fn foreign_version(hello: &Hello) -> Refusal {
    let ours = COORDINATOR_PROTOCOL;
    Refusal::new(
        RefusalKind::Version,
        texts::versions(
            board_protocol::text::plain_within(&hello.build, 40),
            hello.versions.oldest,
            hello.versions.newest,
            crate::BUILD,
            ours.oldest,
            ours.newest,
        ),
    )
}

fn check_role(hello: &Hello, peer_pid: i32) -> Result<(), Refusal> {
    let refuse = |text: &str| Err(Refusal::new(RefusalKind::Forbidden, text));
    match hello.role {
        Role::Cli | Role::Link | Role::Agent => Ok(()),
        // A host is told what to end and whom to believe: the kernel says whether it is the process that it says it is.
        Role::Host => {
            let is_peer = u32::try_from(peer_pid).is_ok_and(|pid| pid == hello.process.pid);
            if is_peer && process::is_running(hello.process) { Ok(()) } else { refuse(texts::host_itself()) }
        }
        Role::Attach | Role::Viewer | Role::Hook => refuse(texts::wrong_socket()),
    }
}

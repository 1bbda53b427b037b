//! One conversation with a command, a link or a host, after its hello. What is wrong with it costs only itself.

use super::{
    board::Subscription,
    frames::{Ended, Frames},
    preflight::{self, Subject},
    requests,
    shell::{LinkSeat, Shell, WAITING},
};
use crate::{
    coordinator::{ConnectionId, Environment, Input, without_ours},
    fresh,
};
use board_protocol::{
    command::{AdoptSession, Command, CommandEnvelope, StartSession},
    daemon::{Answer, FromDaemon, LinkOpened, Request, ToDaemon},
    hello::Role,
    host::HostOrder,
    ids::{SessionId, Token},
    refusal::{Refusal, RefusalKind},
    terminals::AgentAsk,
};
use board_text::daemon as texts;
use std::rc::Rc;
use tokio::sync::{mpsc, watch};

/// Whether the connection follows the board.
#[derive(Debug)]
enum Following {
    No,
    Yes(Subscription),
}

/// One connection.
pub(super) struct Conversation {
    shell: Rc<Shell>,
    frames: Frames,
    role: Role,
    /// The version of the protocol that both sides speak.
    version: u32,
    id: ConnectionId,
    following: Following,
    changes: watch::Receiver<u64>,
    orders: Option<mpsc::Receiver<HostOrder>>,
    told: Option<mpsc::Receiver<FromDaemon>>,
    /// What a link said about the environment of its zellij session.
    environment: Option<Environment>,
    /// Answers to commands that something has to be found out for first.
    answers: (mpsc::Sender<LateAnswer>, mpsc::Receiver<LateAnswer>),
    /// How many of those are on their way.
    on_their_way: usize,
}

/// An answer that its conversation did not wait for, with the number of its question.
type LateAnswer = (u64, Result<Answer, Refusal>);

/// Most commands of one connection that something is found out for at the same time. Each may hold a thread for as long as
/// a dead file system lets it wait.
const MAX_ON_THEIR_WAY: usize = 16;

impl Conversation {
    pub(super) fn new(shell: Rc<Shell>, frames: Frames, role: Role, version: u32) -> Self {
        let id = ConnectionId(shell.number());
        let changes = shell.board_change.subscribe();
        Self {
            shell,
            frames,
            role,
            version,
            id,
            following: Following::No,
            changes,
            orders: None,
            told: None,
            environment: None,
            answers: mpsc::channel(MAX_ON_THEIR_WAY),
            on_their_way: 0,
        }
    }

    /// Talks until either side ends it.
    pub(super) async fn run(mut self) {
        let ended = self.talk().await;
        match ended {
            Ended::Closed => tracing::debug!(role = ?self.role, "a connection closed"),
            other => tracing::info!(role = ?self.role, reason = %other, "a connection ended"),
        }
        self.shell.links.borrow_mut().remove(&self.id);
        self.shell.hosts.borrow_mut().remove(&self.id);
        if self.role == Role::Host {
            // After everything that the host said on this connection: it went through the same queue.
            let _ = self.shell.inbox.send(Input::HostLeft { connection: self.id }).await;
        }
    }

    async fn talk(&mut self) -> Ended {
        loop {
            let following = matches!(self.following, Following::Yes(_));
            let step = tokio::select! {
                message = self.frames.next::<ToDaemon>() => match message {
                    Ok(message) => self.hear(message).await,
                    Err(ended) => Err(ended),
                },
                changed = self.changes.changed(), if following => match changed {
                    Ok(()) => self.show_board().await,
                    Err(_) => Err(Ended::Closed),
                },
                late = self.answers.1.recv() => match late {
                    Some((id, answer)) => {
                        self.on_their_way -= 1;
                        self.frames.send(&FromDaemon::Answer { id, answer }).await
                    }
                    None => Err(Ended::Closed),
                },
                order = receive(&mut self.orders) => match order {
                    Some(order) => self.frames.send(&FromDaemon::Order(order)).await,
                    None => Err(Ended::Closed),
                },
                word = receive(&mut self.told) => match word {
                    Some(word) => self.frames.send(&word).await,
                    None => Err(Ended::Closed),
                },
            };
            if let Err(ended) = step {
                return ended;
            }
        }
    }

    async fn hear(&mut self, message: ToDaemon) -> Result<(), Ended> {
        match (self.role, message) {
            (Role::Cli | Role::Link, ToDaemon::Ask { id, request: Request::Command(envelope) }) => {
                self.command(id, *envelope).await
            }
            (
                Role::Cli | Role::Link | Role::Agent,
                ToDaemon::Ask { id, request: Request::AgentTerminals { session, token, ask } },
            ) => self.agent_asks(id, session, token, ask).await,
            // Hosts may take seconds to answer: other questions of a board do not wait for that.
            (Role::Cli | Role::Link, ToDaemon::Ask { id, request: Request::SkipWaits { session } }) => {
                self.later(id, |shell| async move {
                    shell.ask(|ticket| Input::SkipWaits { ticket, session }).await
                })
                .await
            }
            (Role::Cli | Role::Link, ToDaemon::Ask { id, request }) => {
                let follow = request == Request::Subscribe;
                let answer = self.answer(request).await;
                self.frames.send(&FromDaemon::Answer { id, answer }).await?;
                if follow {
                    self.following = Following::Yes(Subscription::default());
                    self.show_board().await?;
                }
                Ok(())
            }
            // An agent's server asks for what a terminal of its own left; any command of the agent could.
            (Role::Agent, ToDaemon::Ask { id, request: request @ Request::LastScreen { .. } }) => {
                let answer = self.answer(request).await;
                self.frames.send(&FromDaemon::Answer { id, answer }).await
            }
            (Role::Host | Role::Agent, ToDaemon::Ask { id, request: Request::Ping }) => {
                self.frames.send(&FromDaemon::Answer { id, answer: Ok(Answer::Ready) }).await
            }
            (Role::Link, ToDaemon::LinkOpened(opened)) => {
                self.open_link(opened);
                Ok(())
            }
            (Role::Link, ToDaemon::Looked { number, clients }) => {
                if let Some(waiting) = self.shell.looks.borrow_mut().remove(&number) {
                    let _ = waiting.send(clients);
                }
                Ok(())
            }
            (Role::Host, message) => self.hear_host(message).await,
            _ => Err(Ended::NotAllowed("a message that its role may not send")),
        }
    }

    async fn hear_host(&mut self, message: ToDaemon) -> Result<(), Ended> {
        let connection = self.id;
        let input = match message {
            ToDaemon::HostRegistered(registration) => {
                if self.orders.is_some() {
                    return Err(Ended::NotAllowed("a second registration"));
                }
                let (sender, receiver) = mpsc::channel(WAITING);
                self.shell.hosts.borrow_mut().insert(connection, sender);
                self.orders = Some(receiver);
                Input::HostRegistered { connection, version: self.version, registration }
            }
            ToDaemon::HostReported { seq, at_ms, fact } => {
                Input::HostReported { connection, seq, at: at_ms, fact }
            }
            ToDaemon::HostActive { at_ms } => Input::HostActive { connection, at: at_ms },
            ToDaemon::HostWaits { waits } => Input::HostWaits { connection, waits },
            ToDaemon::WaitsSkipped { number, count } => Input::WaitsSkipped { connection, number, count },
            ToDaemon::Ask { .. } | ToDaemon::LinkOpened(_) | ToDaemon::Looked { .. } => {
                return Err(Ended::NotAllowed("a message that a host may not send"));
            }
        };
        self.shell.inbox.send(input).await.map_err(|_| Ended::Closed)
    }

    fn open_link(&mut self, opened: LinkOpened) {
        let (events, receiver) = mpsc::channel(WAITING);
        let seat = LinkSeat {
            server_pid: opened.server.pid,
            version: self.version,
            terminal: opened.terminal,
            used: 0,
            events,
        };
        self.shell.links.borrow_mut().insert(self.id, seat);
        self.told = Some(receiver);
        self.environment =
            Some(Environment { variables: opened.environment, taken_at: opened.environment_at_ms });
    }

    async fn answer(&mut self, request: Request) -> Result<Answer, Refusal> {
        if let Some(question) = requests::question(&request) {
            return self.shell.ask(|ticket| Input::Asked { ticket, question }).await;
        }
        match request {
            Request::Ping | Request::Subscribe => Ok(Answer::Ready),
            Request::Board => Ok(Answer::Rows(self.shell.board.borrow().rows())),
            Request::Reconcile => self.shell.ask(|ticket| Input::Reconcile { ticket }).await,
            Request::ForgetDirectory { path } => {
                self.shell.ask(|ticket| Input::ForgetDirectory { ticket, path }).await
            }
            // Answered by [`Self::command`].
            Request::Command(_) => Err(Refusal::new(RefusalKind::Internal, "a command is no question")),
            Request::Shutdown { hosts } => {
                let marker = self.shell.root.shutdown_marker();
                std::fs::write(&marker, "").map_err(|error| {
                    Refusal::new(RefusalKind::Internal, texts::cannot_write(marker.display(), &error))
                })?;
                self.shell.ending.send_replace(Some(hosts));
                Ok(Answer::ShuttingDown)
            }
            // Answered later.
            Request::AgentTerminals { .. } | Request::SkipWaits { .. } => {
                Err(Refusal::new(RefusalKind::Internal, "nobody answers this at once"))
            }
            // Above.
            Request::Waits
            | Request::Show { .. }
            | Request::Locate { .. }
            | Request::LastScreen { .. }
            | Request::Explain { .. }
            | Request::Log { .. }
            | Request::Evidence { .. }
            | Request::References { .. }
            | Request::LaunchPreferences
            | Request::Export { .. } => Err(Refusal::new(RefusalKind::Internal, "nobody answers this")),
        }
    }

    /// Carries a command out. What has to ask a file system first is answered later: a dead network mount must not keep
    /// the other commands of a board waiting.
    async fn command(&mut self, id: u64, mut envelope: CommandEnvelope) -> Result<(), Ended> {
        if let Some(seat) = self.shell.links.borrow_mut().get_mut(&self.id) {
            seat.used = self.shell.number();
        }
        let environment = match (envelope.environment.take(), &self.environment) {
            (Some(variables), Some(link)) => Some(Environment { variables, taken_at: link.taken_at }),
            (Some(variables), None) => Some(Environment { variables, taken_at: fresh::now() }),
            (None, link) => link.clone(),
        };
        if let Command::Start(StartSession { size, .. }) | Command::Adopt(AdoptSession { size, .. }) =
            &mut envelope.command
        {
            size.get_or_insert(self.shell.config.size);
        }
        let subject = environment.as_ref().and_then(|_| self.subject(&envelope.command));
        let (Some(subject), Some(known)) = (subject, environment.clone()) else {
            let answer = self
                .shell
                .ask(|ticket| Input::Command { ticket, envelope, environment, preflight: None })
                .await;
            return self.frames.send(&FromDaemon::Answer { id, answer }).await;
        };
        self.later(id, |shell| async move {
            let root = shell.root.directory().to_owned();
            let preflight = Some(preflight::check(subject, known, root).await);
            shell.ask(|ticket| Input::Command { ticket, envelope, environment, preflight }).await
        })
        .await
    }

    /// An agent asks about its terminals. Whether it is one that may, the coordinator knows.
    async fn agent_asks(
        &mut self,
        id: u64,
        session: SessionId,
        token: Token,
        mut ask: AgentAsk,
    ) -> Result<(), Ended> {
        let mut opening = None;
        if let AgentAsk::Open { open, environment, .. } = &mut ask {
            let variables = without_ours(std::mem::take(environment));
            let parent = self.shell.board.borrow().row(&session).cloned();
            let subject = Subject::of_terminal(open, &variables, parent);
            opening = Some((subject, Environment { variables, taken_at: fresh::now() }));
        }
        self.later(id, |shell| async move {
            let (mut environment, mut preflight) = (None, None);
            if let Some((subject, known)) = opening {
                let root = shell.root.directory().to_owned();
                preflight = Some(preflight::check(subject, known.clone(), root).await);
                environment = Some(known);
            }
            shell
                .ask(|ticket| Input::AgentAsked { ticket, session, token, ask, environment, preflight })
                .await
        })
        .await
    }

    /// Answers a question once that can be done, without keeping the next one waiting.
    async fn later<F: Future<Output = Result<Answer, Refusal>> + 'static>(
        &mut self,
        id: u64,
        answer: impl FnOnce(Rc<Shell>) -> F,
    ) -> Result<(), Ended> {
        if self.on_their_way >= MAX_ON_THEIR_WAY {
            let text = texts::starts_wait();
            let answer = Err(Refusal::new(RefusalKind::Limit, text));
            return self.frames.send(&FromDaemon::Answer { id, answer }).await;
        }
        self.on_their_way += 1;
        let answers = self.answers.0.clone();
        let answer = answer(Rc::clone(&self.shell));
        tokio::task::spawn_local(async move {
            let answer = answer.await;
            // Whoever asked may be gone; what was asked for was done all the same.
            let _ = answers.send((id, answer)).await;
        });
        Ok(())
    }

    /// What has to be found out before this command can be decided.
    fn subject(&self, command: &Command) -> Option<Subject> {
        Subject::of(command, |session| self.shell.board.borrow().row(session).cloned())
    }

    async fn show_board(&mut self) -> Result<(), Ended> {
        self.changes.mark_unchanged();
        let Following::Yes(subscription) = &mut self.following else { return Ok(()) };
        let updates = subscription.catch_up(&self.shell.board.borrow());
        for update in updates {
            self.frames.send(&FromDaemon::Board(update)).await?;
        }
        Ok(())
    }
}

/// The next message of a queue that may not be there. Without one, nothing ever comes.
async fn receive<T>(queue: &mut Option<mpsc::Receiver<T>>) -> Option<T> {
    match queue {
        Some(queue) => queue.recv().await,
        None => std::future::pending().await,
    }
}

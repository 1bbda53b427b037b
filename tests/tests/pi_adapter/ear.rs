//! A host's socket as the extension sees it: takes events, keeps them, answers each one.

use board_protocol::{
    frame::{self, FrameReader},
    hello::{HOST_PROTOCOL, Hello, HelloReply, Refused, Role, Versions, Welcome},
    host::{FromHost, ToHost},
    ids::{Generation, ProcessIdentity},
    refusal::{Refusal, RefusalKind},
};
use host_runner::agents::{
    event::{AgentEvent, Place},
    pi::events,
    questions::QuestionTools,
};
use serde_json::Value;
use std::{
    io::{Read, Write},
    os::unix::net::{UnixListener, UnixStream},
    path::{Path, PathBuf},
    sync::{Arc, Condvar, Mutex},
    time::{Duration, Instant},
};

/// One event as it arrived.
#[derive(Debug, Clone)]
pub(crate) struct Heard {
    pub(crate) token: String,
    pub(crate) adapter: String,
    pub(crate) payload: Vec<u8>,
    pub(crate) place: Option<Place>,
    pub(crate) events: Vec<AgentEvent>,
}

impl Heard {
    /// The payload's own `type`.
    pub(crate) fn kind(&self) -> String {
        self.json()["type"].as_str().unwrap_or_default().to_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.payload).unwrap()
    }
}

#[derive(Default)]
struct State {
    heard: Mutex<(Vec<Heard>, Vec<Hello>)>,
    changed: Condvar,
}

/// A listening host.
pub(crate) struct Ear {
    state: Arc<State>,
    path: PathBuf,
}

/// How a host answers.
#[derive(Clone, Copy)]
pub(crate) enum Temper {
    /// It takes everything.
    Kind,
    /// It takes nothing: too much waits for the daemon.
    Full,
    /// It speaks no version that the extension speaks.
    Foreign,
    /// It accepts connections and never says a word.
    Mute,
}

impl Ear {
    pub(crate) fn listen(path: &Path) -> Self {
        Self::listen_as(path, Temper::Kind)
    }

    pub(crate) fn listen_as(path: &Path, temper: Temper) -> Self {
        let listener = UnixListener::bind(path).unwrap();
        let state = Arc::new(State::default());
        let accepted = Arc::clone(&state);
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let state = Arc::clone(&accepted);
                std::thread::spawn(move || serve(stream, &state, temper));
            }
        });
        Self { state, path: path.to_owned() }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn heard(&self) -> Vec<Heard> {
        self.state.heard.lock().unwrap().0.clone()
    }

    pub(crate) fn hellos(&self) -> Vec<Hello> {
        self.state.heard.lock().unwrap().1.clone()
    }

    /// Waits until the events so far satisfy `condition`; `None` when they do not within the deadline.
    pub(crate) fn wait(
        &self,
        deadline: Duration,
        condition: impl Fn(&[Heard]) -> bool,
    ) -> Option<Vec<Heard>> {
        let end = Instant::now() + deadline;
        let mut heard = self.state.heard.lock().unwrap();
        while !condition(&heard.0) {
            let left = end.checked_duration_since(Instant::now())?;
            heard = self.state.changed.wait_timeout(heard, left).unwrap().0;
        }
        Some(heard.0.clone())
    }
}

fn serve(mut stream: UnixStream, state: &State, temper: Temper) {
    let mut reader = FrameReader::new();
    let mut greeted = false;
    let mut chunk = [0; 64 * 1024];
    while let Ok(count @ 1..) = stream.read(&mut chunk) {
        reader.push(&chunk[..count]);
        loop {
            let answer = if greeted {
                let Some(message) = reader.next_message::<ToHost>().unwrap() else { break };
                let ToHost::Event(report) = message else { panic!("a hook sent {message:?}") };
                let parsed = events::parse(&report.payload, &QuestionTools::default());
                let heard = Heard {
                    token: report.token.0,
                    adapter: report.adapter,
                    payload: report.payload,
                    place: parsed.place,
                    events: parsed.events,
                };
                state.heard.lock().unwrap().0.push(heard);
                let full = Refusal::new(RefusalKind::Limit, "too many events wait");
                let full = matches!(temper, Temper::Full).then_some(FromHost::Refused(full));
                frame::encode(&full.unwrap_or(FromHost::EventTaken)).unwrap()
            } else {
                let Some(hello) = reader.next_message::<Hello>().unwrap() else { break };
                assert_eq!((hello.role, hello.versions), (Role::Hook, HOST_PROTOCOL));
                state.heard.lock().unwrap().1.push(hello);
                let process = ProcessIdentity { pid: 1, start_ticks: 1 };
                let build = "test".to_owned();
                let reply = match temper {
                    Temper::Mute => continue,
                    Temper::Foreign => HelloReply::Refused(Refused {
                        versions: Versions { oldest: 90, newest: 99 },
                        build,
                        process,
                        refusal: Refusal::new(RefusalKind::Version, "too old"),
                    }),
                    Temper::Kind | Temper::Full => {
                        greeted = true;
                        let generation = Generation("test".to_owned());
                        HelloReply::Welcome(Welcome {
                            version: HOST_PROTOCOL.newest,
                            build,
                            generation,
                            process,
                        })
                    }
                };
                frame::encode(&reply).unwrap()
            };
            state.changed.notify_all();
            if stream.write_all(&answer).is_err() {
                return;
            }
        }
    }
}

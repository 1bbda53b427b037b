//! Stories of the attach client: greeting, typing, sizes, endings. The matrix of reference E.4b is in [`matrix`].

mod matrix;
mod waiting;

use super::*;
use board_protocol::{
    board::AttachPlace,
    hello::{HOST_PROTOCOL, Welcome},
    host::{Exit, ScrollbackOwner, SnapshotCause, TerminalLook},
    ids::ProcessIdentity,
    refusal::{Refusal, RefusalKind},
};

const SIZE: Size = Size { cols: 80, rows: 24 };

struct Client {
    machine: Machine,
    now: Instant,
}

impl Client {
    fn new(mode: AttachMode) -> Self {
        Self::with(mode, Snapshots::Wanted)
    }

    fn with(mode: AttachMode, snapshots: Snapshots) -> Self {
        let place = Some(AttachPlace { server_pid: 1, pane_id: 2 });
        let request = AttachRequest {
            size: SIZE,
            mode,
            place,
            look: TerminalLook::default(),
            scrollback: ScrollbackOwner::Person,
        };
        let now = Instant::now();
        Self { machine: Machine::new(request, snapshots, now), now }
    }

    fn after(&mut self, time: Duration) -> Vec<Action> {
        self.now += time;
        self.machine.on_time(self.now)
    }

    fn says(&mut self, message: FromHost) -> Vec<Action> {
        self.machine.on_message(message, self.now)
    }

    fn hello(&mut self, generation: &str) -> Vec<Action> {
        let welcome = Welcome { version: 3, build: "t".into(), generation: g(generation), process: PROCESS };
        self.machine.on_hello(HelloReply::Welcome(welcome), self.now)
    }

    /// Up to the subscription.
    fn subscribed(mode: AttachMode) -> Self {
        let mut client = Self::new(mode);
        assert_eq!(client.after(Duration::ZERO), [Action::Dial]);
        let asked = client.hello("a");
        assert!(matches!(
            asked.as_slice(),
            [Action::Send(ToHost::Attach(_)), Action::Send(ToHost::Reconcile)]
        ));
        assert_eq!(client.says(reconciled("a")), [subscribe(None), Action::Condition]);
        client
    }

    /// With a screen up to chunk 5.
    fn live() -> Self {
        let mut client = Self::subscribed(AttachMode::Interactive);
        assert_eq!(client.says(begin(5, "a")), [Action::Mode(Mode::Protocol)]);
        client.says(frame("screen"));
        assert_eq!(client.says(end(6)), [snapshot("screen")]);
        assert!(client.machine.is_live());
        client
    }

    /// The connection broke and is there again, up to the answer to reconcile.
    fn reconnected(&mut self, generation: &str) -> Vec<Action> {
        assert_eq!(self.machine.on_lost(self.now), [Action::HangUp, Action::Condition]);
        assert_eq!(self.after(RETRY_EVERY), [Action::Dial]);
        self.hello(generation);
        self.says(reconciled(generation))
    }
}

fn looks() -> TerminalLook {
    TerminalLook { background: Some([1, 2, 3]), ..TerminalLook::default() }
}

fn attach_with_look(action: &Action) -> bool {
    matches!(action, Action::Send(ToHost::Attach(request)) if request.look == looks())
}

#[test]
fn a_look_that_is_known_before_the_host_answers_goes_with_the_attach() {
    let mut client = Client::new(AttachMode::Interactive);
    client.after(Duration::ZERO);
    assert_eq!(client.machine.on_look(looks()), []);
    assert!(client.hello("a").first().is_some_and(attach_with_look));
    assert_eq!(client.says(reconciled("a")).len(), 2, "once is enough");
}

#[test]
fn a_look_that_comes_later_goes_with_a_second_attach() {
    // An older host refuses that; between attach and subscribe the client would take it for the answer to these.
    let mut client = Client::new(AttachMode::Interactive);
    client.after(Duration::ZERO);
    client.hello("a");
    assert_eq!(client.machine.on_look(looks()), []);
    let asked = client.says(reconciled("a"));
    assert!(asked.get(2).is_some_and(attach_with_look), "{asked:?}");
    let mut client = Client::live();
    let asked = client.machine.on_look(looks());
    assert!(asked.len() == 1 && attach_with_look(&asked[0]), "{asked:?}");
    assert_eq!(client.machine.on_look(looks()), [], "nothing new");
    let refusal = Refusal::new(RefusalKind::BadInput, "an older host");
    assert_eq!(client.says(FromHost::Refused(refusal)), []);
    assert!(client.machine.is_live());
}

const PROCESS: ProcessIdentity = ProcessIdentity { pid: 1, start_ticks: 1 };

fn g(text: &str) -> Generation {
    Generation(text.into())
}

fn reconciled(generation: &str) -> FromHost {
    FromHost::Reconciled { generation: g(generation), last_seq: None, size: SIZE }
}

fn begin(seq: u64, generation: &str) -> FromHost {
    let snapshot_seq = (seq > 0).then_some(OutputSeq(seq));
    FromHost::SnapshotBegin {
        snapshot_seq,
        size: SIZE,
        cause: SnapshotCause::Asked,
        generation: g(generation),
    }
}

fn frame(text: &str) -> FromHost {
    FromHost::SnapshotFrame { data: text.into() }
}

fn end(next: u64) -> FromHost {
    FromHost::SnapshotEnd { next_seq: OutputSeq(next) }
}

fn chunk(seq: u64, text: &str) -> FromHost {
    FromHost::Output { seq: OutputSeq(seq), data: text.into() }
}

fn snapshot(text: &str) -> Action {
    Action::Snapshot { size: SIZE, bytes: text.into() }
}

fn output(text: &str) -> Action {
    Action::Output(text.into())
}

fn subscribe(since: Option<u64>) -> Action {
    Action::Send(ToHost::Subscribe { since: since.map(OutputSeq) })
}

#[test]
fn reconcile_has_a_deadline_and_the_client_goes_on_with_its_own_cursor() {
    let mut client = Client::live();
    client.machine.on_lost(client.now);
    client.after(RETRY_EVERY);
    client.hello("a");
    assert_eq!(client.after(ANSWER_WITHIN), [subscribe(Some(5)), Action::Condition]);
    assert_eq!(client.says(reconciled("a")), [], "late: nobody waits for it");
}

#[test]
fn a_lost_host_is_tried_for_fifteen_seconds_and_one_that_never_came_for_two_minutes() {
    for (mut client, limit, ending) in [
        (Client::live(), LOST_FOR, Ending::HostGone),
        (Client::new(AttachMode::Interactive), START_FOR, Ending::NotReachable),
    ] {
        let start = client.now;
        client.machine.on_lost(client.now);
        let end = loop {
            let next = client.machine.next_deadline().unwrap() - client.now;
            let mut actions = client.after(next);
            if actions == [Action::Dial] {
                actions = client.machine.on_lost(client.now);
            }
            if let [Action::End(ending)] = actions.as_slice() {
                break ending.clone();
            }
        };
        assert_eq!(end, ending);
        let took = client.now - start;
        assert!(took >= limit && took <= limit + RETRY_EVERY * 2, "{took:?}");
    }
}

#[test]
fn a_silent_hello_is_a_lost_connection() {
    let mut client = Client::new(AttachMode::Interactive);
    client.after(Duration::ZERO);
    assert_eq!(client.after(ANSWER_WITHIN), [Action::HangUp]);
    assert_eq!(client.after(RETRY_EVERY), [Action::Dial]);
}

#[test]
fn leaving_waits_for_the_host_but_not_for_long() {
    let mut client = Client::live();
    assert_eq!(client.machine.detach(client.now), [Action::Send(ToHost::Detach)]);
    assert_eq!(client.says(chunk(6, "x")), [], "nothing is shown while leaving");
    assert_eq!(client.says(FromHost::Detached), [Action::End(Ending::Detached)]);
    let mut client = Client::live();
    client.machine.detach(client.now);
    assert_eq!(client.after(ANSWER_WITHIN), [Action::End(Ending::Detached)]);
    let mut client = Client::live();
    client.machine.on_lost(client.now);
    assert_eq!(client.machine.detach(client.now), [Action::End(Ending::Detached)], "without a host: at once");
}

#[test]
fn the_programs_end_and_a_refusal_end_the_attach() {
    let mut client = Client::live();
    assert_eq!(client.says(FromHost::Exited(Exit::Code(3))), [Action::End(Ending::Exited(Exit::Code(3)))]);
    assert_eq!(client.says(chunk(6, "x")), []);
    let mut client = Client::new(AttachMode::Interactive);
    client.after(Duration::ZERO);
    let refusal = Refusal::new(RefusalKind::Version, "older");
    let refused =
        Refused { versions: HOST_PROTOCOL, build: "t".into(), process: PROCESS, refusal: refusal.clone() };
    let actions = client.machine.on_hello(HelloReply::Refused(refused), client.now);
    assert_eq!(actions, [Action::End(Ending::Refused(refusal))]);
}

#[test]
fn a_new_size_is_told_and_bytes_of_the_old_one_are_not_shown() {
    let mut client = Client::live();
    let size = Size { cols: 100, rows: 30 };
    let actions = client.machine.on_resize(size, client.now);
    assert_eq!(actions, [Action::Send(ToHost::Resize(size)), subscribe(None)]);
    assert_eq!(client.says(chunk(6, "old size")), []);
    // The next connection gives the new size.
    client.machine.on_lost(client.now);
    client.after(RETRY_EVERY);
    let asked = client.hello("a");
    assert!(matches!(asked.first(), Some(Action::Send(ToHost::Attach(request))) if request.size == size));
}

// A pane of zellij is born with a size that nobody wants and gets its own a moment later. When that moment fell between
// hello and the first screen, the host never heard of it, and the session stayed at 20 columns and 5 rows.
#[test]
fn a_new_size_is_told_at_every_moment_of_an_attach() {
    let size = Size { cols: 100, rows: 30 };
    let attaches_with = |asked: &[Action], size| matches!(asked.first(), Some(Action::Send(ToHost::Attach(request))) if request.size == size);
    // Before the hello was answered: it goes with the attach.
    let mut client = Client::new(AttachMode::Interactive);
    client.after(Duration::ZERO);
    assert_eq!(client.machine.on_resize(size, client.now), []);
    assert!(attaches_with(&client.hello("a"), size));
    // Between attach and the first screen: by itself, before the screen is asked for.
    let mut client = Client::new(AttachMode::Interactive);
    client.after(Duration::ZERO);
    assert!(attaches_with(&client.hello("a"), SIZE));
    assert_eq!(client.machine.on_resize(size, client.now), [Action::Send(ToHost::Resize(size))]);
    assert_eq!(client.says(reconciled("a")), [subscribe(None), Action::Condition]);
    // Before anything of the screen came: it is drawn for the new size anyway, or a second one follows by itself.
    assert_eq!(client.machine.on_resize(SIZE, client.now), [Action::Send(ToHost::Resize(SIZE))]);
    // While the screen comes: it is asked for anew.
    client.says(begin(5, "a"));
    let actions = client.machine.on_resize(SIZE, client.now);
    assert_eq!(actions, [Action::Send(ToHost::Resize(SIZE)), subscribe(None)]);
}

// Field report E5: a second viewer stole input.
#[test]
fn e5_a_reader_never_types() {
    let mut reader = Client::subscribed(AttachMode::ReadOnly);
    assert_eq!(reader.machine.on_input(b"x".to_vec()), []);
    let mut client = Client::live();
    assert_eq!(client.machine.on_input(b"x".to_vec()), [Action::Send(ToHost::Input { data: b"x".to_vec() })]);
    assert_eq!(client.machine.on_input(Vec::new()), []);
}

// What was typed in the moment before a host answered was lost without a word.
#[test]
fn what_is_typed_while_nobody_takes_it_follows_once_the_same_host_does() {
    let typed = |text: &str| Action::Send(ToHost::Input { data: text.into() });
    let mut client = Client::new(AttachMode::Interactive);
    client.machine.on_input(b"a".to_vec());
    client.after(Duration::ZERO);
    client.machine.on_input(b"b".to_vec());
    client.hello("a");
    client.machine.on_input(b"c".to_vec());
    assert_eq!(client.machine.kept_input(), 3);
    assert_eq!(client.says(reconciled("a")), [subscribe(None), Action::Condition, typed("abc")]);
    let mut client = Client::live();
    client.machine.on_lost(client.now);
    assert!(client.machine.condition() == Condition::Lost && !client.machine.takes_input());
    assert_eq!(client.machine.on_input(b"x".to_vec()), []);
    client.after(RETRY_EVERY);
    client.hello("a");
    let went_on = client.says(reconciled("a"));
    assert_eq!(went_on, [subscribe(Some(5)), Action::Condition, typed("x")]);
    assert_eq!(client.machine.kept_input(), 0, "sent once");
    // Another program is not what those words were for: that is said.
    client.machine.on_lost(client.now);
    client.machine.on_input(b"y".to_vec());
    client.after(RETRY_EVERY);
    assert_eq!(client.hello("b").first(), Some(&Action::InputDropped));
    assert_eq!(client.says(reconciled("b")), [subscribe(None), Action::Condition]);
}

//! What is waited for, as the machine hears and tells it.

use super::*;
use board_protocol::{ids::UnixMs, terminals::Waiting};

fn waiting(needle: &str) -> Waiting {
    Waiting { needle: needle.into(), since_ms: UnixMs(1), count: 1 }
}

fn said(needle: &str) -> FromHost {
    FromHost::Waiting(Some(waiting(needle)))
}

fn shows(needle: &str) -> Action {
    Action::Waiting(Some(waiting(needle)))
}

const GONE: FromHost = FromHost::Waiting(None);
const SKIP: Action = Action::Send(ToHost::SkipWaits);

#[test]
fn g3_a_banner_comes_and_goes_with_a_fresh_screen_and_only_by_the_hosts_word() {
    let mut client = Client::live();
    assert_eq!(client.machine.skip_waits(), [], "nothing to skip");
    assert_eq!(client.says(said("ready")), [shows("ready"), subscribe(None)]);
    client.says(begin(5, "a"));
    client.says(frame("screen"));
    assert_eq!(client.says(end(6)), [snapshot("screen")]);
    // Another needle, the same one again: no other way to draw.
    assert_eq!(client.says(said("PASS")), [shows("PASS")]);
    assert_eq!(client.says(said("PASS")), []);
    // The person skips; that alone changes nothing.
    assert_eq!(client.machine.skip_waits(), [SKIP]);
    assert_eq!(client.machine.skip_waits(), [SKIP], "as often as it is pressed");
    assert!(client.machine.is_live());
    assert_eq!(client.says(GONE), [Action::Waiting(None), subscribe(None)]);
    assert_eq!(client.says(GONE), []);
    assert_eq!(client.machine.skip_waits(), []);
}

#[test]
fn g3_a_screen_that_is_on_its_way_is_not_asked_for_twice() {
    let mut client = Client::new(AttachMode::Interactive);
    client.after(Duration::ZERO);
    client.hello("a");
    assert_eq!(client.says(said("ready")), [shows("ready")], "right after the attach");
    assert_eq!(client.says(reconciled("a")), [subscribe(None), Action::Condition]);
    client.says(begin(5, "a"));
    assert_eq!(client.says(GONE), [Action::Waiting(None)]);
    client.says(frame("screen"));
    assert_eq!(client.says(end(6)), [snapshot("screen")]);
}

#[test]
fn g3_after_a_loss_the_host_says_again_what_is_so() {
    // Still the same: the missed chunks are enough.
    let mut client = Client::live();
    client.says(said("ready"));
    client.says(begin(5, "a"));
    client.says(frame("screen"));
    client.says(end(6));
    let lose = |client: &mut Client| {
        assert_eq!(client.machine.on_lost(client.now), [Action::HangUp, Action::Condition]);
        assert_eq!(client.machine.skip_waits(), [], "nobody is there to be told");
        assert_eq!(client.after(RETRY_EVERY), [Action::Dial]);
        client.hello("a");
    };
    lose(&mut client);
    assert_eq!(client.says(said("ready")), []);
    assert_eq!(client.says(reconciled("a")), [subscribe(Some(5)), Action::Condition]);
    // Another one now: still a banner.
    lose(&mut client);
    assert_eq!(client.says(said("PASS")), [shows("PASS")]);
    assert_eq!(client.says(reconciled("a")), [subscribe(Some(5)), Action::Condition]);
    // None any more, of which the host says nothing: it goes, and the session needs its whole screen.
    lose(&mut client);
    assert_eq!(client.says(reconciled("a")), [Action::Waiting(None), subscribe(None), Action::Condition]);
    // One that is new since.
    client.says(begin(5, "a"));
    client.says(frame("screen"));
    client.says(end(6));
    lose(&mut client);
    assert_eq!(client.says(said("new")), [shows("new")]);
    assert_eq!(client.says(reconciled("a")), [subscribe(None), Action::Condition]);
}

#[test]
fn g3_who_only_looks_sees_and_skips_nothing() {
    let mut client = Client::subscribed(AttachMode::ReadOnly);
    assert_eq!(client.says(said("ready")), [shows("ready")]);
    assert_eq!(client.machine.skip_waits(), []);
}

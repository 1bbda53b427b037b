//! `host-runner attach`: one session in this terminal, until the person leaves or its program ends.
//!
//! One connection to one host; the daemon is asked where that is, and again when the host is gone. Reading order: [`machine`] (what the
//! client does, pure), [`jiggle`], [`keys`], [`chord`], [`gate`], [`ime`], [`sync`], [`boundary`], [`look`], [`compose`],
//! [`banner`], [`mod@pointer`], [`grace`] (pure), then `shim` (the loop), `old_output`, `typing`, `link`, `search`, `farewell`,
//! `tty`, `signals`, `title`, `place`, `resolve`.

pub mod banner;
pub mod boundary;
pub mod chord;
pub mod compose;
mod farewell;
pub mod gate;
pub mod grace;
pub mod ime;
pub mod jiggle;
pub mod keys;
mod link;
pub mod look;
pub mod machine;
mod old_output;
mod place;
pub mod pointer;
pub(crate) mod resolve;
mod search;
mod shim;
mod signals;
pub mod sync;
mod title;
mod tty;
mod typing;

use crate::{cli::Failure, client::StartPolicy, config::Config, model::exit_text, root::BoardRoot};
use anyhow::Context as _;
use board_protocol::{
    board::{Revival, Row},
    daemon::HostEndpoint,
    host::{AttachMode, AttachRequest, TerminalLook},
    ids::SessionId,
    refusal::{Refusal, RefusalKind},
};
use board_text::attach as texts;
use keys::KeyScanner;
use look::LookAnswers;
use machine::{Ending, Machine, START_FOR};
use resolve::{Resolved, resolve};
use search::{Answer, Search};
use shim::{Outcome, Setup, Shim};
use signals::Signals;
use std::{
    io::{IsTerminal, Write as _},
    sync::Arc,
    time::{Duration, Instant},
};
use title::Titles;
use tty::Tty;
use typing::Typing;

/// How soon a session whose host is coming up is looked at again: a host needs some ten milliseconds. Doubled each time.
const FIRST_STARTING_POLL: Duration = Duration::from_millis(2);
/// How often at last, when the machine is that busy.
const LONGEST_STARTING_POLL: Duration = Duration::from_millis(50);

/// Shows one session in this terminal.
///
/// # Errors
/// Refused for a session that has ended, [`Failure::Usage`] without a terminal, [`Failure::Unreachable`] when its host
/// is gone.
pub fn run(root: &BoardRoot, session: &str, mode: AttachMode) -> Result<(), Failure> {
    if !(std::io::stdin().is_terminal() && std::io::stdout().is_terminal()) {
        return Err(Failure::Usage(texts::needs_terminal().to_owned()));
    }
    let (row, endpoint) = find(root, session, mode)?;
    refuse_itself(&row.id)?;
    let signals = Signals::install().context(board_text::cli::cannot_catch_signals())?;
    let tty = Tty::open().context(texts::terminal_unusable())?;
    let (tty, outcome) = attach(root, &row, endpoint, mode, tty, &signals)?;
    match last_words(&row, outcome) {
        LastWords::Left(text) => {
            drop(tty);
            // A window that was closed reads nothing any more.
            let _ = writeln!(std::io::stdout(), "{text}");
            Ok(())
        }
        // It ended by itself: whoever types goes on for a moment.
        LastWords::Ended(text) => {
            farewell::say(tty, &signals, &text);
            Ok(())
        }
        LastWords::Failed(failure) => {
            farewell::say(tty, &signals, &format!("host-runner: {failure}"));
            Err(Failure::Told(Box::new(failure)))
        }
    }
}

fn attach(
    root: &BoardRoot,
    row: &Row,
    endpoint: HostEndpoint,
    mode: AttachMode,
    mut tty: Tty,
    signals: &Signals,
) -> Result<(Tty, Outcome), Failure> {
    let config = Config::load();
    let (pane, cell_pixels) = tty.size();
    let (place, scrollback) = place::find();
    if scrollback == board_protocol::host::ScrollbackOwner::Person {
        tty.make_room(pane.rows);
    }
    let look = TerminalLook { foreground: None, background: None, cell_pixels };
    tty.show(look::ASK);
    let answers = LookAnswers::new(look.clone(), pane, Instant::now());
    let request = AttachRequest { size: pane, mode, place, look, scrollback };
    let machine = Machine::new(request, config.terminal_snapshot, Instant::now());
    let title = title::of(row);
    let log = root.screen_log(&row.id);
    let titles = Titles::new(root, row, Instant::now());
    let (root, id) = (root.clone(), row.id.clone());
    let search = Search::new(Arc::new(move || where_is_the_host(&root, &id, mode)), Instant::now());
    let way_out = config.detach_keys.first().map(ToString::to_string);
    let skip_key = config.skip_keys.first().copied();
    let typing = Typing::new(answers, KeyScanner::new(config.detach_keys).with_skip(config.skip_keys));
    let ime = config.ime_fix;
    let shim = Shim::new(Setup {
        tty,
        pane,
        typing,
        machine,
        ime,
        endpoint,
        search,
        title,
        titles,
        way_out,
        skip_key,
        mode,
        log,
    });
    Ok(shim.run(signals).context(texts::failed())?)
}

/// The session and its host; waits while that is coming up. One that has ended and can go on is continued, once.
fn find(root: &BoardRoot, session: &str, mode: AttachMode) -> Result<(Box<Row>, HostEndpoint), Failure> {
    let end = Instant::now() + START_FOR;
    let mut resumed = false;
    let mut poll = FIRST_STARTING_POLL;
    loop {
        match resolve(root, session, StartPolicy::Person)? {
            Resolved::Running(row, endpoint) => return Ok((row, endpoint)),
            // Looking alone starts nothing. One whose idle process is just being ended goes on when that is over.
            Resolved::Ended(row) | Resolved::Ending(row)
                if row.revival == Revival::Resumes && mode == AttachMode::Interactive && !resumed =>
            {
                refuse_itself(&row.id)?;
                resolve::resume(root, &row.id)?;
                resumed = true;
            }
            Resolved::Ended(row) => return Err(resolve::ended(&row).into()),
            Resolved::Starting(row) | Resolved::Ending(row) if Instant::now() >= end => {
                return Err(Failure::TimedOut(texts::not_up(&row.name, START_FOR.as_secs())));
            }
            Resolved::Starting(_) | Resolved::Ending(_) => {
                std::thread::sleep(poll);
                poll = LONGEST_STARTING_POLL.min(poll * 2);
            }
        }
    }
}

/// A session that shows itself would show that, and so on.
fn refuse_itself(id: &SessionId) -> Result<(), Failure> {
    if std::env::var("AGENT_BOARD_SESSION").is_ok_and(|own| own == id.as_str()) {
        return Err(Refusal::new(RefusalKind::BadInput, texts::is_that_session()).into());
    }
    Ok(())
}

/// What the person reads at the end.
enum LastWords {
    /// They left, or their terminal did.
    Left(String),
    /// The program ended.
    Ended(String),
    /// Its host is gone, or did not want us.
    Failed(Failure),
}

fn last_words(row: &Row, outcome: Outcome) -> LastWords {
    let (name, id) = (&row.name, &row.id);
    LastWords::Failed(match outcome {
        Outcome::Left | Outcome::Ended(Ending::Detached) => {
            return LastWords::Left(texts::left(name, id));
        }
        Outcome::Ended(Ending::Exited(exit)) => {
            let next = match row.revival {
                Revival::Resumes => texts::go_on(id),
                Revival::RunsAgain => texts::run_again(id),
            };
            return LastWords::Ended(texts::ended(name, board_text::retold(&exit_text(exit)), next));
        }
        Outcome::Ended(Ending::Refused(refusal)) => refusal.into(),
        Outcome::Ended(Ending::HostGone) => Failure::Unreachable(texts::host_gone(name, id)),
        Outcome::Ended(Ending::NotReachable) => Failure::Unreachable(texts::host_unreachable(name, id)),
        Outcome::Gone(text) => Refusal::new(RefusalKind::WrongState, text).into(),
    })
}

/// Where the daemon says that a lost host is. One that was ended because it was idle, while this client was on its way to
/// it, comes back for whoever wants in.
fn where_is_the_host(root: &BoardRoot, session: &SessionId, mode: AttachMode) -> Answer {
    match resolve(root, session.as_str(), StartPolicy::Service) {
        Ok(Resolved::Ended(row)) if row.resumes_on_attach && mode == AttachMode::Interactive => {
            resolve::resume(root, session).map_err(|failure| failure.to_string())?;
            Ok(None)
        }
        Ok(Resolved::Running(_, endpoint)) => Ok(Some(endpoint)),
        Ok(Resolved::Ended(row)) => Err(resolve::ended(&row).text),
        // The row itself is gone.
        Err(Failure::Refused(refusal)) if refusal.kind == RefusalKind::UnknownSession => Err(refusal.text),
        Ok(Resolved::Starting(_) | Resolved::Ending(_)) | Err(_) => Ok(None),
    }
}

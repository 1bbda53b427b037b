//! `host-runner wait`: returns once every named session has been in one of some states.
//!
//! It follows the board, where the newest state wins: one that lasts for milliseconds may pass unseen. It goes on with
//! the next daemon when this one ends.
//! Exit codes: 0 all are there, 1 a session is gone from the board, 3 the daemon cannot be reached, 4 not in time.

use super::{Failure, session};
use crate::client::{ClientError, DaemonClient, StartPolicy, WholeBoard};
use board_protocol::{
    board::{BoardUpdate, Row},
    daemon::{Answer, Request},
    filter::state_named,
    hello::Role,
    ids::SessionId,
    refusal::{Refusal, RefusalKind},
    state::SemanticState,
};
use board_text::cli as texts;
use std::{
    collections::{BTreeMap, VecDeque},
    time::{Duration, Instant},
};

/// Arguments of `wait`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The sessions: each its id, a unique beginning of it, or its unique name.
    #[arg(required = true, value_name = "SESSION")]
    sessions: Vec<String>,
    /// The states, separated by commas: working, needs_input, idle, holding, completed, failed, stopped, queued, or
    /// what the board calls them (running, needs-answer, needs-instructions, on-hold, done).
    #[arg(long, required = true, value_delimiter = ',', value_name = "STATES", value_parser = parse_state)]
    until: Vec<SemanticState>,
    /// Give up after this time (exit code 4): a number of seconds, or 500ms, 30s, 5m, 1h30m.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    timeout: Option<Duration>,
    #[command(flatten)]
    output: session::Output,
}

/// Longest time that can be waited for; a longer one is a slip of the keyboard. A year.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 60 * 60);
/// How long to wait before a daemon is looked for that was not there: it is being restarted.
const RETRY: Duration = Duration::from_millis(200);
/// How long no daemon may be found before the wait fails: a restart takes less than three seconds.
const PATIENCE: Duration = Duration::from_secs(10);

/// Carries the command out.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    let deadline = args.timeout.map(|timeout| Instant::now() + timeout);
    let client = session::connect()?;
    let mut waiting = Waiting::new(args.until);
    waiting.named = args.sessions.into();
    follow(client, &mut waiting, deadline)?;
    let rows: Vec<&Row> = waiting.order.iter().filter_map(|id| waiting.there.get(id)).collect();
    if args.output.json {
        session::print_json(&rows)
    } else {
        let line = |row: &&Row| format!("{}  {}  {}\n", row.id, row.state.label(), row.name);
        session::print(&rows.iter().map(line).collect::<String>())
    }
}

/// Waits until one session is in one of these states. Gives its row as it was then.
///
/// # Errors
/// As the command.
pub(super) fn for_one(
    client: DaemonClient,
    session: &SessionId,
    until: &[SemanticState],
    deadline: Option<Instant>,
) -> Result<Row, Failure> {
    let mut waiting = Waiting::new(until.to_vec());
    waiting.named.push_back(session.0.clone());
    follow(client, &mut waiting, deadline)?;
    waiting.there.remove(session).ok_or_else(|| waiting.gone(session))
}

fn follow(mut client: DaemonClient, waiting: &mut Waiting, deadline: Option<Instant>) -> Result<(), Failure> {
    let mut lost_at: Option<Instant> = None;
    loop {
        match follow_one(&mut client, waiting, deadline, &mut lost_at) {
            Err(Stopped::Failed(failure)) => return Err(failure),
            Ok(()) => return Ok(()),
            Err(Stopped::Lost) => {}
        }
        let since = *lost_at.get_or_insert_with(Instant::now);
        client = loop {
            // A person who shuts the board down does not want a wait to start it again.
            match DaemonClient::connect(&super::board_root()?, Role::Cli, StartPolicy::Service) {
                Ok(client) => break client,
                Err(ClientError::ShutDown) => return Err(ClientError::ShutDown.into()),
                Err(error) if since.elapsed() > PATIENCE => return Err(error.into()),
                Err(_) => {}
            }
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Err(waiting.too_late());
            }
            std::thread::sleep(RETRY);
        };
    }
}

/// Why following one daemon stopped.
enum Stopped {
    /// It ended.
    Lost,
    /// There is nothing more to wait for.
    Failed(Failure),
}

fn follow_one(
    client: &mut DaemonClient,
    waiting: &mut Waiting,
    deadline: Option<Instant>,
    lost_at: &mut Option<Instant>,
) -> Result<(), Stopped> {
    while let Some(name) = waiting.named.front() {
        waiting.expect(named(client, name)?);
        waiting.named.pop_front();
    }
    let mut board = whole(client)?;
    *lost_at = None;
    loop {
        if waiting.look(&board).map_err(Stopped::Failed)? == Seen::All {
            return Ok(());
        }
        let within = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        match client.next_update(within.unwrap_or(LONGEST)) {
            // The whole board may come in parts: what is missing in the first of them is not gone.
            Ok(Some(BoardUpdate::Full { .. })) => board = whole(client)?,
            Ok(Some(update)) => board.take(update),
            Ok(None) => return Err(Stopped::Failed(waiting.too_late())),
            Err(error) => return Err(error.into()),
        }
    }
}

fn whole(client: &mut DaemonClient) -> Result<WholeBoard, Stopped> {
    Ok(client.board()?)
}

fn named(client: &mut DaemonClient, name: &str) -> Result<Row, Stopped> {
    match client.ask(Request::Show { session: name.to_owned() })? {
        Answer::Session(detail) => Ok(detail.row),
        _ => Err(ClientError::Unexpected(board_text::client::a_session()).into()),
    }
}

impl From<ClientError> for Stopped {
    fn from(error: ClientError) -> Self {
        match error {
            ClientError::Lost(_) => Self::Lost,
            error => Self::Failed(error.into()),
        }
    }
}

/// Who is waited for, and who has been there.
struct Waiting {
    until: Vec<SemanticState>,
    /// What the person typed, as far as it was not found out yet who is meant.
    named: VecDeque<String>,
    /// As named, each once.
    order: Vec<SessionId>,
    /// The last row that was seen of each.
    last: BTreeMap<SessionId, Row>,
    /// The row with which each was there.
    there: BTreeMap<SessionId, Row>,
}

/// Whether everybody has been there.
#[derive(Debug, PartialEq, Eq)]
enum Seen {
    All,
    NotYet,
}

impl Waiting {
    fn new(until: Vec<SemanticState>) -> Self {
        Self {
            until,
            named: VecDeque::new(),
            order: Vec::new(),
            last: BTreeMap::new(),
            there: BTreeMap::new(),
        }
    }

    fn expect(&mut self, row: Row) {
        if !self.order.contains(&row.id) {
            self.order.push(row.id.clone());
        }
        self.see(row);
    }

    fn see(&mut self, row: Row) {
        if self.until.contains(&row.state) {
            self.there.entry(row.id.clone()).or_insert_with(|| row.clone());
        }
        self.last.insert(row.id.clone(), row);
    }

    /// # Errors
    /// A session that has not been there is gone.
    fn look(&mut self, board: &WholeBoard) -> Result<Seen, Failure> {
        for id in self.order.clone() {
            match board.rows.get(&id) {
                Some(row) => self.see(row.clone()),
                None if self.there.contains_key(&id) => {}
                None => return Err(self.gone(&id)),
            }
        }
        Ok(if self.there.len() == self.order.len() { Seen::All } else { Seen::NotYet })
    }

    fn gone(&self, id: &SessionId) -> Failure {
        let last = self.last.get(id).map(|row| texts::wait_last_seen(&row.name, row.state.label()));
        Failure::Refused(Refusal::new(
            RefusalKind::UnknownSession,
            texts::wait_removed(id, last.unwrap_or_default()),
        ))
    }

    fn too_late(&self) -> Failure {
        let missing = self.order.iter().filter(|id| !self.there.contains_key(*id));
        let said: Vec<String> = missing
            .filter_map(|id| self.last.get(id))
            .map(|row| texts::is_in_state(&row.id, &row.name, row.state.label()))
            .collect();
        Failure::TimedOut(texts::wait_not_in_time(said.join(", ")))
    }
}

fn parse_state(word: &str) -> Result<SemanticState, String> {
    state_named(word).ok_or_else(|| {
        let names: Vec<&str> = SemanticState::ALL.iter().map(|state| state.name()).collect();
        texts::wait_states(names.join(", "))
    })
}

/// `90`, `90s`, `1m30s`, `500ms`: whole numbers with units, largest first or not.
pub(super) fn parse_duration(text: &str) -> Result<Duration, String> {
    let wrong = || texts::wait_duration().to_owned();
    if let Ok(seconds) = text.parse::<u64>() {
        return Ok(Duration::from_secs(seconds).min(LONGEST));
    }
    let mut rest = text;
    let mut total = Duration::ZERO;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).ok_or_else(wrong)?;
        let (number, tail) = rest.split_at_checked(digits).ok_or_else(wrong)?;
        let number: u64 = number.parse().map_err(|_| wrong())?;
        let end = tail.find(|c: char| c.is_ascii_digit()).unwrap_or(tail.len());
        let (unit, tail) = tail.split_at_checked(end).ok_or_else(wrong)?;
        let ms = match unit {
            "ms" => 1,
            "s" => 1000,
            "m" => 60_000,
            "h" => 3_600_000,
            "d" => 86_400_000,
            _ => return Err(wrong()),
        };
        total = total.saturating_add(Duration::from_millis(number.saturating_mul(ms)));
        rest = tail;
    }
    if text.is_empty() { Err(wrong()) } else { Ok(total.min(LONGEST)) }
}

#[cfg(test)]
mod tests;

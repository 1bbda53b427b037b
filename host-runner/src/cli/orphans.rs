//! `host-runner orphans`: processes that sessions of this board left behind, and their end on request (decision 16).

use super::{Failure, session};
use crate::columns::padded;
use crate::{
    client::{DaemonClient, StartPolicy},
    fresh,
    orphans::{self, Orphan, Table},
};
use board_protocol::{
    board::Row,
    hello::Role,
    ids::SessionId,
    refusal::{Refusal, RefusalKind},
    text::age_words,
};
use board_text::cli as texts;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Arguments of `orphans`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// End them: SIGTERM, four seconds, SIGKILL.
    #[arg(long)]
    kill: bool,
    /// Only those of one session: its id, also of one that is not on the board any more, a unique beginning of it, or
    /// its unique name.
    #[arg(long, value_name = "SESSION")]
    session: Option<String>,
    #[command(flatten)]
    output: session::Output,
}

/// Carries the command out.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    let root = super::board_root()?;
    // Who they belonged to is nice to know; they are found without that.
    let rows = DaemonClient::connect(&root, Role::Cli, StartPolicy::Never)
        .and_then(|mut client| client.board())
        .map(|board| board.rows)
        .unwrap_or_default();
    let mut found = Table::read(root.directory()).orphans();
    if let Some(wanted) = &args.session {
        let left_behind = found.iter().map(|orphan| orphan.session.clone());
        let session = meant(wanted, &rows, left_behind)?;
        found.retain(|orphan| orphan.session == session);
    }
    let processes: Vec<_> = found.iter().map(|orphan| orphan.process).collect();
    let left = if args.kill { orphans::end(&processes) } else { processes };
    if args.output.json {
        let told: Vec<Value> = found
            .iter()
            .map(|orphan| {
                let mut told = as_json(orphan, &rows);
                if let Some(fields) = told.as_object_mut() {
                    let ended = args.kill && !left.contains(&orphan.process);
                    fields.insert("ended".into(), json!(ended));
                }
                told
            })
            .collect();
        session::print_json(&told)?;
    } else if found.is_empty() {
        let none = match &args.session {
            Some(_) => texts::orphans_none_of_session(),
            None => texts::orphans_none(),
        };
        session::print(&format!("{none}\n"))?;
    } else {
        let lines: String = found.iter().map(|orphan| line(orphan, &rows)).collect();
        session::print(&lines)?;
        if args.kill {
            eprintln!("{}", texts::orphans_ended(found.len() - left.len(), found.len()));
        }
    }
    if args.kill {
        orphans::all_ended(&left).map_err(|error| Failure::TimedOut(error.to_string()))?;
    }
    Ok(())
}

/// Which session a person means: of those on the board, and of those that left something behind and are not there any
/// more. A whole id is believed.
fn meant(
    wanted: &str,
    rows: &BTreeMap<SessionId, Row>,
    left_behind: impl Iterator<Item = SessionId>,
) -> Result<SessionId, Refusal> {
    if let Some(id) = SessionId::parse(wanted) {
        return Ok(id);
    }
    let known: BTreeSet<SessionId> = rows.keys().cloned().chain(left_behind).collect();
    let fits = |id: &&SessionId| match rows.values().any(|row| row.name == *wanted) {
        true => rows.get(*id).is_some_and(|row| row.name == *wanted),
        false => !wanted.is_empty() && id.as_str().starts_with(wanted),
    };
    let fitting: Vec<&SessionId> = known.iter().filter(fits).collect();
    match fitting.as_slice() {
        [id] => Ok((*id).clone()),
        [] => {
            let text = texts::orphans_no_session(format_args!("{wanted:?}"));
            Err(Refusal::new(RefusalKind::UnknownSession, text))
        }
        several => {
            let text = texts::orphans_several(format_args!("{wanted:?}"), several.len());
            Err(Refusal::new(RefusalKind::AmbiguousSession, text))
        }
    }
}

fn name<'a>(orphan: &Orphan, rows: &'a BTreeMap<SessionId, Row>) -> &'a str {
    rows.get(&orphan.session).map_or(texts::orphans_not_on_board(), |row| row.name.as_str())
}

fn line(orphan: &Orphan, rows: &BTreeMap<SessionId, Row>) -> String {
    let age = orphan.age_ms.map_or_else(|| "?".to_owned(), age_words);
    let Orphan { session, process, command, .. } = orphan;
    let name = padded(name(orphan, rows), 16);
    format!("{:>7}  {session}  {name}  {age:>4}  {command}\n", process.pid)
}

fn as_json(orphan: &Orphan, rows: &BTreeMap<SessionId, Row>) -> Value {
    json!({
        "session": orphan.session,
        "name": rows.get(&orphan.session).map(|row| &row.name),
        "pid": orphan.process.pid,
        "start_ticks": orphan.process.start_ticks,
        "age_ms": orphan.age_ms,
        "seen_at_ms": fresh::now(),
        "command": orphan.command,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{
        Live, row,
        samples::{after, started},
    };

    #[test]
    fn a_session_is_named_as_everywhere_and_also_when_it_is_gone() {
        let row = row(&after([started(1)]), &Live::default());
        let rows = BTreeMap::from([(row.id.clone(), row)]);
        let gone = SessionId("00000000ff".into());
        let meant = |wanted: &str| {
            let found = meant(wanted, &rows, std::iter::once(gone.clone()));
            found.map(|id| id.0).map_err(|refusal| refusal.kind)
        };
        assert_eq!(meant("sample").as_deref(), Ok("0000000001"));
        assert_eq!(meant("00000000ff").as_deref(), Ok("00000000ff"));
        assert_eq!(meant("00000000f").as_deref(), Ok("00000000ff"));
        assert_eq!(meant("00000000ee").as_deref(), Ok("00000000ee"), "a whole id is believed");
        assert_eq!(meant("00000"), Err(RefusalKind::AmbiguousSession));
        assert_eq!(meant("smaple"), Err(RefusalKind::UnknownSession));
        assert_eq!(meant(""), Err(RefusalKind::UnknownSession));
    }
}

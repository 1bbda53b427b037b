//! `host-runner orphans`: processes that sessions of this board left behind, and their end on request (decision 16).

use super::{Failure, session};
use crate::{
    client::{DaemonClient, StartPolicy},
    fresh,
    orphans::{self, Orphan, Table},
};
use board_protocol::{board::Row, hello::Role, ids::SessionId, text::age_words};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Arguments of `orphans`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// End them: SIGTERM, four seconds, SIGKILL.
    #[arg(long)]
    kill: bool,
    /// Only those of one session: its id, also of one that is not on the board any more, or its unique name.
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
        let named = rows.values().filter(|row| row.name == *wanted).map(|row| row.id.clone());
        let ids: Vec<SessionId> = named.chain(SessionId::parse(wanted)).collect();
        found.retain(|orphan| ids.contains(&orphan.session));
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
        session::print("No session of this board has left a process behind.\n")?;
    } else {
        let lines: String = found.iter().map(|orphan| line(orphan, &rows)).collect();
        session::print(&lines)?;
        if args.kill {
            eprintln!("host-runner: ended {} of {}", found.len() - left.len(), found.len());
        }
    }
    if args.kill {
        orphans::all_ended(&left).map_err(|error| Failure::TimedOut(error.to_string()))?;
    }
    Ok(())
}

fn name<'a>(orphan: &Orphan, rows: &'a BTreeMap<SessionId, Row>) -> &'a str {
    rows.get(&orphan.session).map_or("not on the board", |row| row.name.as_str())
}

fn line(orphan: &Orphan, rows: &BTreeMap<SessionId, Row>) -> String {
    let age = orphan.age_ms.map_or_else(|| "?".to_owned(), age_words);
    let Orphan { session, process, command, .. } = orphan;
    format!("{:>7}  {session}  {:<16}  {age:>4}  {command}\n", process.pid, name(orphan, rows))
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

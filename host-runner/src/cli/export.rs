//! `host-runner export`: everything that the store holds, as JSON lines on standard output.
//!
//! The first line says what it is and counts what follows, the last one (`end`) that nothing is missing. Every line is of
//! the moment at which the export began. Exit codes: 0 complete, 1 refused or cut off, 3 no daemon, 4 it does not answer.

use super::{Failure, session};
use crate::client::ClientError;
use anyhow::Context;
use board_protocol::daemon::{Answer, Request};
use board_text::cli as texts;
use std::io::{BufWriter, ErrorKind, Write};

/// Arguments of `export`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// As JSON, which an export always is.
    #[arg(long)]
    json: bool,
}

/// Carries the command out.
pub(super) fn run(Args { json: _ }: Args) -> Result<(), Failure> {
    let mut client = session::connect()?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut after = 0;
    loop {
        let Answer::Exported { lines, next, unfinished } = client.ask(Request::Export { after })? else {
            return Err(ClientError::Unexpected(board_text::client::export_part()).into());
        };
        match write(&mut out, &lines, unfinished)
            .and_then(|()| if next.is_none() { out.flush() } else { Ok(()) })
        {
            // A reader that has seen enough (`| head`) is no failure.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(()),
            other => other.context(texts::export_cannot_print())?,
        }
        match next {
            Some(next) => after = next,
            None => return Ok(()),
        }
    }
}

fn write(out: &mut impl Write, lines: &[String], unfinished: bool) -> std::io::Result<()> {
    for (index, line) in lines.iter().enumerate() {
        out.write_all(line.as_bytes())?;
        if !(unfinished && index + 1 == lines.len()) {
            out.write_all(b"\n")?;
        }
    }
    Ok(())
}

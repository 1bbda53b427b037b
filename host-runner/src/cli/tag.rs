//! `host-runner tag`: gives a session tags and takes them away; without a change it prints those it has.

use super::{Failure, session};
use board_protocol::command::Command;

/// Arguments of `tag`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The session: its id, a unique beginning of it, or its unique name.
    session: String,
    /// `+TAG` or `TAG` gives it a tag, `-TAG` takes one away. Without any, its tags are printed.
    #[arg(allow_hyphen_values = true, value_name = "+TAG|-TAG")]
    changes: Vec<String>,
    #[command(flatten)]
    output: session::Output,
}

/// What a person wants changed.
#[derive(Debug, Default, PartialEq, Eq)]
struct Changes {
    add: Vec<String>,
    remove: Vec<String>,
}

/// Carries the command out.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    let (words, output) = session::words_that_may_begin_with_a_hyphen(args.changes, args.output, "tag")?;
    let Changes { add, remove } = changes(&words);
    if !add.is_empty() || !remove.is_empty() {
        return session::change_and_say(&args.session, output, |session| Command::Tag {
            session,
            add,
            remove,
        });
    }
    let row = session::find(&mut session::connect()?, &args.session)?.row;
    if output.json {
        session::print_json(&row.tags)
    } else {
        session::print(&row.tags.iter().map(|tag| format!("{tag}\n")).collect::<String>())
    }
}

fn changes(words: &[String]) -> Changes {
    let mut changes = Changes::default();
    for word in words {
        match word.strip_prefix('-') {
            Some(tag) => changes.remove.push(tag.to_owned()),
            None => changes.add.push(word.strip_prefix('+').unwrap_or(word).to_owned()),
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plus_or_nothing_adds_and_a_minus_removes() {
        let words = ["+a", "b", "-c", "-d-e"].map(str::to_owned);
        let expected = Changes {
            add: ["a", "b"].map(str::to_owned).to_vec(),
            remove: ["c", "d-e"].map(str::to_owned).to_vec(),
        };
        assert_eq!(changes(&words), expected);
    }
}

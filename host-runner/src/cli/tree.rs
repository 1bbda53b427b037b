//! The tree of commands that a command line is read with.
//!
//! Building the whole of it takes longer than everything else that these few commands do before they get to work, and
//! somebody waits for each of them: a person for a screen, an agent for its hook, a board for a start. They are read with
//! a tree of their own command only, which understands and says the same.

use super::{Cli, MAX_HELP_COLUMNS, RootOption, attach, help, hook, host};
use board_text::help as texts;
use clap::{Args, Command, CommandFactory};
use std::ffi::OsStr;

/// The tree for a command line that begins with `first`.
pub(super) fn tree(first: Option<&OsStr>) -> Command {
    let tree = match first.and_then(OsStr::to_str) {
        Some("attach") => only("attach", "help-attach", attach::Args::augment_args),
        Some("hook") => only("hook", "help-hook", hook::Args::augment_args),
        Some("host") => only("host", "help-host", host::Args::augment_args),
        _ => Cli::command(),
    };
    help::translated(tree)
}

fn only(name: &'static str, about: &str, arguments: fn(Command) -> Command) -> Command {
    let command = arguments(Command::new(name)).about(texts::named(about).unwrap_or_default());
    let program =
        Command::new("host-runner").version(env!("CARGO_PKG_VERSION")).max_term_width(MAX_HELP_COLUMNS);
    RootOption::augment_args(program).subcommand(command)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::FromArgMatches;

    const SHORT: [&str; 3] = ["attach", "hook", "host"];

    /// What a command line comes to: the command as it was understood, or what is said instead.
    fn read(tree: Command, line: &[&str]) -> String {
        let line = std::iter::once("host-runner").chain(line.iter().copied());
        match tree.try_get_matches_from(line).and_then(|matches| Cli::from_arg_matches(&matches)) {
            Ok(cli) => format!("{cli:?}"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn a_short_tree_understands_and_says_what_the_whole_one_does() {
        for name in SHORT {
            let lines: [&[&str]; 11] = [
                &[name],
                &[name, "b"],
                &[name, "--help"],
                &[name, "-h"],
                &[name, "--root", "/tmp/x", "b"],
                &[name, "b", "--root", "relative"],
                &[name, "b", "--read-only"],
                &[name, "b", "--read-onyl"],
                &[name, "b", "c"],
                &[name, "--version"],
                &[name, "pi", "Stop", "--x"],
            ];
            for line in lines {
                assert_eq!(read(tree(Some(OsStr::new(name))), line), read(Cli::command(), line), "{line:?}");
            }
            assert_eq!(tree(Some(OsStr::new(name))).get_subcommands().count(), 1, "{name}");
        }
    }

    #[test]
    fn everything_else_has_the_whole_tree() {
        for first in ["", "help", "ls", "--root", "attac"] {
            assert!(tree(Some(OsStr::new(first))).find_subcommand("shutdown").is_some(), "{first}");
        }
        assert!(tree(None).find_subcommand("attach").is_some());
    }
}

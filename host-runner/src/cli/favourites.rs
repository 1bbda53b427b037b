//! `host-runner favourites`: the directories in which sessions are started most, and forgetting one of them.

use super::{Failure, session};
use crate::{
    client::{ClientError, DaemonClient},
    store::listed_as,
};
use anyhow::Context;
use board_protocol::{
    daemon::{Answer, LaunchPreferences, Request},
    refusal::{Refusal, RefusalKind},
    text::plain,
};
use board_text::cli as texts;
use std::path::PathBuf;

/// Arguments of `favourites`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Take this directory out of the list; a later start in it counts from one.
    #[arg(long, value_name = "DIR")]
    forget: Option<PathBuf>,
    #[command(flatten)]
    output: session::Output,
}

/// Carries the command out.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    let mut client = session::connect()?;
    let preferences = match args.forget {
        None => ask(&mut client, Request::LaunchPreferences)?,
        Some(directory) => {
            let path = std::path::absolute(directory).context(texts::which_directory())?;
            let path = listed_as(&path.to_string_lossy()).to_owned();
            let before = ask(&mut client, Request::LaunchPreferences)?;
            if !before.directories.iter().any(|favourite| favourite.path == path && favourite.uses > 0) {
                let text = texts::favourites_none_such(&path);
                return Err(Refusal::new(RefusalKind::NoChange, text).into());
            }
            ask(&mut client, Request::ForgetDirectory { path })?
        }
    };
    if args.output.json { session::print_json(&preferences) } else { session::print(&listed(&preferences)) }
}

fn ask(client: &mut DaemonClient, request: Request) -> Result<LaunchPreferences, Failure> {
    match client.ask(request)? {
        Answer::LaunchPreferences(preferences) => Ok(*preferences),
        _ => Err(ClientError::Unexpected(board_text::client::the_favourites()).into()),
    }
}

/// One line a directory: how often, and where.
fn listed(preferences: &LaunchPreferences) -> String {
    let line = |favourite: &board_protocol::daemon::FavouriteDirectory| {
        format!("{:>5}  {}\n", format!("{}×", favourite.uses), plain(&favourite.path))
    };
    preferences.directories.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use board_protocol::daemon::FavouriteDirectory;

    #[test]
    fn a_line_says_how_often_and_where_and_controls_no_terminal() {
        let favourite = |path: &str, uses| FavouriteDirectory { path: path.into(), uses, last_used_ms: None };
        let directories = vec![favourite("/srv/\u{1b}[2Jweb", 12), favourite("/home/me", 0)];
        let preferences = LaunchPreferences { directories, ..LaunchPreferences::default() };
        assert_eq!(listed(&preferences), "  12×  /srv/web\n   0×  /home/me\n");
    }
}

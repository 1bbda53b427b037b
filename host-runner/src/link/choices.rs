//! What a launch dialog chooses from: the favourites as the daemon told them, and every agent, with the reason where it
//! cannot be started from this board.
//!
//! Called by the link's loop on a thread of its own: an agent's program is looked for on the board's PATH, which may
//! lead to a file system that does not answer.

use super::queries;
use crate::agents::AgentKind;
use board_protocol::{
    command::EnvVar,
    daemon::{FavouriteDirectory, LaunchPreferences},
    pipe::QueryPart,
};
use std::{
    path::PathBuf,
    sync::{Arc, Mutex, TryLockError},
};

/// Longest directory that is offered, in bytes (`PATH_MAX` of Linux).
const MAX_PATH_BYTES: usize = 4096;

/// Looks for agents, for one board at a time.
#[derive(Debug)]
pub(super) struct Choices {
    environment: Vec<EnvVar>,
    root: PathBuf,
    /// Taken while agents are looked for: a look that hangs must not be followed by others.
    look: Arc<Mutex<()>>,
}

impl Choices {
    pub(super) fn new(environment: Vec<EnvVar>, root: PathBuf) -> Self {
        Self { environment, root, look: Arc::default() }
    }

    /// The whole answer.
    pub(super) fn parts(&self, preferences: LaunchPreferences) -> Vec<QueryPart> {
        let mut parts = vec![QueryPart::Preferences(Box::new(shown(preferences)))];
        match self.look.try_lock() {
            Err(TryLockError::WouldBlock) => {}
            Ok(_) | Err(TryLockError::Poisoned(_)) => parts.extend(self.agents()),
        }
        parts
    }

    fn agents(&self) -> impl Iterator<Item = QueryPart> {
        AgentKind::ALL.into_iter().map(|agent| {
            let mut choice = agent.choice(&self.environment, &self.root);
            choice.problem = choice.problem.as_deref().map(queries::line);
            QueryPart::Agent(choice)
        })
    }
}

/// What a board can show and give back: a path with characters that nobody sees would not be the same any more.
fn shown(preferences: LaunchPreferences) -> LaunchPreferences {
    let fits = |path: &str| path.len() <= MAX_PATH_BYTES && path.chars().all(board_protocol::text::is_plain);
    let directories: Vec<FavouriteDirectory> =
        preferences.directories.into_iter().filter(|favourite| fits(&favourite.path)).collect();
    let word = |word: Option<String>| word.as_deref().map(queries::line);
    LaunchPreferences {
        directories,
        agent: word(preferences.agent),
        model: word(preferences.model),
        thinking: word(preferences.thinking),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use board_protocol::pipe::Takes;

    #[test]
    fn every_agent_is_offered_and_one_that_is_missing_says_how_to_get_it() {
        let root = tempfile::tempdir().unwrap();
        let path = EnvVar { name: b"PATH".to_vec().into(), value: b"/nowhere".to_vec().into() };
        let choices = Choices::new(vec![path], root.path().to_owned());
        let favourite = |path: &str| FavouriteDirectory { path: path.into(), uses: 1, last_used_ms: None };
        let preferences = LaunchPreferences {
            directories: vec![favourite("/srv/\u{1b}[2Jx"), favourite("/srv/web")],
            agent: Some("pi".into()),
            ..LaunchPreferences::default()
        };
        let parts = choices.parts(preferences.clone());
        let QueryPart::Preferences(shown) = &parts[0] else { panic!("{parts:?}") };
        assert_eq!(shown.directories, [favourite("/srv/web")], "what cannot be shown cannot be chosen");
        let agents: Vec<_> = parts[1..]
            .iter()
            .map(|part| match part {
                QueryPart::Agent(choice) => choice.clone(),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(agents.len(), AgentKind::ALL.len());
        let named = |name: &str| agents.iter().find(|choice| choice.name == name).unwrap();
        assert_eq!((named("generic").problem.clone(), named("generic").takes), (None, Takes::CommandLine));
        let pi = named("pi");
        assert!(pi.problem.as_ref().unwrap().contains("npm"), "{pi:?}");
        assert_eq!((pi.takes, pi.thinking[0].as_str()), (Takes::Task, "off"));
        assert_eq!(named("claude").thinking[0], "low");
        assert!(named("codex").problem.is_some());
        let _held = choices.look.lock().unwrap();
        assert_eq!(choices.parts(preferences).len(), 1, "while a look hangs, no other one begins");
    }
}

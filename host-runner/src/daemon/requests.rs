//! Which requests the coordinator answers. Shared by the daemon's connections and by a command without a daemon.

use crate::coordinator::Question;
use board_protocol::daemon::Request;

/// What a request asks the coordinator; `None` for what the shell around it answers.
pub(super) fn question(request: &Request) -> Option<Question> {
    Some(match request.clone() {
        Request::Show { session } => Question::Show { session },
        Request::Locate { session } => Question::Locate { session },
        Request::LastScreen { session } => Question::LastScreen { session },
        Request::Explain { session } => Question::Explain { session },
        Request::Log { session, limit } => Question::Log { session, limit },
        Request::Export { after } => Question::Export { after },
        Request::Evidence { session } => Question::Evidence { session },
        Request::References { session } => Question::References { session },
        Request::LaunchPreferences => Question::LaunchPreferences,
        Request::Waits => Question::Waits,
        Request::AgentTerminals { .. }
        | Request::SkipWaits { .. }
        | Request::Ping
        | Request::Board
        | Request::Command(_)
        | Request::Subscribe
        | Request::Reconcile
        | Request::ForgetDirectory { .. }
        | Request::Shutdown { .. } => return None,
    })
}

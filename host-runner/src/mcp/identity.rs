//! Whose terminals these are: the session in which the agent runs, from its environment (decision 12).
//!
//! Read once, by [`super::run`].

use board_protocol::ids::{SessionId, Token};

/// The variable of a session's id.
pub(crate) const SESSION: &str = "AGENT_BOARD_SESSION";
/// The variable of its secret.
pub(crate) const TOKEN: &str = "AGENT_BOARD_TOKEN";
/// The variable of the same secret in a turn without a terminal, where nothing but this server may use it.
pub(crate) const RUN_TOKEN: &str = "AGENT_BOARD_MCP_TOKEN";

/// A session, and the secret that proves it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Identity {
    /// The session.
    pub(crate) session: SessionId,
    /// Its secret.
    pub(crate) token: Token,
}

/// The session of this process's environment, or what to tell an agent that has none.
pub(super) fn from_environment() -> Result<Identity, String> {
    read(|name| std::env::var(name).ok())
}

fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Identity, String> {
    let filled = |name| variable(name).filter(|value| !value.is_empty());
    let (Some(session), Some(token)) = (filled(SESSION), filled(TOKEN).or_else(|| filled(RUN_TOKEN))) else {
        return Err(format!(
            "this process does not run in a session of Agent Board ({SESSION} and {TOKEN} are not both set), so it has no terminals. Only agents that were started on the board have them; use your other tools"
        ));
    };
    let session = SessionId::parse(&session).ok_or_else(|| {
        format!("{SESSION} is no session's id, so there are no terminals here. Use your other tools")
    })?;
    Ok(Identity { session, token: Token(token) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_variables_make_a_session_and_anything_else_says_why_there_is_none() {
        let with = |session: &'static str, token: &'static str| {
            read(move |name| match name {
                SESSION => Some(session.to_owned()),
                TOKEN => Some(token.to_owned()),
                _ => None,
            })
        };
        let identity = with("0123456789", "5ec2e7").unwrap();
        assert_eq!((identity.session.as_str(), identity.token.as_str()), ("0123456789", "5ec2e7"));
        for (session, token) in [("", "5ec2e7"), ("0123456789", ""), ("not-an-id", "5ec2e7")] {
            let text = with(session, token).unwrap_err();
            assert!(text.contains(SESSION) && !text.contains("5ec2e7"), "{text}");
        }
        let in_a_run = read(|name| match name {
            SESSION => Some("0123456789".to_owned()),
            TOKEN => Some(String::new()),
            RUN_TOKEN => Some("5ec2e8".to_owned()),
            _ => None,
        });
        assert_eq!(in_a_run.unwrap().token.as_str(), "5ec2e8");
        assert!(read(|_| None).unwrap_err().contains("Agent Board"));
    }
}

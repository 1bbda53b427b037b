//! `host-runner refs`: which issue and change request a session is about, and how that is known.

use super::{Failure, session};
use crate::client::ClientError;
use crate::columns::padded;
use board_protocol::{
    board::ReferenceKind,
    daemon::{Answer, Request},
    refs::References,
    state::Confidence,
    text::plain,
};
use board_text::cli as texts;

/// Arguments of `refs`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The session: its id, a unique beginning of it, or its unique name.
    session: String,
    #[command(flatten)]
    output: session::Output,
}

/// Carries the command out.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    let Answer::References(references) =
        session::connect()?.ask(Request::References { session: args.session })?
    else {
        return Err(ClientError::Unexpected(board_text::client::references()).into());
    };
    if args.output.json { session::print_json(&references) } else { session::print(&as_text(&references)) }
}

fn as_text(references: &References) -> String {
    if references.found.is_empty() {
        return format!("{}\n", texts::refs_none());
    }
    let mut text = String::new();
    for found in &references.found {
        let kind = match found.reference.kind {
            ReferenceKind::Issue => texts::refs_issue(),
            ReferenceKind::ChangeRequest => texts::refs_change_request(),
        };
        let sure = match found.reference.confidence {
            Confidence::High => texts::refs_sure(),
            Confidence::Medium => texts::refs_likely(),
            Confidence::Low => texts::refs_guess(),
        };
        let url = found.reference.url.as_deref().map(|url| format!("  {}", plain(url))).unwrap_or_default();
        text.push_str(&format!(
            "{} {} {} {}{url}\n",
            padded(&plain(&found.reference.label), 8),
            padded(kind, 14),
            padded(sure, 8),
            texts::refs_seen(board_text::retold(&found.strength), board_text::retold(&found.source))
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use board_protocol::{board::Reference, refs::FoundReference};

    #[test]
    fn a_line_says_what_how_sure_and_why() {
        assert_eq!(as_text(&References::default()), "No issue and no change request was met.\n");
        let reference = Reference {
            kind: ReferenceKind::Issue,
            number: 12,
            label: "#12".into(),
            confidence: Confidence::High,
            url: Some("a://b\u{1b}[2J".into()),
        };
        let found = vec![FoundReference { reference, strength: "action".into(), source: "command".into() }];
        let text = as_text(&References { provider: "github".into(), found });
        assert_eq!(text, "#12      issue          sure     action in a command  a://b\n");
    }
}

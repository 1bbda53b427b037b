//! The limits of items that another process made. Pure.
//!
//! Called by the coordinator with what a run reports, before anything of it is kept: the sender may be another build.

use super::texts;
use board_protocol::evidence::{EvidenceItem, MAX_CLAIM, MAX_COMMAND, MAX_OUTPUT_PREVIEW};

/// Longest id of a call that is kept, in characters: agents make them of about forty.
pub(super) const MAX_ID: usize = 200;
/// Longest name of a tool, or of a source of errors, that is kept, in characters.
pub(super) const MAX_TOOL: usize = 100;
/// Longest message of an error, in characters: about four lines of a terminal.
pub(super) const MAX_ERROR: usize = 500;
/// Longest path, in characters: a quarter of Linux's limit, and far beyond what a person reads.
pub(super) const MAX_PATH: usize = 1_000;

/// The item with every text plain, without secrets and within its limit; one that a fold made stays as it is.
pub fn bounded(item: EvidenceItem) -> EvidenceItem {
    match item {
        EvidenceItem::Command(mut command) => {
            command.id = texts::line(&command.id, MAX_ID);
            command.command = texts::lines(&command.command, MAX_COMMAND);
            command.output_preview =
                command.output_preview.map(|preview| texts::lines(&preview, MAX_OUTPUT_PREVIEW));
            EvidenceItem::Command(command)
        }
        EvidenceItem::FileChange(mut file) => {
            file.path = texts::line(&file.path, MAX_PATH);
            file.tool = texts::line(&file.tool, MAX_TOOL);
            EvidenceItem::FileChange(file)
        }
        EvidenceItem::Error(mut error) => {
            error.source = texts::line(&error.source, MAX_TOOL);
            error.message = texts::line(&error.message, MAX_ERROR);
            error.tool = error.tool.map(|tool| texts::line(&tool, MAX_TOOL));
            EvidenceItem::Error(error)
        }
        EvidenceItem::Claim(mut claim) => {
            claim.text = texts::line(&claim.text, MAX_CLAIM);
            EvidenceItem::Claim(claim)
        }
        EvidenceItem::Usage(usage) => EvidenceItem::Usage(usage),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use board_protocol::{
        evidence::{CommandEvidence, CommandStatus, ErrorEvidence},
        ids::UnixMs,
    };

    #[test]
    fn what_another_process_made_is_cut_and_what_a_fold_made_stays() {
        let long = "TOKEN=abc \u{1b}[31m ".repeat(1_000);
        let command = EvidenceItem::Command(CommandEvidence {
            id: long.clone(),
            at_ms: UnixMs(1),
            command: long.clone(),
            kind: Default::default(),
            status: CommandStatus::Passed,
            exit_code: None,
            duration_ms: None,
            output_preview: Some(long.clone()),
        });
        let error = EvidenceItem::Error(ErrorEvidence {
            at_ms: UnixMs(1),
            source: long.clone(),
            message: long.clone(),
            tool: Some(long),
        });
        for item in [command, error] {
            let once = bounded(item);
            let text = format!("{once:?}");
            assert!(!text.contains("abc") && !text.contains("\\u{1b}"), "{text}");
            assert!(text.len() < 12_000, "{}", text.len());
            assert_eq!(bounded(once.clone()), once);
        }
    }
}

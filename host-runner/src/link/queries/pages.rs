//! Answers as parts, made plain and cut, and parts as pages.

use crate::link::mirror::json_bytes;
use board_protocol::{
    daemon::{EvidenceLine, Explanation, QueuedReply, SessionDetail, StateChange, event_retold},
    evidence::{Evidence, EvidenceItem},
    pipe::{
        Down, InstanceId, MAX_ANSWER_BYTES, MAX_PART_TEXT_BYTES, PAGE_BYTES, PeekDetail, QueryPart,
        QueuedPart, ReviewPart,
    },
    state::Classification,
    text::{is_plain, plain_within},
};

/// Room for the envelope and the numbers of a page, in bytes.
const ENVELOPE_BYTES: usize = 512;
/// Widest single line of an answer in cells: wider ones are shown by no terminal that people use.
const MAX_LINE_COLUMNS: usize = 500;
/// Most lines of a screen; the tallest terminals that people use have fewer.
const MAX_SCREEN_LINES: usize = 200;
/// Most open questions and left processes that are shown.
const MAX_LISTED: usize = 8;
/// Most changed files that are shown (reference F.8).
const MAX_FILES: usize = 12;
/// Most commands that are shown (reference F.8).
const MAX_COMMANDS: usize = 12;
/// Most errors that are shown (reference F.8).
const MAX_ERRORS: usize = 8;
/// Longest claim that is shown, in cells: eight lines of a wide terminal.
const MAX_CLAIM_COLUMNS: usize = 1_000;
/// Most changes of state that are shown: the newest ones.
const MAX_CHANGES: usize = 100;

/// One line, plain and cut.
pub(in crate::link) fn line(text: &str) -> String {
    plain_within(text, MAX_LINE_COLUMNS)
}

/// What peek shows.
pub(super) fn detail(detail: SessionDetail) -> Vec<QueryPart> {
    let SessionDetail { row, argv, strays, agent, queue, classification, waits, .. } = detail;
    let row = row.retold();
    let peek = PeekDetail {
        row,
        command: line(&argv.join(" ")),
        model: agent.model.as_deref().map(line),
        questions: agent.questions.iter().take(MAX_LISTED).map(|question| line(question)).collect(),
        preview: agent.preview.as_deref().map(|text| paragraphs(text).0),
        evidence: agent.evidence.as_deref().map(event_retold).as_deref().map(line),
        evidence_at_ms: agent.evidence_at_ms,
        classification: classification.map(Classification::retold),
        strays: strays.iter().take(MAX_LISTED).map(|stray| line(&stray.command)).collect(),
        waits,
    };
    let queue = queue.into_iter().map(|QueuedReply { id, text, at_ms, progress, .. }| {
        let (text, cut) = paragraphs(&text);
        QueryPart::Queued(QueuedPart { id, text, cut, at_ms, progress })
    });
    std::iter::once(QueryPart::Detail(Box::new(peek))).chain(queue).collect()
}

/// A terminal's picture. Blank lines at its end say nothing.
pub(super) fn screen(text: &str, live: bool) -> Vec<QueryPart> {
    let lines = text.trim_end().lines().take(MAX_SCREEN_LINES);
    let lines = lines.map(|text| QueryPart::ScreenLine(cells(text)));
    std::iter::once(QueryPart::Screen { live }).chain(lines).collect()
}

/// Why it stands where it stands: what the sources say, then the newest changes, oldest first.
pub(super) fn explanation(explanation: Explanation) -> Vec<QueryPart> {
    let evidence = explanation.evidence.into_iter().map(|evidence| {
        let EvidenceLine { source, at_ms, what } = evidence.retold();
        QueryPart::Evidence(EvidenceLine { source: line(&source), at_ms, what: line(&what) })
    });
    let surplus = explanation.changes.len().saturating_sub(MAX_CHANGES);
    let changes = explanation.changes.into_iter().skip(surplus).map(|change| {
        let StateChange { at_ms, from, to, event, rule } = change.retold();
        QueryPart::Change(StateChange { at_ms, from, to, event: line(&event), rule: line(&rule) })
    });
    evidence.chain(changes).collect()
}

/// What there is to show for its work: the review, then the newest of each kind.
pub(super) fn work(evidence: Evidence) -> Vec<QueryPart> {
    let Evidence { review, commands, file_changes, errors, claims, usage, dropped, transcript, .. } =
        evidence;
    let review = ReviewPart { review, usage, dropped, transcript: transcript.as_deref().map(line) };
    let files = file_changes.into_iter().rev().take(MAX_FILES).map(|mut file| {
        file.path = line(&file.path);
        EvidenceItem::FileChange(file)
    });
    let commands = commands.into_iter().rev().take(MAX_COMMANDS).map(|mut command| {
        command.command = line(&command.command.replace('\n', " ↵ "));
        command.output_preview = command.output_preview.map(|preview| paragraphs(&preview).0);
        EvidenceItem::Command(command)
    });
    let errors = errors.into_iter().rev().take(MAX_ERRORS).map(|mut error| {
        error.message = line(&error.message);
        EvidenceItem::Error(error)
    });
    let claim = claims.into_iter().next_back().map(|mut claim| {
        claim.text = plain_within(&claim.text, MAX_CLAIM_COLUMNS);
        EvidenceItem::Claim(claim)
    });
    let items = files.chain(commands).chain(errors).chain(claim);
    std::iter::once(QueryPart::Review(Box::new(review)))
        .chain(items.map(|item| QueryPart::Item(Box::new(item))))
        .collect()
}

/// A line of a terminal: its blanks are part of the picture.
fn cells(text: &str) -> String {
    text.chars().filter(|c| is_plain(*c)).take(MAX_LINE_COLUMNS).collect()
}

/// Text with its line breaks, and whether it was cut.
fn paragraphs(text: &str) -> (String, bool) {
    let mut out = String::new();
    for c in text.chars().map(|c| if c == '\t' { ' ' } else { c }) {
        if c != '\n' && !is_plain(c) {
            continue;
        }
        if out.len() + c.len_utf8() > MAX_PART_TEXT_BYTES {
            return (out, true);
        }
        out.push(c);
    }
    (out, false)
}

/// Parts as pages of a bounded size; what is beyond the bound of an answer is counted.
pub(super) fn paged(instance: InstanceId, number: u64, parts: Vec<QueryPart>) -> Vec<Down> {
    let mut pages: Vec<Vec<QueryPart>> = vec![Vec::new()];
    let (mut page_bytes, mut bytes) = (ENVELOPE_BYTES, ENVELOPE_BYTES);
    let mut left_out = 0_u32;
    for part in parts {
        // One more for the comma.
        let size = json_bytes(&part) + 1;
        if left_out > 0 || size + ENVELOPE_BYTES > PAGE_BYTES || bytes + size > MAX_ANSWER_BYTES {
            left_out += 1;
            continue;
        }
        if page_bytes + size > PAGE_BYTES {
            pages.push(Vec::new());
            page_bytes = ENVELOPE_BYTES;
            bytes += ENVELOPE_BYTES;
        }
        page_bytes += size;
        bytes += size;
        if let Some(page) = pages.last_mut() {
            page.push(part);
        }
    }
    if left_out > 0
        && let Some(page) = pages.last_mut()
    {
        page.push(QueryPart::Cut { left_out });
    }
    let count = u32::try_from(pages.len()).unwrap_or(u32::MAX);
    (0..count)
        .zip(pages)
        .map(|(page, parts)| Down::QueryPage { instance, number, page, pages: count, parts })
        .collect()
}

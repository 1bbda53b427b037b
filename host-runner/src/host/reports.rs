//! What a client's terminal says by itself among what its person types: focus and colour scheme. Pure.
//!
//! A terminal reports a change of its colours (`CSI ? 997 ; 1 n` dark, `; 2 n` light) to whoever asked for it (`?2031`). With
//! several clients the agent must hear it once, and from the one that decides; an agent that did not ask gets none: to it the
//! report would be typed text.

use std::borrow::Cow;

const SCHEME: &[u8] = b"\x1b[?997;";
const FOCUS: [&[u8]; 2] = [b"\x1b[I", b"\x1b[O"];

/// Who said something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Speaker {
    /// The person, at least partly.
    Person,
    /// Their terminal alone: that claims no size (field report E5).
    Terminal,
}

/// Whether reports of the colour scheme go to the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SchemeReports {
    /// It asked, and this client decides.
    Wanted,
    /// It asked, and another client decides.
    Elsewhere,
    /// It did not ask.
    Unwanted,
}

/// The colour scheme that the agent was told last.
#[derive(Debug, Default)]
pub(super) struct Scheme(Option<u8>);

impl Scheme {
    /// What of a client's input goes to the agent.
    pub(super) fn pass<'a>(
        &mut self,
        input: &'a [u8],
        reports: impl FnOnce() -> SchemeReports,
    ) -> Cow<'a, [u8]> {
        if memchr::memmem::find(input, SCHEME).is_none() {
            return Cow::Borrowed(input);
        }
        let reports = reports();
        if reports == SchemeReports::Unwanted {
            self.0 = None;
        }
        let mut passed = Vec::with_capacity(input.len());
        let mut rest = input;
        while let Some(at) = memchr::memmem::find(rest, SCHEME) {
            let (before, report) = rest.split_at(at);
            passed.extend_from_slice(before);
            let Some((scheme @ (b'1' | b'2'), b'n')) =
                report.get(SCHEME.len()).zip(report.get(SCHEME.len() + 1).copied()).map(|(s, n)| (*s, n))
            else {
                // Something else that begins like one.
                passed.extend_from_slice(SCHEME);
                rest = report.get(SCHEME.len()..).unwrap_or_default();
                continue;
            };
            let whole = SCHEME.len() + 2;
            if reports == SchemeReports::Wanted && self.0 != Some(scheme) {
                self.0 = Some(scheme);
                passed.extend_from_slice(report.get(..whole).unwrap_or_default());
            }
            rest = report.get(whole..).unwrap_or_default();
        }
        passed.extend_from_slice(rest);
        Cow::Owned(passed)
    }
}

/// Who said this.
pub(super) fn speaker(input: &[u8]) -> Speaker {
    let mut rest = input;
    while !rest.is_empty() {
        let focus = FOCUS.iter().find_map(|report| rest.strip_prefix(*report));
        let scheme = || {
            let [b'1' | b'2', b'n', after @ ..] = rest.strip_prefix(SCHEME)? else { return None };
            Some(after)
        };
        let Some(after) = focus.or_else(scheme) else { return Speaker::Person };
        rest = after;
    }
    Speaker::Terminal
}

#[cfg(test)]
mod tests {
    use super::*;

    const DARK: &[u8] = b"\x1b[?997;1n";
    const LIGHT: &[u8] = b"\x1b[?997;2n";

    fn pass(scheme: &mut Scheme, input: &[u8], reports: SchemeReports) -> Vec<u8> {
        scheme.pass(input, || reports).into_owned()
    }

    // I.6, settle scheme: exactly one report reaches the child.
    #[test]
    fn i6_a_change_of_colours_is_told_once_by_the_one_that_decides_to_an_agent_that_asked() {
        let mut scheme = Scheme::default();
        let both = [b"a", DARK, b"b", DARK, b"c"].concat();
        assert_eq!(pass(&mut scheme, &both, SchemeReports::Wanted), [b"a", DARK, b"bc"].concat());
        assert_eq!(pass(&mut scheme, DARK, SchemeReports::Wanted), b"", "no news");
        assert_eq!(pass(&mut scheme, LIGHT, SchemeReports::Elsewhere), b"");
        assert_eq!(pass(&mut scheme, LIGHT, SchemeReports::Wanted), LIGHT);
        assert_eq!(pass(&mut scheme, &both, SchemeReports::Unwanted), b"abc");
        assert_eq!(pass(&mut scheme, LIGHT, SchemeReports::Wanted), LIGHT, "asked anew");
    }

    #[test]
    fn other_input_is_untouched() {
        let mut scheme = Scheme::default();
        for input in
            [&b"text"[..], b"\x1b[?997;3n", b"\x1b[?997;", b"\x1b[?997;1", b"\x1b[I", b"\x1b[?997;1x"]
        {
            assert_eq!(pass(&mut scheme, input, SchemeReports::Unwanted), input, "{}", input.escape_ascii());
        }
        let asked = scheme.pass(b"text", || panic!("nobody asks for the modes while a person types"));
        assert!(matches!(asked, Cow::Borrowed(_)));
    }

    // Field report E5: whoever only looked at a pane took its size.
    #[test]
    fn e5_a_terminal_that_reports_by_itself_is_nobody_typing() {
        let table: [(&[u8], Speaker); 7] = [
            (b"\x1b[I", Speaker::Terminal),
            (b"\x1b[O\x1b[I", Speaker::Terminal),
            (DARK, Speaker::Terminal),
            (b"\x1b[Ix", Speaker::Person),
            (b"x", Speaker::Person),
            (b"\x1b[A", Speaker::Person),
            (b"\x1b[<0;1;1M", Speaker::Person),
        ];
        for (input, expected) in table {
            assert_eq!(speaker(input), expected, "{}", input.escape_ascii());
        }
    }
}

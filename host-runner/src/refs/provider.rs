//! Providers: what the commands and addresses of one kind of code host look like. Pure.
//!
//! Built here or by [`super::custom`], asked by [`super::extract`]. It reads no file and knows no session.

use super::{
    remote::Remote,
    rule::{NumberFrom, Rule, Strength},
};
use board_protocol::board::ReferenceKind::{self, ChangeRequest, Issue};

/// A kind of code host.
#[derive(Debug, Clone)]
pub struct Provider {
    /// Its name.
    pub name: String,
    /// Its hosts, in lower case. One that begins with a dot means all below it.
    pub hosts: Vec<String>,
    /// What stands before the number of an issue.
    pub issue_prefix: String,
    /// What stands before the number of a change request.
    pub change_prefix: String,
    /// The address of an issue: `{host}`, `{path}` and `{number}` are filled in. Empty for none.
    pub issue_url: String,
    /// The address of a change request.
    pub change_url: String,
    /// Its rules, in the order in which they are asked; the first that says something about a command wins.
    pub rules: Vec<Rule>,
}

/// The name of the provider for a host that nobody knows.
pub const GENERIC: &str = "generic";
/// A number after words and options: `gh issue edit --add-label x 12`, and not a number inside an option's value.
const N: &str = r#"(?:\s+(?:-[^\s]+|"[^"]*"|'[^']*'|[A-Za-z][^\s]*))*\s+#?(\d+)\b"#;

impl Provider {
    /// The providers that need no configuration; the last one is for hosts that nobody knows.
    pub fn built_in() -> Vec<Self> {
        vec![github(), gitlab(), generic()]
    }

    /// The provider of a remote among these. Without a remote, or for a host that nobody knows, the generic one.
    pub fn of<'p>(providers: &'p [Self], remote: Option<&Remote>) -> Option<&'p Self> {
        let generic = || providers.iter().find(|provider| provider.name == GENERIC);
        let Some(remote) = remote else { return generic() };
        providers.iter().find(|provider| provider.has(&remote.host)).or_else(generic)
    }

    fn has(&self, host: &str) -> bool {
        self.hosts
            .iter()
            .any(|known| if known.starts_with('.') { host.ends_with(known.as_str()) } else { host == known })
    }

    /// As the board shows a reference.
    pub fn label(&self, kind: ReferenceKind, number: u64) -> String {
        let prefix = match kind {
            Issue => &self.issue_prefix,
            ChangeRequest => &self.change_prefix,
        };
        format!("{prefix}{number}")
    }

    /// Where a reference is.
    pub fn url(&self, kind: ReferenceKind, number: u64, remote: Option<&Remote>) -> Option<String> {
        let template = match kind {
            Issue => &self.issue_url,
            ChangeRequest => &self.change_url,
        };
        let remote = remote.filter(|_| !template.is_empty())?;
        let filled = template.replace("{host}", &remote.host).replace("{path}", &remote.path);
        Some(filled.replace("{number}", &number.to_string()))
    }
}

/// Rules of this build; each is compiled by a test.
fn rules(table: &[(&str, ReferenceKind, Strength, NumberFrom)]) -> Vec<Rule> {
    let compiled = table.iter().map(|(pattern, kind, strength, from)| {
        Rule::new(&pattern.replace("{N}", N), *kind, *strength, *from)
    });
    compiled.filter_map(Result::ok).collect()
}

const GITHUB_RULES: [(&str, ReferenceKind, Strength, NumberFrom); 9] = {
    use NumberFrom::{Capture, OutputUrl};
    use Strength::{Action, Claim, View};
    [
        (r"\bgh\s+issue\s+edit{N}.*--add-assignee", Issue, Claim, Capture),
        (r"\bgh\s+issue\s+edit\b.*--add-assignee(?:[ =]\S+)?\s+#?(\d+)\b", Issue, Claim, Capture),
        (r"\bgh\s+issue\s+(?:comment|edit|close|reopen|develop){N}", Issue, Action, Capture),
        (r"\bgh\s+issue\s+create\b", Issue, Action, OutputUrl),
        (
            r"\bgh\s+pr\s+(?:checkout|merge|comment|review|close|edit|ready){N}",
            ChangeRequest,
            Action,
            Capture,
        ),
        (r"\bgh\s+pr\s+create\b", ChangeRequest, Action, OutputUrl),
        (r"\bgh\s+issue\s+view{N}", Issue, View, Capture),
        (r"\bgh\s+pr\s+(?:view|diff|checks){N}", ChangeRequest, View, Capture),
        (r"/issues/(\d+)\b", Issue, View, Capture),
    ]
};

const GITLAB_RULES: [(&str, ReferenceKind, Strength, NumberFrom); 9] = {
    use NumberFrom::{Capture, OutputUrl};
    use Strength::{Action, Claim, View};
    [
        (r"\bglab\s+issue\s+(?:edit|update){N}.*--assignee", Issue, Claim, Capture),
        (r"\bglab\s+issue\s+(?:edit|update)\b.*--assignee(?:[ =]\S+)?\s+#?(\d+)\b", Issue, Claim, Capture),
        (r"\bglab\s+issue\s+(?:note|edit|update|close|reopen){N}", Issue, Action, Capture),
        (r"\bglab\s+issue\s+create\b", Issue, Action, OutputUrl),
        (
            r"\bglab\s+mr\s+(?:checkout|merge|note|approve|close|reopen|update){N}",
            ChangeRequest,
            Action,
            Capture,
        ),
        (r"\bglab\s+mr\s+create\b", ChangeRequest, Action, OutputUrl),
        (r"\bglab\s+issue\s+view{N}", Issue, View, Capture),
        (r"\bglab\s+mr\s+(?:view|diff){N}", ChangeRequest, View, Capture),
        (r"/issues/(\d+)\b", Issue, View, Capture),
    ]
};

fn github() -> Provider {
    Provider {
        name: "github".into(),
        hosts: vec!["github.com".into()],
        issue_prefix: "#".into(),
        change_prefix: "▸#".into(),
        issue_url: "https://{host}/{path}/issues/{number}".into(),
        change_url: "https://{host}/{path}/pull/{number}".into(),
        rules: rules(&GITHUB_RULES)
            .into_iter()
            .chain(rules(&[(r"/pull/(\d+)\b", ChangeRequest, Strength::Action, NumberFrom::Capture)]))
            .collect(),
    }
}

fn gitlab() -> Provider {
    Provider {
        name: "gitlab".into(),
        hosts: vec!["gitlab.com".into()],
        issue_prefix: "#".into(),
        change_prefix: "!".into(),
        issue_url: "https://{host}/{path}/-/issues/{number}".into(),
        change_url: "https://{host}/{path}/-/merge_requests/{number}".into(),
        rules: rules(&GITLAB_RULES)
            .into_iter()
            .chain(rules(&[(
                r"/merge_requests/(\d+)\b",
                ChangeRequest,
                Strength::Action,
                NumberFrom::Capture,
            )]))
            .collect(),
    }
}

fn generic() -> Provider {
    Provider {
        name: GENERIC.into(),
        hosts: Vec::new(),
        issue_prefix: "#".into(),
        change_prefix: "▸#".into(),
        issue_url: String::new(),
        change_url: String::new(),
        rules: rules(&[
            (
                r"https?://\S+/(?:pull|pulls|merge_requests)/(\d+)\b",
                ChangeRequest,
                Strength::Action,
                NumberFrom::Capture,
            ),
            (r"https?://\S+/issues/(\d+)\b", Issue, Strength::View, NumberFrom::Capture),
        ]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a12_every_rule_of_this_build_compiles() {
        let counts = Provider::built_in().iter().map(|provider| provider.rules.len()).collect::<Vec<_>>();
        assert_eq!(counts, [GITHUB_RULES.len() + 1, GITLAB_RULES.len() + 1, 2]);
    }

    #[test]
    fn a12_the_provider_is_the_one_of_the_origins_host() {
        let providers = Provider::built_in();
        let named = |address: &str| {
            Provider::of(&providers, Remote::parse(address).as_ref()).map(|provider| provider.name.as_str())
        };
        assert_eq!(named("git@github.com:o/r.git"), Some("github"));
        assert_eq!(named("https://gitlab.com/a/b/c"), Some("gitlab"));
        assert_eq!(named("https://git.example.org/a/b"), Some("generic"));
        assert_eq!(named("/srv/x"), Some("generic"));
        let nested = Remote::parse("https://gitlab.com/a/b/c");
        let gitlab = Provider::of(&providers, nested.as_ref()).unwrap();
        assert_eq!(
            gitlab.url(ChangeRequest, 7, nested.as_ref()).as_deref(),
            Some("https://gitlab.com/a/b/c/-/merge_requests/7")
        );
        assert_eq!((gitlab.label(Issue, 7), gitlab.label(ChangeRequest, 7)), ("#7".into(), "!7".into()));
    }
}

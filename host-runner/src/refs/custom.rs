//! Providers of a person's own: `providers.json` beside the configuration (reference A.12).
//!
//! A mistake costs as little as it can: a bad rule only itself, a bad file only what it would have added.
//!
//! Called by the thread of `daemon/references` before each look; the file is read again only when it has changed.

use super::{
    provider::Provider,
    rule::{NumberFrom, Rule, Strength},
};
use board_protocol::board::ReferenceKind;
use board_text::refs as texts;
use serde::Deserialize;
use std::{fs::File, io::Read, path::Path, time::SystemTime};

/// The file's name in the directory of the configuration.
pub const FILE: &str = "providers.json";
/// Largest file that is read, in bytes.
const MAX_FILE: u64 = 256 * 1024;
/// Most providers, and most rules of one, that are used.
const MAX_PROVIDERS: usize = 32;
const MAX_RULES: usize = 64;

/// The file as people write it.
#[derive(Debug, Deserialize)]
struct Document {
    providers: Vec<Described>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Described {
    name: String,
    hosts: Option<Vec<String>>,
    issue_prefix: Option<String>,
    pr_prefix: Option<String>,
    url_templates: Option<Templates>,
    #[serde(default)]
    rules: Vec<serde_json::Value>,
}

#[derive(Debug, Deserialize)]
struct Templates {
    issue: Option<String>,
    pr: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct DescribedRule {
    pattern: String,
    kind: DescribedKind,
    strength: Strength,
    #[serde(default)]
    number_from: NumberFrom,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum DescribedKind {
    Issue,
    Pr,
}

/// Providers with those of a file, and what of it could not be used.
#[derive(Debug, Clone, Default)]
pub struct Customised {
    /// All providers, in the order in which they are asked.
    pub providers: Vec<Provider>,
    /// One line for each part that was left out.
    pub complaints: Vec<String>,
}

/// Adds what a file says to the providers that there are.
pub fn customise(text: &str) -> Customised {
    let mut result = Customised { providers: Provider::built_in(), complaints: Vec::new() };
    let document: Document = match serde_json::from_str(text) {
        Ok(document) => document,
        Err(error) => {
            result.complaints.push(texts::unreadable(FILE, &error));
            return result;
        }
    };
    if document.providers.len() > MAX_PROVIDERS {
        result.complaints.push(texts::too_many(FILE, MAX_PROVIDERS));
    }
    for described in document.providers.into_iter().take(MAX_PROVIDERS) {
        add(described, &mut result);
    }
    result
}

fn add(described: Described, result: &mut Customised) {
    let Customised { providers, complaints } = result;
    let mut rules = Vec::new();
    for (place, value) in described.rules.into_iter().take(MAX_RULES).enumerate() {
        match rule(value) {
            Ok(rule) => rules.push(rule),
            Err(error) => {
                complaints.push(texts::bad_rule(FILE, place + 1, &described.name, &error));
            }
        }
    }
    let known = providers.iter().position(|provider| provider.name == described.name);
    let index = known.unwrap_or(providers.len());
    if known.is_none() {
        // Before the generic one there is no need to stand: that one is for hosts that nobody has.
        providers.push(Provider {
            name: described.name,
            hosts: Vec::new(),
            issue_prefix: "#".into(),
            change_prefix: "#".into(),
            issue_url: String::new(),
            change_url: String::new(),
            rules: Vec::new(),
        });
    }
    let Some(provider) = providers.get_mut(index) else { return };
    rules.append(&mut provider.rules);
    provider.rules = rules;
    if let Some(hosts) = described.hosts {
        provider.hosts = hosts.iter().map(|host| host.to_lowercase()).collect();
    }
    let (issue_url, change_url) =
        described.url_templates.map_or((None, None), |templates| (templates.issue, templates.pr));
    let fields = [
        (&mut provider.issue_prefix, described.issue_prefix),
        (&mut provider.change_prefix, described.pr_prefix),
        (&mut provider.issue_url, issue_url),
        (&mut provider.change_url, change_url),
    ];
    for (field, new) in fields {
        if let Some(new) = new {
            *field = new;
        }
    }
}

fn rule(value: serde_json::Value) -> Result<Rule, String> {
    let described: DescribedRule = serde_json::from_value(value).map_err(|error| error.to_string())?;
    let kind = match described.kind {
        DescribedKind::Issue => ReferenceKind::Issue,
        DescribedKind::Pr => ReferenceKind::ChangeRequest,
    };
    Rule::new(&described.pattern, kind, described.strength, described.number_from)
        .map_err(|error| error.to_string())
}

/// The providers, read again when the file has changed.
#[derive(Debug, Default)]
pub struct Cache {
    read: Option<(Option<SystemTime>, Customised)>,
}

impl Cache {
    /// The providers now, and complaints if the file was read just now: each version of it complains once.
    pub fn providers(&mut self, directory: Option<&Path>) -> (&[Provider], Vec<String>) {
        let path = directory.map(|directory| directory.join(FILE));
        let changed = path.as_deref().and_then(|path| path.metadata().ok()?.modified().ok());
        let fresh = self.read.as_ref().is_none_or(|(known, _)| *known != changed);
        if fresh {
            let customised = match path.filter(|_| changed.is_some()).map(|path| text(&path)) {
                None => Customised { providers: Provider::built_in(), complaints: Vec::new() },
                Some(Ok(text)) => customise(&text),
                Some(Err(error)) => Customised {
                    providers: Provider::built_in(),
                    complaints: vec![texts::unreadable(FILE, &error)],
                },
            };
            self.read = Some((changed, customised));
        }
        let customised = self.read.as_ref().map(|(_, customised)| customised);
        let complaints =
            customised.filter(|_| fresh).map(|customised| customised.complaints.clone()).unwrap_or_default();
        (customised.map(|customised| customised.providers.as_slice()).unwrap_or_default(), complaints)
    }
}

fn text(path: &Path) -> std::io::Result<String> {
    let file = File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(std::io::Error::other(texts::is_no_file()));
    }
    let mut text = String::new();
    file.take(MAX_FILE + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MAX_FILE {
        return Err(std::io::Error::other(texts::too_large(MAX_FILE)));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refs::{
        extract::{Ran, Sources, extract},
        remote::Remote,
    };

    const OWN: &str = r##"{"providers": [
        {"name": "tracker", "hosts": ["Code.Example.org"], "issuePrefix": "T-", "prPrefix": "D-",
         "urlTemplates": {"issue": "https://{host}/t/{number}"},
         "rules": [
            {"pattern": "\\btk take ([0-9]+)", "kind": "issue", "strength": "claim"},
            {"pattern": "\\btk new\\b", "kind": "issue", "strength": "action", "numberFrom": "outputUrl"},
            {"pattern": "/t/([0-9]+)", "kind": "issue", "strength": "view"},
            {"pattern": "tk look", "kind": "issue", "strength": "view"},
            {"pattern": "(", "kind": "pr", "strength": "view"},
            {"pattern": "x ([0-9]+)", "kind": "bug", "strength": "view"}
         ]},
        {"name": "github", "hosts": ["github.com", ".ghe.example.org"],
         "rules": [{"pattern": "\\bhub close ([0-9]+)", "kind": "issue", "strength": "action"}]}
    ]}"##;

    fn found(customised: &Customised, host: &str, line: &str, output: &str) -> Vec<String> {
        let remote = Remote { host: host.into(), path: "o/r".into() };
        let provider = Provider::of(&customised.providers, Some(&remote)).unwrap();
        let ran = [Ran { line, output }];
        let sources = Sources { commands: &ran, remote: Some(&remote), ..Sources::default() };
        extract(&sources, provider).all.into_iter().map(|found| found.label).collect()
    }

    #[test]
    fn a12_a_new_provider_is_added_and_its_bad_rules_are_left_out_one_by_one() {
        let customised = customise(OWN);
        assert_eq!(customised.complaints.len(), 3, "{:?}", customised.complaints);
        assert_eq!(found(&customised, "code.example.org", "tk take 5", ""), ["T-5"]);
        let made = found(&customised, "code.example.org", "tk new 'a'", "see https://code.example.org/t/9");
        assert_eq!(made, ["T-9"]);
    }

    #[test]
    fn a12_a_provider_of_a_known_name_gets_rules_before_its_own_and_keeps_what_is_not_said() {
        let customised = customise(OWN);
        assert_eq!(
            found(&customised, "a.ghe.example.org", "hub close 3; gh issue close 4", ""),
            ["#3", "#4"]
        );
        assert_eq!(customised.providers.iter().filter(|provider| provider.name == "github").count(), 1);
    }

    #[test]
    fn a12_a_broken_file_complains_once_a_version_and_changes_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let mut cache = Cache::default();
        assert!(cache.providers(Some(directory.path())).1.is_empty(), "no file is no mistake");
        std::fs::write(directory.path().join(FILE), "{").unwrap();
        assert_eq!(cache.providers(Some(directory.path())).1.len(), 1);
        let (providers, complaints) = cache.providers(Some(directory.path()));
        assert_eq!((providers.len(), complaints.len()), (3, 0));
        std::fs::remove_file(directory.path().join(FILE)).unwrap();
        std::fs::create_dir(directory.path().join(FILE)).unwrap();
        assert_eq!(cache.providers(Some(directory.path())).1.len(), 1, "a directory is no file");
        assert_eq!(Cache::default().providers(None).0.len(), 3);
    }
}

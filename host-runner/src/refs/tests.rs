//! What references are found in.

use super::{
    Snapshot,
    extract::{Ran, Sources, extract},
    provider::Provider,
    remote::Remote,
    rule::Strength::{self, Action, Claim, Mention, View},
};
use board_protocol::{
    board::ReferenceKind::{self, ChangeRequest, Issue},
    state::Confidence,
};

/// A reference as the tables write it.
type Met = (ReferenceKind, u64, Strength);

fn remote(host: &str) -> Remote {
    Remote { host: host.into(), path: "o/r".into() }
}

fn look(host: &str, sources: Sources<'_>) -> Snapshot {
    let remote = remote(host);
    let providers = Provider::built_in();
    let provider = Provider::of(&providers, Some(&remote)).unwrap();
    extract(&Sources { remote: Some(&remote), ..sources }, provider)
}

fn commands(host: &str, lines: &[(&str, &str)]) -> Vec<Met> {
    let ran: Vec<_> = lines.iter().map(|(line, output)| Ran { line, output }).collect();
    let snapshot = look(host, Sources { commands: &ran, ..Sources::default() });
    snapshot.all.iter().map(|found| (found.kind, found.number, found.strength)).collect()
}

#[test]
fn a12_commands_of_github() {
    let table: [(&str, &[Met]); 16] = [
        ("gh issue edit 12 --add-assignee @me", &[(Issue, 12, Claim)]),
        ("gh issue edit --add-assignee @me 12", &[(Issue, 12, Claim)]),
        ("gh issue comment 12 --body 'see 99'", &[(Issue, 12, Action)]),
        ("gh issue comment --body 'see 99' 12", &[(Issue, 12, Action)]),
        ("gh issue close #12", &[(Issue, 12, Action)]),
        ("gh issue reopen 12", &[(Issue, 12, Action)]),
        ("gh pr checkout 7 && gh pr checks 7", &[(ChangeRequest, 7, Action)]),
        ("gh pr merge 7 --squash", &[(ChangeRequest, 7, Action)]),
        ("gh pr review https://github.com/o/r/pull/7 --approve", &[(ChangeRequest, 7, Action)]),
        ("gh issue view 12", &[]),
        ("gh issue view 12; gh issue view 12 --comments", &[(Issue, 12, View)]),
        ("curl https://github.com/o/r/issues/12", &[]),
        ("gh pr view && gh issue list --limit 5", &[]),
        ("git commit -m 'Mend it. Fixes #12'", &[(Issue, 12, Action)]),
        ("echo 'Fixes #12'", &[]),
        ("git log | grep 12", &[]),
    ];
    for (line, expected) in table {
        assert_eq!(commands("github.com", &[(line, "")]), expected, "{line}");
    }
}

#[test]
fn a12_commands_of_gitlab() {
    let table: [(&str, &[Met]); 6] = [
        ("glab issue update 12 --assignee me", &[(Issue, 12, Claim)]),
        ("glab issue note 12 -m hi", &[(Issue, 12, Action)]),
        ("glab mr checkout 7", &[(ChangeRequest, 7, Action)]),
        ("glab mr merge 7", &[(ChangeRequest, 7, Action)]),
        ("open https://gitlab.com/o/r/-/merge_requests/7", &[(ChangeRequest, 7, Action)]),
        ("gh issue close 12", &[]),
    ];
    for (line, expected) in table {
        assert_eq!(commands("gitlab.com", &[(line, "")]), expected, "{line}");
    }
}

#[test]
fn a12_what_a_command_makes_is_known_by_a_later_address() {
    let made = [
        ("gh pr create --fill --body 'Closes #12'", "Creating pull request"),
        ("sleep 1", ""),
        ("gh pr status", "https://github.com/o/r/pull/31"),
    ];
    assert_eq!(commands("github.com", &made), [(ChangeRequest, 31, Action), (Issue, 12, Action)]);
    assert_eq!(commands("github.com", &made[..2]), [(Issue, 12, Action)]);
    assert_eq!(
        commands(
            "github.com",
            &[("gh issue list", "https://github.com/o/r/issues/5 https://github.com/o/r/issues/5")]
        ),
        [],
        "what a command prints is no work of the agent"
    );
}

#[test]
fn a12_the_strongest_is_chosen_then_the_latest() {
    let lines = [
        ("gh issue comment 1 -b x", ""),
        ("gh issue edit 2 --add-assignee @me", ""),
        ("gh issue comment 3 -b x", ""),
        ("gh pr merge 8", ""),
        ("gh pr merge 9", ""),
    ];
    let ran: Vec<_> = lines.iter().map(|(line, output)| Ran { line, output }).collect();
    let snapshot = look("github.com", Sources { commands: &ran, ..Sources::default() });
    let numbers: Vec<_> = snapshot.all.iter().map(|found| found.number).collect();
    assert_eq!(numbers, [2, 9, 8, 3, 1]);
    let chosen = snapshot.chosen();
    assert_eq!(chosen.iter().map(|found| found.label.as_str()).collect::<Vec<_>>(), ["#2", "▸#9"]);
    assert_eq!(chosen[1].url.as_deref(), Some("https://github.com/o/r/pull/9"));
}

#[test]
fn a12_a_branch_or_worktree_names_its_issue() {
    for (branch, expected) in
        [("issue-12-parser", Some(12)), ("me/issue-12", Some(12)), ("issue-12b", None), ("tissue-12-x", None)]
    {
        let snapshot = look("github.com", Sources { branch: Some(branch), ..Sources::default() });
        assert_eq!(snapshot.all.first().map(|found| found.number), expected, "{branch}");
    }
    let snapshot = look("github.com", Sources { worktree: Some("issue-4-x"), ..Sources::default() });
    assert_eq!(snapshot.all[0].source, "worktree");
}

#[test]
fn a12_a_mention_counts_only_where_nothing_stronger_is_known_and_is_shown_dim() {
    let texts = ["About #12.", "#12 is hard", "so #12"];
    let snapshot = look("github.com", Sources { texts: &texts, ..Sources::default() });
    assert_eq!((snapshot.all[0].number, snapshot.all[0].strength), (12, Mention));
    assert_eq!(snapshot.chosen()[0].confidence, Confidence::Low);
    let ran = [Ran { line: "gh issue close 5", output: "" }];
    let snapshot = look("github.com", Sources { texts: &texts, commands: &ran, ..Sources::default() });
    assert_eq!(snapshot.all.iter().map(|found| found.number).collect::<Vec<_>>(), [5]);
}

#[test]
fn a12_a_host_that_nobody_knows_has_addresses_only() {
    let host = "git.example.org";
    assert_eq!(commands(host, &[("gh issue close 12", "")]), []);
    let seen = "curl https://git.example.org/o/r/pulls/7";
    assert_eq!(commands(host, &[(seen, "")]), [(ChangeRequest, 7, Action)]);
}

#[test]
fn a12_finding_nothing_takes_nothing_away_and_ten_are_enough() {
    let lines: Vec<String> = (1..30).map(|n| format!("gh issue close {n}")).collect();
    let ran: Vec<_> = lines.iter().map(|line| Ran { line, output: "" }).collect();
    let many = look("github.com", Sources { commands: &ran, ..Sources::default() });
    assert_eq!(many.all.len(), 10);
    let nothing = look("github.com", Sources::default());
    assert_eq!(many.clone().after(nothing), many);
}

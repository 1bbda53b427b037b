//! What a terminal is started with.

use super::*;

fn variable(name: &str, value: &str) -> EnvVar {
    EnvVar { name: name.as_bytes().to_vec().into(), value: value.as_bytes().to_vec().into() }
}

#[test]
fn g1_a_terminal_gets_the_environment_of_whoever_asks_without_what_is_ours() {
    let kept = [
        variable("PATH", "/bin"),
        variable(SHELL_SETTING, "/bin/dash"),
        variable("NOT_AGENT_BOARD_TOKEN", "mine"),
    ];
    let ours = ["SESSION", "SOCKET", "TOKEN", "ROOT", "NO_SWEEP", "PROMPT"]
        .map(|name| variable(&format!("AGENT_BOARD_{name}"), "x"));
    assert_eq!(without_ours(ours.into_iter().chain(kept.clone()).collect()), kept);
    let open = OpenTerminal { command: None, cwd: None, size: None, title: None };
    assert_eq!(launch(&open, &kept), Launch::Argv(vec!["/bin/dash".into()]));
    let open = OpenTerminal { command: Some("ls | wc".into()), ..open };
    assert_eq!(launch(&open, &kept), Launch::Task("ls | wc".into()));
}

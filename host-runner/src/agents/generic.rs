//! The generic agent: any program, or a command line for the person's shell. Pure.

use super::{LaunchPlan, LaunchRequest, variable};
use board_protocol::{
    command::{EnvVar, Launch},
    refusal::{Refusal, RefusalKind},
};
use board_text::agents as texts;

/// Ctrl+C, as a person would type it.
pub(super) const INTERRUPT_KEY: &[u8] = b"\x03";
/// The shell where the launching environment names none; POSIX has it on every system.
const FALLBACK_SHELL: &str = "/bin/sh";

/// The variable of the setting `shell`. It wins over `SHELL`, which belongs to the person's other programs as well.
pub(crate) const SHELL_SETTING: &str = "AGENT_BOARD_SHELL";

/// Arguments are taken literally; a task is a command line for the shell that the launching environment names.
pub(super) fn plan(request: &LaunchRequest<'_>) -> Result<LaunchPlan, Refusal> {
    if request.model.is_some() || request.thinking.is_some() {
        let text = texts::generic_no_model();
        return Err(Refusal::new(RefusalKind::BadInput, text));
    }
    match request.launch {
        Launch::Argv(argv) => {
            if argv.first().is_none_or(String::is_empty) {
                return Err(empty());
            }
            if argv.iter().any(|argument| argument.contains('\0')) {
                return Err(with_nul());
            }
            Ok(LaunchPlan { argv: argv.clone(), words: argv.join(" ") })
        }
        Launch::Task(task) => {
            if task.trim().is_empty() {
                return Err(empty());
            }
            if task.contains('\0') {
                return Err(with_nul());
            }
            let shell = shell(request.environment).to_owned();
            Ok(LaunchPlan { argv: vec![shell, "-c".to_owned(), task.clone()], words: task.trim().to_owned() })
        }
    }
}

/// The person's shell, as an environment names it.
pub(crate) fn shell(environment: &[EnvVar]) -> &str {
    // A relative SHELL would depend on the session's directory: it does not count.
    [SHELL_SETTING, "SHELL"]
        .into_iter()
        .filter_map(|name| variable(environment, name))
        .find(|shell| shell.starts_with('/'))
        .unwrap_or(FALLBACK_SHELL)
}

fn empty() -> Refusal {
    Refusal::new(RefusalKind::BadInput, texts::nothing_to_run())
}

fn with_nul() -> Refusal {
    Refusal::new(RefusalKind::BadInput, texts::generic_nul())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::PromptUse;

    fn planned(launch: &Launch, environment: &[EnvVar]) -> Result<LaunchPlan, Refusal> {
        let (transcript, prompt) = ("/s", PromptUse::Given);
        let (prepared, conversation, life) = (None, None, "");
        let (model, thinking) = (None, None);
        plan(&LaunchRequest {
            launch,
            environment,
            prepared,
            transcript,
            conversation,
            life,
            model,
            thinking,
            prompt,
        })
    }

    fn environment(shell: &str) -> Vec<EnvVar> {
        vec![EnvVar { name: b"SHELL".to_vec().into(), value: shell.as_bytes().to_vec().into() }]
    }

    #[test]
    fn a_task_is_a_command_line_for_the_launching_shell() {
        let task = Launch::Task(" echo $HOME | wc ".into());
        let table = [("/bin/zsh", "/bin/zsh"), ("", "/bin/sh"), ("zsh", "/bin/sh")];
        for (shell, expected) in table {
            let plan = planned(&task, &environment(shell)).unwrap();
            assert_eq!(plan.argv, [expected, "-c", " echo $HOME | wc "]);
            assert_eq!(plan.words, "echo $HOME | wc");
        }
        assert_eq!(planned(&task, &[]).unwrap().argv[0], "/bin/sh");
        for (setting, expected) in [("/bin/dash", "/bin/dash"), ("dash", "/bin/zsh")] {
            let mut environment = environment("/bin/zsh");
            let (name, value) = (SHELL_SETTING.as_bytes().to_vec(), setting.as_bytes().to_vec());
            environment.push(EnvVar { name: name.into(), value: value.into() });
            assert_eq!(planned(&task, &environment).unwrap().argv[0], expected);
        }
    }

    #[test]
    fn arguments_are_literal() {
        let argv = vec!["printf".to_owned(), "%s\n".to_owned(), "$HOME; rm -rf *".to_owned()];
        assert_eq!(planned(&Launch::Argv(argv.clone()), &environment("/bin/zsh")).unwrap().argv, argv);
    }

    #[test]
    fn nothing_to_run_is_refused() {
        let nothing = [
            Launch::Task(" \n".into()),
            Launch::Task("a\0b".into()),
            Launch::Argv(vec![]),
            Launch::Argv(vec![String::new()]),
            Launch::Argv(vec!["a".into(), "\0".into()]),
        ];
        for launch in nothing {
            assert_eq!(planned(&launch, &[]).unwrap_err().kind, RefusalKind::BadInput, "{launch:?}");
        }
    }
}

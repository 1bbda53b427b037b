//! A session of Claude Code: what is checked before it starts, and what is executed for it.
//!
//! [`plan`] is pure. [`prepare`] finds Claude Code and writes the settings; the daemon calls it on a thread of its own.

use super::{
    find::PROGRAM,
    launch::{ClaudeLaunch, Conversation, EFFORTS, Prompt, prompt},
    settings::install_files,
};
use crate::{
    agents::{
        AgentTerminals, LaunchPlan, LaunchRequest, Prepared, PromptUse,
        launching::{self, PROMPT_FILE_VARIABLE, bad, check_model},
    },
    program::runner_path,
};
use board_protocol::{
    command::{EnvVar, Launch},
    refusal::Refusal,
};
use board_text::agents as texts;
use std::path::Path;
use uuid::Uuid;

/// The variable of the setting `claude_command`.
pub(crate) const COMMAND_SETTING: &str = "AGENT_BOARD_CLAUDE_COMMAND";
/// Which models there are.
pub(super) fn models() -> &'static str {
    texts::claude_models()
}

/// Finds Claude Code for this environment and makes sure that the settings are there.
pub(in crate::agents) fn prepare(environment: &[EnvVar], root: &Path) -> Result<Prepared, Refusal> {
    launching::prepare(&PROGRAM, environment, texts::claude_loads(), root, || {
        install_files(root, &runner_path()?, AgentTerminals::of(environment))
    })
}

/// The command line.
pub(in crate::agents) fn plan(request: &LaunchRequest<'_>) -> Result<LaunchPlan, Refusal> {
    let task = launching::task(&PROGRAM, request.launch)?;
    check_prompt(task)?;
    request.model.map(|model| check_model(model, models())).transpose()?;
    let effort = request.thinking.map(effort).transpose()?;
    let prepared = launching::prepared(&PROGRAM, request)?;
    // An id that came from the agent goes on a command line: it has to be one.
    let known = request.conversation.filter(|id| Uuid::parse_str(id).is_ok());
    let fresh = Uuid::new_v5(&Uuid::NAMESPACE_OID, request.life.as_bytes()).to_string();
    let conversation = match (known, request.prompt) {
        (Some(id), PromptUse::Withheld) => Conversation::Continued(id),
        (None, _) | (_, PromptUse::Given) => Conversation::New(&fresh),
    };
    let launch = ClaudeLaunch {
        program: Path::new(&prepared.program),
        settings: Path::new(&prepared.extension),
        servers: prepared.terminals.as_deref().map(Path::new),
        conversation,
        model: request.model,
        effort,
        prompt: match request.prompt {
            PromptUse::Given => task,
            PromptUse::Withheld => "",
        },
    };
    launching::plan(&PROGRAM, launch.argv(), task)
}

/// A prompt that is too long for an argument, with the variable that names its file.
pub(in crate::agents) fn prompt_in_file(launch: &Launch) -> Option<(&'static str, &str)> {
    let Launch::Task(task) = launch else { return None };
    (prompt(task) == Prompt::File).then_some((PROMPT_FILE_VARIABLE, task.as_str()))
}

fn check_prompt(task: &str) -> Result<(), Refusal> {
    if task.contains('\0') {
        return Err(bad(texts::claude_nul()));
    }
    // It goes through standard input as it is, and Claude Code would look for a command of that name.
    if prompt(task) == Prompt::File && task.trim_start().starts_with('/') {
        return Err(bad(texts::claude_slash()));
    }
    Ok(())
}

pub(super) fn effort(word: &str) -> Result<&'static str, Refusal> {
    EFFORTS
        .into_iter()
        .find(|effort| *effort == word)
        .ok_or_else(|| bad(texts::claude_effort(format_args!("{word:?}"), EFFORTS.join(", "))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::launching::MAX_WORDS;
    use board_protocol::refusal::RefusalKind;

    const AGENTS_ID: &str = "0b1f0b1f-1111-4111-8111-111111111111";

    fn planned(
        launch: &Launch,
        model: Option<&str>,
        thinking: Option<&str>,
        conversation: Option<&str>,
        prompt: PromptUse,
    ) -> Result<LaunchPlan, Refusal> {
        let prepared =
            Prepared { program: "/bin/claude".into(), extension: "/s.json".into(), terminals: None };
        plan(&LaunchRequest {
            launch,
            environment: &[],
            prepared: Some(&prepared),
            transcript: "/unused.jsonl",
            conversation,
            life: "life-1",
            model,
            thinking,
            prompt,
        })
    }

    #[test]
    fn a_first_life_has_an_id_of_its_own_and_a_later_one_continues_the_agent_s() {
        let task = Launch::Task(" fix the build ".into());
        let first = planned(&task, Some("opus"), Some("low"), None, PromptUse::Given).unwrap();
        assert_eq!(first.argv[..4], ["/bin/claude", "--settings", "/s.json", "--session-id"]);
        let id = Uuid::parse_str(&first.argv[4]).unwrap();
        assert_eq!(first.argv[5..], ["--model", "opus", "--effort", "low", "--", " fix the build "]);
        assert_eq!(first.words, "fix the build");
        let resumed = planned(&task, None, None, Some(AGENTS_ID), PromptUse::Withheld).unwrap();
        assert_eq!(resumed.argv[3..], ["--resume", AGENTS_ID], "words that it had are not said again");
        // A conversation that has no words yet cannot be continued: Claude Code keeps none.
        let again = planned(&task, None, None, None, PromptUse::Withheld).unwrap();
        assert_eq!(again.argv[3..], ["--session-id".to_owned(), id.to_string()]);
        let odd = planned(&task, None, None, Some("--help"), PromptUse::Withheld).unwrap();
        assert_eq!(odd.argv[3], "--session-id", "what is no id goes on no command line");
    }

    #[test]
    fn a_long_prompt_is_standard_input_and_only_its_beginning_stands_on_the_row() {
        let task = Launch::Task("x ".repeat(512 * 1024));
        let plan = planned(&task, None, None, None, PromptUse::Given).unwrap();
        assert_eq!((plan.argv[0].as_str(), plan.words.len()), ("/bin/sh", MAX_WORDS));
        assert!(plan.argv.iter().all(|argument| argument.len() < 1000));
        let (variable, words) = prompt_in_file(&task).unwrap();
        assert_eq!((variable, words.len()), ("AGENT_BOARD_PROMPT_FILE", 1024 * 1024));
        assert_eq!(prompt_in_file(&Launch::Task("short".into())), None);
    }

    #[test]
    fn what_claude_code_could_not_take_is_refused() {
        let task = Launch::Task("go".into());
        let argv = Launch::Argv(vec!["ls".into()]);
        let nul = Launch::Task("a\0b".into());
        let command = Launch::Task(format!("/review {}", "x".repeat(1024 * 1024)));
        let table: [(&Launch, Option<&str>, Option<&str>); 7] = [
            (&argv, None, None),
            (&nul, None, None),
            (&command, None, None),
            (&task, Some("--print"), None),
            (&task, Some(""), None),
            (&task, Some("a b"), None),
            (&task, None, Some("off")),
        ];
        for (launch, model, thinking) in table {
            let refusal = planned(launch, model, thinking, None, PromptUse::Given).unwrap_err();
            assert_eq!(refusal.kind, RefusalKind::BadInput, "{model:?} {thinking:?}");
        }
        let refusal = planned(&task, None, Some("off"), None, PromptUse::Given).unwrap_err();
        assert!(refusal.text.contains("low, medium, high, xhigh, max"), "{refusal}");
    }

    #[test]
    fn without_words_claude_code_opens_with_an_empty_editor() {
        let with = planned(&Launch::Task("go".into()), None, None, None, PromptUse::Given).unwrap();
        let without = planned(&Launch::Task(" \n".into()), None, None, None, PromptUse::Given).unwrap();
        assert_eq!((without.words.as_str(), without.argv.iter().any(|word| word == "go")), ("", false));
        assert!(without.argv.len() < with.argv.len(), "{:?}", without.argv);
    }

    #[test]
    fn a_missing_claude_is_a_missing_program_that_says_how_to_get_it() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().to_string_lossy().into_owned();
        let environment = [EnvVar { name: b"PATH".to_vec().into(), value: path.clone().into_bytes().into() }];
        let refusal = prepare(&environment, root.path()).unwrap_err();
        assert_eq!(refusal.kind, RefusalKind::MissingProgram);
        assert!(refusal.text.contains("or later") && refusal.text.contains("npm install"), "{refusal}");
        let command = format!("{path}/elsewhere/claude");
        let named =
            EnvVar { name: COMMAND_SETTING.as_bytes().to_vec().into(), value: command.into_bytes().into() };
        let refusal = prepare(&[named], root.path()).unwrap_err();
        assert!(refusal.text.contains("elsewhere/claude"), "{refusal}");
    }
}

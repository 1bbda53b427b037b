//! A session of pi: what is checked before it starts, and what is executed for it.
//!
//! [`plan`] is pure. [`prepare`] finds pi and writes the extension; the daemon calls it on a thread of its own.

use super::{
    find::PROGRAM,
    launch::{PiLaunch, Prompt, Thinking, install_extension},
};
use crate::{
    agents::{
        AgentTerminals, LaunchPlan, LaunchRequest, Prepared, PromptUse,
        launching::{self, Installed, PROMPT_FILE_VARIABLE, bad, check_model},
    },
    program::runner_path,
};
use board_protocol::{
    command::{EnvVar, Launch},
    refusal::Refusal,
};
use board_text::agents as texts;
use std::path::Path;

/// The variable of the setting `pi_command`.
pub(crate) const COMMAND_SETTING: &str = "AGENT_BOARD_PI_COMMAND";
/// Which models there are.
pub(super) fn models() -> &'static str {
    texts::pi_models()
}

/// Finds pi for this environment and makes sure that the extension is there.
pub(in crate::agents) fn prepare(environment: &[EnvVar], root: &Path) -> Result<Prepared, Refusal> {
    launching::prepare(&PROGRAM, environment, texts::pi_loads(), root, || {
        let told = AgentTerminals::of(environment);
        let loaded = install_extension(root, &runner_path()?, told)?;
        // A turn without a terminal loads the same file, for its tools alone.
        let terminals = (told == AgentTerminals::On).then(|| loaded.clone());
        Ok(Installed { loaded, terminals })
    })
}

/// The command line.
pub(in crate::agents) fn plan(request: &LaunchRequest<'_>) -> Result<LaunchPlan, Refusal> {
    let task = launching::task(&PROGRAM, request.launch)?;
    request.model.map(|model| check_model(model, models())).transpose()?;
    let thinking = request.thinking.map(thinking).transpose()?;
    let prepared = launching::prepared(&PROGRAM, request)?;
    let launch = PiLaunch {
        program: Path::new(&prepared.program),
        extension: Path::new(&prepared.extension),
        transcript: Path::new(request.transcript),
        model: request.model,
        thinking,
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
    let nowhere = Path::new("");
    let asked = PiLaunch {
        program: nowhere,
        extension: nowhere,
        transcript: nowhere,
        model: None,
        thinking: None,
        prompt: task,
    };
    (asked.prompt() == Prompt::File).then_some((PROMPT_FILE_VARIABLE, task.as_str()))
}

pub(super) fn thinking(word: &str) -> Result<Thinking, Refusal> {
    Thinking::parse(word).ok_or_else(|| {
        let words = Thinking::ALL.map(Thinking::word).join(", ");
        bad(texts::pi_thinking(format_args!("{word:?}"), &words))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::launching::MAX_WORDS;
    use board_protocol::refusal::RefusalKind;

    fn prepared() -> Prepared {
        Prepared { program: "/bin/pi".into(), extension: "/e.ts".into(), terminals: None }
    }

    fn planned(
        launch: &Launch,
        model: Option<&str>,
        thinking: Option<&str>,
        prompt: PromptUse,
    ) -> Result<LaunchPlan, Refusal> {
        let prepared = prepared();
        let (transcript, environment) = ("/s.jsonl", &[][..]);
        plan(&LaunchRequest {
            launch,
            environment,
            prepared: Some(&prepared),
            transcript,
            conversation: None,
            life: "",
            model,
            thinking,
            prompt,
        })
    }

    #[test]
    fn a_prompt_becomes_the_last_argument_and_the_words_of_the_row() {
        let task = Launch::Task(" fix the build ".into());
        let plan = planned(&task, Some("fake/m"), Some("low"), PromptUse::Given).unwrap();
        let expected = ["/bin/pi", "-e", "/e.ts", "--session", "/s.jsonl", "--model", "fake/m"];
        assert_eq!(plan.argv[..7], expected);
        assert_eq!(plan.argv[7..], ["--thinking", "low", " fix the build "]);
        assert_eq!(plan.words, "fix the build");
        let resumed = planned(&task, None, None, PromptUse::Withheld).unwrap();
        assert_eq!(resumed.argv, expected[..5], "words that pi had are not said again");
    }

    #[test]
    fn a_long_prompt_goes_in_a_file_and_only_its_beginning_stands_on_the_row() {
        let task = Launch::Task("x".repeat(1024 * 1024));
        let plan = planned(&task, None, None, PromptUse::Given).unwrap();
        assert_eq!(plan.argv.len(), 5);
        assert_eq!(plan.words.len(), MAX_WORDS);
        let (variable, words) = prompt_in_file(&task).unwrap();
        assert_eq!((variable, words.len()), ("AGENT_BOARD_PROMPT_FILE", 1024 * 1024));
        assert_eq!(prompt_in_file(&Launch::Task("short".into())), None);
    }

    #[test]
    fn what_pi_could_not_take_is_refused() {
        let task = Launch::Task("go".into());
        let argv = Launch::Argv(vec!["ls".into()]);
        let table: [(&Launch, Option<&str>, Option<&str>); 5] = [
            (&argv, None, None),
            (&task, Some("--print"), None),
            (&task, Some(""), None),
            (&task, Some("a b"), None),
            (&task, None, Some("hard")),
        ];
        for (launch, model, thinking) in table {
            let refusal = planned(launch, model, thinking, PromptUse::Given).unwrap_err();
            assert_eq!(refusal.kind, RefusalKind::BadInput, "{launch:?} {model:?} {thinking:?}");
        }
    }

    #[test]
    fn without_words_pi_opens_with_an_empty_editor() {
        let plan = planned(&Launch::Task(" \n".into()), None, None, PromptUse::Given).unwrap();
        assert_eq!((plan.argv.len(), plan.words.as_str()), (5, ""), "{:?}", plan.argv);
    }

    #[test]
    fn a_missing_pi_is_a_missing_program_that_says_how_to_get_it() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().to_string_lossy().into_owned();
        let environment = [EnvVar { name: b"PATH".to_vec().into(), value: path.clone().into_bytes().into() }];
        let refusal = prepare(&environment, root.path()).unwrap_err();
        assert_eq!(refusal.kind, RefusalKind::MissingProgram);
        assert!(
            refusal.text.contains("0.73.0 or later") && refusal.text.contains("npm install"),
            "{refusal}"
        );
        let command = format!("{path}/elsewhere/pi");
        let named =
            EnvVar { name: COMMAND_SETTING.as_bytes().to_vec().into(), value: command.into_bytes().into() };
        let refusal = prepare(&[named], root.path()).unwrap_err();
        assert!(refusal.text.contains("elsewhere/pi"), "{refusal}");
    }
}

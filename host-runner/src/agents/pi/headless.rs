//! pi without a terminal: `pi --mode json -p`, whose lines are pi's own events.
//!
//! Measured with 0.73.1 and 1.6.0: the prompt is the last argument, or, where it is too long for one, standard input,
//! of which pi takes the white space around it away. A model that fails leaves the exit code 0: only the last message
//! says so. 0.73.1 repeats the whole answer in each piece of it, and has no event for the end of its work.

use super::{
    events,
    find::PROGRAM,
    launch::Thinking,
    session::{models, thinking},
};
use crate::agents::{
    event::AgentEvent,
    headless::{HeadlessPlan, HeadlessRequest, check_tools, planned, program, task},
    launching::{LONGEST_ARGUMENT, bad, check_model},
    questions::QuestionTools,
};
use board_protocol::refusal::Refusal;
use board_text::agents as texts;
use serde_json::Value;

/// The command line.
pub(in crate::agents) fn plan(request: &HeadlessRequest<'_>) -> Result<HeadlessPlan, Refusal> {
    let task = task(&PROGRAM, request)?;
    let (argument, input) = prompt(task)?;
    let mut argv = vec![program(&PROGRAM, request)?];
    argv.extend(["--mode", "json", "-p", "--session", request.transcript].map(str::to_owned));
    if let Some(extension) = request.prepared.and_then(|prepared| prepared.terminals.clone()) {
        argv.extend(["-e".to_owned(), extension]);
    }
    if let Some(model) = request.model {
        check_model(model, models())?;
        argv.extend(["--model".to_owned(), model.to_owned()]);
    }
    if let Some(word) = request.thinking {
        argv.extend(["--thinking", Thinking::word(thinking(word)?)].map(str::to_owned));
    }
    if let Some(tools) = request.tools {
        check_tools(tools)?;
        argv.extend(["--tools".to_owned(), tools.to_owned()]);
    }
    argv.extend(argument);
    Ok(planned(argv, input, task))
}

/// The prompt as an argument, or as standard input. One leading space keeps what begins with `-`, `@` or `/` literal.
fn prompt(task: &str) -> Result<(Option<String>, Option<String>), Refusal> {
    if task.len() <= LONGEST_ARGUMENT && !task.contains('\0') {
        let space = if task.starts_with(['-', '@', '/']) { " " } else { "" };
        return Ok((Some(format!("{space}{task}")), None));
    }
    // The space would not arrive, and pi would look for a command or a template of that name.
    if task.trim_start().starts_with('/') {
        return Err(bad(texts::pi_slash()));
    }
    Ok((None, Some(task.to_owned())))
}

/// One line.
pub(in crate::agents) fn read(event: &Value) -> Vec<AgentEvent> {
    events::read(event, &QuestionTools::none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::{Prepared, headless::tests::request};

    #[test]
    fn d1_the_command_line_is_complete_and_the_prompt_is_last() {
        let mut all = request("fix it");
        (all.model, all.thinking, all.tools) = (Some("fake/m"), Some("low"), Some("read,bash"));
        let plan = plan(&all).unwrap();
        let expected =
            "/bin/agent --mode json -p --session /s.jsonl --model fake/m --thinking low --tools read,bash";
        assert_eq!(plan.argv[..12].join(" "), expected);
        assert_eq!(
            (&plan.argv[12..], plan.input, plan.words.as_str()),
            (&["fix it".to_owned()][..], None, "fix it")
        );
    }

    #[test]
    fn a_turn_loads_the_tools_for_terminals_where_there_are_some() {
        let with =
            Prepared { terminals: Some("/x/extension.ts".into()), ..request("").prepared.unwrap().clone() };
        let plan = plan(&HeadlessRequest { prepared: Some(&with), ..request("go") }).unwrap();
        assert_eq!(plan.argv[5..].join(" "), "/s.jsonl -e /x/extension.ts go");
    }

    #[test]
    fn d1_a_prompt_stays_what_the_person_wrote_and_a_long_one_is_standard_input() {
        for (words, argument) in
            [("-t", " -t"), ("@file", " @file"), ("/help", " /help"), (" x", " x"), ("a\nb", "a\nb")]
        {
            let plan = plan(&request(words)).unwrap();
            assert_eq!((plan.argv.last().unwrap().as_str(), plan.input), (argument, None), "{words:?}");
        }
        for words in ["-long ".repeat(100_000), "a\0b".to_owned()] {
            let plan = plan(&request(&words)).unwrap();
            assert_eq!((plan.argv.len(), plan.input.as_ref()), (6, Some(&words)));
        }
        assert!(plan(&request(&"/long ".repeat(100_000))).is_err());
    }
}

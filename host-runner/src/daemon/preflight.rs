//! Finds out, before a session is made, whether its directory and program can be used. What cannot be known here (a
//! program that the kernel refuses, a file that vanishes) the host reports.

use crate::{
    agents::{AgentKind, LaunchRequest, Prepared, PromptUse, variable},
    coordinator::{Environment, Preflight, terminal_launch},
    deadlines,
    program::{FALLBACK_PATH, may_enter_or_run, on_path_in},
    worktree,
};
use board_protocol::{
    board::{MAX_SENTENCE_COLUMNS, Row},
    command::{Command, EnvVar, Launch, ReplyDelivery},
    ids::SessionId,
    plan::PlanStep,
    refusal::{Refusal, RefusalKind},
    run::RunReport,
    state::{HostState, SemanticState},
    terminals::OpenTerminal,
    text::plain_within,
};
use board_text::daemon as texts;
use std::{
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
};

/// What is to be started.
#[derive(Debug, Clone)]
pub(super) struct Subject {
    /// Its agent, as it was named.
    pub(super) agent: String,
    /// What it runs, where that can be looked for: a session that is continued was looked for before.
    pub(super) launch: Option<Launch>,
    /// Where it runs, if that is known in full.
    pub(super) cwd: Option<String>,
}

impl Subject {
    /// What a command starts, if it starts anything; `row` finds the row of a session.
    pub(super) fn of(command: &Command, row: impl Fn(&SessionId) -> Option<Row>) -> Option<Self> {
        match command {
            Command::Start(start) => Some(Self {
                agent: start.agent.clone(),
                launch: Some(start.launch.clone()),
                cwd: Some(start.cwd.clone()),
            }),
            Command::Adopt(adopted) => {
                Some(Self { agent: adopted.agent.clone(), launch: None, cwd: Some(adopted.cwd.clone()) })
            }
            Command::Run(request) => match &request.session {
                None => {
                    Some(Self { agent: request.agent.clone(), launch: None, cwd: Some(request.cwd.clone()) })
                }
                Some(session) => row(session).map(Self::going_on),
            },
            // Words that waited for the end of a run go on in another one.
            Command::ReportRun { session, report: RunReport::Finalized(_), .. } => {
                row(session).filter(|row| row.queued > 0).map(Self::going_on)
            }
            // A reply may continue a session that has ended.
            Command::Resume { session } | Command::Reply { session, delivery: ReplyDelivery::Auto, .. } => {
                let row = row(session)?;
                let ends = matches!(row.host_state, HostState::Exited | HostState::Failed | HostState::None);
                let reply = matches!(command, Command::Reply { .. });
                if reply && (!ends || row.state == SemanticState::Stopped) {
                    return None;
                }
                Some(Self::going_on(row))
            }
            // So may words about its plan.
            Command::Plan { session, step } if *step != PlanStep::Reset => {
                let row = row(session)?;
                let ends = matches!(row.host_state, HostState::Exited | HostState::Failed | HostState::None);
                let cwd = Some(row.cwd).filter(|cwd| !cwd.ends_with('…'));
                ends.then_some(Self { agent: row.agent, launch: None, cwd })
            }
            _ => None,
        }
    }

    /// A terminal of an agent; `parent` is the row of its session.
    pub(super) fn of_terminal(open: &OpenTerminal, environment: &[EnvVar], parent: Option<Row>) -> Self {
        let cwd = open.cwd.clone().or_else(|| Self::going_on(parent?).cwd);
        let launch = Some(terminal_launch(open, environment));
        Self { agent: AgentKind::Generic.name().to_owned(), launch, cwd }
    }

    /// A row that goes on. One shows a very long directory cut; the host, or the run, says what is wrong with such a one.
    fn going_on(row: Row) -> Self {
        let cwd = Some(row.cwd).filter(|cwd| !cwd.ends_with('…'));
        Self { agent: row.agent, launch: None, cwd }
    }
}

/// Checks a start on another thread, with a deadline.
pub(super) async fn check(subject: Subject, environment: Environment, root: PathBuf) -> Preflight {
    let cwd = subject.cwd.clone();
    let directory = tokio::task::spawn_blocking(move || {
        let Some(cwd) = cwd.as_ref().map(Path::new) else { return Ok(None) };
        check_directory(cwd).map(|()| worktree::linked(cwd).map(String::into_boxed_str))
    });
    let worktree = match tokio::time::timeout(deadlines::DIRECTORY, directory).await {
        Ok(Ok(Ok(worktree))) => worktree,
        Ok(Ok(Err(refusal))) => return Preflight::Refused(refusal),
        Ok(Err(_)) | Err(_) => {
            return Preflight::Refused(Refusal::new(
                RefusalKind::BadInput,
                texts::cwd_silent(shown(subject.cwd.as_deref().unwrap_or_default())),
            ));
        }
    };
    let found = tokio::task::spawn_blocking(move || look(&subject, &environment, &root));
    match tokio::time::timeout(deadlines::PROGRAM, found).await {
        Ok(Ok(Ok(prepared))) => Preflight::Passed { prepared, worktree },
        Ok(Ok(Err(refusal))) => Preflight::Refused(refusal),
        Ok(Err(_)) | Err(_) => Preflight::Refused(Refusal::new(RefusalKind::Internal, texts::path_slow())),
    }
}

fn look(subject: &Subject, environment: &Environment, root: &Path) -> Result<Option<Prepared>, Refusal> {
    let agent = AgentKind::parse(&subject.agent)?;
    let prepared = agent.prepare(&environment.variables, root)?;
    let (AgentKind::Generic, Some(launch), Some(cwd)) = (agent, &subject.launch, &subject.cwd) else {
        return Ok(prepared);
    };
    let plan = agent.plan(&LaunchRequest {
        launch,
        environment: &environment.variables,
        prepared: None,
        transcript: "",
        conversation: None,
        life: "",
        model: None,
        thinking: None,
        prompt: PromptUse::Given,
    })?;
    if let Some(program) = plan.argv.first() {
        check_program(program, Path::new(cwd), variable(&environment.variables, "PATH"))?;
    }
    Ok(prepared)
}

fn check_directory(cwd: &Path) -> Result<(), Refusal> {
    let refuse = |text: String| Err(Refusal::new(RefusalKind::BadInput, text));
    let name = shown(&cwd.to_string_lossy());
    match fs::metadata(cwd) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => refuse(texts::no_directory(&name)),
        Err(error) => refuse(texts::directory_unusable(&name, &error)),
        Ok(meta) if !meta.is_dir() => refuse(texts::not_a_directory(&name)),
        Ok(_) if !may_enter_or_run(cwd) => refuse(texts::directory_forbidden(&name)),
        Ok(_) => Ok(()),
    }
}

fn check_program(program: &str, cwd: &Path, path: Option<&str>) -> Result<(), Refusal> {
    let refuse = |text: String| Err(Refusal::new(RefusalKind::MissingProgram, text));
    let name = shown(program);
    if program.contains('/') {
        let file = cwd.join(program);
        return match fs::metadata(&file) {
            Err(error) => refuse(texts::no_program_at(&name, &error)),
            Ok(meta) if meta.is_dir() => refuse(texts::program_is_directory(&name)),
            Ok(_) if !may_enter_or_run(&file) => refuse(texts::not_executable(&name)),
            Ok(_) => Ok(()),
        };
    }
    if on_path_in(cwd, program, OsStr::new(path.unwrap_or(FALLBACK_PATH))).is_some() {
        return Ok(());
    }
    let hint = if program.contains(char::is_whitespace) { texts::shell_line_hint() } else { "" };
    refuse(texts::no_program(format_args!("{name:?}"), hint))
}

fn shown(text: &str) -> String {
    plain_within(text, MAX_SENTENCE_COLUMNS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use board_protocol::ids::UnixMs;
    use std::os::unix::fs::PermissionsExt;

    fn subject(cwd: &Path, argv: &[&str]) -> Subject {
        Subject {
            agent: "generic".into(),
            launch: Some(Launch::Argv(argv.iter().map(ToString::to_string).collect())),
            cwd: Some(cwd.to_string_lossy().into_owned()),
        }
    }

    #[test]
    fn a_start_that_cannot_work_is_refused_with_the_reason() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("file");
        fs::write(&file, "").unwrap();
        let program = directory.path().join("program");
        fs::write(&program, "#!/bin/sh\n").unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let path = directory.path().to_string_lossy().into_owned();
        let environment = Environment {
            variables: vec![EnvVar { name: b"PATH".to_vec().into(), value: path.into_bytes().into() }],
            taken_at: UnixMs(0),
        };
        let here = directory.path();
        let gone = here.join("gone");
        type Expected = Option<(RefusalKind, &'static str)>;
        let table: [(&Path, &str, Expected); 8] = [
            (here, "program", None),
            (here, "./program", None),
            (here, "/bin/sh", None),
            (&gone, "/bin/sh", Some((RefusalKind::BadInput, "no directory"))),
            (&file, "/bin/sh", Some((RefusalKind::BadInput, "not a directory"))),
            (here, "nowhere", Some((RefusalKind::MissingProgram, "on the PATH"))),
            (here, "./file", Some((RefusalKind::MissingProgram, "chmod +x"))),
            (here, "/", Some((RefusalKind::MissingProgram, "is a directory"))),
        ];
        for (cwd, program, expected) in table {
            let found =
                check_directory(cwd).and_then(|()| look(&subject(cwd, &[program]), &environment, here));
            match (found, expected) {
                (Ok(None), None) => {}
                (Err(refusal), Some((kind, words))) => {
                    assert_eq!(refusal.kind, kind, "{program}");
                    assert!(refusal.text.contains(words), "{program}: {refusal}");
                }
                (found, _) => panic!("{program}: {found:?}"),
            }
        }
    }
}

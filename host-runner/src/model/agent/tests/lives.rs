//! Rows over several lives of their process: exits, what is late, resumes, verdicts, and what stays unread.

use super::*;

#[test]
fn a19_an_exit_by_itself_is_idle_and_a_crash_is_failed() {
    use SemanticState as S;
    let asked = || says("Which DB should I use?", Some("Which DB should I use?"));
    type Case = (&'static str, Vec<AgentNews>, Exit, S, Option<&'static str>);
    let table: Vec<Case> = vec![
        ("settled, left", vec![finished("Everything is green.")], Exit::Code(0), S::Idle, None),
        ("in a turn, left", vec![], Exit::Code(0), S::Idle, None),
        (
            "asked, left",
            vec![asked(), settled(Ending::Finished, None, None, None)],
            Exit::Code(0),
            S::Idle,
            None,
        ),
        ("crashed", vec![], Exit::Code(1), S::Failed, Some("exit code 1")),
        (
            "killed",
            vec![finished("Everything is green.")],
            Exit::Signal(9),
            S::Failed,
            Some("signal 9 (SIGKILL)"),
        ),
    ];
    for (name, news, exit, state, error) in table {
        let mut life = Life::running();
        for news in news {
            life.hears(news);
        }
        life.ends(exit);
        let row = row(life.record(), &Live::default());
        assert_eq!(
            (row.state, row.process_state, row.question),
            (state, ProcessState::Exited, None),
            "{name}"
        );
        assert_eq!(row.error.as_deref(), error, "{name}");
        let evidence = life.record().agent_record.evidence.as_ref().unwrap();
        assert_eq!(evidence.source, StateSource::ProcessExit, "{name}");
    }
}

#[test]
fn only_words_of_the_agent_and_failures_are_unread() {
    type Steps = fn(&mut Life);
    let table: Vec<(&str, Steps, bool)> = vec![
        ("works", |_| {}, false),
        (
            "spoke",
            |life| {
                life.hears(says("Something.", None));
            },
            true,
        ),
        (
            "spoke, visited",
            |life| {
                life.hears(says("Something.", None)).fact(FactKind::SessionVisited);
            },
            false,
        ),
        (
            "asked",
            |life| {
                life.hears(asks("q", "Which?", Asker::Tool));
            },
            false,
        ),
        (
            "left",
            |life| {
                life.ends(Exit::Code(0));
            },
            false,
        ),
        (
            "crashed",
            |life| {
                life.ends(Exit::Code(1));
            },
            true,
        ),
        (
            "failed",
            |life| {
                life.hears(settled(Ending::Failed, None, None, Some("529")));
            },
            true,
        ),
        (
            "spoke under somebody's eyes",
            |life| {
                life.seq += 1;
                let seq = life.seq;
                life.fact(attached(seq, 1)).hears(says("Something.", None));
            },
            false,
        ),
    ];
    for (name, steps, unread) in table {
        let mut life = Life::running();
        steps(&mut life);
        assert_eq!(is_unread(life.record()), unread, "{name}");
    }
}

// Whether news may move a row is decided before they are recorded. Those that may not still tell what they know.
#[test]
fn fenced_news_leave_the_row_and_keep_what_they_tell() {
    for verdict in [SemanticState::Completed, SemanticState::Holding] {
        let machines = [
            AgentNews::WorkBegan,
            says("Something.", Some("Something?")),
            asks("q", "Which?", Asker::Dialog),
            answered("q"),
            settled(Ending::Failed, Some("Everything broke."), None, Some("529")),
            input(InputSource::Program),
            input(InputSource::Launch),
            began(SessionStart::New),
        ];
        let mut life = Life::running();
        life.hears(finished("Everything is green.")).puts(verdict);
        for news in machines {
            let before = life.record().clone();
            life.hears(AgentNews::Fenced(Box::new(news.clone())));
            let after = life.record();
            assert_eq!(
                (after.state, after.process_state, &after.error, after.agent_record.question()),
                (verdict, ProcessState::Exited, &None, None),
                "{news:?}"
            );
            assert_eq!(after.agent_record.evidence, before.agent_record.evidence, "{news:?}");
        }
        let agent = &life.record().agent_record;
        assert_eq!(agent.tokens.read, 100, "what its words cost is known");
        assert_eq!(agent.transcript.as_deref(), Some("/t.jsonl"));
        life.fact(FactKind::Fenced(Box::new(exited(99, Exit::Code(1)))));
        let record = life.record();
        assert_eq!((record.state, record.host.state), (verdict, HostState::Exited), "its process ended");
        assert_eq!(row(record, &Live::default()).ended.as_deref(), Some("exit code 1"));
    }
}

#[test]
fn what_is_late_or_of_another_life_moves_nothing() {
    let mut life = Life::running();
    life.hears(finished("Everything is green.")).ends(Exit::Code(0));
    let ended = life.record().clone();
    life.hears(AgentNews::WorkBegan);
    assert_eq!(*life.record(), SessionRecord { host: life.record().host.clone(), ..ended }, "after the end");
    let mut life = Life::running();
    let before = life.record().clone();
    life.fact(FactKind::AgentReported {
        generation: Generation("22222222-bbbb".into()),
        seq: None,
        place: None,
        news: vec![finished("Everything is green.")],
    });
    assert_eq!(*life.record(), before, "from another host");
}

#[test]
fn an_ended_session_is_continued_where_it_was() {
    use SemanticState as S;
    let second = || Generation("22222222-bbbb".into());
    let resumed = || FactKind::SessionResumed {
        generation: second(),
        argv: vec!["pi".into()],
        environment_at: UnixMs(9),
    };
    let runs = || FactKind::ChildStarted {
        generation: second(),
        seq: FactSeq(1),
        child: crate::model::samples::process(78),
    };
    type Steps = fn(&mut Life);
    let table: Vec<(&str, Steps, S, S)> = vec![
        (
            "it was idle",
            |life| {
                life.hears(finished("Everything is green.")).ends(Exit::Code(0));
            },
            S::Idle,
            S::Idle,
        ),
        (
            "it had crashed",
            |life| {
                life.ends(Exit::Code(1));
            },
            S::Failed,
            S::Idle,
        ),
        (
            "it was done",
            |life| {
                life.hears(finished("Done.")).ends(Exit::Code(0)).puts(S::Completed);
            },
            S::Completed,
            S::Completed,
        ),
    ];
    for (name, steps, starting, started) in table {
        let mut life = Life::running();
        steps(&mut life);
        life.fact(resumed());
        let record = life.record();
        assert_eq!((record.state, record.host.state), (starting, HostState::Starting), "{name}");
        assert_eq!((record.process_state, &record.ending), (ProcessState::Exited, &None), "{name}");
        assert!(!is_busy(record), "{name}");
        life.fact(runs());
        assert_eq!((life.record().state, life.record().host.state), (started, HostState::Alive), "{name}");
    }
    // Words that never reached the agent are on their way again.
    let mut life = Life::new();
    life.fact(FactKind::HostSpawnFailed { generation: generation(), reason: "no".into() }).fact(resumed());
    assert_eq!((life.record().state, is_busy(life.record())), (S::Queued, true));
}

#[test]
fn long_words_are_kept_until_the_agent_has_them() {
    let mut life = Life::new();
    let record = life.sessions.get_mut(&session(ID)).unwrap();
    let words = "x".repeat(2 * KEPT_CHARACTERS);
    record.launch = Launch::Task(words.clone());
    record.argv = vec!["pi".into(), words.clone()];
    life.fact(started(1));
    life.seq = 1;
    life.hears(began(SessionStart::Startup));
    assert_eq!(life.record().launch, Launch::Task(words));
    life.hears(input(InputSource::Launch));
    let Launch::Task(kept) = &life.record().launch else { panic!("a task") };
    assert_eq!(kept.chars().count(), KEPT_CHARACTERS + 1);
    assert_eq!(life.record().argv[1], *kept);
}

#[test]
fn what_it_does_is_shown_only_while_it_works() {
    let mut live = Live::default();
    let doing = |call: &str, words: &str| Beat::Doing { call: Some(call.into()), words: words.into() };
    assert!(live.feel(doing("a", "Running tests")));
    let mut life = Life::running();
    let shown = |life: &Life, live: &Live| row(life.record(), live).summary;
    assert_eq!(shown(&life, &live), "Running tests");
    assert!(!live.feel(Beat::ToolEnded { call: "b".into() }), "another one ended");
    assert_eq!(shown(&life, &live), "Running tests");
    life.hears(asks("q", "Which?", Asker::Tool));
    assert_eq!(shown(&life, &live), "Which?");
    life.hears(answered("q"));
    assert!(live.feel(Beat::ToolEnded { call: "a".into() }));
    assert_eq!(shown(&life, &live), "Running…");
    live.feel(doing("c", "Editing auth.rs"));
    life.hears(finished("Everything is green."));
    assert_eq!(shown(&life, &live), "Everything is green.");
}

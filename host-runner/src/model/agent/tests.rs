//! The reducer's table: what each piece of news does to a row in each situation (reference B.3 to B.5).

use super::*;
use crate::{
    agents::AgentKind,
    model::{
        FactKind, Live, Sessions, apply, is_busy, is_unread,
        news::{Beat, SettledNews},
        row,
        samples::{attached, begin, exited, fact, generation, session, started},
    },
};
use board_protocol::{
    host::Exit,
    ids::{FactSeq, Generation},
    state::HostState,
};

const ID: &str = "0000000001";

/// A board with one session of pi.
struct Life {
    sessions: Sessions,
    at: u64,
    seq: u64,
}

impl Life {
    fn new() -> Self {
        let mut sessions = Sessions::new();
        let mut begun = begin(ID, "sample");
        let FactKind::SessionBegun(begin) = &mut begun.kind else { panic!("a beginning") };
        begin.agent = AgentKind::Pi;
        begin.launch = Launch::Task("fix it".into());
        apply(&mut sessions, &begun);
        Self { sessions, at: 10, seq: 0 }
    }

    fn running() -> Self {
        let mut life = Self::new();
        life.fact(started(1));
        life.seq = 1;
        life.hears(began(SessionStart::Startup))
            .hears(input(InputSource::Launch))
            .hears(AgentNews::WorkBegan);
        life
    }

    fn fact(&mut self, kind: FactKind) -> &mut Self {
        self.at += 10;
        apply(&mut self.sessions, &fact(ID, self.at, kind));
        self
    }

    fn hears(&mut self, news: AgentNews) -> &mut Self {
        self.seq += 1;
        let place = Some(Place { boot: "1".into(), seq: self.seq });
        let seq = Some(FactSeq(self.seq));
        self.fact(FactKind::AgentReported { generation: generation(), seq, place, news: vec![news] })
    }

    fn ends(&mut self, exit: Exit) -> &mut Self {
        self.seq += 1;
        self.fact(exited(self.seq, exit))
    }

    fn record(&self) -> &SessionRecord {
        &self.sessions[&session(ID)]
    }

    fn puts(&mut self, state: SemanticState) -> &mut Self {
        self.sessions.get_mut(&session(ID)).unwrap().state = state;
        self
    }
}

fn began(start: SessionStart) -> AgentNews {
    let (id, transcript, model) = (Some("a1".into()), Some("/t.jsonl".into()), Some("fake/m".into()));
    AgentNews::SessionBegan(Box::new(AgentSession { start, id, transcript, model }))
}

fn input(source: InputSource) -> AgentNews {
    AgentNews::InputGiven { source }
}

fn says(text: &str, question: Option<&str>) -> AgentNews {
    AgentNews::Spoke(Box::new(Spoken {
        preview: Some(text.into()),
        question: question.map(Into::into),
        tokens: Tokens { read: 100, written: 10, cost_micros: None },
        error: None,
        done: true,
        model: None,
        text_hash: None,
    }))
}

fn asks(id: &str, text: &str, by: Asker) -> AgentNews {
    AgentNews::QuestionAsked { id: id.into(), text: text.into(), by }
}

fn answered(id: &str) -> AgentNews {
    AgentNews::QuestionClosed { id: id.into() }
}

fn settled(ending: Ending, text: Option<&str>, question: Option<&str>, error: Option<&str>) -> AgentNews {
    AgentNews::Settled(Box::new(SettledNews {
        ending,
        preview: text.map(Into::into),
        question: question.map(Into::into),
        error: error.map(Into::into),
        text_hash: None,
    }))
}

fn finished(text: &str) -> AgentNews {
    settled(Ending::Finished, Some(text), None, None)
}

type Expected = (SemanticState, ProcessState, &'static str, Option<&'static str>);

/// State, turn, summary and question after each way through a turn.
#[test]
fn the_row_after_every_piece_of_news() {
    use Asker::{Dialog, Tool};
    use ProcessState::{Alive, Exited};
    use SemanticState as S;
    let which = || says("I can. Which DB should I use?", Some("Which DB should I use?"));
    let table: Vec<(&str, Vec<AgentNews>, Expected)> = vec![
        ("it works", vec![], (S::Working, Alive, "Running…", None)),
        (
            "it speaks",
            vec![says("Looking at the code now.", None)],
            (S::Working, Alive, "Looking at the code now.", None),
        ),
        ("a18 it asks", vec![asks("q", "Which?", Tool)], (S::NeedsInput, Alive, "Which?", Some("Which?"))),
        (
            "two questions, the first is shown",
            vec![asks("q", "First?", Tool), asks("r", "Second?", Tool)],
            (S::NeedsInput, Alive, "First?", Some("First?")),
        ),
        (
            "the first is answered",
            vec![asks("q", "First?", Tool), asks("r", "Second?", Tool), answered("q")],
            (S::NeedsInput, Alive, "Second?", Some("Second?")),
        ),
        (
            "the second is answered first",
            vec![asks("q", "First?", Tool), asks("r", "Second?", Tool), answered("r")],
            (S::NeedsInput, Alive, "First?", Some("First?")),
        ),
        (
            "all are answered",
            vec![asks("q", "First?", Tool), asks("r", "Second?", Tool), answered("q"), answered("r")],
            (S::Working, Alive, "Running…", None),
        ),
        (
            "the same question again changes its text",
            vec![asks("q", "First?", Tool), asks("q", "Other?", Tool), answered("q")],
            (S::Working, Alive, "Running…", None),
        ),
        ("an answer to nothing", vec![answered("q")], (S::Working, Alive, "Running…", None)),
        (
            "work while a question is open",
            vec![asks("q", "Which?", Tool), AgentNews::WorkBegan, says("Meanwhile I read on.", None)],
            (S::NeedsInput, Alive, "Which?", Some("Which?")),
        ),
        (
            "words of the person close every question",
            vec![asks("q", "Which?", Tool), input(InputSource::Person)],
            (S::Working, Alive, "Running…", None),
        ),
        (
            "a19 a question in its words, while it runs",
            vec![which()],
            (S::NeedsInput, Alive, "Which DB should I use?", Some("Which DB should I use?")),
        ),
        (
            "a19 and after it settled",
            vec![which(), settled(Ending::Finished, None, None, None)],
            (S::NeedsInput, Exited, "Which DB should I use?", Some("Which DB should I use?")),
        ),
        (
            "it goes on after its question",
            vec![which(), AgentNews::WorkBegan],
            (S::Working, Alive, "I can. Which DB should I use?", None),
        ),
        (
            "it is done",
            vec![finished("Everything is green.")],
            (S::Idle, Exited, "Everything is green.", None),
        ),
        (
            "a short first sentence says too little",
            vec![finished("Done. The tests are green.")],
            (S::Idle, Exited, "Done. The tests are green.", None),
        ),
        (
            "a person interrupted it",
            vec![which(), settled(Ending::Interrupted, None, None, None)],
            (S::Idle, Exited, "I can. Which DB should I use?", None),
        ),
        (
            "the model failed",
            vec![settled(Ending::Failed, None, None, Some("529 overloaded"))],
            (S::Idle, Exited, "529 overloaded", None),
        ),
        (
            "a tool's question ends with the work",
            vec![asks("q", "Which?", Tool), finished("Never mind that one.")],
            (S::Idle, Exited, "Never mind that one.", None),
        ),
        (
            "a dialog does not",
            vec![asks("ui-1", "Deploy?", Dialog), finished("Everything is green.")],
            (S::NeedsInput, Exited, "Deploy?", Some("Deploy?")),
        ),
        (
            "after it the row is what it would have been",
            vec![asks("ui-1", "Deploy?", Dialog), finished("Everything is green."), answered("ui-1")],
            (S::Idle, Exited, "Everything is green.", None),
        ),
        (
            "a dialog between turns",
            vec![finished("Everything is green."), asks("ui-1", "Deploy?", Dialog)],
            (S::NeedsInput, Exited, "Deploy?", Some("Deploy?")),
        ),
        (
            "answered, the row rests again",
            vec![finished("Everything is green."), asks("ui-1", "Deploy?", Dialog), answered("ui-1")],
            (S::Idle, Exited, "Everything is green.", None),
        ),
        (
            "another turn",
            vec![finished("Everything is green."), input(InputSource::Person), AgentNews::WorkBegan],
            (S::Working, Alive, "Everything is green.", None),
        ),
        (
            "another conversation in the same process",
            vec![says("Old words of before.", None), began(SessionStart::New)],
            (S::Idle, Exited, "make all", None),
        ),
        (
            "the agent loaded its parts again",
            vec![says("Looking at the code now.", None), began(SessionStart::Reloaded)],
            (S::Working, Alive, "Looking at the code now.", None),
        ),
    ];
    for (name, news, (state, process_state, summary, question)) in table {
        let mut life = Life::running();
        for news in news {
            life.hears(news);
        }
        let row = row(life.record(), &Live::default());
        assert_eq!(row.state, state, "{name}");
        assert_eq!(row.process_state, process_state, "{name}");
        assert_eq!(row.summary, summary, "{name}");
        assert_eq!(row.question.as_deref(), question, "{name}");
        assert_eq!(row.host_state, HostState::Alive, "{name}");
        assert_eq!(row.busy, process_state == ProcessState::Alive, "{name}");
    }
}

#[test]
fn a_launch_is_queued_until_its_words_arrive() {
    let mut life = Life::new();
    life.fact(started(1));
    assert_eq!((life.record().state, is_busy(life.record())), (SemanticState::Queued, true));
    assert!(!life.record().turn_runs(), "there is nothing to interrupt yet");
    life.seq = 1;
    life.hears(began(SessionStart::Startup));
    assert_eq!(life.record().state, SemanticState::Queued);
    assert_eq!(life.record().agent_record.model.as_deref(), Some("fake/m"));
    life.hears(input(InputSource::Launch));
    assert_eq!(life.record().state, SemanticState::Working);
    assert!(life.record().turn_runs());
    life.hears(finished("Everything is green."));
    assert!(!life.record().turn_runs(), "it waits for instructions");
}

mod lives;

// Field report A26: a prompt before the first turn was shown as ready, or as work. Who sees it, is another matter.
#[test]
fn a26_a_startup_prompt_needs_an_answer_until_the_agent_works() {
    let mut life = Life::new();
    life.fact(started(1));
    life.seq = 1;
    life.hears(asks("trust", "Do you trust the files in this folder?", Asker::Startup));
    let record = life.record();
    assert_eq!((record.state, record.process_state), (SemanticState::NeedsInput, ProcessState::Alive));
    assert_eq!(record.agent_record.evidence.as_ref().unwrap().what, "startup prompt");
    // Nothing says that it was answered: what follows does.
    life.hears(AgentNews::WorkBegan);
    let record = life.record();
    assert_eq!((record.state, record.agent_record.question()), (SemanticState::Working, None));
}

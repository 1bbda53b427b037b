//! When a person's own commands are asked about a session, and what their answers change (reference B.11, D.3).
//! Called by the single writer: by `classifying` at the end of a turn, by `commands` at a beginning, and with each answer.
//!
//! A question leaves as an effect after its commit, so that nothing here ever waits; its answer comes back as an input. A
//! state goes through the same decision as every classification, a title and a line pass the gate as patches of a
//! classifier. What is late, unreadable or refused leaves one line in the session's log, and is asked for no second time.

use super::{
    decide,
    decision::{Decision, Effect},
    guard,
    messages::Consult,
    turn::Turn,
    verdicts,
    world::World,
    writer::Coordinator,
};
use crate::{
    agents::Turns,
    model::{
        FactKind, SessionRecord,
        command::{PatchField, PatchNews, StateCommand, StateKind},
        consult::{self, Consultation, Request},
        unused,
    },
};
use board_protocol::{
    command::{Command, Launch},
    daemon::LogLevel,
    ids::SessionId,
    plan::PlanStatus,
    state::{ClassifierKind, CommandSource},
};

impl<W: World> Coordinator<W> {
    /// A turn has ended well with these last words, or with those whose beginning is known.
    pub(super) fn consult_about_words(&mut self, session: &SessionId, words: &str, turn: &mut Turn) {
        for kind in [Consultation::AutoState, Consultation::Summary] {
            let Some(record) = self.sessions.get(session) else { return };
            let agent = &record.agent_record;
            let (Some(preview), Some(hash)) = (&agent.preview, agent.text_hash.clone()) else { return };
            if is_known(record, kind, &hash) {
                continue;
            }
            let words = if words.trim().is_empty() { preview } else { words };
            let consult = asked(record, kind, hash, words);
            self.consult(consult, turn);
        }
    }

    /// A session was begun by this command: its first words may give it a better name than the made-up one.
    pub(super) fn consult_about_first_words(
        &mut self,
        command: &Command,
        session: &SessionId,
        turn: &mut Turn,
    ) {
        let words = match command {
            Command::Start(start) if start.name.is_none() => match &start.launch {
                Launch::Task(task) => task.as_str(),
                Launch::Argv(_) => return,
            },
            Command::Run(request) if request.session.is_none() && request.name.is_none() => &request.prompt,
            _ => return,
        };
        let Some(record) = self.sessions.get(session) else { return };
        if record.agent.turns() != Turns::Reported || words.trim().is_empty() {
            return;
        }
        let consult = asked(record, Consultation::Title, record.name.clone(), words);
        self.consult(consult, turn);
    }

    fn consult(&mut self, consult: Consult, turn: &mut Turn) {
        let Consult { kind, session, about, .. } = &consult;
        let key = (session.clone(), *kind);
        if !self.world.consults(*kind) || self.consulting.get(&key) == Some(about) {
            return;
        }
        self.consulting.insert(key, about.clone());
        turn.effects.push(Effect::Consult(Box::new(consult)));
    }

    /// A command has answered, or not.
    pub(super) fn consulted(
        &mut self,
        kind: Consultation,
        session: &SessionId,
        about: &str,
        answer: Result<String, String>,
        turn: &mut Turn,
    ) {
        let key = (session.clone(), kind);
        if self.consulting.get(&key).is_some_and(|asked| asked == about) {
            self.consulting.remove(&key);
        }
        let Some(record) = self.sessions.get(session) else { return };
        let made = match (answer, kind) {
            (Err(reason), _) => Err(reason),
            (Ok(printed), Consultation::AutoState) => {
                let read = consult::classification(&printed, about);
                read.map(Made::State).map_err(str::to_owned)
            }
            (Ok(printed), Consultation::Title) => consult::title(&printed)
                .map_err(str::to_owned)
                .and_then(|name| self.title(record, about, name)),
            (Ok(printed), Consultation::Summary) => {
                let read = consult::summary(&printed).map_err(str::to_owned);
                read.and_then(|summary| line(record, about, summary))
            }
        };
        match made {
            Ok(Made::State(classification)) => {
                self.judged(&Command::Classify { session: session.clone(), classification }, turn);
            }
            Ok(Made::Nothing) => {}
            Ok(Made::Patch(fact)) => {
                let mut decision = Decision::default();
                decision.record(session, self.world.now(), fact);
                self.record(decision, turn);
            }
            Err(reason) => {
                let mut decision = Decision::default();
                let grave = (LogLevel::Warn, "service", kind.setting());
                decision.note(session, self.world.now(), grave, &format!("{}: {reason}", kind.setting()));
                self.record(decision, turn);
            }
        }
    }

    /// A classifier's command, decided as one that came over a socket: fence, hash and settings hold.
    fn judged(&mut self, command: &Command, turn: &mut Turn) {
        let source = CommandSource::Classifier;
        let fresh = self.fresh(command.subject());
        match decide::decide(&self.sessions, command, self.given(command.subject(), &fresh, source)) {
            Ok(allowed) => self.record(allowed.decision, turn),
            Err(refusal) => self.note_refused(command, source, &refusal, turn),
        }
    }

    /// The name, if the row still has the one that was made up for it.
    fn title(&self, record: &SessionRecord, about: &str, name: String) -> Result<Made, String> {
        if record.name != about {
            return Err(format!("it came too late: the session is called {} by now", record.name));
        }
        let taken =
            |name: &str| self.sessions.values().any(|other| other.id != record.id && other.name == name);
        let name = unused(name, taken);
        if name == record.name {
            return Ok(Made::Nothing);
        }
        patched(record, PatchField::Name, FactKind::TitleGiven { name })
    }
}

/// What an answer comes to.
enum Made {
    State(board_protocol::state::Classification),
    Patch(FactKind),
    Nothing,
}

/// The line, if nothing else has been said since.
fn line(record: &SessionRecord, about: &str, summary: String) -> Result<Made, String> {
    if record.agent_record.text_hash.as_deref() != Some(about) {
        return Err("it came too late: the session has said something else since".to_owned());
    }
    let text_hash = about.to_owned();
    patched(record, PatchField::Summary, FactKind::Summarised { text_hash, summary })
}

fn patched(record: &SessionRecord, field: PatchField, fact: FactKind) -> Result<Made, String> {
    let command = StateCommand {
        session: record.id.clone(),
        run: None,
        expected_revision: None,
        source: CommandSource::Classifier,
        kind: StateKind::PatchFields { fields: vec![field], news: PatchNews::Changes },
    };
    match guard::admit(Some(record), &command) {
        Ok(_) => Ok(Made::Patch(fact)),
        Err(reject) => Err(verdicts::refusal(record, Some(&command.kind), reject).to_string()),
    }
}

/// Whether that is known already, or is no question.
fn is_known(record: &SessionRecord, kind: Consultation, hash: &str) -> bool {
    match kind {
        Consultation::AutoState => {
            let by_model = record.auto_state.as_ref().is_some_and(|known| {
                known.classification.by == ClassifierKind::Model && known.classification.text_hash == hash
            });
            // No classifier moves a row that a person put somewhere, or whose question is its plan.
            by_model || record.is_manual_verdict() || record.plan.status == PlanStatus::AwaitingApproval
        }
        Consultation::Summary => record.agent_record.summary().is_some() || record.is_manual_verdict(),
        Consultation::Title => false,
    }
}

fn asked(record: &SessionRecord, kind: Consultation, about: String, words: &str) -> Consult {
    let text = consult::excerpt(kind, words);
    let request = Request {
        kind,
        session: &record.id,
        name: &record.name,
        agent: record.agent.name(),
        cwd: &record.cwd,
        text: &text,
    };
    // A structure of texts always is JSON.
    let input = serde_json::to_string(&request).unwrap_or_default();
    Consult { kind, session: record.id.clone(), about, input }
}

//! The fields of the launch dialog, and which of them has the keys. Pure data: what a key does to them stands in the
//! neighbours.

use crate::editor::Editor;
use board_protocol::{
    daemon::FavouriteDirectory,
    ids::CommandId,
    pipe::{AgentChoice, Takes},
};
use std::collections::BTreeSet;

/// A field, or a button.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Field {
    /// Which agent.
    Agent,
    /// Where.
    Folder,
    /// What to do.
    #[default]
    Task,
    /// The model.
    Model,
    /// How hard it thinks.
    Thinking,
    /// Start in the background.
    Start,
    /// Start, and enter it.
    StartAndEnter,
}

impl Field {
    /// All of them, from top to bottom.
    pub(crate) const ALL: [Self; 7] = [
        Self::Agent,
        Self::Folder,
        Self::Task,
        Self::Model,
        Self::Thinking,
        Self::Start,
        Self::StartAndEnter,
    ];

    /// Whether it is a text.
    pub(crate) const fn is_text(self) -> bool {
        matches!(self, Self::Folder | Self::Task | Self::Model)
    }
}

/// What happens to a session that was just started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Then {
    /// It works in the background.
    Stay,
    /// It is entered.
    Enter,
}

/// A start on its way: until its answer the fields stay as they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sending {
    pub(crate) command_id: CommandId,
    pub(crate) then: Then,
}

/// The dialog's fields. They outlive it: Esc keeps them for the next opening.
#[derive(Debug, Default)]
pub(crate) struct Form {
    pub(crate) field: Field,
    /// The chosen agent's name; empty until one is known.
    pub(crate) agent: String,
    pub(crate) folder: Editor,
    pub(crate) task: Editor,
    pub(crate) model: Editor,
    /// One of the agent's words; empty is its default.
    pub(crate) thinking: String,
    /// Fields that the person has changed: what is remembered does not overwrite them.
    pub(crate) edited: BTreeSet<Field>,
    /// Agents, as the link told them.
    pub(crate) agents: Vec<AgentChoice>,
    pub(crate) favourites: Vec<FavouriteDirectory>,
    pub(crate) sending: Option<Sending>,
    /// Agent, model and thinking of the last start.
    remembered: [String; 3],
}

impl Form {
    /// The chosen agent, if the link has told of it.
    pub(crate) fn choice(&self) -> Option<&AgentChoice> {
        self.agents.iter().find(|choice| choice.name == self.agent)
    }

    /// Whether it takes a task and a model, and no command line. One that is not known yet is taken for an agent by its
    /// name alone.
    pub(crate) fn takes_task(&self) -> bool {
        self.choice().map_or(self.agent != "generic", |choice| choice.takes == Takes::Task)
    }

    /// Whether a field can have the keys.
    pub(crate) fn is_open(&self, field: Field) -> bool {
        match field {
            Field::Model => self.takes_task(),
            Field::Thinking => {
                self.takes_task() && self.choice().is_none_or(|choice| !choice.thinking.is_empty())
            }
            _ => true,
        }
    }

    /// The next open field, around the end.
    pub(crate) fn next(&self) -> Field {
        self.seek(Field::ALL.into_iter().chain(Field::ALL))
    }

    /// The one before.
    pub(crate) fn previous(&self) -> Field {
        self.seek(Field::ALL.into_iter().rev().chain(Field::ALL.into_iter().rev()))
    }

    fn seek(&self, fields: impl Iterator<Item = Field>) -> Field {
        let mut behind = fields.skip_while(|field| *field != self.field).skip(1);
        behind.find(|field| self.is_open(*field)).unwrap_or_default()
    }

    /// The text of the field that has the keys.
    pub(crate) const fn editor(&mut self) -> Option<&mut Editor> {
        match self.field {
            Field::Folder => Some(&mut self.folder),
            Field::Task => Some(&mut self.task),
            Field::Model => Some(&mut self.model),
            _ => None,
        }
    }

    /// The words for thinking that can be chosen: the default first.
    pub(crate) fn thinking_words(&self) -> Vec<&str> {
        let words = self.choice().map(|choice| choice.thinking.as_slice()).unwrap_or_default();
        std::iter::once("").chain(words.iter().map(String::as_str)).collect()
    }

    /// The last start chose these: they stand in every field that the person has not changed.
    pub(crate) fn remember(&mut self, agent: &str, model: &str, thinking: &str) {
        self.remembered = [agent, model, thinking].map(str::to_owned);
        if !self.edited.contains(&Field::Agent) {
            agent.clone_into(&mut self.agent);
        }
        self.recall();
    }

    /// Model and thinking belong to the agent with which they were chosen.
    pub(crate) fn recall(&mut self) {
        let [agent, model, thinking] = &self.remembered;
        let (model, thinking) =
            if self.agent == *agent { (model.as_str(), thinking.as_str()) } else { ("", "") };
        if !self.edited.contains(&Field::Model) {
            self.model = Editor::with(model);
        }
        if !self.edited.contains(&Field::Thinking) {
            thinking.clone_into(&mut self.thinking);
        }
    }

    /// Throws away what was typed and chosen.
    pub(crate) fn clear(&mut self) {
        self.task.take();
        self.folder.take();
        self.edited.clear();
        self.remembered[0].clone_into(&mut self.agent);
        self.recall();
    }

    /// After another agent was chosen: what it has no word for goes back to its default.
    pub(crate) fn settle(&mut self) {
        if self.choice().is_some() && !self.thinking_words().contains(&self.thinking.as_str()) {
            self.thinking.clear();
        }
        if !self.is_open(self.field) {
            self.field = Field::Task;
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn agents() -> Vec<AgentChoice> {
        let choice = |name: &str, takes, thinking: &[&str]| AgentChoice {
            name: name.into(),
            problem: None,
            takes,
            thinking: thinking.iter().map(|word| (*word).to_owned()).collect(),
        };
        let codex = AgentChoice {
            problem: Some("Codex works here without a terminal only".into()),
            ..choice("codex", Takes::Task, &[])
        };
        vec![
            choice("generic", Takes::CommandLine, &[]),
            choice("pi", Takes::Task, &["off", "low", "high"]),
            choice("claude", Takes::Task, &["low", "high"]),
            codex,
        ]
    }

    #[test]
    fn fields_that_an_agent_has_no_use_for_are_passed_over() {
        let mut form = Form { agents: agents(), agent: "pi".into(), ..Form::default() };
        let mut seen = Vec::new();
        for _ in Field::ALL {
            seen.push(form.field);
            form.field = form.next();
        }
        assert_eq!((seen.len(), form.field), (7, Field::Task), "around the end");
        form.agent = "generic".into();
        assert_eq!(form.next(), Field::Start);
        form.field = Field::Start;
        assert_eq!(form.previous(), Field::Task);
        form.agent = "codex".into();
        form.field = Field::Model;
        assert_eq!(form.next(), Field::Start, "no word for thinking, no field");
    }

    #[test]
    fn another_agent_forgets_a_word_that_it_does_not_know() {
        let mut form =
            Form { agents: agents(), agent: "pi".into(), thinking: "high".into(), ..Form::default() };
        form.agent = "claude".into();
        form.settle();
        assert_eq!(form.thinking, "high");
        form.agent = "generic".into();
        form.field = Field::Thinking;
        form.settle();
        assert_eq!((form.thinking.as_str(), form.field), ("", Field::Task));
    }
}

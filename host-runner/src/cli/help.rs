//! The help of the command line in the reader's language.
//!
//! The sources keep their English doc comments, from which clap makes its help. Here the finished tree of commands is
//! walked once, and each text is replaced by the message that is named after its place: `help-start` is what `start` does,
//! `help-start-name` what its argument `name` means, `help-plan-approve` what `plan approve` does. A test says that every
//! place has its message, and that the English one is the doc comment.

use board_text::{Language, help, language, usage};
use clap::{Arg, ArgAction, Command, builder::Resettable};

/// The tree of commands in the language that is spoken.
pub(super) fn translated(command: Command) -> Command {
    // clap has the English texts already.
    if language() == Language::English {
        return command;
    }
    let mut command = below(command, "help");
    // Only then are clap's own options and commands there. `mut_arg` takes an argument out and puts it back at the end: done
    // to each of them in turn, all keep their order, by which clap finds them after the build.
    command.build();
    own(command)
}

/// What clap itself puts into help: headings, `--help`, `--version`, the command `help`, and what an option is without a
/// value.
fn own(mut command: Command) -> Command {
    let template = format!(
        "{{before-help}}{{about-with-newline}}\n{}: {{usage}}\n\n{{all-args}}{{after-help}}",
        usage::heading()
    );
    command = command.help_template(template).subcommand_help_heading(usage::commands());
    let arguments: Vec<String> =
        command.get_arguments().map(|argument| argument.get_id().to_string()).collect();
    for id in arguments {
        command = command.mut_arg(&id, own_argument);
    }
    let commands: Vec<String> =
        command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    for name in commands {
        command = command.mut_subcommand(&name, |command| {
            let command = own(command);
            if name == "help" { command.about(usage::help_command()) } else { command }
        });
    }
    command
}

fn own_argument(argument: Arg) -> Arg {
    let heading = if argument.is_positional() { usage::arguments() } else { usage::options() };
    let argument = match argument.get_action() {
        ArgAction::Help | ArgAction::HelpShort | ArgAction::HelpLong => argument.help(usage::help()),
        ArgAction::Version => argument.help(usage::version()),
        _ => argument,
    };
    let takes_value = argument.get_num_args().is_some_and(|values| values.takes_values());
    let default: Vec<_> = argument.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    let default = default.join(" ");
    let possible: Vec<String> =
        argument.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
    let Some(mut text) = argument.get_help().map(ToString::to_string).filter(|_| takes_value) else {
        return argument.help_heading(heading);
    };
    if !default.is_empty() {
        text = format!("{text} {}", usage::default(default));
    }
    if !possible.is_empty() {
        text = format!("{text} {}", usage::possible(possible.join(", ")));
    }
    argument.help(text).hide_default_value(true).hide_possible_values(true).help_heading(heading)
}

fn below(mut command: Command, name: &str) -> Command {
    if command.get_about().is_some()
        && let Some(text) = help::named(message(name))
    {
        command = command.about(text).long_about(None);
    }
    let arguments: Vec<String> =
        command.get_arguments().map(|argument| argument.get_id().to_string()).collect();
    for id in arguments {
        let text = help::named(&place(name, &id));
        command = command.mut_arg(&id, |argument| with_help(argument, text));
    }
    let commands: Vec<String> =
        command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    for sub in commands {
        let name = place(name, &sub);
        command = command.mut_subcommand(&sub, |command| below(command, &name));
    }
    command
}

fn with_help(argument: Arg, text: Option<&'static str>) -> Arg {
    match text {
        Some(text) if argument.get_help().is_some() => argument.help(text).long_help(Resettable::Reset),
        _ => argument,
    }
}

/// The name of a place's message. The program itself has no name of its own in the tree.
fn message(place: &str) -> &str {
    if place == "help" { "help-program" } else { place }
}

/// The name of the message of what stands below a place.
fn place(above: &str, name: &str) -> String {
    format!("{above}-{}", name.replace('_', "-"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use clap::CommandFactory;
    use std::collections::BTreeMap;

    /// Every text of the tree by its place, as clap has it.
    fn texts(command: &Command, name: &str, found: &mut BTreeMap<String, String>) {
        if let Some(about) = command.get_long_about().or(command.get_about()) {
            found.insert(name.to_owned(), about.to_string());
        }
        for argument in command.get_arguments() {
            if let Some(text) = argument.get_long_help().or(argument.get_help()) {
                found.insert(place(name, argument.get_id().as_str()), text.to_string());
            }
        }
        for sub in command.get_subcommands() {
            texts(sub, &place(name, sub.get_name()), found);
        }
    }

    fn english() -> BTreeMap<String, String> {
        let mut found = BTreeMap::new();
        texts(&Cli::command(), "help", &mut found);
        found
    }

    #[test]
    fn i8_every_help_text_has_its_message_and_the_english_one_is_the_doc_comment() {
        let english = english();
        let wrong: Vec<String> = english
            .iter()
            .filter(|(name, text)| help::named(message(name)) != Some(text.as_str()))
            .map(|(name, text)| format!("{name} = {text}"))
            .collect();
        assert!(wrong.is_empty(), "messages of help.ftl that are missing or differ:\n{}", wrong.join("\n"));
        let gone: Vec<_> = help::NAMES
            .iter()
            .filter(|(name, _)| !english.keys().any(|place| message(place) == *name))
            .collect();
        assert!(gone.is_empty(), "messages of help.ftl for which there is no command or option: {gone:?}");
    }
}

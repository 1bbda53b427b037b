//! One file of the catalogue as messages made of text, variables and selections by number.

use fluent_syntax::{
    ast::{Entry, Expression, InlineExpression, PatternElement, Resource, VariantKey},
    parser,
    unicode::unescape_unicode_to_string,
};

/// One message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Message {
    /// Its name in the file, with the area in front.
    pub(crate) id: String,
    /// The comment above it.
    pub(crate) comment: String,
    /// What it says.
    pub(crate) pattern: Pattern,
}

/// What a message, or one case of a selection, is made of.
pub(crate) type Pattern = Vec<Piece>;

/// A part of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// As it is.
    Text(String),
    /// The value of a variable.
    Variable(String),
    /// One of several patterns, by a number; the last one is for every number that no other case names.
    Select(String, Vec<(Case, Pattern)>),
}

/// For which numbers a pattern is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Case {
    /// This number.
    Exactly(u64),
    /// Every other number.
    Other,
}

/// The messages of one file, in its order.
///
/// # Errors
/// What is no Fluent, and what is Fluent but not known here, each as a sentence.
pub(crate) fn parse(language: &str, area: &str, text: &str) -> Result<Vec<Message>, Vec<String>> {
    let file = format!("{language}/{area}.ftl");
    let resource: Resource<&str> = match parser::parse(text) {
        Ok(resource) => resource,
        Err((_, errors)) => {
            let line = |at: usize| text.get(..at).unwrap_or(text).lines().count().max(1);
            return Err(errors
                .iter()
                .map(|error| format!("{file}, line {}: {error}", line(error.pos.start)))
                .collect());
        }
    };
    let mut messages = Vec::new();
    let mut faults = Vec::new();
    for entry in resource.body {
        match entry {
            Entry::Message(message) => {
                let id = message.id.name;
                let place = Place { file: &file, id, language };
                if !message.attributes.is_empty() {
                    faults.push(place.fault("has an attribute, which is not known here"));
                }
                let Some(value) = message.value else {
                    faults.push(place.fault("has no text"));
                    continue;
                };
                let comment = message.comment.map(|comment| comment.content.join("\n")).unwrap_or_default();
                match place.pattern(&value.elements) {
                    Ok(pattern) => {
                        messages.push(Message { id: id.to_owned(), comment, pattern: joined(pattern) })
                    }
                    Err(fault) => faults.push(fault),
                }
            }
            Entry::Term(term) => {
                faults.push(format!("{file}: -{} is a term, which is not known here", term.id.name));
            }
            Entry::Comment(_) | Entry::GroupComment(_) | Entry::ResourceComment(_) => {}
            Entry::Junk { content } => faults.push(format!("{file}: {content:?} is no message")),
        }
    }
    if faults.is_empty() { Ok(messages) } else { Err(faults) }
}

/// Where a fault is.
struct Place<'a> {
    file: &'a str,
    id: &'a str,
    language: &'a str,
}

impl Place<'_> {
    fn fault(&self, what: &str) -> String {
        format!("{}: {} {what}", self.file, self.id)
    }

    fn pattern(&self, elements: &[PatternElement<&str>]) -> Result<Pattern, String> {
        elements
            .iter()
            .map(|element| match element {
                PatternElement::TextElement { value } => self.text((*value).to_owned()),
                PatternElement::Placeable { expression } => self.expression(expression),
            })
            .collect()
    }

    fn text(&self, text: String) -> Result<Piece, String> {
        // The generated code marks the places of variables with control characters.
        if text.chars().any(|c| c.is_control() && c != '\n') {
            return Err(self.fault("has a control character in it"));
        }
        Ok(Piece::Text(text))
    }

    fn expression(&self, expression: &Expression<&str>) -> Result<Piece, String> {
        match expression {
            Expression::Inline(InlineExpression::StringLiteral { value }) => {
                self.text(unescape_unicode_to_string(value).into_owned())
            }
            Expression::Inline(InlineExpression::VariableReference { id }) => Ok(Piece::Variable(id.name.to_owned())),
            Expression::Inline(_) => {
                Err(self.fault("refers to a message, a term or a function, or has a number in braces, which is not known here"))
            }
            Expression::Select { selector: InlineExpression::VariableReference { id }, variants } => {
                let mut cases = Vec::new();
                for variant in variants {
                    let case = if variant.default { self.default(&variant.key)? } else { self.case(&variant.key)? };
                    if cases.iter().any(|(known, _)| *known == case) {
                        return Err(self.fault("has two cases for the same number"));
                    }
                    cases.push((case, self.pattern(&variant.value.elements)?));
                }
                cases.sort_by_key(|(case, _)| *case);
                Ok(Piece::Select(id.name.to_owned(), cases))
            }
            Expression::Select { .. } => Err(self.fault("selects by something that is no variable")),
        }
    }

    fn default(&self, key: &VariantKey<&str>) -> Result<Case, String> {
        match key {
            VariantKey::Identifier { name: "other" } => Ok(Case::Other),
            _ => Err(self.fault("has another default than *[other]")),
        }
    }

    fn case(&self, key: &VariantKey<&str>) -> Result<Case, String> {
        match key {
            VariantKey::NumberLiteral { value } => value
                .parse()
                .map(Case::Exactly)
                .map_err(|_| self.fault(&format!("has the case [{value}], which is no whole number"))),
            // Of the plural categories English uses this one, for 1 and nothing else.
            VariantKey::Identifier { name: "one" } if self.language == "en" => Ok(Case::Exactly(1)),
            VariantKey::Identifier { name } => Err(self.fault(&format!(
                "has the case [{name}], which numbers do not have in the language {}",
                self.language
            ))),
        }
    }
}

/// Neighbouring texts as one.
fn joined(pattern: Pattern) -> Pattern {
    let mut out: Pattern = Vec::new();
    for piece in pattern {
        match (out.last_mut(), piece) {
            (Some(Piece::Text(before)), Piece::Text(text)) => before.push_str(&text),
            (_, Piece::Select(name, cases)) => {
                let cases = cases.into_iter().map(|(case, pattern)| (case, joined(pattern))).collect();
                out.push(Piece::Select(name, cases));
            }
            (_, piece) => out.push(piece),
        }
    }
    out
}

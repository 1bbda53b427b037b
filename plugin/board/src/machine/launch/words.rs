//! What stands in a task besides the task: `name:` and `#tag` words, taken out of its first line.
//!
//! `name:login` names the session, `name:"fix the login"` with blanks; `#web` is a tag. Words count in the first line
//! alone, as whole words, and a tag begins with a letter: `issue #12`, `C#` and everything below are the task's. A
//! backslash before such a word keeps it there as it is: `\#web` is `#web`, `\name:x` is `name:x`.

/// What a task says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Words {
    /// The name, if one was given; the last one counts.
    pub(crate) name: Option<String>,
    /// The tags, each once, in the order in which they were typed.
    pub(crate) tags: Vec<String>,
    /// The rest.
    pub(crate) task: String,
}

/// What names a session.
const NAME: &str = "name:";

impl Words {
    /// Reads a task as it was typed.
    pub(crate) fn read(typed: &str) -> Self {
        let start = typed.len() - typed.trim_start().len();
        let (blank, typed) = typed.split_at_checked(start).unwrap_or(("", typed));
        let (first, rest) = match typed.split_once('\n') {
            Some((first, rest)) => (first, Some(rest)),
            None => (typed, None),
        };
        let mut words = Self::default();
        let line = words.take_out_of(first);
        // Nothing was taken: a task is what was typed, to the last blank.
        words.task = if line == first {
            format!("{blank}{typed}")
        } else {
            match rest {
                Some(rest) if line.trim().is_empty() => rest.to_owned(),
                Some(rest) => format!("{}\n{rest}", line.trim()),
                None => line.trim().to_owned(),
            }
        };
        words
    }

    /// The line without the words that say something about the session.
    fn take_out_of(&mut self, line: &str) -> String {
        let mut kept = String::with_capacity(line.len());
        let mut rest = line;
        while !rest.is_empty() {
            let blanks = rest.len() - rest.trim_start().len();
            let (gap, behind) = rest.split_at_checked(blanks).unwrap_or((rest, ""));
            let length = word_length(behind);
            let (word, after) = behind.split_at_checked(length).unwrap_or((behind, ""));
            rest = after;
            if !self.took(word) {
                kept.push_str(gap);
                kept.push_str(unescaped(word));
            }
        }
        kept
    }

    fn took(&mut self, word: &str) -> bool {
        if let Some(name) = name_in(word) {
            self.name = Some(name.to_owned());
            return true;
        }
        let Some(tag) = tag_in(word) else { return false };
        if !self.tags.iter().any(|known| known == tag) {
            self.tags.push(tag.to_owned());
        }
        true
    }
}

/// How long the word at the start is: a quoted name may have blanks.
fn word_length(text: &str) -> usize {
    let quoted = text.strip_prefix(NAME).and_then(|name| name.strip_prefix('"'));
    if let Some(end) = quoted.and_then(|name| name.find('"')) {
        let length = NAME.len() + end + 2;
        if text.get(length..).is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace)) {
            return length;
        }
    }
    text.find(char::is_whitespace).unwrap_or(text.len())
}

fn name_in(word: &str) -> Option<&str> {
    let name = word.strip_prefix(NAME)?;
    let name = name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name).trim();
    (!name.is_empty()).then_some(name)
}

fn tag_in(word: &str) -> Option<&str> {
    let tag = word.strip_prefix('#')?;
    let is_tag = tag.starts_with(char::is_alphabetic) && !tag.contains(['#', ',']);
    is_tag.then_some(tag)
}

/// A word without the backslash that kept it in the task.
fn unescaped(word: &str) -> &str {
    let bare = word.trim_start_matches('\\');
    let is_special = tag_in(bare).is_some() || name_in(bare).is_some();
    if is_special { word.strip_prefix('\\').unwrap_or(word) } else { word }
}

#[cfg(test)]
mod tests {
    use super::Words;
    use proptest::prelude::*;

    fn read(typed: &str) -> (Option<String>, Vec<String>, String) {
        let Words { name, tags, task } = Words::read(typed);
        (name, tags, task)
    }

    #[test]
    fn f8_names_and_tags_are_taken_out_of_the_first_line_and_nothing_else_is_touched() {
        let table: [(&str, Option<&str>, &[&str], &str); 18] = [
            ("fix the login", None, &[], "fix the login"),
            ("fix #web the name:login page", Some("login"), &["web"], "fix the page"),
            ("#web fix it #urgent", None, &["web", "urgent"], "fix it"),
            ("name:\"fix the login\" please #web #web", Some("fix the login"), &["web"], "please"),
            ("name:a name:b go", Some("b"), &[], "go"),
            ("#web\nfix it\n# Title\n#not", None, &["web"], "fix it\n# Title\n#not"),
            ("fix issue #12 in C# or F# #1a", None, &[], "fix issue #12 in C# or F# #1a"),
            (r"say \#web and \name:x", None, &[], "say #web and name:x"),
            (r"say \\#web, \#12, \n", None, &[], r"say \\#web, \#12, \n"),
            (r"say \\#web", None, &[], r"say \#web"),
            ("name: go", None, &[], "name: go"),
            ("name:\"open ended", Some("\"open"), &[], "ended"),
            ("filename:x a#b", None, &[], "filename:x a#b"),
            ("#a#b #c,d # x", None, &[], "#a#b #c,d # x"),
            ("  indented\n  more ", None, &[], "  indented\n  more "),
            ("#漢字 直す", None, &["漢字"], "直す"),
            ("#web", None, &["web"], ""),
            ("", None, &[], ""),
        ];
        for (typed, name, tags, task) in table {
            let expected = (
                name.map(str::to_owned),
                tags.iter().map(|tag| (*tag).to_owned()).collect(),
                task.to_owned(),
            );
            assert_eq!(read(typed), expected, "{typed:?}");
        }
    }

    proptest! {
        #[test]
        fn a_task_without_such_words_stays_as_it_was_typed(typed in "[a-z0-9 .,\n\\\\]{0,60}") {
            prop_assert_eq!(read(&typed), (None, Vec::new(), typed));
        }

        #[test]
        fn any_text_is_read_and_nothing_is_added(typed in "\\PC{0,80}") {
            let words = Words::read(&typed);
            prop_assert!(words.task.len() <= typed.len());
        }
    }
}

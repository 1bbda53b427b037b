//! What was said in a session, read from the file in which its agent keeps it.
//!
//! Asked by the command line (`transcript`) and, for boards, by the link on a thread of its own. [`parse`] with [`pi`],
//! [`claude`] and [`codex`] turns lines into items and is pure; [`locate`] and [`read`] are the thin shell around it. It
//! never writes to such a file, never follows it, and never reads anything but a regular file.
//!
//! Reading order: [`words`], [`parse`], [`branch`], [`pi`], [`claude`], [`codex`], [`window`], [`locate`], [`read`].

mod branch;
mod claude;
mod codex;
mod locate;
mod parse;
mod pi;
mod read;
#[cfg(test)]
mod tests;
mod window;
mod words;

pub(crate) use locate::{Places, Source};
pub(crate) use parse::Transcript;
pub(crate) use window::{PAGE_ITEMS, pieces};

/// The transcript of a session, or the line that says why there is none (reference B.13). It blocks, as long as the file
/// system does.
pub(crate) fn transcript(source: &Source, places: &Places) -> Result<Transcript, String> {
    let found = locate::locate(source, places)?;
    read::read(&found.path, found.format).map_err(|error| error.to_string())
}

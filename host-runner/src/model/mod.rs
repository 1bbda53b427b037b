//! What a session is, and how facts change it. Pure.
pub mod needs_input;
pub mod tool_words;

//! What a session is, and how facts change it. Pure.

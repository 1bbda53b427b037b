//! The host: one PTY, its program, its clients.

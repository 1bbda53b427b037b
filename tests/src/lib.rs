//! The harness of the end-to-end tests: a real zellij, real terminals, real processes, in a world of their own.

pub mod picture;

//! The store on a disk that fails: SQLite's own file system layer with the real schema, the real store and the real
//! coordinator above it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has to fail")]

mod disk;
mod scenario;
mod stage;
mod vfs;

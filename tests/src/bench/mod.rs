//! The benchmark: what the real release binaries cost a person, beside what people would use instead, measured in turns
//! in one run, so that a busy machine slows both.
//!
//! `make bench` runs it. It measures and prints; nothing here passes or fails on a time. Each file is one subject and
//! returns its [`report::Line`]s; every subject has a [`crate::World`] of its own.
//!
//! Reading order: [`stats`] · [`report`], [`machine`] what is printed · [`raw`], [`way`] how something is looked at, and
//! what it is compared with · [`stored`] a store with many sessions, [`ear`] an agent without an agent, [`cpu`] what processes used · then one file per subject.

pub mod attach;
pub mod board;
pub mod boot;
pub mod commands;
pub mod cpu;
pub mod ear;
pub mod echo;
pub mod events;
pub mod hook;
pub mod idle;
pub mod inside;
pub mod machine;
pub mod raw;
pub mod report;
pub mod start;
pub mod stats;
pub mod stored;
pub mod throughput;
pub mod waits;
pub mod way;

use crate::wait::poll_for;
use report::Line;
use std::time::Duration;

/// How thorough a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// The figures that are written down.
    Full,
    /// A look, in a tenth of the time.
    Quick,
}

impl Effort {
    /// One of two numbers.
    pub fn pick(self, full: usize, quick: usize) -> usize {
        match self {
            Self::Full => full,
            Self::Quick => quick,
        }
    }
}

/// One subject.
#[derive(Debug, Clone, Copy)]
pub struct Subject {
    /// What it is called on the command line.
    pub name: &'static str,
    /// What it measures, in one line.
    pub about: &'static str,
    /// Measures it.
    pub measure: fn(Effort) -> Vec<Line>,
}

/// Every subject, in the order in which it is run.
pub const SUBJECTS: [Subject; 12] = [
    Subject {
        name: "echo",
        about: "a key typed into an attached session, until it is back",
        measure: echo::measure,
    },
    Subject {
        name: "throughput",
        about: "much output, until the attached client has its end",
        measure: throughput::measure,
    },
    Subject { name: "attach", about: "attaching, until the screen is drawn", measure: attach::measure },
    Subject { name: "start", about: "starting a session, until its first screen", measure: start::measure },
    Subject {
        name: "event",
        about: "something happens, until the board's row shows it",
        measure: events::measure,
    },
    Subject {
        name: "key",
        about: "a key at a board of 1,000 rows, until the mark moved",
        measure: board::measure,
    },
    Subject {
        name: "board",
        about: "the plugin inside zellij: keys with and without updates, 2,000 rows, idleness, memory",
        measure: inside::measure,
    },
    Subject { name: "hook", about: "what a hook costs its agent", measure: hook::measure },
    Subject { name: "idle", about: "memory and processor time of idle sessions", measure: idle::measure },
    Subject {
        name: "waits",
        about: "an agent's waits: until a needle is told, idle ones, a flood with a slow pattern",
        measure: waits::measure,
    },
    Subject { name: "commands", about: "durable commands", measure: commands::measure },
    Subject { name: "boot", about: "a daemon's start with 10,000 stored sessions", measure: boot::measure },
];

/// Lets time pass where the passing of time is what is measured, or what keeps two samples apart.
pub(crate) fn pass(time: Duration) {
    let end = std::time::Instant::now() + time;
    loop {
        let left = end.saturating_duration_since(std::time::Instant::now());
        if left.is_zero() {
            return;
        }
        poll_for(&mut [], left);
    }
}

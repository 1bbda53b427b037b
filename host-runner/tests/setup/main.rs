//! What people set up and look after: settings, completions and the doctor, each with the real binary in a home of its
//! own.

#![expect(clippy::unwrap_used, reason = "a test says where it failed")]

mod configuration;
mod doctor;
mod home;

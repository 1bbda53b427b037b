//! One file per agent.

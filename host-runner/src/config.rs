//! The configuration file: every key, its default, its source.

//! The attach client.

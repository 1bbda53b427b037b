//! Real agents from npm, found in the cache and pointed at the loopback model.

pub mod pi;

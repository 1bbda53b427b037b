//! x
pub mod agents;
pub mod model_server;

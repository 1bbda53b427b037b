//! Where new ids and the time of day come from. Only shells call this; pure rooms get both as arguments
//! (decision 11).

use board_protocol::ids::{CommandId, Generation, SessionId, Token, UnixMs};
use std::time::{SystemTime, UNIX_EPOCH};
use uuid::Uuid;

/// The wall clock.
pub fn now() -> UnixMs {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    UnixMs(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

/// A session id: 40 random bits. The store refuses one that it already holds.
pub fn session_id() -> SessionId {
    let mut digits = Uuid::new_v4().simple().to_string();
    digits.truncate(SessionId::LENGTH);
    SessionId(digits)
}

/// A command id.
pub fn command_id() -> CommandId {
    CommandId(Uuid::new_v4().to_string())
}

/// A generation.
pub fn generation() -> Generation {
    Generation(Uuid::new_v4().to_string())
}

/// A session's secret: 122 random bits from the kernel.
pub fn token() -> Token {
    Token(Uuid::new_v4().simple().to_string())
}

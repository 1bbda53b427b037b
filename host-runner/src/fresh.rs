//! Where new ids, chance and the time of day come from. Only shells call this; pure rooms get them as arguments
//! (decision 11).

use board_protocol::ids::{CommandId, Generation, SessionId, Token, UnixMs};
use std::time::{SystemTime, UNIX_EPOCH};
use uuid::Uuid;

/// The wall clock.
pub fn now() -> UnixMs {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    UnixMs(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

/// A session id: 40 random bits. They repeat now and then: the coordinator asks again for one that was ever used.
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

/// A random number from 0 to 1: the jitter of delays, so that processes that lost the same daemon do not come back in
/// step.
pub fn fraction() -> f64 {
    let (high, _) = Uuid::new_v4().as_u64_pair();
    // 32 random bits of the id; its version and variant bits lie elsewhere.
    f64::from(u32::try_from(high >> 32).unwrap_or(0)) / f64::from(u32::MAX)
}

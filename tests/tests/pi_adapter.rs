//! The real pi, in both generations, reports to a host through our extension: what it says in each situation, and when
//! it must say nothing.
//!
//! `RECORD_PI_SAMPLES=1` writes what was said to `host-runner/src/agents/pi/samples/`, where the parser's own tests read
//! it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "pi_adapter/delivery.rs"]
mod delivery;
#[path = "pi_adapter/ear.rs"]
mod ear;
#[path = "pi_adapter/lifecycle.rs"]
mod lifecycle;
#[path = "pi_adapter/questions.rs"]
mod questions;
#[path = "pi_adapter/silence.rs"]
mod silence;
#[path = "pi_adapter/stage.rs"]
mod stage;
#[path = "pi_adapter/turns.rs"]
mod turns;

/// One test for each generation of pi. The body gets a [`stage::Stage`].
macro_rules! both {
    ($($(#[$doc:meta])* fn $name:ident($stage:ident) $body:block)*) => {$(
        $(#[$doc])*
        mod $name {
            use super::*;

            fn test($stage: &crate::stage::Stage) $body

            #[test]
            fn first() {
                test(&crate::stage::Stage::new(e2e::agents::pi::Edition::First));
            }

            #[test]
            fn second() {
                test(&crate::stage::Stage::new(e2e::agents::pi::Edition::Second));
            }
        }
    )*};
}
pub(crate) use both;

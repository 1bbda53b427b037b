//! End-to-end tests of real pi sessions under the daemon, by the command line alone: what the rows say through turns,
//! questions, trouble, ends and resumes. The same in zellij is the business of the board's tests.

#![expect(clippy::unwrap_used, reason = "a failed expectation is a failed test")]

mod ends;
mod input;
mod questions;
mod stage;
mod trouble;
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

//! What can happen in the game, and how often. Drawn by its property; [`super::Game::take_step`] carries it out.

use board_protocol::command::ReplyDelivery;
use proptest::prelude::*;

/// What can happen next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Step {
    Reply(ReplyDelivery),
    RemoveFirst,
    HurryFirst,
    MarkHolding,
    ClearHolding,
    Stop,
    Resume,
    TurnBegins,
    TurnSettles,
    QuestionOpens,
    QuestionCloses,
    SomebodyTypes,
    NobodyTypes,
    HostReads,
    HostTypes,
    HostWritesDown,
    HostIsCutOff,
    HostReconnects,
    HostIsKilled,
    ProgramEnds,
    DaemonIsKilled,
    TimePasses,
}

pub(in super::super) fn any_step() -> impl Strategy<Value = Step> {
    use Step::*;
    prop_oneof![
        4 => Just(Reply(ReplyDelivery::Auto)),
        3 => Just(Reply(ReplyDelivery::Queue)),
        1 => Just(Reply(ReplyDelivery::Now)),
        1 => Just(RemoveFirst),
        1 => Just(HurryFirst),
        2 => Just(MarkHolding),
        1 => Just(ClearHolding),
        1 => Just(Stop),
        2 => Just(Resume),
        2 => Just(TurnBegins),
        4 => Just(TurnSettles),
        1 => Just(QuestionOpens),
        2 => Just(QuestionCloses),
        1 => Just(SomebodyTypes),
        2 => Just(NobodyTypes),
        5 => Just(HostReads),
        5 => Just(HostTypes),
        5 => Just(HostWritesDown),
        2 => Just(HostIsCutOff),
        3 => Just(HostReconnects),
        1 => Just(HostIsKilled),
        1 => Just(ProgramEnds),
        2 => Just(DaemonIsKilled),
        2 => Just(TimePasses),
    ]
}

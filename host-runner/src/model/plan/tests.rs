//! Every step from every status, and what is kept.

use super::*;

const AT: UnixMs = UnixMs(7);

fn at(status: PlanStatus) -> Plan {
    let text =
        (!matches!(status, PlanStatus::None | PlanStatus::PlanRequested)).then(|| "1. look".to_owned());
    Plan { status, text, ..Plan::default() }
}

fn steps() -> [PlanMove; 7] {
    [
        PlanMove::Requested { text: "a parser".into(), run: None },
        PlanMove::Ready { text: Some("1. read".into()), run: Some(RunId("r".into())) },
        PlanMove::Approved,
        PlanMove::ChangesRequested { text: "less".into(), run: None },
        PlanMove::Executing { run: Some(RunId("e".into())) },
        PlanMove::Withdrawn,
        PlanMove::Reset,
    ]
}

#[test]
fn a11_every_step_from_every_status() {
    use PlanError as E;
    use PlanStatus as S;
    let (asked, waits, sent, runs) =
        (S::PlanRequested, S::AwaitingApproval, S::ChangesRequested, S::ExecutingApprovedPlan);
    // From, then in the order of `steps`.
    type Ends = [Result<S, E>; 7];
    let table: [(S, Ends); 6] = [
        (
            S::None,
            [
                Ok(asked),
                Ok(waits),
                Err(E::NotAwaiting),
                Err(E::NoPlan),
                Err(E::NotApproved),
                Err(E::NoPlan),
                Err(E::NoPlan),
            ],
        ),
        (
            asked,
            [
                Ok(asked),
                Ok(waits),
                Err(E::NotAwaiting),
                Ok(sent),
                Err(E::NotApproved),
                Ok(S::None),
                Ok(S::None),
            ],
        ),
        (
            waits,
            [
                Ok(asked),
                Ok(waits),
                Ok(S::Approved),
                Ok(sent),
                Err(E::NotApproved),
                Err(E::NoPlan),
                Ok(S::None),
            ],
        ),
        (
            S::Approved,
            [Ok(asked), Ok(waits), Err(E::NotAwaiting), Ok(sent), Ok(runs), Ok(waits), Ok(S::None)],
        ),
        (
            sent,
            [
                Ok(asked),
                Ok(waits),
                Err(E::NotAwaiting),
                Ok(sent),
                Err(E::NotApproved),
                Ok(waits),
                Ok(S::None),
            ],
        ),
        (
            runs,
            [
                Ok(asked),
                Ok(waits),
                Err(E::NotAwaiting),
                Ok(sent),
                Err(E::NotApproved),
                Ok(waits),
                Ok(S::None),
            ],
        ),
    ];
    for (from, ends) in table {
        for (step, end) in steps().iter().zip(ends) {
            let mut plan = at(from);
            let before = plan.clone();
            assert_eq!(check(&plan, step), end.map(|_| ()), "{from:?} {step:?}");
            apply(&mut plan, step, AT);
            match end {
                Err(_) => assert_eq!(plan, before, "{from:?} {step:?}"),
                Ok(to) => {
                    assert_eq!((plan.status, plan.updated_at_ms), (to, Some(AT)), "{from:?} {step:?}");
                    let last = plan.history.last().unwrap();
                    assert_eq!((last.from, last.to, last.at_ms), (from, to, AT), "{from:?} {step:?}");
                }
            }
        }
    }
}

#[test]
fn a11_the_errors_have_their_words() {
    assert_eq!(PlanError::NotAwaiting.to_string(), "No plan is awaiting approval");
    assert_eq!(PlanError::EmptyChange.to_string(), "Empty change request");
    let plan = at(PlanStatus::AwaitingApproval);
    let change = |text: &str| PlanMove::ChangesRequested { text: text.into(), run: None };
    assert_eq!(check(&plan, &change(" \n")), Err(PlanError::EmptyChange));
    let blank = PlanMove::Requested { text: "\t".into(), run: None };
    assert_eq!(check(&plan, &blank), Err(PlanError::EmptyRequest));
}

#[test]
fn a11_a_whole_life_leaves_what_was_said_and_when() {
    let mut plan = Plan::default();
    for (time, step) in steps().into_iter().take(5).enumerate() {
        // The order of a life: asked, ready, sent back, ready, approved, carried out.
        let at = UnixMs(time as u64);
        if matches!(step, PlanMove::Approved) {
            apply(&mut plan, &PlanMove::ChangesRequested { text: "less".into(), run: None }, at);
            assert_eq!(plan.change_request.as_deref(), Some("less"));
            apply(&mut plan, &PlanMove::Ready { text: Some("1. less".into()), run: None }, at);
        }
        if !matches!(step, PlanMove::ChangesRequested { .. }) {
            apply(&mut plan, &step, at);
        }
    }
    let actions: Vec<&str> = plan.history.iter().map(|change| change.action.as_str()).collect();
    assert_eq!(actions, ["request", "ready", "change", "ready", "approve", "execute"]);
    assert_eq!(plan.text.as_deref(), Some("1. less"));
    assert_eq!((plan.approved_at_ms, plan.execution_run), (Some(UnixMs(2)), Some(RunId("e".into()))));
}

#[test]
fn a11_history_and_notes_are_bounded() {
    let mut plan = Plan::default();
    let long = "ü".repeat(MAX_NOTE_CHARACTERS + 50);
    for time in 0..(MAX_PLAN_HISTORY as u64 + 20) {
        apply(&mut plan, &PlanMove::Requested { text: long.clone(), run: None }, UnixMs(time));
    }
    assert_eq!(plan.history.len(), MAX_PLAN_HISTORY);
    assert_eq!(plan.history[0].at_ms, UnixMs(20), "the oldest ones go");
    assert!(plan.history.iter().all(|change| {
        change.note.as_ref().is_some_and(|note| note.chars().count() == MAX_NOTE_CHARACTERS)
    }));
}

#[test]
fn a_new_request_forgets_the_plan_before_it_and_keeps_the_history() {
    let mut plan = Plan::default();
    for step in steps().into_iter().take(3) {
        apply(&mut plan, &step, AT);
    }
    apply(&mut plan, &PlanMove::Requested { text: "another".into(), run: None }, AT);
    assert_eq!((plan.text.as_ref(), plan.approved_at_ms, plan.history.len()), (None, None, 4));
}

#[test]
fn a_kept_plan_has_its_lines_and_no_control_characters() {
    assert_eq!(kept_text(" 1. a\n\t2. b\u{1b}[2J\u{202e} \n"), "1. a\n    2. b");
    let long = kept_text(&"ü".repeat(MAX_PLAN_BYTES));
    assert_eq!(long.len(), MAX_PLAN_BYTES);
}

#[test]
fn rows_whose_plan_is_made_or_decided_keep_what_waits() {
    use PlanStatus as S;
    let keeps: Vec<S> = S::ALL.into_iter().filter(|status| keeps_replies(*status)).collect();
    assert_eq!(keeps, [S::PlanRequested, S::AwaitingApproval, S::Approved, S::ChangesRequested]);
    let awaited: Vec<S> = S::ALL.into_iter().filter(|status| awaits_plan(*status)).collect();
    assert_eq!(awaited, [S::PlanRequested, S::ChangesRequested]);
}

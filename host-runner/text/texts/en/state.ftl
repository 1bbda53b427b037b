### States of sessions, and what else a row says in a word.

## What people call a state.

state-queued = Queued
state-working = Running
state-needs-input = Needs answer
state-idle = Needs instructions
state-holding = On hold
state-completed = Done
state-failed = Failed
state-stopped = Stopped

## The sentence of a row that says nothing else, where it differs.

state-works = Running…
# age is a number and its unit, as 14m.
state-stalled = stalled { $age }

## Plans.

state-no-plan = no plan
state-plan-requested = a plan was asked for
state-awaiting-approval = a plan awaits approval
state-approved = the plan is approved
state-changes-requested = changes of the plan were asked for
state-executing-approved-plan = the approved plan is carried out

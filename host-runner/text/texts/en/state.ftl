### Words of the product, the same in every file of this language. The other languages say in their own file of this name
### which word stands for which.
###
### agent: a coding agent such as pi. Board: the whole, or the plugin's pane. Session: one row. Run: a turn without a
### terminal. Turn: from a person's words to the agent's last ones. Daemon, link, host: processes; a host serves one session.
### Attach, enter: to be inside a session; leave: to be out again. Terminal: a program's; an agent may own some below its
### session. Pane, tab: zellij's. Queue: words that wait for an agent. Needs answer: a question is open. Needs instructions:
### nothing is to do. On hold, Done: a person's verdict. Wait: what an agent waits for in a terminal of its own; skip: to end
### it. Idle process: one that a conversation does not need. Transcript: what was said. Evidence: why a row stands where it
### stands. Diagnostics: the log of a session. Spool: facts on disk while there is no daemon.

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

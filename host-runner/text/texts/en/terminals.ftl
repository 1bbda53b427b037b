### Terminals of agents, and what agents wait for in them.

terminals-no-verdict = { $id } ({ $name }) is a terminal of the agent of { $owner } and stands below it: it cannot be done or on hold. Stop it, remove it, or pin it to keep it
terminals-no-rerun = { $id } ({ $name }) is a terminal of an agent, which opens another one when it needs one: it cannot be run again
terminals-unpinned-ends = its session has ended, and so does this terminal now that nobody keeps it
terminals-skip-ended = { $id } ({ $name }) has ended: nobody waits for anything there any more
terminals-no-waits = No agent waits for anything in a terminal.
terminals-skip-unheard = { $count ->
    [one] 1 wait was skipped, but the host of { $terminals } does not answer. Try again
   *[other] { $count } waits were skipped, but the host of { $terminals } does not answer. Try again
}
terminals-skipped = { $count ->
    [0] nobody waits for anything there
    [one] 1 wait skipped
   *[other] { $count } waits skipped
}
terminals-waits-for = waits for { $needle }

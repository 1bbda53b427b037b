### What an agent waits for in a terminal of its own, and how a person ends that.

# needle is the pattern that it wrote.
waits-waiting-for = Agent is waiting for { $needle }
# key is a key such as Alt+w.
waits-skip-key = Skip ({ $key })
waits-more = (and { $count } more)

# The key w on the board. name is the session or the terminal.
waits-ask-skip = { $count ->
    [one] Skip 1 wait of "{ $name }"? (y/N)
   *[other] Skip { $count } waits of "{ $name }"? (y/N)
}
waits-none = No agent waits for anything in "{ $name }"
# Behind what is waited for. age is 3m, 2h, 1d.
waits-for-age = for { $age }
waits-just-now = since just now
# Keys that are about sessions, on a terminal of an agent.
waits-of-its-session = A terminal of an agent stands where its session stands; choose that one
waits-no-state = A terminal of an agent has no state of its own; x deletes this one
waits-nothing-to-fold = No terminals of its agent to fold
# A part of the question before a deletion.
waits-terminals-end = { $count ->
    [one] 1 terminal of its agent ends.
   *[other] { $count } terminals of its agent end.
}

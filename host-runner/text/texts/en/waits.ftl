### What an agent waits for in a terminal of its own, and how a person ends that.

# needle is the pattern that it wrote.
waits-waiting-for = Agent is waiting for { $needle }
# key is a key such as Alt+w.
waits-skip-key = Skip ({ $key })
waits-more = (and { $count } more)

### What an agent waits for in a terminal of its own, and how a person ends that.

# needle is the pattern that it wrote.
waits-waiting-for = エージェントが { $needle } を待っています
# key is a key such as Alt+w.
waits-skip-key = 待機をスキップ ({ $key })
waits-more = (ほか { $count } 件)

### What an agent waits for in a terminal of its own, and how a person ends that.

# needle is the pattern that it wrote.
waits-waiting-for = Agent 正在等待 { $needle }
# key is a key such as Alt+w.
waits-skip-key = 跳过等待 ({ $key })
waits-more = (另有 { $count } 项)

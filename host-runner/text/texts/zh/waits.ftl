### What an agent waits for in a terminal of its own, and how a person ends that.

# needle is the pattern that it wrote.
waits-waiting-for = Agent 正在等待 { $needle }
# key is a key such as Alt+w.
waits-skip-key = 跳过等待 ({ $key })
waits-more = (另有 { $count } 项)

# The key w on the board. name is the session or the terminal.
waits-ask-skip = 跳过 "{ $name }" 的 { $count } 项等待？ (y/N)
waits-none = "{ $name }" 中没有 Agent 在等待
# Behind what is waited for. age is 3m, 2h, 1d.
waits-for-age = 已 { $age }
waits-just-now = 刚刚开始
# Keys that are about sessions, on a terminal of an agent.
waits-of-its-session = Agent 的终端跟随其会话；请选择该会话
waits-no-state = Agent 的终端没有自己的状态；按 x 删除这一个
waits-nothing-to-fold = 它的 Agent 没有可折叠的终端
# A part of the question before a deletion.
waits-terminals-end = 其 Agent 的 { $count } 个终端会结束。

### Agent 在自己的终端里等待什么，以及人怎样结束等待。

waits-waiting-for = Agent 正在等待 { $needle }
waits-skip-key = 跳过等待 ({ $key })
waits-more = (另有 { $count } 项)

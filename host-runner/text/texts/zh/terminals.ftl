### Agent 的终端，以及 Agent 在其中等待的内容。

terminals-no-verdict = { $id }（{ $name }）是 { $owner } 的 Agent 的终端，排在它下面：不能标为完成或搁置。可以停止、移除它，或者固定它以保留
terminals-no-rerun = { $id }（{ $name }）是 Agent 的终端，Agent 需要时会自己再开一个：不能重新运行
terminals-unpinned-ends = 它的会话已经结束；现在没有人保留这个终端，它也随之结束
terminals-skip-ended = { $id }（{ $name }）已经结束：那里不再有人等待什么
terminals-skip-unheard = 已跳过 { $count } 个等待，但这些终端没有回应：{ $terminals }。请重试
terminals-no-waits = 没有 Agent 在终端里等待什么。
terminals-skipped = { $count ->
    [0] 那里没有人在等待什么
   *[other] 已跳过 { $count } 个等待
}
terminals-waits-for = 等待 { $needle }

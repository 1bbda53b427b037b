### 会话的名称、标签和计划被拒绝时，以及命令没有指到会话时的话。

model-no-session = 没有会话 { $typed }。host-runner ls 列出现有的
model-several-sessions = { $typed } 符合 { $count } 个会话：{ $sessions }。请给出 id

model-name-empty = 名称至少要有一个可见字符
model-name-too-wide = 名称宽于 { $cells } 格：请给短一些的
model-no-tag = { $typed } 不是标签：标签是一个词，如 #urgent
model-tag-too-wide = 标签宽于 { $cells } 格：请给短一些的

model-plan-not-awaiting = 没有待批准的计划
model-plan-empty-change = 修改要求为空
model-plan-empty-request = 计划要求为空
model-plan-none = 没有计划
model-plan-not-approved = 计划没有被批准

### 会话的状态，以及列表行里的短词。

state-queued = 排队中
state-working = 运行中
state-needs-input = 待回答
state-idle = 待指示
state-holding = 搁置
state-completed = 完成
state-failed = 失败
state-stopped = 已停止

state-works = 运行中…
state-stalled = 停滞 { $age }

state-no-plan = 没有计划
state-plan-requested = 已要求计划
state-awaiting-approval = 计划待批准
state-approved = 计划已批准
state-changes-requested = 已要求修改计划
state-executing-approved-plan = 正在执行已批准的计划

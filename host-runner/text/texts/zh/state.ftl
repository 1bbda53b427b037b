### 词汇表：同一个词在所有文件中译法相同。
###
### agent = Agent（不译，前后留空格；不用“代理”）；coding agent = 编程 Agent；board = 看板；session = 会话；
### conversation = 对话；transcript = 对话记录（看板上窄处用“记录”）；run = 运行；turn = 回合；row = 行；tag = 标签；
### daemon = 守护进程；host = 宿主进程；link = link（进程名；看板上对人说“连接”）；runner = runner；plugin = 插件；
### attach、enter = 进入；attach client = 进入客户端；leave = 离开；resume = 恢复、继续；
### terminal = 终端；screen = 屏幕；pane = 窗格；tab = 标签页；zellij、worktree、issue = 不译；
### queue = 队列；queued = 排队中；reply = 回复；words = 话、消息；
### needs answer = 待回答；needs instructions = 待指示；running = 运行中；on hold = 搁置；done = 完成；failed = 失败；stopped = 已停止；
### wait = 等待；skip = 跳过；idle process = 空闲进程；orphan = 遗留进程；
### evidence = 依据；diagnostics = 诊断；spool = 暂存区；store = 存储；root = 根目录；setting = 设置。
### 对人用“你”和“请”；标点用全角，(y/N) 和按键旁的括号除外；名称放在直引号里。

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

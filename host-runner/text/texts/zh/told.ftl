### 守护进程、宿主和运行以英语记录或发送的内容；显示时以读者的语言说出。

## 谁改变了列表行。

told-agent-event = Agent 事件
told-process-start = 进程启动
told-process-exit = 进程结束
told-person = 人
told-classifier = 分类器
told-run-voice = 运行

## 它们说了什么。

told-started-it = 启动了它
told-ran-again = 重新运行了它
told-entered-it = 进入了它
told-asked-to-end = 要求它结束
told-sent-interrupt = 发送了中断键
told-done = 完成
told-on-hold = 搁置
told-off-hold = 取消搁置
told-typed-into = 在其中输入了
told-replied-to = 回复了它
told-asked-for = 被要求
told-started = 已开始
told-started-waiting = 以等待中的话开始
told-found-at-work = 发现正在工作
told-ended = 已结束
told-a-plan = 一份计划
told-brought-here = 带到了这里
told-asked-for-plan = 要求了计划
told-approved-plan = 批准了计划
told-sent-plan-back = 退回了计划
told-plan-carried-out = 让计划得到执行
told-took-plan-words-back = 收回了关于计划的话
told-forgot-plan = 放弃了计划
told-plan-decided = 计划已有决定
told-conversation-began = 对话开始了
told-persons-input = 人的输入
told-input = 输入
told-works = 在工作
told-asks-in-words = 在话中提问
told-speaks = 在说话
told-startup-prompt = 启动提示
told-question = 问题
told-a-question = 一个问题
told-question-answered = 问题已得到回答
told-question-closed = 问题已关闭
told-settled = 告一段落
told-settled-background = 告一段落，后台还有任务
told-waits = 在等待
told-another-conversation = 另一个对话
told-another-model = 另一个模型
told-nobodys-input = 不是人输入的内容
told-beginning-of-work = 工作的开始
told-words = 话
told-answered-question = 已回答的问题
told-end-of-work = 工作的结束
told-end-of-conversation = 对话的结束
told-background-tasks = 后台的任务
told-wait-for-person = 对人的等待
told-run-without-word = 运行没有留下任何话就结束了
told-pid = 进程 { $pid }
told-process-began = 其进程的启动
told-process-lost = 其进程的丢失
told-process-ended = 其进程的结束
told-first-words = 最初的话
told-more-words = 更多的话
told-another-plan = 另一份计划
told-approved-carried-out = 已批准并执行的计划

## 列表行所在位置的规则。

told-rule-new = 新会话在其程序报告之前处于“排队中”。
told-rule-again = 重新运行的会话在其程序报告之前处于“排队中”。
told-rule-entered = 从未送达 Agent 的话会再说一遍：在 Agent 报告之前处于“排队中”。否则进入不改变任何位置。
told-rule-stop = 程序结束后，该行即为“已停止”。
told-rule-interrupt = 该行随 Agent 的反应而定。
told-rule-no-turns = 没有回合的程序只要在运行就是“运行中”。
told-rule-told-nothing = 没有得到任何指示、或结束后又回来的 Agent 等待指示。
told-rule-person-says = 行属于何处由人决定，也只有人能移走它。
told-rule-off-hold = 取消搁置的行等待指示或对其计划的决定；若程序没有回合则为运行中。
told-rule-lifted = 对会话说话的人即收回自己的判定。
told-rule-classifier = 一个回合之后，分类器会读最后的话：它可以让该行提问、保持原样，或在配置允许时标为完成。
told-rule-run-queued = 已被要求的无终端运行处于“排队中”。
told-rule-run-began = 已开始的无终端运行处于“运行中”。
told-rule-plan-waits = 计划等待人的批准。
told-rule-elsewhere = 在别处启动的会话等待指示。
told-rule-plan-decided = 计划已有决定：该行等待 Agent 的反应。
told-rule-plan-said = Agent 在制定计划的回合结束时所说的就是其计划，等待人的批准。
told-rule-plan-withdrawn = 计划再次等待人的批准。
told-rule-no-plan = 没有计划，就没有可批准的。
told-rule-asked-end = 人已要求结束：程序如何结束无关紧要。
told-rule-end-failed = 因错误、信号或不留一言而结束即为失败。
told-rule-end-well = 没有错误的结束从不被当作“完成”：须有人说明下一步。
told-rule-run-asked-end = 人已要求结束该运行。
told-rule-run-failed = 因错误结束或被中断的运行即为失败。
told-rule-run-asks = 该运行最后的话在提问。
told-rule-run-well = 顺利结束的运行从不被当作“完成”：须有人说明下一步。
told-rule-new-conversation = 新的对话中没有任何运行：等待指示。
told-rule-other-model = 换模型不移动任何行。
told-rule-conversation-left = 对话的结束不移动任何行：之后可能有另一个。
told-rule-background = 后台任务的数量本身不移动任何行。
told-rule-found-idle = 它在等人：不论是否说过，它所做的已经结束。
told-rule-verdict = 人的判定有效：没有机器会移动该行。
told-rule-spoken-to = 人对 Agent 说了话：其回合在进行，判定被收回。
told-rule-reached = 话已送达 Agent：其回合在进行。
told-rule-question-first = 未回答的问题先于工作。
told-rule-running = 自称在工作的 Agent 为“运行中”。
told-rule-words-ask = 它的话在向人提问。
told-rule-words-go-on = 它的话没有提问，回合继续。
told-rule-question-open = 有未回答的问题：它先于一切。
told-rule-question-still = 还有另一个问题未回答。
told-rule-no-question = 已没有未回答的问题：该行回到正在运行的状态。
told-rule-settled-background = 回合结束，但留在后台的任务仍在运行。
told-rule-settled-asks = 回合结束，有未回答的问题，或最后的话在提问。
told-rule-settled = 回合结束，还没有人说明下一步。
told-rule-none = 没有规则能解释这一点。这是看板的缺陷：请报告。

## 分类器对最后的话的判断。

told-model-done-off = 模型说已完成，但自动完成已关闭
told-assistant-done-off = Agent 说已完成，但自动完成已关闭
told-assistant-asked = Agent 请求输入
told-assistant-done = Agent 说已完成
told-assistant-remaining = Agent 说还有剩余工作
told-no-signal = 没有明确的完成或提问信号
told-model-done = 模型说工作已完成
told-model-asks = 模型说需要输入
told-model-remains = 模型说还有工作
told-no-words = 它没有输出任何话
told-no-name = 它的输出不是名称
told-no-text = 它的输出不是文本
told-no-json = 它没有输出 JSON 对象
told-no-state = 其 JSON 没有文本 "state"
told-bad-state = 其 "state" 无效
told-late-name = 来得太晚：会话现在叫 { $name }
told-late-words = 来得太晚：会话此后又说了别的
told-no-command = 没有设置这样的命令
told-too-many-commands = 等待命令的太多
told-no-runner = 已没有东西运行命令
told-cannot-start = 无法启动：{ $error }
told-printed-too-much = 输出超过 { $bytes } 字节，已被结束
told-end-unknown = 不知道它如何结束：{ $error }
told-failed-said = 失败（{ $status }）：{ $said }
told-took-too-long = 耗时太长，已被结束
told-daemon-ends = 守护进程结束

## 拒绝。

told-run-over = 运行结束后不再说话
told-process-has-ended = 其进程已结束：{ $event }
told-taken-off = 其会话已从看板移除
told-wrong-secret = 其密钥不是该会话的
told-another-host = 另一个宿主取代了它
told-session-has-ended = 其会话已结束
told-person-keeps = { $session } 由人保留：由人来结束

## 等待中的话。

told-item-waits = { $item } 在等待：{ $refusal }
told-agent-has = Agent 已收到 { $item }
told-not-written = { $item } 未写入：{ $reason }
told-program-ended-writing = 写入 { $item } 时程序结束：不知道 Agent 是否收到
told-host-ended-writing = 写入 { $item } 时宿主结束：不知道 Agent 是否收到。不会自动重发

## 会话的日志。

told-and-more = ……还有 { $count } 条
told-more-like-this = 还有 { $count } 条类似的
told-no-secret = 未接受 { $adapter } 的事件：没有本会话的密钥
told-foreign-adapter = { $adapter } 向 { $agent } 的会话报告
told-unread = 不读取此 Agent 的报告
told-changed-nothing = { $what }没有改变任何东西：{ $code }（{ $kind }）
told-did-not-move = { $what }没有移动该行：是人把它放在那里的（{ $kind }）
told-a-classification = 一个分类
told-a-command = 命令（{ $name }）
told-with-arguments = { $program }，{ $count } 个参数
told-poll-failed = poll 失败：{ $error }
told-line-no-event = { $bytes } 字节的一行不是事件
told-line-of = { $bytes } 字节的一行
told-no-room = { $count } 份报告没有位置
told-latch-armed = 从这里起保留 SIGTERM 和 SIGINT
told-over-volume = { $count } 个事件超出数量上限

## 存储。

told-store-unwritable = 无法写入存储：{ $error }
told-strength-view = 查看
told-strength-claim = 声明
told-strength-action = 操作
told-strength-mention = 提及

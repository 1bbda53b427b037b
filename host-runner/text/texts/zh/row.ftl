### 看板自己写入列表行的话；以英语记录，显示时以读者的语言说出。

## 程序如何结束。

row-exit-126 = 退出码 126（命令无法运行）
row-exit-127 = 退出码 127（找不到命令）
row-exit-code = 退出码 { $code }
row-signal-named = 信号 { $number }（{ $name }）
row-signal = 信号 { $number }
row-not-started = 无法启动
row-not-started-why = 无法启动：{ $reason }
row-host-ended = 其宿主意外结束
row-host-ended-why = 其宿主结束了：{ $reason }
row-run-ended-why = 其运行结束了：{ $reason }
row-could-not-end = 无法结束它

## 列表行所说的。

row-attach-to-answer = 进入会话以回答待答的问题
row-answer-pending = 请回答待答的问题
row-approve-plan = 批准此计划？
row-plan-ready = 计划已就绪，待批准
row-backgrounded = 后台会话
row-running-tests = 正在运行测试
row-running-command = 正在运行命令
row-tool = 工具
row-compacting = 正在压缩
row-editing = 正在编辑 { $file }
row-writing = 正在写入 { $file }
row-reading = 正在读取 { $file }
row-listing = 正在列出 { $file }
row-finding = 正在查找 { $pattern }
row-searching-for = 正在搜索 /{ $pattern }/
row-running = 正在运行 { $command }
row-building = 正在构建
row-linting = 正在检查代码
row-finding-files = 正在查找文件
row-searching = 正在搜索
row-editing-files = 正在编辑文件
row-writing-files = 正在写入文件
row-reading-files = 正在读取文件
row-listing-files = 正在列出文件
row-tool-failed-said = 工具 { $tool } 失败：{ $said }
row-tool-failed = 工具 { $tool } 失败
row-trying-again-of = 正在重试（第 { $attempt } 次，共 { $of } 次）：{ $error }
row-trying-again = 正在重试（第 { $attempt } 次）：{ $error }
row-stalled = 自称在工作，但已有 { $age } 没有事件和输出
row-moves-again = 沉默约 { $age } 后，它又有动静，或不再工作
row-was-idle = 其进程已空闲 { $age }，已被结束；对话保留，进入或回复时继续

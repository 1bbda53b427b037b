### link 的文字：一行的状态窗格，以及无法执行或无法查看时看板上的话。

link-too-many-commands = 有太多命令在等守护进程。请等它们得到应答后重试
link-no-outcome = 守护进程没有给出结果。请在看板上查看是否已执行
link-no-answer = 守护进程没有及时应答。请先在看板上查看是否已执行，再重试
link-not-done = 未执行：{ $why }

link-connecting = 正在连接守护进程…
link-daemon-broke = 与守护进程的连接断开：{ $error }
link-daemon-ended = 守护进程已结束；正在重新启动
link-daemon-silent = 守护进程（pid { $pid }）没有应答。请这样结束它：kill -9 { $pid }；会话会继续
link-daemon-unreadable = 无法读取守护进程的回答：{ $error }。请重启它：host-runner shutdown
link-daemon-does-not-read = 守护进程不读取发给它的内容。请重启它：host-runner shutdown

link-path-too-long = 这不是路径：太长
link-directories-hang = 之前查看的目录没有应答（网络挂载失效了？）。请输入完整路径
link-directories-no-thread = 无法启动查看目录的线程。请输入完整路径
link-directory-silent = { $path } 没有应答（网络挂载失效了？）
link-directory-missing = 没有目录 { $path }
link-directory-is-none = { $path } 不是目录
link-directory-forbidden = 你不能读取 { $path }；可以直接输入其中的目录
link-directory-unreadable = 无法读取 { $path }：{ $error }

link-screen-none = 没有留下屏幕：程序没有输出，或者没有宿主进程就结束了
link-answer-other = 守护进程的回答不对。请重启它：host-runner shutdown
link-answer-late = 没有及时应答。重新打开此页时会再次请求
link-transcripts-busy = 还在读取其他记录：它们的文件系统有应答吗？

link-status = Agent Board：{ $says }
link-status-not-connected = 未连接
link-status-last-heard = 未连接 · 上次得知时运行中 { $running }
link-status-no-board = 正在等待看板
link-status-reading = 正在读取看板…
link-status-running = { $running } 运行中
link-status-needs-answer = { $sessions } 待回答
link-status-unread = { $sessions } 未读

link-no-event-loop = 无法启动 link 的事件循环
link-no-place = 无法锁定 link 的位置
link-has-ended = link 已结束

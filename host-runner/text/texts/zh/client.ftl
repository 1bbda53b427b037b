client-no-daemon = 此看板没有守护进程在运行。你的任何命令都会启动它：host-runner ls
client-shut-down = 看板已关闭。你的任何命令都会再启动它：host-runner ls
client-foreign = 守护进程的套接字属于 uid { $uid }，不属于你。请把 AGENT_BOARD_ROOT 设为你自己的目录
client-not-our-protocol = 监听守护进程套接字的程序不使用我们的协议：{ $error }。请结束它后重试
client-cannot-start = 无法启动守护进程：{ $error }。请检查 host-runner 程序是否还在原处
client-did-not-come-up = 守护进程没有启动起来：{ $reason }。它的日志：{ $log }
client-older-does-not-end = 较旧的守护进程（pid { $pid }）没有结束。请这样结束它：kill -9 { $pid }；会话会继续
client-coordinator-off = AGENT_BOARD_COORDINATOR=off：没有守护进程，而此操作需要它。请取消该变量
client-coordinator-taken = AGENT_BOARD_COORDINATOR=off，但另一个进程（pid { $owner }）占有此看板：守护进程或另一个命令。请取消该变量，或结束守护进程：host-runner shutdown
client-broke = 与守护进程的连接断开：{ $error }。请重试
client-other-answer = 守护进程的回答不是{ $expected }。请重启它：host-runner shutdown，然后重试
client-cannot-change = 无法修改 { $path }：{ $reason }
client-detach-failed = host-runner daemon --detach：{ $status }
client-silent = 守护进程（pid { $pid }）没有应答。请这样结束它：kill -9 { $pid }；下一个命令会启动新的，会话会继续。它的日志：{ $log }
client-silent-stranger = 守护进程没有应答。请结束它；下一个命令会启动新的，会话会继续。它的日志：{ $log }
client-daemon-older = 守护进程（构建 { $build }，pid { $pid }）使用协议 { $oldest } 到 { $newest }，本构建（{ $our-build }）使用 { $our-oldest } 到 { $our-newest }。运行本构建的任意 host-runner 命令即可替换它；会话会继续
client-daemon-newer = 守护进程（构建 { $build }，pid { $pid }）使用协议 { $oldest } 到 { $newest }，本构建（{ $our-build }）使用 { $our-oldest } 到 { $our-newest }。请用较新的 host-runner 重启你在这里运行的：关闭此窗格或命令后再启动
client-a-session = 会话
client-an-outcome = 结果

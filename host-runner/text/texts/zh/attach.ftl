### host-runner attach 的文字：窗格标题，以及离开会话或会话结束时终端上的话。

attach-needs-terminal = attach 需要终端。在脚本中读取会话的屏幕：host-runner screen SESSION
attach-terminal-unusable = 无法使用此终端
attach-failed = 进入客户端失败
attach-not-up = "{ $name }" 的宿主进程没有在 { $seconds } 秒内启动
attach-is-that-session = 此终端就是那个会话。请从它外面进入，或在另一个终端使用 --read-only

attach-left = 已离开 "{ $name }"，它继续运行。再次进入：host-runner attach { $id }
attach-ended = "{ $name }" 已结束：{ $ending }。{ $next }
attach-go-on = 继续：host-runner attach { $id }
attach-run-again = 请在看板上再次运行（→），或查看它留下的内容：host-runner screen { $id }
attach-host-gone = "{ $name }" 的宿主进程不在了。查看原因：host-runner show { $id }
attach-host-unreachable = 连不上 "{ $name }" 的宿主进程。查看：host-runner show { $id }

attach-has-ended = "{ $name }" 已结束（{ $how }）。{ $next }：host-runner screen { $id }
attach-was-idle = 其进程因空闲已结束
attach-no-process = 没有运行中的进程
attach-cannot-continue = 无法继续；请在看板上再次运行（→），或查看它留下的内容
attach-to-continue = 要继续，请不带 --read-only 进入，或查看它留下的内容

attach-reconnecting = 正在重新连接
attach-no-screen = 屏幕没有送达，正在重新请求
attach-read-only = 只读
attach-key-leaves = { $key } 离开
attach-not-delivered = 你输入的内容没有送达

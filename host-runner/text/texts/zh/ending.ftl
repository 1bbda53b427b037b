### 程序怎样结束。

ending-exit-code = 退出码 { $code }
ending-cannot-run = 退出码 126，命令无法运行
ending-not-found = 退出码 127，找不到命令
ending-signal = 信号 { $signal }
ending-never-started = 无法启动
ending-host-lost = 它的宿主进程意外结束
ending-with-reason = { $ending }：{ $reason }

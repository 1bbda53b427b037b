program-cannot-run = 无法运行：{ $error }
program-failed-with = 失败（{ $status }）
program-failed = 失败：{ $error }
program-no-answer = { $seconds } 秒内没有应答
program-cannot-listen = 无法监听：{ $error }

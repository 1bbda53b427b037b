transcript-compacted = 对话已压缩。
transcript-not-yet = 会话文件尚未创建。
transcript-none = 没有对话记录：这个程序不是保存记录的 Agent。l 可看它的屏幕
transcript-failed-silently = 它失败了，没有说明原因
transcript-no-regular-file = 无法读取会话：{ $value } 不是普通文件
transcript-unreadable = 无法读取会话：{ $value }

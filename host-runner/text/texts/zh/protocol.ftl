### 关于输入的筛选条件，以及无法读取的字节。

protocol-unknown-state = 没有状态 { $word }；可用的有：{ $known }
protocol-unknown-word = 没有条件 { $word }；可用的有：{ $known } #tag
protocol-unknown-value = 没有值 { $word }；可用的有：{ $known }

protocol-frame-too-long = 一帧有 { $bytes } 字节，超过上限 { $most } 字节
protocol-frame-unreadable = 无法解析一帧：{ $error }
protocol-message-unwritable = 无法编码消息：{ $error }

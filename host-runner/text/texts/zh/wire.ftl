### 关于我们的两个进程之间连接的半句话。

wire-cannot-connect = 无法连接：{ $error }
wire-broke = 连接断开：{ $error }
wire-closed = 对方关闭了连接
wire-no-answer = { $seconds } 秒内没有应答
wire-foreign = 套接字属于 uid { $uid }，不属于你

### 看板的根目录：在哪里，以及为什么不能用。

root-unknown = 找不到看板的根目录：请把 AGENT_BOARD_ROOT、XDG_STATE_HOME 或 HOME 设为绝对路径
root-foreign = { $path } 属于 uid { $owner }，而你是 uid { $uid }。一个看板只有一个所有者：请以该用户身份运行（不要用 sudo），或把 AGENT_BOARD_ROOT 设为你自己的目录
root-other-machine = { $path } 是另一台机器的看板（{ $theirs }；本机是 { $ours }）。请把 AGENT_BOARD_ROOT 设为本机磁盘上的目录
root-not-ours = { $path } 不是我们的目录：{ $what }。请把它移走后重试
root-is-a-file = 它是一个文件
root-is-a-link = 它是一个链接
root-io = 无法使用 { $path }：{ $source }。可以用 --root 或 AGENT_BOARD_ROOT 指定另一个目录

### doctor 各项检查的名称。

check-agent-pi = Agent pi
check-agent-claude = Agent claude
check-agent-codex = Agent codex
check-agent-opencode = Agent opencode
check-strays = 离散进程
check-board = 看板
check-daemon = 守护进程
check-idle-agents = 空闲 Agent
check-file-system = 文件系统
check-spool = 暂存区
check-dead-sockets = 失效套接字
check-dead-locks = 失效锁
check-damaged-stores = 损坏的存储
check-link = link
check-link-environment = link 的环境
check-lingering = lingering
check-hosts = 宿主进程
check-orphans = 遗留进程
check-permission = 权限
check-plugin = 插件
check-root = 根目录
check-configuration = 配置
check-sockets = 套接字
check-store = 存储
check-zellij = zellij
check-zellij-server = zellij 服务器

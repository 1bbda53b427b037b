### What the checks of the doctor are called, for people. Programs read other names, which never change.

check-agent-pi = agent pi
check-agent-claude = agent claude
check-agent-codex = agent codex
check-agent-opencode = agent opencode
check-strays = strays
check-board = board
check-daemon = daemon
check-idle-agents = idle agents
check-file-system = file system
check-spool = spool
check-dead-sockets = dead sockets
check-dead-locks = dead locks
check-damaged-stores = damaged stores
check-link = link
check-link-environment = link environment
check-lingering = lingering
check-hosts = hosts
check-orphans = orphans
check-permission = permission
check-plugin = plugin
check-root = root
check-configuration = configuration
check-sockets = sockets
check-store = store
check-zellij = zellij
check-zellij-server = zellij server

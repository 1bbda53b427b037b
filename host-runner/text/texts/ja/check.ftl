### doctor の検査の名前。

check-agent-pi = エージェント pi
check-agent-claude = エージェント claude
check-agent-codex = エージェント codex
check-agent-opencode = エージェント opencode
check-strays = 離れたプロセス
check-board = ボード
check-daemon = デーモン
check-idle-agents = アイドルのエージェント
check-file-system = ファイルシステム
check-spool = スプール
check-dead-sockets = 無効なソケット
check-dead-locks = 無効なロック
check-damaged-stores = 壊れたストア
check-link = リンク
check-link-environment = リンクの環境
check-lingering = lingering
check-hosts = ホスト
check-orphans = 残ったプロセス
check-permission = 許可
check-plugin = プラグイン
check-root = ルート
check-configuration = 設定
check-sockets = ソケット
check-store = ストア
check-zellij = zellij
check-zellij-server = zellij サーバー

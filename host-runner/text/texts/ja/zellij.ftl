zellij-setting = 設定 zellij
zellij-needed = { $found }ボードには zellij { $major }.{ $minor } が必要です。インストール：make setup（ソースツリーで）、または cargo install --locked zellij@{ $pinned }。{ $setting }（AGENT_BOARD_ZELLIJ）で指定もできます
zellij-not-made-for = { $setting }が zellij { $version } を指していますが、ボードはこのバージョン用ではありません
zellij-override-cannot-run = { $path }（{ $setting }）を zellij として実行できません。
zellij-unsupported = zellij { $version }（{ $path }）には対応していません。
zellij-cannot-run = { $path } を zellij として実行できません。
zellij-missing = zellij がインストールされていません。

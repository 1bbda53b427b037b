### プラグインやレイアウトを置けないときの言葉。

assets-no-plugin = このビルドにプラグインは含まれず、隣にもありません（{ $path }）。両方をビルドするには make build、両方をインストールするには make install
assets-inexpressible = { $what } { $path } は zellij に渡せません：{ $character } が含まれています。それのないパスを使ってください{ $hint }
assets-plugin-path = プラグインのパス
assets-runner-path = runner のパス
assets-board-root = ボードのルート
assets-hint-plugin = ：XDG_DATA_HOME を設定します
assets-hint-runner = ：host-runner を別の場所にインストールします
assets-hint-root = ：--root で別のものを指定します
assets-no-data-directory = プラグインの置き場所がありません：HOME か XDG_DATA_HOME に絶対パスを設定してください
assets-cannot-write = { $path } に書けません：{ $error }

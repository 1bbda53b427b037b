### 起動画面。

launch-title = 新しいセッション
launch-starting = 起動中…
launch-advice = 先頭行の name:名前 と #タグ で命名とタグ付け、\#タグ はただの文字
launch-default = 既定
launch-no-task = なし：空の入力欄で開く
launch-shell-command = シェルのコマンド
launch-name = 名前{ " " }

launch-label-agent = Agent
launch-label-folder = フォルダー
launch-label-command = コマンド
launch-label-task = 課題
launch-label-model = モデル
launch-label-thinking = 思考
launch-short-folder = 場所
launch-short-command = 実行
launch-short-thinking = 思考

launch-start-long = 背景で起動
launch-start-enter-long = 起動して入る
launch-start = 起動
launch-start-enter = 起動して入る
launch-start-short = 起動
launch-start-enter-short = 入る

launch-directories = ディレクトリ
launch-favourites = よく使う場所 · 入力で検索
launch-looking = 検索中…
launch-no-directory = その始まりのものはありません
launch-none-yet = まだありません
launch-more = ↓ あと { $count } 件

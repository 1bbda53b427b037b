### 用語集：同じ言葉はどのファイルでも同じ訳にします。
###
### agent = エージェント（ボードの狭い欄と見出しだけ Agent）；board = ボード；session = セッション；conversation = 会話；
### transcript = 記録；run = 実行；turn = ターン；row = 行；tag = タグ；
### daemon = デーモン；host = ホスト；link = リンク；runner = runner；plugin = プラグイン；
### attach、enter = 入る（コマンドとしては「接続」）；attach client = 接続クライアント；leave = 出る；resume = 再開；
### terminal = 端末；screen = 画面；pane = ペイン；tab = タブ；zellij、issue = そのまま；
### queue = キュー；queued = 待機中（状態）、送信待ち（言葉）；reply = 返信；words = 言葉、文；
### needs answer = 回答待ち；needs instructions = 指示待ち；running = 実行中；on hold = 保留；done = 完了；failed = 失敗；stopped = 停止；
### wait = 待機；skip = スキップ；idle process = アイドルのプロセス；orphan = 残ったプロセス；
### evidence = 根拠；diagnostics = 診断；spool = スプール；store = ストア；root = ルート；setting = 設定。
### 文は「です・ます」で書き、句読点と括弧は全角、(y/N) とキーの横の括弧だけ半角です。名前は「」に入れます。

### セッションの状態と、行に出る短い言葉。

state-queued = 待機中
state-working = 実行中
state-needs-input = 回答待ち
state-idle = 指示待ち
state-holding = 保留
state-completed = 完了
state-failed = 失敗
state-stopped = 停止

state-works = 実行中…
state-stalled = 停滞 { $age }

state-no-plan = 計画なし
state-plan-requested = 計画を依頼済み
state-awaiting-approval = 計画が承認待ち
state-approved = 計画は承認済み
state-changes-requested = 計画の変更を依頼済み
state-executing-approved-plan = 承認した計画を実行中

### ボード自身が行に書く言葉。英語で記録し、表示するときに読み手の言語にします。

## プログラムの終わり方。

row-exit-126 = 終了コード 126（コマンドを実行できません）
row-exit-127 = 終了コード 127（コマンドが見つかりません）
row-exit-code = 終了コード { $code }
row-signal-named = シグナル { $number }（{ $name }）
row-signal = シグナル { $number }
row-not-started = 開始できませんでした
row-not-started-why = 開始できませんでした：{ $reason }
row-host-ended = ホストが予期せず終了しました
row-host-ended-why = ホストが終了しました：{ $reason }
row-run-ended-why = 実行が終了しました：{ $reason }
row-could-not-end = 終了させられませんでした

## 行の内容。

row-attach-to-answer = 質問に答えるには、セッションに入ってください
row-answer-pending = 待っている質問に答えてください
row-approve-plan = この計画を承認しますか？
row-plan-ready = 計画の承認待ち
row-backgrounded = バックグラウンドのセッション
row-running-tests = テストを実行中
row-running-command = コマンドを実行中
row-tool = ツール
row-compacting = 圧縮中
row-editing = { $file } を編集中
row-writing = { $file } に書き込み中
row-reading = { $file } を読み取り中
row-listing = { $file } を一覧中
row-finding = { $pattern } を検索中
row-searching-for = /{ $pattern }/ を検索中
row-running = { $command } を実行中
row-building = ビルド中
row-linting = コードを検査中
row-finding-files = ファイルを検索中
row-searching = 検索中
row-editing-files = ファイルを編集中
row-writing-files = ファイルを書き込み中
row-reading-files = ファイルを読み取り中
row-listing-files = ファイルを一覧中
row-tool-failed-said = ツール { $tool } が失敗しました：{ $said }
row-tool-failed = ツール { $tool } が失敗しました
row-trying-again-of = 再試行中（{ $attempt }/{ $of }）：{ $error }
row-trying-again = 再試行中（{ $attempt } 回目）：{ $error }
row-stalled = 作業中と言いながら、{ $age } の間イベントも出力もありません
row-moves-again = 約 { $age } の沈黙の後、また動いたか、作業を終えました
row-was-idle = プロセスは { $age } の間アイドルだったので終了しました。会話は残り、入るか返信すると続きます

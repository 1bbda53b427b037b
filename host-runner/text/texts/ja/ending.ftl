### プログラムの終わり方。

ending-exit-code = 終了コード { $code }
ending-cannot-run = 終了コード 126、コマンドを実行できません
ending-not-found = 終了コード 127、コマンドが見つかりません
ending-signal = シグナル { $signal }
ending-never-started = 開始できません
ending-host-lost = ホストが予期せず終わりました
ending-with-reason = { $ending }：{ $reason }

### リンクの文：一行の状態ペインと、できないことや見えないものについてボードに出る言葉。

link-too-many-commands = デーモンを待つコマンドが多すぎます。応答があってからやり直してください
link-no-outcome = デーモンが結果を返しませんでした。実行されたかどうかはボードで確かめてください
link-no-answer = デーモンが時間内に応答しませんでした。実行されたかどうかをボードで確かめてから、やり直してください
link-not-done = 実行していません：{ $why }

link-connecting = デーモンに接続中…
link-daemon-broke = デーモンとの接続が切れました：{ $error }
link-daemon-ended = デーモンが終わりました。再起動中です
link-daemon-silent = デーモン（pid { $pid }）が応答しません。終了するには kill -9 { $pid }。セッションは続きます
link-daemon-unreadable = デーモンの応答を読めません：{ $error }。再起動してください：host-runner shutdown
link-daemon-does-not-read = デーモンが送ったものを読みません。再起動してください：host-runner shutdown

link-path-too-long = パスではありません：長すぎます
link-directories-hang = 前に調べたディレクトリが応答しません（ネットワークのマウントが切れていますか？）。パスを最後まで入力してください
link-directories-no-thread = ディレクトリを調べるスレッドを起動できません。パスを最後まで入力してください
link-directory-silent = { $path } が応答しません（ネットワークのマウントが切れていますか？）
link-directory-missing = ディレクトリ { $path } がありません
link-directory-is-none = { $path } はディレクトリではありません
link-directory-forbidden = { $path } を読む権限がありません。その中のディレクトリは直接入力できます
link-directory-unreadable = { $path } を読めません：{ $error }

link-screen-none = 画面が残っていません：プログラムが何も出力しなかったか、ホストなしで終わりました
link-answer-other = デーモンの応答が違います。再起動してください：host-runner shutdown
link-answer-late = 時間内に応答がありません。もう一度開くと、再び求めます
link-transcripts-busy = ほかの記録をまだ読んでいます：そのファイルシステムは応答していますか？

link-status = Agent Board：{ $says }
link-status-not-connected = 未接続
link-status-last-heard = 未接続 · 最後の知らせでは実行中 { $running }
link-status-no-board = ボードを待っています
link-status-reading = ボードを読み込み中…
link-status-running = 実行中 { $running }
link-status-needs-answer = 回答待ち { $sessions }
link-status-unread = 未読 { $sessions }

link-no-event-loop = リンクのイベントループを起動できません
link-no-place = リンクの場所をロックできません
link-has-ended = リンクは終わりました

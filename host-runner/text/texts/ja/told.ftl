### デーモン、ホスト、実行が英語で記録または送信する内容。表示するときに読み手の言語にします。

## だれが行を動かしたか。

told-agent-event = エージェントのイベント
told-process-start = プロセスの開始
told-process-exit = プロセスの終了
told-person = 人
told-classifier = 分類器
told-run-voice = 実行

## それらの内容。

told-started-it = 開始しました
told-ran-again = 再実行しました
told-entered-it = 入りました
told-asked-to-end = 終了を求めました
told-sent-interrupt = 割り込みキーを送りました
told-done = 完了
told-on-hold = 保留
told-off-hold = 保留解除
told-typed-into = 入力しました
told-replied-to = 返信しました
told-asked-for = 依頼されました
told-started = 開始
told-started-waiting = 待っていた言葉で開始
told-found-at-work = 作業中と判明
told-ended = 終了
told-a-plan = 計画
told-brought-here = ここに持ってきました
told-asked-for-plan = 計画を求めました
told-approved-plan = 計画を承認しました
told-sent-plan-back = 計画を差し戻しました
told-plan-carried-out = 計画を実行させます
told-took-plan-words-back = 計画への言葉を取り下げました
told-forgot-plan = 計画を破棄しました
told-plan-decided = 計画は決まりました
told-conversation-began = 会話が始まりました
told-persons-input = 人の入力
told-input = 入力
told-works = 作業中
told-asks-in-words = 言葉で質問しています
told-speaks = 話しています
told-startup-prompt = 起動時の質問
told-question = 質問
told-a-question = 質問
told-question-answered = 質問に答えがありました
told-question-closed = 質問は閉じました
told-settled = 一段落
told-settled-background = 一段落、バックグラウンドの作業あり
told-waits = 待っています
told-another-conversation = 別の会話
told-another-model = 別のモデル
told-nobodys-input = 人が入力していない内容
told-beginning-of-work = 作業の開始
told-words = 言葉
told-answered-question = 答えられた質問
told-end-of-work = 作業の終わり
told-end-of-conversation = 会話の終わり
told-background-tasks = バックグラウンドの作業
told-wait-for-person = 人を待つこと
told-run-without-word = 実行は何も言わずに終わりました
told-pid = プロセス { $pid }
told-process-began = プロセスの開始
told-process-lost = プロセスの喪失
told-process-ended = プロセスの終了
told-first-words = 最初の言葉
told-more-words = 続きの言葉
told-another-plan = 別の計画
told-approved-carried-out = 承認され実行される計画

## 行の位置を決める規則。

told-rule-new = 新しいセッションは、プログラムが報告するまで「待機中」です。
told-rule-again = 再実行したセッションは、プログラムが報告するまで「待機中」です。
told-rule-entered = エージェントに届かなかった言葉はもう一度伝えられ、報告まで「待機中」です。それ以外では、入っても何も動きません。
told-rule-stop = プログラムが終わると、行は「停止」になります。
told-rule-interrupt = 行はエージェントの反応に従います。
told-rule-no-turns = ターンのないプログラムは、動いている間は「実行中」です。
told-rule-told-nothing = 何も言われていない、または終了後に戻ったエージェントは、指示を待ちます。
told-rule-person-says = 行の置き場所は人が決め、動かせるのも人だけです。
told-rule-off-hold = 保留を解かれた行は、指示か計画への決定を待ちます。ターンのないプログラムなら実行中です。
told-rule-lifted = セッションに話しかけた人は、自分の判定を取り消します。
told-rule-classifier = ターンの後、分類器が最後の言葉を読みます。質問とする、そのままにする、または設定されていれば完了にします。
told-rule-run-queued = 依頼された端末なしの実行は「待機中」です。
told-rule-run-began = 始まった端末なしの実行は「実行中」です。
told-rule-plan-waits = 計画は人の承認を待ちます。
told-rule-elsewhere = よそで始まったセッションは指示を待ちます。
told-rule-plan-decided = 計画は決まりました。行はエージェントの反応を待ちます。
told-rule-plan-said = 計画のためのターンの終わりにエージェントが言うことがその計画で、人の承認を待ちます。
told-rule-plan-withdrawn = 計画はふたたび人の承認を待ちます。
told-rule-no-plan = 計画がなければ、承認するものもありません。
told-rule-asked-end = 人が終了を求めていたので、終わり方は問いません。
told-rule-end-failed = エラー、シグナル、または無言での終了は失敗です。
told-rule-end-well = エラーのない終了も「完了」とはみなしません。次をだれかが決める必要があります。
told-rule-run-asked-end = 人が実行の終了を求めていました。
told-rule-run-failed = エラーで終わった、または打ち切られた実行は失敗です。
told-rule-run-asks = 実行の最後の言葉が何かを尋ねています。
told-rule-run-well = うまく終わった実行も「完了」とはみなしません。次をだれかが決める必要があります。
told-rule-new-conversation = 新しい会話では何も動いておらず、指示を待ちます。
told-rule-other-model = モデルが変わっても行は動きません。
told-rule-conversation-left = 会話の終わりでは行は動きません。次の会話が続くかもしれません。
told-rule-background = バックグラウンドの作業の数だけでは行は動きません。
told-rule-found-idle = 人を待っています。言ったかどうかにかかわらず、していたことは終わりました。
told-rule-verdict = 人の判定が有効です。機械が行を動かすことはありません。
told-rule-spoken-to = 人が話しかけたのでターンが進み、判定は取り消されます。
told-rule-reached = 言葉が届き、ターンが進んでいます。
told-rule-question-first = 答えのない質問は作業より優先します。
told-rule-running = 作業中だと言うエージェントは「実行中」です。
told-rule-words-ask = その言葉は人に何かを尋ねています。
told-rule-words-go-on = その言葉は何も尋ねておらず、ターンは続きます。
told-rule-question-open = 答えのない質問があり、すべてに優先します。
told-rule-question-still = ほかの質問がまだ残っています。
told-rule-no-question = 質問はもう残っていないので、行は元の動きに戻ります。
told-rule-settled-background = ターンは終わりましたが、残した作業がまだバックグラウンドで動いています。
told-rule-settled-asks = ターンは終わり、質問が残っているか、最後の言葉が何かを尋ねています。
told-rule-settled = ターンは終わり、次はまだだれも決めていません。
told-rule-none = これを説明する規則がありません。ボードの不具合です。報告してください。

## 最後の言葉に対する分類器の判断。

told-model-done-off = モデルは完了としましたが、自動完了は無効です
told-assistant-done-off = エージェントは完了としましたが、自動完了は無効です
told-assistant-asked = エージェントが入力を求めました
told-assistant-done = エージェントが完了としました
told-assistant-remaining = エージェントが残りの作業を伝えました
told-no-signal = 完了や質問の明確な合図がありません
told-model-done = モデルは作業完了と言っています
told-model-asks = モデルは入力が必要と言っています
told-model-remains = モデルは作業が残っていると言っています
told-no-words = 言葉を出力しませんでした
told-no-name = 出力は名前ではありません
told-no-text = 出力はテキストではありません
told-no-json = JSON オブジェクトを出力しませんでした
told-no-state = JSON に文字列の "state" がありません
told-bad-state = "state" が無効です
told-late-name = 遅すぎました。セッションは今 { $name } という名前です
told-late-words = 遅すぎました。セッションはその後別のことを言いました
told-no-command = そのコマンドは設定されていません
told-too-many-commands = コマンドを待つものが多すぎます
told-no-runner = コマンドを実行するものがもうありません
told-cannot-start = 開始できません：{ $error }
told-printed-too-much = { $bytes } バイトを超えて出力したので終了させました
told-end-unknown = どう終わったか不明です：{ $error }
told-failed-said = 失敗しました（{ $status }）：{ $said }
told-took-too-long = 時間がかかりすぎたので終了させました
told-daemon-ends = デーモンが終了します

## 拒否。

told-run-over = 終わった実行は何も言いません
told-process-has-ended = プロセスは終了しています：{ $event }
told-taken-off = セッションはボードから外されました
told-wrong-secret = 秘密がセッションのものと違います
told-another-host = 別のホストに置き換わりました
told-session-has-ended = セッションは終了しています
told-person-keeps = { $session } は人が残しています。終わらせるのもその人です

## 待っている言葉。

told-item-waits = { $item } は待っています：{ $refusal }
told-agent-has = エージェントは { $item } を受け取りました
told-not-written = { $item } は書き込まれていません：{ $reason }
told-program-ended-writing = { $item } の書き込み中にプログラムが終了しました。届いたかは不明です
told-host-ended-writing = { $item } の書き込み中にホストが終了しました。届いたかは不明です。自動では再送しません

## セッションの記録。

told-and-more = … ほか { $count } 件
told-more-like-this = 同様のものがほか { $count } 件
told-no-secret = このセッションの秘密がない { $adapter } のイベントは受け取りませんでした
told-foreign-adapter = { $adapter } が { $agent } のセッションに報告しています
told-unread = このエージェントの報告は読みません
told-changed-nothing = { $what }は何も変えませんでした：{ $code }（{ $kind }）
told-did-not-move = { $what }は行を動かしませんでした。人がそこに置いたものです（{ $kind }）
told-a-classification = 分類
told-a-command = コマンド（{ $name }）
told-with-arguments = { $program }、引数 { $count } 個
told-poll-failed = poll に失敗しました：{ $error }
told-line-no-event = { $bytes } バイトの行はイベントではありません
told-line-of = { $bytes } バイトの行
told-no-room = { $count } 件の報告が入りきりませんでした
told-latch-armed = ここから SIGTERM と SIGINT を預かります
told-over-volume = { $count } 件のイベントが量の上限を超えました

## 保存。

told-store-unwritable = 保存できません：{ $error }
told-strength-view = 閲覧
told-strength-claim = 言及
told-strength-action = 操作
told-strength-mention = 言及

### 入力された絞り込みの条件と、読めないバイトについて。

protocol-unknown-state = 状態 { $word } はありません。使えるもの：{ $known }
protocol-unknown-word = 条件 { $word } はありません。使えるもの：{ $known } #tag
protocol-unknown-value = 値 { $word } はありません。使えるもの：{ $known }

protocol-frame-too-long = { $bytes } バイトのフレームは上限の { $most } バイトを超えています
protocol-frame-unreadable = フレームを解析できません：{ $error }
protocol-message-unwritable = メッセージを書けません：{ $error }

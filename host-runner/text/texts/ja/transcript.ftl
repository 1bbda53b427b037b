transcript-compacted = 会話が圧縮されました。
transcript-not-yet = セッションのファイルはまだありません。
transcript-none = 記録はありません。このプログラムは記録を残すエージェントではありません。l で画面を見られます
transcript-failed-silently = 理由を言わずに失敗しました
transcript-no-regular-file = セッションを読めません：{ $value } は通常のファイルではありません
transcript-unreadable = セッションを読めません：{ $value }

### What an agent waits for in a terminal of its own, and how a person ends that.

# needle is the pattern that it wrote.
waits-waiting-for = エージェントが { $needle } を待っています
# key is a key such as Alt+w.
waits-skip-key = 待機をスキップ ({ $key })
waits-more = (ほか { $count } 件)

# The key w on the board. name is the session or the terminal.
waits-ask-skip = "{ $name }" の待機 { $count } 件をスキップしますか？ (y/N)
waits-none = "{ $name }" で待っているエージェントはありません
# Behind what is waited for. age is 3m, 2h, 1d.
waits-for-age = { $age } 前から
waits-just-now = たった今から
# Keys that are about sessions, on a terminal of an agent.
waits-of-its-session = エージェントの端末はそのセッションに従います。セッションを選んでください
waits-no-state = エージェントの端末には独自の状態がありません。x でこの端末を削除できます
waits-nothing-to-fold = 折りたたむエージェントの端末がありません
# A part of the question before a deletion.
waits-terminals-end = エージェントの端末 { $count } 個が終了します。

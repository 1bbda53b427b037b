### エージェントが自分の端末で待っているものと、人がそれを終わらせる方法。

waits-waiting-for = エージェントが { $needle } を待っています
waits-skip-key = 待機をスキップ ({ $key })
waits-more = (ほか { $count } 件)

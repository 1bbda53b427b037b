### host-runner attach の文：ペインの見出しと、出たときや終わったときに端末に出る言葉。

attach-needs-terminal = attach には端末が必要です。スクリプトでセッションの画面を読むには host-runner screen SESSION
attach-terminal-unusable = この端末を使えません
attach-failed = 接続クライアントが失敗しました
attach-not-up = 「{ $name }」のホストが { $seconds } 秒以内に立ち上がりませんでした
attach-is-that-session = この端末がそのセッションです。外から入るか、別の端末で --read-only を使ってください

attach-left = 「{ $name }」から出ました。セッションは続きます。もう一度入るには host-runner attach { $id }
attach-ended = 「{ $name }」は終わりました：{ $ending }。{ $next }
attach-go-on = 続けるには host-runner attach { $id }
attach-run-again = ボードから再実行するか（→）、残したものを見てください：host-runner screen { $id }
attach-host-gone = 「{ $name }」のホストがなくなりました。どうなったかは host-runner show { $id }
attach-host-unreachable = 「{ $name }」のホストにつながりません。様子を見るには host-runner show { $id }

attach-has-ended = 「{ $name }」は終了しています（{ $how }）。{ $next }：host-runner screen { $id }
attach-was-idle = アイドルだったためプロセスは終了しました
attach-no-process = 動いているプロセスがありません
attach-cannot-continue = 続けられません。ボードから再実行するか（→）、残したものを見てください
attach-to-continue = 続けるには --read-only なしで入ります。または残したものを見てください

attach-reconnecting = 再接続中
attach-no-screen = 画面が届かないため再要求中
attach-read-only = 読み取り専用
attach-key-leaves = { $key } で出る
attach-not-delivered = 入力は届いていません

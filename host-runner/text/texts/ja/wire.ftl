### プロセスどうしの接続についての、文の一部。

wire-cannot-connect = 接続できません：{ $error }
wire-broke = 接続が切れました：{ $error }
wire-closed = 相手が接続を閉じました
wire-no-answer = { $seconds } 秒以内に応答がありません
wire-foreign = ソケットは uid { $uid } のもので、あなたのものではありません

program-cannot-run = 実行できません：{ $error }
program-failed-with = 失敗しました（{ $status }）
program-failed = 失敗しました：{ $error }
program-no-answer = { $seconds } 秒以内に応答がありません
program-cannot-listen = 監視できません：{ $error }

run-nothing-to-execute = 実行するものがありません
run-cannot-keep-prompt = プロンプトを保存できません：{ $error }
run-no-directory = { $program } を開始できません：ディレクトリ { $cwd } がありません
run-not-found = { $program } を開始できません：要求したシェルの PATH に見つかりません
run-cannot-start = { $program } を開始できません：{ $error }

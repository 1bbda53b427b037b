### コマンドライン自身の言葉：ヘルプの見出しと、入力の誤り。

usage-heading = 使い方
usage-arguments = 引数
usage-options = オプション
usage-commands = コマンド
usage-help = ヘルプを表示
usage-version = バージョンを表示
usage-help-command = このヘルプ、または指定したコマンドのヘルプを表示
usage-default = [既定：{ $value }]
usage-possible = [指定できる値：{ $values }]
usage-error = エラー：{ $what }
usage-more = 詳しくは '--help' を使ってください。
usage-unknown-argument = 引数 '{ $argument }' はありません
usage-unknown-command = コマンド '{ $name }' はありません
usage-similar = 似たものがあります：'{ $name }'
usage-missing = 必要な引数がありません：{ $names }
usage-no-value = '{ $argument }' には値が必要です
usage-bad-value = '{ $argument }' の値 '{ $value }' は使えません
usage-conflict = 引数 '{ $argument }' は '{ $other }' と一緒に使えません
usage-twice = 引数 '{ $argument }' は一度しか使えません

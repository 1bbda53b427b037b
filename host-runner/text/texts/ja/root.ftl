### ボードのルート：その場所と、使えない理由。

root-unknown = ボードのルートがわかりません。AGENT_BOARD_ROOT、XDG_STATE_HOME または HOME に絶対パスを設定してください
root-foreign = { $path } は uid { $owner } のものですが、あなたは uid { $uid } です。ボードの所有者は一人です。そのユーザーとして実行するか（sudo は使わずに）、AGENT_BOARD_ROOT に自分のディレクトリを設定してください
root-other-machine = { $path } は別のマシンのボードです（{ $theirs }、このマシンは { $ours }）。AGENT_BOARD_ROOT にこのマシンのディスク上のディレクトリを設定してください
root-not-ours = { $path } は使えるディレクトリではありません：{ $what }。移動してからやり直してください
root-is-a-file = ファイルです
root-is-a-link = リンクです
root-io = { $path } を使えません：{ $source }。--root または AGENT_BOARD_ROOT で別のディレクトリを指定できます

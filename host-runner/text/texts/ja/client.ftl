client-no-daemon = このボードのデーモンは動いていません。どのコマンドでも起動します：host-runner ls
client-shut-down = ボードは停止されています。どのコマンドでも再び起動します：host-runner ls
client-foreign = デーモンのソケットは uid { $uid } のもので、あなたのものではありません。AGENT_BOARD_ROOT に自分のディレクトリを設定してください
client-not-our-protocol = デーモンのソケットで待ち受けているものがプロトコルに従っていません：{ $error }。終了してやり直してください
client-cannot-start = デーモンを起動できません：{ $error }。host-runner のバイナリが元の場所にあるか確かめてください
client-did-not-come-up = デーモンが立ち上がりませんでした：{ $reason }。ログ：{ $log }
client-older-does-not-end = 古いデーモン（pid { $pid }）が終わりません。終了するには kill -9 { $pid }。セッションは続きます
client-coordinator-off = AGENT_BOARD_COORDINATOR=off のためデーモンがありませんが、この操作には必要です。その変数を消してください
client-coordinator-taken = AGENT_BOARD_COORDINATOR=off ですが、別のプロセス（pid { $owner }）がこのボードを使っています：デーモンか別のコマンドです。変数を消すか、デーモンを終了してください：host-runner shutdown
client-broke = デーモンとの接続が切れました：{ $error }。やり直してください
client-other-answer = デーモンの応答が{ $expected }ではありません。再起動してください：host-runner shutdown のあと、やり直してください
client-cannot-change = { $path } を変更できません：{ $reason }
client-detach-failed = host-runner daemon --detach：{ $status }
client-silent = デーモン（pid { $pid }）が応答しません。終了するには kill -9 { $pid }。次のコマンドが新しいものを起動し、セッションは続きます。ログ：{ $log }
client-silent-stranger = デーモンが応答しません。終了してください。次のコマンドが新しいものを起動し、セッションは続きます。ログ：{ $log }
client-daemon-older = デーモン（ビルド { $build }、pid { $pid }）のプロトコルは { $oldest } から { $newest }、このビルド（{ $our-build }）は { $our-oldest } から { $our-newest } です。このビルドの host-runner のコマンドを何か実行すると置き換わります。セッションは続きます
client-daemon-newer = デーモン（ビルド { $build }、pid { $pid }）のプロトコルは { $oldest } から { $newest }、このビルド（{ $our-build }）は { $our-oldest } から { $our-newest } です。ここで動いているものを新しい host-runner で再起動してください：このペインかコマンドを閉じて始め直します
client-a-session = セッション
client-an-outcome = 結果

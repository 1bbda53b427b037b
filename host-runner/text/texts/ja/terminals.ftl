### エージェントの端末と、エージェントがそこで待っているもの。

terminals-no-verdict = { $id }（{ $name }）は { $owner } のエージェントの端末で、その下に表示されます。完了や保留にはできません。停止するか、削除するか、残すにはピン留めしてください
terminals-no-rerun = { $id }（{ $name }）はエージェントの端末です。必要ならエージェントが別の端末を開くので、再実行はできません
terminals-unpinned-ends = そのセッションは終了しています。この端末を残す人がいなくなったので、これも終了します
terminals-skip-ended = { $id }（{ $name }）は終了しています。そこで何かを待っているものはもうありません
terminals-skip-unheard = { $count } 件の待機をスキップしましたが、次の端末が応答しません：{ $terminals }。やり直してください
terminals-no-waits = 端末で何かを待っているエージェントはありません。
terminals-skipped = { $count ->
    [0] そこで何かを待っているものはありません
   *[other] { $count } 件の待機をスキップしました
}
terminals-waits-for = { $needle } を待機中

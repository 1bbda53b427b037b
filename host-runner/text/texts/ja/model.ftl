### セッションの名前、タグ、計画が受け付けられないときと、コマンドの指すセッションがないときの言葉。

model-no-session = セッション { $typed } はありません。host-runner ls で一覧できます
model-several-sessions = { $typed } に { $count } 個のセッションが当てはまります：{ $sessions }。id を指定してください

model-name-empty = 名前には見える文字が一つは必要です
model-name-too-wide = 名前が { $cells } 桁を超えています。短くしてください
model-no-tag = { $typed } はタグではありません。タグは #urgent のような一語です
model-tag-too-wide = タグが { $cells } 桁を超えています。短くしてください

model-plan-not-awaiting = 承認待ちの計画はありません
model-plan-empty-change = 変更の依頼が空です
model-plan-empty-request = 計画の依頼が空です
model-plan-none = 計画がありません
model-plan-not-approved = 計画は承認されていません

### セッションの状態と、行に出る短い言葉。

state-queued = 待機中
state-working = 実行中
state-needs-input = 回答待ち
state-idle = 指示待ち
state-holding = 保留
state-completed = 完了
state-failed = 失敗
state-stopped = 停止

state-works = 実行中…
state-stalled = 停滞 { $age }

state-no-plan = 計画なし
state-plan-requested = 計画を依頼済み
state-awaiting-approval = 計画が承認待ち
state-approved = 計画は承認済み
state-changes-requested = 計画の変更を依頼済み
state-executing-approved-plan = 承認した計画を実行中

refs-unreadable = 无法读取 { $file }，已跳过：{ $error }
refs-too-many = { $file } 的 provider 超过 { $most } 个：其余的已跳过
refs-bad-rule = { $file }：{ $described } 的第 { $place } 条规则已跳过：{ $error }
refs-is-no-file = 它不是文件
refs-too-large = 它超过 { $most } 字节
refs-bad-pattern = 它的模式无法使用：{ $error }
refs-no-group = 它的模式没有表示编号的组

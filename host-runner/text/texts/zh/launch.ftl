### 启动对话框。

launch-title = 新会话
launch-starting = 正在启动…
launch-advice = 首行中 name:名称 和 #标签 用于命名和加标签；\#标签 只是文字
launch-default = 默认
launch-no-task = 无：以空编辑器打开
launch-shell-command = 给 shell 的命令
launch-name = 名称{ " " }

launch-label-agent = Agent
launch-label-folder = 文件夹
launch-label-command = 命令
launch-label-task = 任务
launch-label-model = 模型
launch-label-thinking = 思考
launch-short-folder = 目录
launch-short-command = 命令
launch-short-thinking = 思考

launch-start-long = 在后台启动
launch-start-enter-long = 启动并进入
launch-start = 启动
launch-start-enter = 启动并进入
launch-start-short = 启动
launch-start-enter-short = 进入

launch-directories = 目录
launch-favourites = 常用 · 输入以搜索
launch-looking = 正在查找…
launch-no-directory = 没有这样开头的目录
launch-none-yet = 还没有
launch-more = ↓ 还有 { $count } 个

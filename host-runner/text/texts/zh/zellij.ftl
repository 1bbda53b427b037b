zellij-setting = zellij 设置
zellij-needed = { $found }看板需要 zellij { $major }.{ $minor }。安装方法：make setup（在源码目录中），或：cargo install --locked zellij@{ $pinned }；也可以用 { $setting }（AGENT_BOARD_ZELLIJ）指定
zellij-not-made-for = { $setting }指定了 zellij { $version }，看板不是为该版本制作的
zellij-override-cannot-run = 无法把 { $path }（{ $setting }）作为 zellij 运行。
zellij-unsupported = 不支持 zellij { $version }（{ $path }）。
zellij-cannot-run = 无法把 { $path } 作为 zellij 运行。
zellij-missing = 没有安装 zellij。

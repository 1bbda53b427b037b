### 插件或布局无法就位时的话。

assets-no-plugin = 此构建不含插件，旁边也没有（{ $path }）。一起构建：make build；一起安装：make install
assets-inexpressible = 无法把{ $what } { $path } 交给 zellij：其中有 { $character }。请使用没有它的路径{ $hint }
assets-plugin-path = 插件路径
assets-runner-path = runner 路径
assets-board-root = 看板根目录
assets-hint-plugin = ：设置 XDG_DATA_HOME
assets-hint-runner = ：把 host-runner 安装到别处
assets-hint-root = ：用 --root 指定别处
assets-no-data-directory = 插件没有可放的地方：请把 HOME 或 XDG_DATA_HOME 设为绝对路径
assets-cannot-write = 无法写入 { $path }：{ $error }

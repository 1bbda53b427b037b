### 命令行自身的用语：帮助的标题，以及输入的命令行有何错误。

usage-heading = 用法
usage-arguments = 参数
usage-options = 选项
usage-commands = 命令
usage-help = 显示帮助
usage-version = 显示版本
usage-help-command = 显示此帮助或所给命令的帮助
usage-default = [默认：{ $value }]
usage-possible = [可取：{ $values }]
usage-error = 错误：{ $what }
usage-more = 更多信息请用 '--help'。
usage-unknown-argument = 没有参数 '{ $argument }'
usage-unknown-command = 没有命令 '{ $name }'
usage-similar = 有相近的：'{ $name }'
usage-missing = 缺少必需的参数：{ $names }
usage-no-value = '{ $argument }' 需要一个值，但没有给出
usage-bad-value = '{ $argument }' 的值 '{ $value }' 无效
usage-conflict = 参数 '{ $argument }' 不能与 '{ $other }' 一起使用
usage-twice = 参数 '{ $argument }' 不能多次使用

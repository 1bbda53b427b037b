run-nothing-to-execute = 没有可执行的内容
run-cannot-keep-prompt = 无法保存提示：{ $error }
run-no-directory = 无法启动 { $program }：没有目录 { $cwd }
run-not-found = 无法启动 { $program }：在发起它的 shell 的 PATH 中没有找到
run-cannot-start = 无法启动 { $program }：{ $error }

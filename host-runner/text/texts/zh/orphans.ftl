orphans-do-not-end = 这些进程没有结束：{ $pids }

orphans-do-not-end = 終了しないプロセス：{ $pids }

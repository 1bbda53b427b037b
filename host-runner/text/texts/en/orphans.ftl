orphans-do-not-end = these processes do not end: { $pids }

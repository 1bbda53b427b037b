program-cannot-run = it cannot be run: { $error }
program-failed-with = it failed ({ $status })
program-failed = it failed: { $error }
program-no-answer = it did not answer within { $seconds } s
program-cannot-listen = it cannot be listened to: { $error }

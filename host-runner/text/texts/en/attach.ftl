### What `host-runner attach` says: in the pane's title, and on its terminal when the session is left or has ended.

attach-needs-terminal = attach needs a terminal. To read a session's screen from a script: host-runner screen SESSION
attach-terminal-unusable = cannot use this terminal
attach-failed = the attach client failed
attach-not-up = the host of "{ $name }" did not come up within { $seconds } s
attach-is-that-session = this terminal is that session. Attach from outside it, or use --read-only from another terminal

## The last words.

attach-left = Left "{ $name }"; it goes on. Enter it again: host-runner attach { $id }
# ending is such as: exit code 3. next is attach-go-on or attach-run-again.
attach-ended = "{ $name }" ended with { $ending }. { $next }
attach-go-on = Go on with it: host-runner attach { $id }
attach-run-again = Run it again from the board (→), or look at what it left: host-runner screen { $id }
attach-host-gone = the host of "{ $name }" is gone. See what became of it: host-runner show { $id }
attach-host-unreachable = the host of "{ $name }" cannot be reached. Look at it: host-runner show { $id }

## Why nobody can be let in.

# how is such as: exit code 3. next is attach-cannot-continue or attach-to-continue.
attach-has-ended = "{ $name }" has ended ({ $how }). { $next }: host-runner screen { $id }
attach-was-idle = its process was ended because it was idle
attach-no-process = it has no running process
attach-cannot-continue = It cannot be continued; run it again from the board (→), or look at what it left
attach-to-continue = To continue it, attach to it without --read-only, or look at what it left

## Parts of the pane's title, which zellij cuts at the width of the pane: short ones.

attach-reconnecting = reconnecting
attach-no-screen = its screen does not come, asking again
attach-read-only = read only
# key is a key such as Ctrl+\.
attach-key-leaves = { $key } leaves
attach-not-delivered = what you typed was NOT delivered

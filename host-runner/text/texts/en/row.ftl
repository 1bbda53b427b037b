### What a row says that the board itself wrote into it. Written down in English and said in the reader's language where the row is
### shown; only these are looked for in a row, since agents and people write there, too.

## How a program ended.

row-exit-126 = exit code 126 (command cannot be run)
row-exit-127 = exit code 127 (command not found)
row-exit-code = exit code { $code }
row-signal-named = signal { $number } ({ $name })
row-signal = signal { $number }
row-not-started = could not be started
row-not-started-why = could not be started: { $reason }
row-host-ended = its host ended unexpectedly
row-host-ended-why = its host ended: { $reason }
row-run-ended-why = its run ended: { $reason }
row-could-not-end = it could not be ended

## What a row says.

row-attach-to-answer = Attach to answer the pending question
row-answer-pending = Answer the pending question
row-approve-plan = Approve this plan?
row-plan-ready = Plan ready for approval
row-backgrounded = Backgrounded session
row-running-tests = Running tests
row-running-command = Running command
row-tool = Tool
row-compacting = Compacting
row-editing = Editing { $file }
row-writing = Writing { $file }
row-reading = Reading { $file }
row-listing = Listing { $file }
row-finding = Finding { $pattern }
row-searching-for = Searching /{ $pattern }/
row-running = Running { $command }
row-building = Building
row-linting = Linting
row-finding-files = Finding files
row-searching = Searching
row-editing-files = Editing files
row-writing-files = Writing files
row-reading-files = Reading files
row-listing-files = Listing files
row-tool-failed-said = Tool { $tool } failed: { $said }
row-tool-failed = Tool { $tool } failed
row-trying-again-of = Trying again ({ $attempt } of { $of }): { $error }
row-trying-again = Trying again ({ $attempt }): { $error }
row-stalled = no event and no output for { $age } while it says that it works
row-moves-again = it moves again, or works no more, after about { $age } of silence
row-was-idle = its process was idle for { $age } and was ended; the conversation is kept and goes on when you attach or reply

### What the board tells after a key, and what it asks before it acts.

## Questions. Each ends with (y/N): y accepts.

notice-ask-stop = Stop "{ $name }"? The agent ends; its session is kept. (y/N)
notice-ask-stop-terminal = Stop the terminal "{ $name }"? Its program ends; its agent goes on. (y/N)
notice-ask-done = Mark "{ $name }" as done? (y/N)
notice-ask-clear-log = Clear diagnostics for "{ $name }"? Evidence is preserved. (y/N)
# stops, waiting and kept are sentences; the first two may be empty.
notice-ask-delete = Delete "{ $name }"?{ $stops }{ $waiting } { $kept } (y/N)
notice-stops-run = { " " }Stops the active run.
notice-screen-goes = Its last screen goes too.
notice-file-kept = Session file is preserved.
notice-replies-lost = { $count ->
    [one] { " " }1 reply that waits is thrown away.
   *[other] { " " }{ $count } replies that wait are thrown away.
 }
notice-ask-skip-waits = { $count ->
    [one] Skip 1 wait of "{ $name }"?
   *[other] Skip { $count } waits of "{ $name }"?
 } (y/N)
notice-terminals-lost = { $count ->
    [one] { " " }1 terminal of its agent ends.
   *[other] { " " }{ $count } terminals of its agent end.
 }
notice-ask-many-done = { $count ->
    [one] Mark 1 selected session as done?
   *[other] Mark { $count } selected sessions as done?
 }{ $skipped } (y/N)
notice-skips = { " " }{ $count } will be skipped.
notice-ask-delete-done = { $count ->
    [one] Delete 1 done session?
   *[other] Delete { $count } done sessions?
 }{ $skipped }{ $lost } Session files are preserved. (y/N)
notice-ask-delete-state = { $count ->
    [one] Delete 1 { $label } session?
   *[other] Delete { $count } { $label } sessions?
 }{ $running }{ $lost }{ $hidden } (y/N)
notice-running-skipped = { " " }{ $count } running skipped.
notice-hidden-stay = { " " }{ $count } hidden by the filter stay.
notice-ask-rerun = "{ $name }" ended ({ $ending }). Run it again? (y/N)
notice-ending-unknown = how is not known
notice-ask-clear-queue = { $count ->
    [one] Throw away 1 message that waits for "{ $name }"?
   *[other] Throw away { $count } messages that wait for "{ $name }"?
 } (y/N)

## Verdicts.

notice-stopping = Stopping…
notice-nothing-to-stop = No active run or host to stop
notice-already-done = Already marked done
notice-wait-before-done = Wait for the active run to finish before marking done
notice-wait-before-holding = Wait for the active run to finish before placing on hold
notice-again-to-delete = Press ctrl+x again quickly to delete "{ $name }"
notice-again-to-delete-running = Press ctrl+x again quickly to delete "{ $name }" (stops the active run)
notice-of-its-session = A terminal of an agent stands where its session stands; choose that one
notice-terminal-no-state = A terminal of an agent has no state of its own; x deletes this one
notice-none-to-fold = No terminals of its agent to fold
notice-no-waits = No agent waits for anything in "{ $name }"
notice-select-first = Select one or more sessions first
notice-none-can-be-done = No inactive sessions in the selection can be moved to Done
notice-select-done-first = Select one or more Done sessions first
notice-only-done-deleted = Only Done sessions can be batch deleted
notice-none-to-delete = No inactive { $label } sessions to delete
notice-batch-busy = The last batch is still being carried out; try again in a moment
notice-batch-done = Moved { $count } to Done
notice-batch-deleted = Deleted { $count }
notice-batch-skipped = { " " }· skipped { $count }
notice-batch-skipped-live = { " " }· skipped { $count } live
notice-batch-refused = { " " }· { $count } refused: { $reason }

## Modes and typed texts.

notice-insert-agent = INSERT mode — board shortcuts paused; / is literal
notice-insert-shell = INSERT mode — board shortcuts paused; the line goes to your shell
notice-invitation-agent = Press i, write a task, Enter starts it
notice-invitation-shell = Press i, type a command, Enter starts it
notice-nothing-to-start = Nothing to start: type a command, then press Enter
notice-mode-reply = REPLY INSERT mode — arrows edit; Esc returns
notice-mode-edit-queued = REPLY INSERT mode — Enter changes what waits; Ctrl+C leaves it as it is
notice-nothing-to-send = Nothing to send: type a reply, then press Enter
notice-answer-there = Attach to answer the pending question
notice-no-question = No question is pending
notice-mode-rename = RENAME mode — Enter saves; Esc cancels
notice-needs-a-name = A session needs a name: type one, or press Esc to leave it as it is
notice-mode-tags = TAGS mode — words between blanks; Enter saves; Esc cancels
notice-mode-normal-draft = NORMAL mode (draft kept; Enter goes on with it)
notice-mode-normal-dialog = NORMAL mode (draft kept; n goes on with it)
notice-mode-normal = NORMAL mode (board shortcuts active)
notice-mode-normal-filter = NORMAL mode (the filter stays; esc clears it)
notice-too-many-drafts = Too many drafts are kept: send this one, or drop it with Ctrl+C
notice-draft-kept = Draft kept; r goes on with it
notice-draft-cleared = Draft cleared
notice-session-gone = The session is gone
notice-session-gone-nothing = The session is gone; nothing was done
notice-press-i = Press i to enter INSERT mode, then type or paste
notice-too-long = Too long: a text holds 30 KiB. Write it to a file and name that
notice-mode-filter = FILTER mode — type query; Esc clears
notice-filter-cleared = Filter cleared — NORMAL mode
notice-mode-select = SELECT mode — selection cleared
notice-mode-selected = SELECT mode — { $count } selected
notice-nothing-else-waits = Nothing else waits for you
notice-nothing-waits = Nothing waits for you
notice-none-needs-answer = No session needs an answer
notice-both-drafts-too-long = Both drafts together are too long: start one of them first
notice-no-such-directory = No directory begins so; shift+tab goes up

## What became of a wish.

notice-read-only = Read-only: { $why }
notice-renewed = The plugin is being renewed; try again in a moment
notice-not-connected = Not connected to the board's daemon; nothing was sent. Try again in a moment
notice-too-many-requests = Too many requests wait for an answer; nothing was sent
notice-holding-failed = Hold failed: { $why }
notice-resume-failed = Resume failed: { $why }
notice-delete-failed = Delete failed: { $why }
notice-dispatched = Dispatched: { $task }
notice-runs-again = "{ $name }" runs again
notice-interrupted = Interrupted "{ $name }"
notice-stopped = Stopped "{ $name }"
notice-deleted = Deleted "{ $name }"
notice-marked-unread = Marked unread
notice-reply-sent = Reply sent
notice-queued-changed = Changed what waits
notice-order-changed = Changed the order
notice-queued-removed = Taken out of the queue
notice-sent = Sent
notice-queue-emptied = The queue is empty
notice-marked-done = Marked done
notice-holding = On hold
notice-resumed = Resumed — needs instructions
notice-renamed = Renamed to "{ $name }"
notice-pinned = Pinned "{ $name }"
notice-unpinned = Unpinned "{ $name }"
notice-tags-changed = Tags changed
notice-log-cleared = Diagnostics cleared
notice-waits-skipped = Waits skipped
notice-no-answer = no answer came
notice-no-answer-yet = No answer yet; it is asked again as soon as the daemon can be reached

## Entering a session.

notice-none-to-enter = No session to enter. Press i, type a command, Enter starts it.
notice-none-to-look-at = No session to look at. Press i, type a command, Enter starts it.
notice-is-stopping = "{ $name }" is stopping; it can be entered no more
notice-not-started = "{ $name }" has not started yet; try again in a moment
notice-no-runner = No runner is known, so nothing can be opened: run host-runner up
notice-no-pane = zellij opened no pane for "{ $name }"; try again
notice-no-room = zellij had no room for the pane of "{ $name }". In a layout of your own: no borderless=true on the board's pane
notice-entry-refused = "{ $name }" could not be entered: refused. host-runner attach { $id } in a pane says why
notice-entry-unreachable = "{ $name }" could not be entered: its host cannot be reached. Try again
notice-entry-late = "{ $name }" could not be entered in time. Try again
notice-pane-exited = The pane of "{ $name }" ended with exit code { $code }
notice-pane-signalled = The pane of "{ $name }" was ended by a signal; the session goes on
notice-never-started = "{ $name }" could not be entered: { $runner } did not start
notice-the-runner = the runner
notice-no-transcript = "{ $name }" is no agent and keeps no transcript; l shows its screen
notice-queue-empty = Nothing waits for this session
notice-words-too-long = These words are too long to be changed here: take them out, and write anew
notice-words-under-way = These words are on their way and cannot be changed any more

## Trouble on the way to the daemon.

notice-mismatch = plugin { $plugin }, runner { $runner }: restart the board: close it, then run host-runner up
notice-unknown-build = unknown
notice-loading-plugin = loading the new plugin…
notice-exit-code = exit code { $code }
notice-a-signal = a signal
notice-said-nothing = it said nothing
notice-link-ended = the link ended with { $ending }: { $last }
notice-overflowed = Only the first { $count } sessions are shown: delete some of them
notice-fell-silent = The link fell silent
notice-none-speaks = No link speaks
# what is notice-fell-silent or notice-none-speaks.
notice-silent-no-runner = { $what }, and no runner is known: run host-runner up to open the board
notice-silent-often = { $what }; started one { $attempts } times: run host-runner link in a pane to see why
notice-silent-starting = { $what }; starting one…
notice-setting-not-absolute = plugin setting { $key } "{ $value }" is not an absolute path: it is not used
notice-setting-attach-in = plugin setting attach_in "{ $value }" is not known (tab, beside, in_place, floating): sessions open in a tab
notice-setting-language = plugin setting language "{ $value }" is not known (en, zh, ja): English until the link speaks
notice-setting-count-keys = plugin setting count_keys "{ $value }" is neither "yes" nor "no"
notice-setting-unknown = plugin setting { $key } is not known: it is not used
notice-answer-lost = The answer was lost; try again
notice-no-answer-in-time = No answer in time; try again
notice-choices-not-known = Not connected: favourites and agents are not known
notice-directories-not-known = Not connected: directories cannot be listed

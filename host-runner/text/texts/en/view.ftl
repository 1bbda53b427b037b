### The board's pages: help, runner, header, footer, and what stands where no rows are.

## The help page. Meanings have at most 23 cells at 80 columns.

view-help-title = Hotkeys / keybindings
# page is one of the hotkey-room texts.
view-any-key = press any key to return to { $page }
view-more-below = ↓ more ·{ " " }
view-more-above = ↑ more ·{ " " }
view-in-session = In a session
view-leave-session = leave, it goes on
view-the-same = the same
view-keys-of-zellij = zellij's own keys
view-mouse = Mouse
view-mouse-click = click
view-mouse-click-does = select; again: enter
view-mouse-wheel = wheel
view-mouse-wheel-does = scroll
view-mouse-hint = hint, badge
view-mouse-hint-does = click: as its key
view-kept = Kept by zellij
view-kept-key = zellij keeps { $chord } here
view-kept-key-instead = zellij keeps { $chord } here: use { $other }
view-anywhere = From anywhere
view-signs = Signs (read, unread)
view-sign-no-process = Running, without a process
view-sign-pinned = pinned
view-sign-silent = silent for so long
view-sign-waits = its agent waits
view-sign-errors = errors in its log
view-sign-terminals = terminals of its agent
view-sign-queued = messages that wait
view-sign-tasks = tasks in the background
view-sign-plan = a plan
view-sign-worktree = a linked git worktree
view-sign-resumes = resumes on attach
view-sign-tag = a tag

## Where no rows are.

view-asks = Agent Board asks for its permissions
view-asks-more = Press y to allow them: it then shows your sessions.
view-denied = Agent Board may not do its work
view-denied-why = Its permissions were denied, so it cannot show or open sessions.
view-denied-sessions = Your sessions are not affected: host-runner ls lists them.
view-denied-next = Press Enter to be asked again, then y to allow.
# invitation is notice-invitation-agent or notice-invitation-shell.
view-no-sessions = No sessions yet. { $invitation }.
view-connecting = Connecting to the board…
view-connecting-more = The first answer usually takes less than a second.
view-not-connected = Not connected
view-not-connected-why = The line above says why, and what to do.
view-not-connected-sessions = Sessions go on without the board: host-runner ls lists them.
view-nothing-fits = No sessions match the filter.
view-nothing-fits-next = Press / to change it, Esc to clear it.

## The page about runner and link. The labels have at most 11 cells.

view-runner-title = Runner and link
view-nothing-to-mend = Nothing to mend
view-what-to-do = What to do
view-doctor = host-runner doctor, in a shell, checks everything and says what to do.
view-link-none = none speaks
view-link-silent = silent
view-link-heard = last heard { $seconds } s ago
view-daemon-connected = connected, { $build }
view-not-known = not known
view-granted = granted
view-refused = denied
view-asked-for = asked for
view-runner-not-known = not known: run host-runner up
view-root-default = the default one
view-sessions-counted = { $sessions }, { $hosts } with a process, { $doubtful } in doubt
view-label-plugin = plugin
view-label-runner = runner
view-label-path = path
view-label-root = root
view-label-permission = permission
view-label-link = link
view-label-daemon = daemon
view-label-sessions = sessions

## The first lines. The counts stand in one row, the most important first.

view-read-only = read-only
view-loading = loading
view-connecting-short = connecting
view-not-connected-short = not connected
view-last-known = last known state
view-daemon-build = daemon { $build }
view-connected = connected
# Where there is little room.
view-count-answer = { $count } answer
view-count-needs-answer = { $count } needs answer
view-count-running = { $count } running
view-count-unread = •{ $count } unread
view-count-done = { $count } done
view-calm = nothing runs, nothing waits for you
view-filter = filter:

## The last lines.

view-hints-read-only = ↑↓ move · ? help
view-draft = draft
view-selected = { " " }› { $count } selected
view-in-the-queue = { " " }in the queue
view-deliver-now = { " " }now
view-deliver-queued = { " " }queued

## The list.

view-rows-more = { $arrow } { $count } more
view-shown-of = { $shown } of { $all }
# The badge of a row that has work to look at.
view-work-ready = ready

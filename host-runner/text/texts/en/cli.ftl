cli-adopt-unreadable = the conversation { $path } cannot be read: { $error }
cli-adopt-no-pi = { $path } is no conversation of pi: { $why }
cli-which-directory = cannot tell which directory is meant
cli-adopt-cwd-gone = the directory that you are in is gone: give --cwd
cli-adopt-not-utf8 = the path { $path } is not UTF-8: give it another name
cli-adopt-no-json = its first line is no JSON
cli-adopt-no-session = its first line begins no session
cli-config-no-directory = no configuration directory: set XDG_CONFIG_HOME or HOME to an absolute path
cli-daemon-coordinator-off = host-runner: AGENT_BOARD_COORDINATOR=off: no daemon is started
cli-daemon-cannot-start = cannot start host-runner daemon
cli-evidence-changed-files = Changed files
cli-evidence-it-says = It says
cli-evidence-older = { $dropped } older items are counted, but not kept
cli-evidence-transcript = Transcript: { $transcript }
cli-evidence-ready = , ready for a look
cli-evidence-failed = { " " }({ $failed } failed)
cli-evidence-beginning-not-seen = (its beginning was not seen)
cli-evidence-exit = { " " }[exit { $code }]
cli-ago = { $at } ago
cli-explain-doubt = in doubt: { $doubt }
cli-explain-who = Who said what last; the first one decides
cli-explain-changes = Changes in the last 24 hours, and the one before them (UTC)
cli-explain-unknown-before = nothing is known of the time before { $since }
cli-export-cannot-print = cannot print the export
cli-favourites-none-such = { $path } is none of the favourites. host-runner favourites lists them
cli-cannot-catch-signals = cannot catch signals
cli-root-unusable = the board root cannot be used
cli-host-failed = the session's host failed
cli-launch-none = standard input holds no launch: { $error }
cli-launch-unreadable = cannot read the launch
cli-launch-by-daemon = { $role } is started by the daemon, with a launch on its standard input; use { $instead }
cli-cannot-run = cannot run { $program }
cli-link-outside = no zellij server is among the parents of this process: a link runs inside zellij. Open the board with: host-runner up
cli-ls-none-fits = host-runner: none of { $all } sessions fits. Without words, ls lists them all
cli-ls-none = No sessions. Start one: host-runner start 'COMMAND LINE'
cli-ls-resumes = resumes on attach
cli-give-directory = { $error }; give a directory
cli-orphans-none-of-session = This session has left no process behind.
cli-orphans-none = No session of this board has left a process behind.
cli-orphans-ended = host-runner: ended { $ended } of { $found }
cli-orphans-no-session = there is no session { $wanted }. Without --session all processes are listed, with ids
cli-orphans-several = { $wanted } fits { $several } sessions. Give an id: host-runner ls
cli-orphans-not-on-board = not on the board
cli-plan-age = { $words } (for { $at })
cli-plan-how-to-ask = to ask for one: host-runner plan request { $id } TEXT
cli-plan-how-to-decide = to decide: host-runner plan approve { $id }, or host-runner plan change { $id } TEXT
cli-queue-name-session = name a session: host-runner queue ID
cli-queue-asks-plan = { "[" }asks for a plan]{ " " }
cli-queue-approves-plan = { "[" }approves the plan]{ " " }
cli-queue-sends-back = { "[" }sends the plan back]{ " " }
cli-queue-several = { $name } fits several replies: give more of the id
cli-refs-none = No issue and no change request was met.
cli-refs-change-request = change request
cli-refs-guess = a guess
cli-reply-option-behind = { $last } stands behind the words: put options in front of them, or the words into quotes
cli-run-no-daemon = without a daemon (AGENT_BOARD_COORDINATOR=off) nobody tells when it ends: leave --wait away, and look with host-runner ls
cli-run-works = host-runner: { $id } works; Ctrl+C ends this wait alone, and host-runner stop { $id } the work
cli-cwd-gone = the directory that you are in is gone: cd somewhere else
cli-cwd-not-utf8 = the directory's name is not UTF-8: start it from another one, or give --cwd
cli-run-failed = the run failed
cli-host-answered-else = the host answered with something else: { $other }
cli-host-hangs = the session's host hangs: { $error }
cli-host-unreadable = the session's host cannot be read: { $error }
cli-screen-none = "{ $row }" left no screen
cli-daemon-answered-else = the daemon answered with something else: { $other }
cli-no-option = { $word } is no option of { $command }, or has to stand in front. host-runner help { $command } lists them
cli-stdin-unreadable = the { $what } on standard input cannot be read: { $error }
cli-cannot-print = cannot print
cli-show-was-idle = was idle and is ended; resumes on attach
cli-show-taken = taken { $now }
cli-show-host = pid { $pid } at { $socket }
cli-show-children = { $children-done } of { $children } done
cli-show-background = { $background } running
cli-show-ended-resumes = { $ended }; resumes on attach
cli-show-tokens = { $tokens-read } read, { $tokens-written } written{ $cost }
cli-cannot-write = cannot write { $path }
cli-shutdown-none = host-runner: no daemon was running
cli-shutdown-does-not-end = the daemon (pid { $pid }) does not end. End it with: kill -9 { $pid }
cli-shutdown-ended-more = host-runner: ended { $ended } more that the board did not know
cli-start-size = a size is two numbers, as in 120x36
cli-start-size-range = a terminal has 20 to 1000 columns and 5 to 500 rows
cli-start-nothing = there is nothing to run: give a command line, or -- and a program, or an agent with --agent
cli-start-own-program = cannot find this program
cli-start-cannot-attach = cannot run host-runner attach
cli-stop-not-yet = { $session } was told to end and has not, in { $seconds } s. It is being ended: host-runner show { $session }
cli-transcript-no-page = there is no page { $page }; the last one is { $pages }
cli-transcript-cwd = { " " }· session cwd: { $cwd }
cli-transcript-long = (the file is long: its beginning, or lines of it, were not read)
cli-transcript-empty = Session transcript empty yet.
cli-transcript-earlier = (↑ { $start } earlier: --page { $page }, or --all)
cli-transcript-later = (↓ { $later } later: --page { $page })
cli-transcript-failed = { " " }· failed
cli-transcript-no-answer = { " " }· no answer yet
cli-transcript-more-lines = … { $lines } more lines (--json has them)
cli-up-inside-session = this terminal is a session of the board. Detach with Ctrl+\ and open the board outside it
cli-wait-last-seen = { " " }({ $row }, last seen { $label })
cli-wait-removed = session { $id }{ $last } was taken off the board while it was waited for
cli-wait-not-in-time = not in time: { $said }
cli-wait-states = a state is one of { $names }
cli-wait-duration = a duration is a number of seconds, or 500ms, 30s, 5m, 1h30m
cli-up-server-gone = the zellij server around this terminal (pid { $pid }) has no socket any more. Open the board in another terminal
cli-up-cannot-run-server = cannot run the binary of the zellij server around this terminal
cli-up-zellij-does-not = zellij does not { $first }: { $said }. Try again, or open the board in another terminal
cli-up-layout-no-text = the layout's path is not text
cli-up-cwd-gone = the current directory is gone
cli-up-needs-terminal = the board needs a terminal. In a script use: host-runner start, ls, show
cli-up-not-a-pane = ZELLIJ is set (session { $name }), but this terminal is not one of its panes; opening the board in a session of its own
cli-up-dead-session = zellij does not delete its dead session { $session }: { $said }. Delete it with: zellij delete-session --force { $session }
cli-doctor-failed = { $failed ->
    [one] 1 check
   *[other] { $failed } checks
 } failed; what to do is said above
cli-reconcile-done = { $all ->
    [one] 1 session
   *[other] { $all } sessions
 } compared, { $changed } changed
cli-ls-errors = { $errors ->
    [one] 1 error
   *[other] { $errors } errors
 }
cli-show-label-id = id
cli-show-label-name = name
cli-show-label-agent = agent
cli-show-label-state = state
cli-show-label-summary = summary
cli-show-label-question = question
cli-show-label-error = error
cli-show-label-ended = ended
cli-show-label-process = process
cli-show-label-last-line = last line
cli-show-label-doubt = doubt
cli-show-label-silence = silence
cli-show-label-tags = tags
cli-show-label-pinned = pinned
cli-show-label-terminal-of = terminal of
cli-show-label-waits-for = waits for
cli-show-label-command = command
cli-show-label-directory = directory
cli-show-label-started = started
cli-show-label-active = active
cli-show-label-environment = environment
cli-show-label-attached = attached
cli-show-label-host = host
cli-show-label-program = program
cli-show-label-model = model
cli-show-label-transcript = transcript
cli-show-label-also-asks = also asks
cli-show-label-said = said
cli-show-label-plan = plan
cli-show-label-queued = queued
cli-show-label-agents = agents
cli-show-label-background = background
cli-show-label-tokens = tokens
cli-show-label-review = review
cli-show-label-evidence = evidence
cli-show-label-classified = classified
cli-show-label-diagnostic = diagnostic
cli-show-label-left-behind = left behind
cli-yes = yes
cli-pid = pid { $pid }
cli-show-plan = { $status } (host-runner plan show { $id })
cli-show-stray = pid { $pid }: { $command }
cli-show-wait = { $needle } ({ $ago })
cli-evidence-edited = edited
cli-evidence-written = written
cli-evidence-deleted = deleted
cli-evidence-changed = changed
cli-evidence-times = { " " }({ $count } times)
cli-evidence-commands = Commands
cli-evidence-errors = Errors
cli-evidence-running = running
cli-evidence-passed = passed
cli-evidence-command-failed = FAILED
cli-evidence-unknown = unknown
cli-evidence-test = test
cli-evidence-build = build
cli-evidence-lint = lint
cli-evidence-git = git
cli-evidence-install = install
cli-evidence-count-files = { $count ->
    [one] 1 changed file
   *[other] { $count } changed files
 }
cli-evidence-count-commands = { $count ->
    [one] 1 command
   *[other] { $count } commands
 }
cli-evidence-count-errors = { $count ->
    [one] 1 error
   *[other] { $count } errors
 }
cli-evidence-count-tokens = { $count ->
    [one] 1 token
   *[other] { $count } tokens
 }
cli-evidence-count-answers = { $count ->
    [one] 1 answer
   *[other] { $count } answers
 }
cli-evidence-count-calls = { $count ->
    [one] 1 tool call
   *[other] { $count } tool calls
 }
cli-evidence-review = { $outcome }{ $ready }: { $files }, { $commands }{ $failed }, { $errors }
cli-evidence-usage = { $read } read, { $written } written{ $cost }; { $answers }, { $calls }
cli-refs-issue = issue
cli-refs-sure = sure
cli-refs-likely = likely
cli-refs-seen = { $strength } in a { $source }
cli-explain-is = { $name } ({ $id }) is { $state }
cli-explain-since = { " " }since { $age } ago
cli-is-in-state = { $id } ({ $name }) is { $state }
cli-adopt-no-file = it is no regular file
cli-up-other-board = the zellij session { $session } shows the board of { $root }. Give another name: host-runner up --session NAME

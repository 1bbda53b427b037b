doctor-question-failed = the question failed
doctor-again = Run host-runner doctor again
doctor-agent-without = Without it sessions of { $called } do not start; others do
doctor-agent-not-found = not on PATH, and not needed. To get it: { $how }
doctor-agent-no-version = { $path } prints no version
doctor-agent-is-it = Is it the agent of that name? To get that: { $how }
doctor-agent-version-unknown = { $path } does not say its version: { $why }
doctor-agent-try-version = Try it in a shell: { $path } --version
doctor-strays-no-daemon = the daemon is not there to ask for processes that left their session
doctor-strays-start-daemon = Start it (host-runner ls), then run host-runner doctor again
doctor-board-line = The board shows this line until it is mended
doctor-show-or-stop = host-runner show { $id }; host-runner stop { $id } ends it
doctor-strays-left = { $row } ({ $id }) left processes running ({ $processes }): { $listed }
doctor-strays-kill = Other sessions may use them. If not: kill { $pids }
doctor-sweep-by-agent = the daemon was started by an agent: it never ends idle processes, whatever max_warm_hosts and warm_host_ttl_ms say
doctor-sweep-restart = Restart it from a shell of your own: host-runner shutdown, then host-runner ls; sessions go on
doctor-no-root-yet = none: there is no root yet that could be used
doctor-daemon-shut-down = shut down by a person; any command starts it again: host-runner ls
doctor-daemon-away = does not run; any command starts it: host-runner ls
doctor-daemon-found = build { $build }, protocol { $version }, pid { $pid }, answers in { $milliseconds } ms
doctor-daemon-restart = Restart it: host-runner shutdown, then host-runner ls; sessions go on
doctor-daemon-this-build = this host-runner is build { $build } with protocol { $newest }
doctor-daemon-slow = { $found }, which is slow
doctor-daemon-why-slow = Is the machine out of memory or its disk busy?
doctor-fs-silent = the file system of the root does not answer
doctor-fs-mend-mount = Mend its mount, or set AGENT_BOARD_ROOT to a directory on this machine's own disk
doctor-root-unknown = no root is known
doctor-root-set = Set AGENT_BOARD_ROOT to an absolute path
doctor-fs-unknown-type = unknown type
doctor-fs-no-answer = { $path } does not answer: { $error }
doctor-fs-own-disk = Set AGENT_BOARD_ROOT to a directory on this machine's own disk
doctor-fs-free = { $kind }, { $free } MiB free
doctor-fs-full = { $found }: little room for { $path }
doctor-fs-make-room = Make room: without any, no command is accepted
doctor-fs-network = { $found }: a network file system, so the store runs with journal_mode=TRUNCATE
doctor-fs-network-advice = That is safe and slower. For speed set AGENT_BOARD_ROOT to a directory on this machine's own disk
doctor-fs-wal = { $found }, journal_mode=WAL
doctor-spool-no-daemon = { $found }, which takes them when it starts
doctor-spool-stuck = { $found } although it runs
doctor-spool-log = Its log says why: { $logs }
doctor-sockets-not-listed = the kernel does not list sockets here
doctor-sockets-no-harm = Nothing; a dead socket does no harm
doctor-leftover-remove = Remove when you do not need it: rm { $named }
doctor-link-none-here = none runs for the zellij server around this terminal (pid { $pid })
doctor-link-open-here = The board starts one. Open it here: host-runner up
doctor-link-none = none runs; the board starts one in each zellij session: host-runner up
doctor-link-this-terminal = , the one around this terminal
doctor-link-serves = pid { $pid } serves the zellij server with pid { $server }{ $here }
doctor-link-answered = { $what }; a board answers it
doctor-link-unanswered = { $what }; no board answers it
doctor-link-look = Look at the board's pane: a question of zellij is answered with y, an error goes when the pane is closed and the board opened again (host-runner up)
doctor-link-says-nothing = { $what }; it does not say whether a board answers
doctor-link-older = It is of an older build, or just starting. Close its board and open it again: host-runner up
doctor-environment-old = { $age } old
doctor-environment-age-unknown = of unknown age
doctor-environment-found = sessions from the board in zellij server { $server } get an environment that is { $aged }
doctor-environment-advice = Start sessions from a shell (host-runner start), or quit that zellij session and open the board again
doctor-environment-agent-gone = { $found }; its SSH_AUTH_SOCK { $socket } is gone
doctor-login-survive = loginctl enable-linger once, and open the board with: systemd-run --user --scope host-runner
doctor-login-no-systemd = no systemd here: nothing of it ends sessions at logout
doctor-login-not-killed = no: sessions outlive your last login
doctor-login-killed = yes: logging out ends every session that was started in the login
doctor-login-unknown = not set in logind.conf, and logind does not answer; most distributions ship no
doctor-login-if-killed = If sessions end at logout: { $survive }
doctor-linger-on = on: your user manager runs without a login
doctor-linger-off = off: your user manager and its units end with your last login
doctor-linger-off-fine = off: that matters only for a board that a unit of yours starts
doctor-linger-no-user = your user's name is not known
doctor-host-strange = pid { $pid } (session { $session })
doctor-hosts-without-row = without a row: { $strange }
doctor-hosts-advice = They go on. To end one: kill PID; to end everything of this board: host-runner shutdown --kill-hosts
doctor-orphans-advice = Other sessions may use them. List them with their age: host-runner orphans; end them: host-runner orphans --kill
doctor-no-cache = no cache directory is known
doctor-set-home = Set HOME to an absolute path
doctor-unreadable = { $path } cannot be read: { $error }
doctor-make-readable = Make it readable
doctor-permission-ask-again = Open the board, press Enter in it and answer zellij's question with y
doctor-permission-not-asked = zellij has not asked for it yet, or its answer was forgotten
doctor-permission-open = Open the board (host-runner up) and answer zellij's question with y
doctor-permission-denied = it was denied ({ $file })
doctor-permission-granted = granted ({ $file })
doctor-permission-partly = granted without { $missing }
doctor-plugin-fits = { $path } is of this build ({ $build })
doctor-plugin-missing = { $path } is not there yet
doctor-plugin-up-puts = host-runner up puts it there
doctor-plugin-other-build = { $path } is of another build than this host-runner ({ $build })
doctor-plugin-up-replaces = host-runner up replaces it; open boards load it again
doctor-plugin-readable = Make { $path } readable, or remove it and run host-runner up
doctor-root-missing = { $directory } does not exist yet; the first command makes it
doctor-root-open-to-others = { $directory } may be entered by others (mode { $mode })
doctor-root-chmod = chmod 700 { $directory } (the next command does it too)
doctor-root-this-machine = of this machine
doctor-root-no-machine = of no machine yet
doctor-root-fine = { $directory } is yours, private (mode { $mode }), { $machine }
doctor-fs-its-silent = its file system does not answer
doctor-settings-no-file = no file
doctor-settings-read = { $path } is read
doctor-settings-missing = { $path } does not exist; everything has its default or its variable
doctor-settings-mend = Mend it in { $path } or in your environment
doctor-sockets-missing = { $path } does not exist; the next command makes it
doctor-sockets-elsewhere = in { $path }, because the root's path is too long or its file system holds no sockets. If something cleans /tmp, set AGENT_BOARD_ROOT to a short path
doctor-store-gone = { $path } is gone although the daemon runs
doctor-store-gone-advice = The daemon writes it anew within seconds; run host-runner doctor again. If it stays away: host-runner shutdown, then host-runner ls
doctor-store-not-yet = { $path } does not exist yet
doctor-store-unfinished = { $path } has an unfinished log: its last daemon did not end in an orderly way
doctor-store-recover = Any command starts a daemon, which recovers it: host-runner ls
doctor-store-restart = Restart the daemon: host-runner shutdown, then host-runner ls; sessions go on
doctor-store-kept-aside = The next daemon keeps a damaged file aside and starts with an empty board; sessions go on
doctor-store-damaged = damaged: { $problem }
doctor-store-copy = Copy board.db and its companions somewhere safe, then: host-runner shutdown; host-runner ls. Sessions go on
doctor-store-quarantine = Nothing else is affected. The table quarantine of board.db holds what was read
doctor-store-whole = whole; { $found }
doctor-zellij-unset = Unset the setting zellij, or name a zellij { $supported }
doctor-zellij-outside = this terminal does not run inside zellij
doctor-zellij-quit = Quit this zellij session and open the board in one of zellij { $supported }: host-runner up
doctor-zellij-runs = { $version } runs around this terminal (pid { $pid })
doctor-zellij-unsupported = { $version } runs around this terminal (pid { $pid }) and is not supported
doctor-zellij-no-version = pid { $pid } does not say its version
doctor-zellij-version-unknown = pid { $pid } does not say its version: { $why }
doctor-strays-none = none in { $sessions ->
    [one] 1 session
   *[other] { $sessions } sessions
 }
doctor-spool-waits = { $facts ->
    [one] 1 fact waits for the daemon
   *[other] { $facts } facts wait for the daemon
 }
doctor-leftover-sockets = { $sockets ->
    [one] 1 socket
   *[other] { $sockets } sockets
 } of a host that was killed
doctor-leftover-locks = { $locks ->
    [one] 1 lock
   *[other] { $locks } locks
 } of a link that was killed
doctor-leftover-stores = { $files ->
    [one] 1 file
   *[other] { $files } files
 } of a store that was damaged and kept aside
doctor-hosts-fine = { $hosts ->
    [one] 1 host, each with its row
   *[other] { $hosts } hosts, each with its row
 }
# named is the list of the processes, more is empty or an ellipsis.
doctor-orphans-left = { $processes ->
    [one] 1 process left behind
   *[other] { $processes } processes left behind
 }: { $named }{ $more }
doctor-store-found = schema { $schema }, { $sessions ->
    [one] 1 session
   *[other] { $sessions } sessions
 }
doctor-store-quarantined = { $found }; { $records ->
    [one] 1 damaged record
   *[other] { $records } damaged records
 } could not be read and is set apart
doctor-age-seconds = { $number ->
    [one] 1 second
   *[other] { $number } seconds
 }
doctor-age-minutes = { $number ->
    [one] 1 minute
   *[other] { $number } minutes
 }
doctor-age-hours = { $number ->
    [one] 1 hour
   *[other] { $number } hours
 }
doctor-age-days = { $number ->
    [one] 1 day
   *[other] { $number } days
 }
doctor-none = none
doctor-spool-empty = empty
doctor-status-ok = ok
doctor-status-warn = warn
doctor-status-fail = FAIL

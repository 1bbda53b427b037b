client-no-daemon = no daemon runs for this board. Any command of yours starts it: host-runner ls
client-shut-down = the board was shut down. Any command of yours starts it again: host-runner ls
client-foreign = the daemon's socket belongs to uid { $uid }, not to you. Set AGENT_BOARD_ROOT to a directory of your own
client-not-our-protocol = what listens on the daemon's socket does not speak our protocol: { $error }. End it and try again
client-cannot-start = cannot start the daemon: { $error }. Check that the host-runner binary is still where it was
client-did-not-come-up = the daemon did not come up: { $reason }. Its log: { $log }
client-older-does-not-end = the older daemon (pid { $pid }) does not end. End it with: kill -9 { $pid }; sessions go on
client-coordinator-off = AGENT_BOARD_COORDINATOR=off: there is no daemon, and this needs one. Unset that variable
client-coordinator-taken = AGENT_BOARD_COORDINATOR=off, but another process (pid { $owner }) has this board: a daemon, or another command. Unset that variable, or end the daemon: host-runner shutdown
client-broke = the connection to the daemon broke: { $error }. Try again
client-other-answer = the daemon gave another answer than { $expected }. Restart it: host-runner shutdown, then try again
client-cannot-change = cannot change { $path }: { $reason }
client-detach-failed = host-runner daemon --detach: { $status }
client-silent = the daemon (pid { $pid }) does not answer. End it with: kill -9 { $pid }; the next command starts a new one and sessions go on. Its log: { $log }
client-silent-stranger = the daemon does not answer. End it; the next command starts a new one and sessions go on. Its log: { $log }
client-daemon-older = the daemon (build { $build }, pid { $pid }) speaks protocol { $oldest } to { $newest }, and this build ({ $our-build }) speaks { $our-oldest } to { $our-newest }. Run any host-runner command of this build to replace it; sessions go on
client-daemon-newer = the daemon (build { $build }, pid { $pid }) speaks protocol { $oldest } to { $newest }, and this build ({ $our-build }) speaks { $our-oldest } to { $our-newest }. Restart what you run here with the newer host-runner: close this pane or command and start it again
# Kinds of answers of the daemon, inside the sentence of client-other-answer.
client-a-session = a session
client-an-outcome = an outcome
client-an-explanation = an explanation
client-a-shutdown = a shutdown
client-the-favourites = the favourites
client-skipped-waits = skipped waits
client-diagnostics = diagnostics
client-waits = waits
client-references = refs
client-export-part = a part of an export
client-evidence = evidence
client-a-screen = a screen
client-comparison-end = the end of a comparison

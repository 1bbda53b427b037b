### What the link says: in its status pane of one row, and on the board when something cannot be done or seen.

## Commands of the board.

link-too-many-commands = too many commands wait for the daemon. Wait until they are answered, then try again
link-no-outcome = the daemon gave no outcome. Look at the board to see whether it was done
link-no-answer = the daemon did not answer in time. Look at the board to see whether it was done, then try again
# why is one of the texts about the connection below.
link-not-done = not done: { $why }

## The connection to the daemon.

link-connecting = connecting to the daemon…
link-daemon-broke = the connection to the daemon broke: { $error }
link-daemon-ended = the daemon ended; it is being started again
link-daemon-silent = the daemon (pid { $pid }) does not answer. End it with: kill -9 { $pid }; sessions go on
link-daemon-unreadable = the daemon's answer cannot be read: { $error }. Restart it: host-runner shutdown
link-daemon-does-not-read = the daemon does not read what it is sent. Restart it: host-runner shutdown

## Directories that a path could go on with.

link-path-too-long = That is no path: it is too long
link-directories-hang = Directories that were looked at before do not answer (a dead network mount?). Type the path in full
link-directories-no-thread = No thread can be started to look at directories. Type the path in full
link-directory-silent = { $path } does not answer (a dead network mount?)
link-directory-missing = There is no directory { $path }
link-directory-is-none = { $path } is not a directory
link-directory-forbidden = You may not read { $path }; its directories can be typed
link-directory-unreadable = { $path } cannot be read: { $error }

## What an open view asks for.

link-screen-none = It left no screen: its program printed nothing, or ended without a host
link-answer-other = The daemon answered with something else: restart it: host-runner shutdown
link-answer-late = No answer in time. It is asked again as soon as the view is opened again
link-transcripts-busy = Other transcripts are still being read: does their file system answer?

## The status pane: one line, cut at its width.

link-status = Agent Board: { $says }
link-status-not-connected = not connected
link-status-last-heard = not connected · { $running } running when last heard
link-status-no-board = waiting for the board
link-status-reading = reading the board…
link-status-running = { $running } running
link-status-needs-answer = { $sessions } needs answer
link-status-unread = { $sessions } unread

## The process itself.

link-no-event-loop = cannot start the link's event loop
link-no-place = cannot lock the link's place
link-has-ended = the link has ended

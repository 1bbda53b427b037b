### One session, large: peek, screen, transcript, evidence.

## On every page.

session-alive = { " " }· alive
session-starting = { " " }· starting
session-stopping = { " " }· stopping
session-loading = loading…
session-more-lines = { $arrow } { $count } more
session-now = now

## Labels of peek: at most 9 cells.

session-label-doubt = doubt
session-label-folder = folder
session-label-about = about
session-label-agent = agent
session-label-runs = runs
session-label-tags = tags
session-label-ended = ended
session-label-process = process
session-label-summary = summary
session-label-plan = plan
session-label-question = question
session-label-said-last = said last
session-label-shows = shows
session-label-did = did
session-label-error = error
session-label-left = left
session-label-judged = judged
session-label-waits = waits
session-label-evidence = evidence

## Peek.

session-left-behind = { $count ->
    [one] 1 process left behind
   *[other] { $count } processes left behind
 } ·{ " " }
session-waiting = Agent is waiting for { $needle }
session-waiting-just-now = Agent is waiting for { $needle } (since just now)
session-waiting-for = Agent is waiting for { $needle } (for { $age })
session-waits-for-it = Waits for it: { $count }
session-queue-hint = { " " }(q changes it)
session-worktree = { $folder } (linked worktree { $worktree })
session-resumes-too = { $ended }; resumes on attach
session-was-idle = was idle and is ended; resumes on attach
session-plan-how = { $status }: host-runner plan show { $id }, then plan approve { $id } or plan change { $id } TEXT
session-did-where = { $did } (e shows it)
session-high = high
session-medium = medium
session-low = low
session-by-rules = rules
session-by-model = a model
# confidence is session-high, -medium or -low; by is session-by-rules or -by-model.
session-judgement = { $confidence } confidence by { $by }: { $reason }
session-just-now = { $evidence }, just now
session-ago = { $evidence }, { $age } ago
session-issue = issue { $label }
session-change-request = change request { $label }
session-probably = , probably
session-a-guess = , a guess
session-under-way = on its way{ "  " }
session-sent = sent{ "  " }
session-arrival-unknown = arrival not known{ "  " }

## Screen and transcript.

session-screen-live = { " " }its screen, to look at{ " " }
session-screen-last = { " " }the last that it showed{ " " }
session-screen-empty = It shows nothing.
session-answer-empty = The answer says nothing.
session-transcript = { " " }transcript{ " " }
session-transcript-part = { " " }transcript · { $first }–{ $last } of { $total }{ " " }
session-transcript-cwd = session cwd: { $cwd }
session-transcript-earlier = ↑ { $count } earlier
session-transcript-later = ↓ { $count } later
session-transcript-incomplete = The file is long: not all of it was read.
session-transcript-empty = Session transcript empty yet.
session-output-more = … { $count } more

## Evidence.

session-diagnostics = Diagnostics
session-evidence = Evidence
session-decides = { $evidence } (this decides)
session-nothing-said = Nothing was said yet.
session-what-moved-it = What moved it
session-new = new
session-nothing-moved = Nothing in the last 24 hours.
session-log-more = { $count } more: host-runner log prints them
session-none = None.
session-work = Work
session-changed-files = Changed files
session-commands = Commands
session-errors = Errors
session-it-says = It says
session-transcript-at = transcript: { $path }
session-evidence-more = { $count } more: host-runner evidence prints what is kept
session-ready-for-a-look = ready for a look
session-nothing-to-show = nothing to show yet
session-files-changed = { $count ->
    [one] 1 file changed
   *[other] { $count } files changed
 }
session-commands-run = { $count ->
    [one] 1 command
   *[other] { $count } commands
 }
session-commands-failed = { $count ->
    [one] 1 command
   *[other] { $count } commands
 }, { $failed } failed
session-errors-counted = { $count ->
    [one] 1 error
   *[other] { $count } errors
 }
session-tokens = { $read } tokens read, { $written } written
session-file-edited = edited { $file }
session-file-written = written { $file }
session-file-deleted = deleted { $file }
session-kind-test = test:{ " " }
session-kind-build = build:{ " " }
session-kind-lint = lint:{ " " }
session-kind-git = git:{ " " }
session-kind-install = install:{ " " }
session-command-not-seen = (a command whose beginning was not seen)
session-exit = { " " }· exit { $code }
session-ready = ready
session-in-progress = in progress
session-unknown = unknown

### What is written down or sent in English by the daemon, hosts and runs, because whoever reads it later may speak another
### language. Whoever shows it says it in the reader's one: `retold` finds a text here, or among those of the areas that the
### generator lists, by its English words.

## Who moved a row.

told-agent-event = agent event
told-process-start = process start
told-process-exit = process exit
told-person = person
told-classifier = classifier
told-run-voice = run

## What they said.

told-started-it = started it
told-ran-again = ran it again
told-entered-it = entered it
told-asked-to-end = asked it to end
told-sent-interrupt = sent the interrupt key
told-done = done
told-on-hold = on hold
told-off-hold = off hold
told-typed-into = typed into it
told-replied-to = replied to it
told-asked-for = asked for
told-started = started
told-started-waiting = started with words that waited
told-found-at-work = found at work
told-ended = ended
told-a-plan = a plan
told-brought-here = brought it here
told-asked-for-plan = asked for a plan
told-approved-plan = approved the plan
told-sent-plan-back = sent the plan back
told-plan-carried-out = has the plan carried out
told-took-plan-words-back = took words about the plan back
told-forgot-plan = forgot the plan
told-plan-decided = the plan is decided
told-conversation-began = a conversation began
told-persons-input = a person's input
told-input = input
told-works = works
told-asks-in-words = asks in its words
told-speaks = speaks
told-startup-prompt = startup prompt
told-question = question
told-a-question = a question
told-question-answered = a question was answered
told-question-closed = question closed
told-settled = settled
told-settled-background = settled, with tasks in the background
told-waits = waits
told-another-conversation = another conversation
told-another-model = another model
told-nobodys-input = input that no person typed
told-beginning-of-work = a beginning of work
told-words = words
told-answered-question = an answered question
told-end-of-work = an end of work
told-end-of-conversation = the end of a conversation
told-background-tasks = tasks in the background
told-wait-for-person = a wait for the person
told-run-without-word = the run ended without a word
told-pid = pid { $pid }
told-process-began = the start of its process
told-process-lost = the loss of its process
told-process-ended = the end of its process
told-first-words = first words
told-more-words = more words
told-another-plan = another plan
told-approved-carried-out = an approved plan, carried out

## The rule by which a row stands where it stands.

told-rule-new = A new session is Queued until its program reports.
told-rule-again = A session that is run again is Queued until its program reports.
told-rule-entered = Words that never reached the agent are said again: it is Queued until the agent reports. Otherwise entering moves nothing.
told-rule-stop = The row is Stopped once the program has ended.
told-rule-interrupt = The row follows what the agent makes of it.
told-rule-no-turns = A program without turns is Running as long as it runs.
told-rule-told-nothing = An agent that has been told nothing, or is back after its end, waits for instructions.
told-rule-person-says = A person says where a row belongs, and only a person moves it away.
told-rule-off-hold = A row off hold waits for instructions or for the decision about its plan, or runs if its program has no turns.
told-rule-lifted = Who speaks to a session takes their verdict away.
told-rule-classifier = After a turn, the classifier reads the last words: it may ask, leave or, where that is configured, finish the row.
told-rule-run-queued = A headless run that was asked for is Queued.
told-rule-run-began = A headless run that has begun is Running.
told-rule-plan-waits = A plan waits for a person's approval.
told-rule-elsewhere = A session that was started elsewhere waits for instructions.
told-rule-plan-decided = The plan was decided: the row waits for what the agent makes of it.
told-rule-plan-said = What an agent says at the end of a turn that was to plan is its plan, and waits for a person's approval.
told-rule-plan-withdrawn = The plan waits for a person's approval again.
told-rule-no-plan = Without a plan there is nothing to approve.
told-rule-asked-end = A person had asked for the end: how the program ended does not count.
told-rule-end-failed = An end with an error, by a signal or without a word is a failure.
told-rule-end-well = An end without an error is never taken for Done: somebody has to say what comes next.
told-rule-run-asked-end = A person had asked for the end of the run.
told-rule-run-failed = A run that ends with an error or was cut off is a failure.
told-rule-run-asks = The last words of the run ask something.
told-rule-run-well = A run that ends well is never taken for Done: somebody has to say what comes next.
told-rule-new-conversation = In a new conversation nothing runs: it waits for instructions.
told-rule-other-model = Another model moves no row.
told-rule-conversation-left = The end of a conversation moves no row: another one may follow.
told-rule-background = How many tasks run in the background moves no row by itself.
told-rule-found-idle = It waits for the person: what it did has ended, whether or not it said so.
told-rule-verdict = A person's verdict stands: no machine moves the row.
told-rule-spoken-to = A person spoke to the agent: its turn runs, and a verdict is lifted.
told-rule-reached = Words reached the agent: its turn runs.
told-rule-question-first = An open question comes before the work.
told-rule-running = An agent that says that it works is Running.
told-rule-words-ask = Its words ask the person something.
told-rule-words-go-on = Its words ask nothing, and its turn goes on.
told-rule-question-open = A question is open: it comes before everything else.
told-rule-question-still = Another question is still open.
told-rule-no-question = No question is open any more: the row goes back to what runs.
told-rule-settled-background = Its turn ended, and tasks that it left in the background still run.
told-rule-settled-asks = Its turn ended, and a question is open or its last words ask something.
told-rule-settled = Its turn ended, and nobody has said what comes next.
told-rule-none = No rule explains this. It is a fault of the board: please report it.

## What a classifier makes of last words.

told-model-done-off = Model reported done but auto-done is disabled
told-assistant-done-off = Assistant reported completion but auto-done is disabled
told-assistant-asked = Assistant asked for input
told-assistant-done = Assistant reported completion
told-assistant-remaining = Assistant reported remaining work
told-no-signal = No clear completion or input signal
told-model-done = Model says that the work is done
told-model-asks = Model says that input is needed
told-model-remains = Model says that work remains
told-no-words = it printed no words
told-no-name = what it printed is no name
told-no-text = what it printed is no text
told-no-json = it printed no JSON object
told-no-state = its JSON has no text "state"
told-bad-state = its "state" is none
told-late-name = it came too late: the session is called { $name } by now
told-late-words = it came too late: the session has said something else since
told-no-command = no such command is set
told-too-many-commands = too many wait for their commands
told-no-runner = nothing runs commands any more
told-cannot-start = it cannot be started: { $error }
told-printed-too-much = it printed more than { $bytes } bytes and was ended
told-end-unknown = how it ended is not known: { $error }
told-failed-said = it failed ({ $status }): { $said }
told-took-too-long = it took too long and was ended
told-daemon-ends = the daemon ends

## Refusals.

told-run-over = a run says nothing after its end
told-process-has-ended = its process has ended: { $event }
told-taken-off = its session was taken off the board
told-wrong-secret = its secret is not the session's
told-another-host = another host took its place
told-session-has-ended = its session has ended
told-person-keeps = a person keeps { $session }: it is theirs to end

## Words that wait.

told-item-waits = { $item } waits: { $refusal }
told-agent-has = the agent has { $item }
told-not-written = { $item } was not written: { $reason }
told-program-ended-writing = the program ended while { $item } was written: whether the agent got it is not known
told-host-ended-writing = the host ended while it wrote { $item }: whether the agent got it is not known. It is not sent again by itself

## The log of a session.

told-and-more = … and { $count } more
told-more-like-this = { $count } more like this
told-no-secret = an event of { $adapter } without this session's secret was not taken
told-foreign-adapter = { $adapter } reports to a session of { $agent }
told-unread = this agent's reports are not read
told-changed-nothing = { $what } changed nothing: { $code } ({ $kind })
told-did-not-move = { $what } did not move the row: a person put it where it is ({ $kind })
told-a-classification = a classification
told-a-command = a command ({ $name })
told-with-arguments = { $program } with { $count } arguments
told-poll-failed = poll failed: { $error }
told-line-no-event = a line of { $bytes } bytes is no event
told-line-of = a line of { $bytes } bytes
told-no-room = { $count } reports found no room
told-latch-armed = SIGTERM and SIGINT are kept from here on
told-over-volume = { $count } events over the volume limit

## The store.

told-store-unwritable = The store cannot be written: { $error }
told-strength-view = view
told-strength-claim = claim
told-strength-action = action
told-strength-mention = mention

### What is refused about a session's name, tags and plan, and when a command names no session.

# typed is in quotes.
model-no-session = there is no session { $typed }. host-runner ls shows those there are
model-several-sessions = { $typed } fits { $count } sessions: { $sessions }. Give an id

model-name-empty = a name needs at least one visible character
model-name-too-wide = the name is wider than { $cells } cells: give a shorter one
# typed is in quotes.
model-no-tag = { $typed } is no tag: a tag is one word, such as #urgent
model-tag-too-wide = the tag is wider than { $cells } cells: give a shorter one

model-plan-not-awaiting = No plan is awaiting approval
model-plan-empty-change = Empty change request
model-plan-empty-request = Empty plan request
model-plan-none = There is no plan
model-plan-not-approved = The plan is not approved

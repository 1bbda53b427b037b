### The launch dialog.

launch-title = New session
launch-starting = Starting…
# Stands on one line of 84 cells, or not at all.
launch-advice = name:NAME and #TAG in the first line name and tag it; \#TAG is only text
launch-default = default
launch-no-task = none: it opens with an empty editor
launch-shell-command = a command for your shell
launch-name = name{ " " }

## Labels of the fields, and shorter ones where there is little room.

launch-label-agent = agent
launch-label-folder = folder
launch-label-command = command
launch-label-task = task
launch-label-model = model
launch-label-thinking = thinking
launch-short-folder = in
launch-short-command = run
launch-short-thinking = think

## Buttons: the longest pair that fits.

launch-start-long = Start in the background
launch-start-enter-long = Start and enter it
launch-start = Start
launch-start-enter = Start and enter
launch-start-short = start
launch-start-enter-short = enter

## The list of folders.

launch-directories = directories
launch-favourites = favourites · type to search
launch-looking = looking…
launch-no-directory = no directory begins so
launch-none-yet = none yet
launch-more = ↓ { $count } more

transcript-compacted = The conversation was compacted.
transcript-not-yet = Session file not created yet.
transcript-none = There is no transcript: this program is no agent that keeps one. l shows its screen
transcript-failed-silently = it failed without saying why
transcript-no-regular-file = Couldn't read session: { $value } is no regular file
transcript-unreadable = Couldn't read session: { $value }

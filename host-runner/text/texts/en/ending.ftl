### How programs end. The model stores these words in English; the English texts are the same, word for word.

ending-exit-code = exit code { $code }
ending-cannot-run = exit code 126 (command cannot be run)
ending-not-found = exit code 127 (command not found)
# signal is a number, and its name in brackets where it has one.
ending-signal = signal { $signal }
ending-never-started = could not be started
ending-host-lost = its host ended unexpectedly
ending-with-reason = { $ending }: { $reason }

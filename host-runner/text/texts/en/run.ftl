run-nothing-to-execute = there is nothing to execute
run-cannot-keep-prompt = cannot keep the prompt: { $error }
run-no-directory = cannot start { $program }: there is no directory { $cwd }
run-not-found = cannot start { $program }: it was not found in the PATH of the shell that asked for it
run-cannot-start = cannot start { $program }: { $error }

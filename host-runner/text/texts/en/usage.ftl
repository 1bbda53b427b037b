### The words of the command line's own: headings of help, and what is wrong with a line that was typed. English is clap's.

usage-heading = Usage
usage-arguments = Arguments
usage-options = Options
usage-commands = Commands
usage-help = Print help
usage-version = Print version
usage-help-command = Print this message or the help of the given subcommand(s)
usage-default = [default: { $value }]
usage-possible = [possible values: { $values }]
usage-error = error: { $what }
usage-more = For more information, try '--help'.
usage-unknown-argument = unexpected argument '{ $argument }' found
usage-unknown-command = unrecognized subcommand '{ $name }'
usage-similar = a similar one exists: '{ $name }'
usage-missing = the following required arguments were not provided: { $names }
usage-no-value = a value is required for '{ $argument }' but none was supplied
usage-bad-value = invalid value '{ $value }' for '{ $argument }'
usage-conflict = the argument '{ $argument }' cannot be used with '{ $other }'
usage-twice = the argument '{ $argument }' cannot be used multiple times

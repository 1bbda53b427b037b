refs-unreadable = { $file } cannot be read and is left out: { $error }
refs-too-many = { $file } has more than { $most } providers: the rest is left out
refs-bad-rule = { $file }: rule { $place } of { $described } is left out: { $error }
refs-is-no-file = it is no file
refs-too-large = it is larger than { $most } bytes
refs-bad-pattern = its pattern cannot be used: { $error }
refs-no-group = its pattern has no group for the number

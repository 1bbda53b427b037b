### The board root: where it is, and why it cannot be used.

root-unknown = no board root: set AGENT_BOARD_ROOT, XDG_STATE_HOME or HOME to an absolute path
# The root of another user. owner and caller are user ids.
root-foreign = { $path } belongs to uid { $owner }, and you are uid { $uid }. A board has one owner: run this as that user (not through sudo), or set AGENT_BOARD_ROOT to a directory of your own
# A home directory that several machines share. theirs and ours are machine ids.
root-other-machine = { $path } is the board of another machine ({ $theirs }; this one is { $ours }). Set AGENT_BOARD_ROOT to a directory on this machine's own disk
# what is root-is-a-file or root-is-a-link.
root-not-ours = { $path } is not a directory of ours: { $what }. Move it away and try again
root-is-a-file = it is a file
root-is-a-link = it is a link
root-io = cannot use { $path }: { $source }. Another directory can be given with --root or AGENT_BOARD_ROOT

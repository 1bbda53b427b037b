### What is said when the plugin or a layout cannot be put in place.

assets-no-plugin = the plugin is not part of this build and does not lie beside it ({ $path }). Build both with: make build; or install both with: make install
# path and character are in quotes, hint is one of the three hints below.
assets-inexpressible = zellij cannot be given the { $what } { $path }: it contains { $character }. Use a path without it{ $hint }
assets-plugin-path = plugin path
assets-runner-path = runner path
assets-board-root = board root
assets-hint-plugin = : set XDG_DATA_HOME
assets-hint-runner = : install host-runner elsewhere
assets-hint-root = : give another one with --root
assets-no-data-directory = no place for the plugin: set HOME or XDG_DATA_HOME to an absolute path
assets-cannot-write = cannot write { $path }: { $error }

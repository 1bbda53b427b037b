zellij-setting = the setting zellij
zellij-needed = { $found } The board needs zellij { $major }.{ $minor }. Install it: make setup (in the source tree), or: cargo install --locked zellij@{ $pinned }; or name one with { $setting } (AGENT_BOARD_ZELLIJ)
zellij-not-made-for = { $setting } names zellij { $version }, which the board was not made for
zellij-override-cannot-run = { $path } ({ $setting }) cannot be run as zellij.
zellij-unsupported = zellij { $version } ({ $path }) is not supported.
zellij-cannot-run = { $path } cannot be run as zellij.
zellij-missing = zellij is not installed.

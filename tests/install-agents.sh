#!/usr/bin/env bash
# Installs the pinned agents that the tests run into a cache outside of the repository. Running it again does nothing.
set -euo pipefail

cache="${AGENT_BOARD_CACHE:-$HOME/.cache/agent-board}/agents"

# install NAME PACKAGE@VERSION… : one directory for each agent, so that their dependencies never meet. The stamp is
# written last: an installation that broke off is done again.
install() {
    local directory="$cache/$1"
    shift
    if [[ "$(cat "$directory/.installed" 2>/dev/null)" == "$*" ]]; then
        echo "$directory: $* (already there)"
        return
    fi
    rm -rf "$directory"
    mkdir -p "$directory"
    # A package.json of its own keeps npm from climbing into one above the cache.
    echo '{"private": true}' >"$directory/package.json"
    npm install --prefix "$directory" --no-audit --no-fund --loglevel=error "$@"
    echo "$*" >"$directory/.installed"
    echo "$directory: $*"
}

install pi-0.73.1 @mariozechner/pi-coding-agent@0.73.1
# Only its recordings are tested, and those are in the repository: `install-agents.sh recordings`.
if [[ "${1:-}" == recordings ]]; then
    install opencode-1.18.33 opencode-ai@1.18.33
fi
# The second generation needs Node 22.19 or later; it brings its own.
install pi-1.6.0 @earendil-works/pi-coding-agent@1.6.0 node@22.23.3
# A program of one file, in a package for each platform; npm takes this platform's.
install claude-2.1.197 @anthropic-ai/claude-code@2.1.197
# The oldest version that the product accepts.
install codex-0.63.0 @openai/codex@0.63.0

# The official client of the Model Context Protocol, with everything that it needs, each file known by its hash.
client="${AGENT_BOARD_CACHE:-$HOME/.cache/agent-board}/mcp-python"
wanted="$(dirname "${BASH_SOURCE[0]}")/tests/mcp/requirements.txt"
if cmp -s "$wanted" "$client/.installed"; then
    echo "$client: $(grep -m1 '^mcp==' "$wanted" | cut -d' ' -f1) (already there)"
else
    rm -rf "$client"
    python3 -m venv "$client"
    "$client/bin/pip" install --quiet --disable-pip-version-check --require-hashes --only-binary :all: -r "$wanted"
    cp "$wanted" "$client/.installed"
    echo "$client: $(grep -m1 '^mcp==' "$wanted" | cut -d' ' -f1)"
fi

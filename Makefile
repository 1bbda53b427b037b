# Agent Board: `make run` opens the board, `make test` runs every test. Both set up what is missing first and are fast
# when nothing is. `make help` lists the rest.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

CARGO ?= cargo
# The most that the plugin may weigh, in bytes: zellij translates all of it before the board is seen.
PLUGIN_BYTES := 2097152
# What is expensive to make and belongs to no checkout: zellij.
CACHE := $(or $(AGENT_BOARD_CACHE),$(HOME)/.cache/agent-board)
ZELLIJ_VERSION := 0.45.1
# What the benchmark compares with, beside tmux and dtach.
SHPOOL_VERSION := 0.11.5
ZELLIJ := $(CACHE)/zellij-$(ZELLIJ_VERSION)/bin/zellij
# Where cargo builds: also where a person has told it to build elsewhere.
TARGET := $(abspath $(or $(CARGO_TARGET_DIR),$(CURDIR)/target))
PLUGIN := $(TARGET)/wasm32-wasip1/plugin/agent-board.wasm
RUNNER := $(TARGET)/release/host-runner
WEB := $(TARGET)/wasm32-unknown-unknown/plugin/board_web.wasm
# The version, and what the plugin is made of: a running plugin reloads itself when the file on disk is of another build.
VERSION := $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
SOURCES := $(shell find plugin host-runner/protocol host-runner/text -name '*.rs' -o -name '*.ftl' -o -name Cargo.toml | LC_ALL=C sort)
BUILD := $(VERSION)+$(shell cat $(SOURCES) Cargo.lock | sha256sum | cut -c1-8)
# Every crate of the workspace.
CRATES := board-protocol board-text host-runner board-view board-web agent-board-plugin e2e
# Debian packages: a C compiler, make, perl and pkg-config build SQLite and zellij; less is a session of the tests,
# and node and npm bring and run the agents of the tests.
PACKAGES := gcc:gcc libc6-dev:/usr/include/stdio.h make:make perl:perl pkg-config:pkg-config less:less nodejs:node npm:npm python3:python3 python3-venv:$(firstword $(wildcard /usr/lib/python3*/ensurepip) /usr/lib/python3/ensurepip)

.PHONY: help
help: ## this list
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand -t 16

.PHONY: run
run: build $(ZELLIJ) ## build everything and open the board
	@AGENT_BOARD_CACHE='$(CACHE)' '$(RUNNER)'

.PHONY: build
build: plugin ## the runner in release mode, with plugin and layouts inside
	@AGENT_BOARD_PLUGIN_WASM='$(PLUGIN)' AGENT_BOARD_BUILD='$(BUILD)' $(CARGO) build --locked --release -p host-runner

.PHONY: plugin
plugin: ## the plugin alone
	@AGENT_BOARD_BUILD='$(BUILD)' .ci/wasm wasm32-wasip1 build --locked --profile plugin -p agent-board-plugin
	@size=$$(stat -c %s '$(PLUGIN)'); \
	if [ "$$size" -ge $(PLUGIN_BYTES) ]; then echo "the plugin has $$size bytes; fewer than $(PLUGIN_BYTES) are allowed" >&2; exit 1; fi

# Takes no part in a release: the test of `status_bar` loads it into zellij.
.PHONY: bar
bar:
	@.ci/wasm wasm32-wasip1 build --locked --profile plugin -p agent-board-plugin --example status_bar

# Takes no part in a release: the test `browser` runs it in Node.
.PHONY: web
web: ## the board for a browser
	@.ci/wasm wasm32-unknown-unknown build --locked --profile plugin -p board-web

.PHONY: install
install: build $(ZELLIJ) ## put host-runner into ~/.cargo/bin; after that `host-runner` opens the board anywhere
	@AGENT_BOARD_PLUGIN_WASM='$(PLUGIN)' AGENT_BOARD_BUILD='$(BUILD)' $(CARGO) install --locked --path host-runner

.PHONY: setup
setup: packages agents $(ZELLIJ) ## everything that builds and tests need and this machine lacks

# Real agents from npm, pinned, outside of the checkout.
.PHONY: agents
agents: packages
	@AGENT_BOARD_CACHE='$(CACHE)' tests/install-agents.sh < /dev/null

.PHONY: packages
packages:
	@missing=(); \
	for pair in $(PACKAGES); do \
	    what=$${pair#*:}; \
	    [ -e "$$what" ] || command -v "$$what" > /dev/null || missing+=("$${pair%%:*}"); \
	done; \
	if [ $${#missing[@]} -gt 0 ]; then \
	    if [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null; then \
	        apt-get update -qq < /dev/null; \
	        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$${missing[@]}" < /dev/null; \
	    else \
	        echo "These are missing; install them first: $${missing[*]}" >&2; exit 1; \
	    fi; \
	fi

# About a quarter of an hour on two cores, once. Built aside and moved, so that a broken build leaves nothing behind.
$(ZELLIJ):
	@echo "Building zellij $(ZELLIJ_VERSION) into $(CACHE) (once, about 15 minutes on two cores)"
	@$(MAKE) packages
	@mkdir -p '$(CACHE)'
	@$(CARGO) install --locked --root '$(CACHE)/zellij-$(ZELLIJ_VERSION).new' --target-dir '$(CACHE)/build' zellij@$(ZELLIJ_VERSION) < /dev/null
	@rm -rf '$(CACHE)/zellij-$(ZELLIJ_VERSION)' && mv '$(CACHE)/zellij-$(ZELLIJ_VERSION).new' '$(CACHE)/zellij-$(ZELLIJ_VERSION)'
	@rm -rf '$(CACHE)/build'

.PHONY: test
test: setup build bar web ## every test, those with a real zellij too; .ci/again says which get a second attempt
	@AGENT_BOARD_E2E_RUNNER='$(RUNNER)' AGENT_BOARD_E2E_PLUGIN='$(PLUGIN)' AGENT_BOARD_E2E_ZELLIJ='$(ZELLIJ)' AGENT_BOARD_E2E_WEB='$(WEB)' \
	    .ci/again $(CARGO) test --locked --no-fail-fast < /dev/null

.PHONY: check
check: ## format, clippy, rustdoc, licences, packages, and that what a browser needs builds for one
	@$(CARGO) fmt --all --check
	@$(CARGO) clippy --locked --all-targets -- -D warnings
	@.ci/wasm wasm32-wasip1 clippy --locked -p agent-board-plugin -- -D warnings
	@.ci/wasm wasm32-unknown-unknown build --locked -p board-view -p board-protocol -p board-text
	@.ci/wasm wasm32-unknown-unknown clippy --locked -p board-web -- -D warnings
	@RUSTDOCFLAGS='-D warnings -A rustdoc::private-intra-doc-links' $(CARGO) doc --locked --no-deps --document-private-items
	@for crate in $(CRATES); do \
	    $(CARGO) package --locked --allow-dirty --list -p $$crate | grep -x Cargo.toml > /dev/null || { echo "$$crate cannot be packaged" >&2; exit 1; }; \
	done
	@if command -v cargo-deny > /dev/null; then $(CARGO) deny --offline check licenses bans sources; fi

# By hand, before a release: it builds everything once more, with instruments in it, so it is no part of `make ci`.
.PHONY: coverage
coverage: packages ## line coverage of the pure rooms; fails below 85 %
	@.ci/coverage

.PHONY: ci
ci: setup check test ## everything that must hold; ends with the tests

.PHONY: pictures
pictures: setup build ## the README's pictures, from a real run
	@AGENT_BOARD_E2E_RUNNER='$(RUNNER)' AGENT_BOARD_E2E_PLUGIN='$(PLUGIN)' AGENT_BOARD_E2E_ZELLIJ='$(ZELLIJ)' \
	    $(CARGO) run --locked -q -p e2e --bin pictures -- docs/pictures

# INPUTS=100000 for a shorter run; AGENT_BOARD_SEED=N for one that failed.
.PHONY: fuzz
fuzz: ## ten million random inputs for everything that reads bytes from outside
	@AGENT_BOARD_FUZZ='$(or $(INPUTS),10000000)' $(CARGO) test --locked --release -p host-runner --test fuzz -- --nocapture

.PHONY: f8
f8: ## a million events, which must not fill the disk; EVENTS=N for another number
	@AGENT_BOARD_F8_EVENTS='$(or $(EVENTS),1000000)' $(CARGO) test --locked --release -p host-runner --lib f8_the_file

# What the tests of the terminal read: raw output of real programs. NAMES="bash vim" for some of them.
.PHONY: recordings
recordings: setup build ## record what real programs print, anew, for the tests of the terminal
	@AGENT_BOARD_CACHE='$(CACHE)' tests/install-agents.sh recordings < /dev/null
	@command -v htop > /dev/null && command -v vim > /dev/null && command -v tmux > /dev/null \
	    || { echo 'Install these first: htop vim tmux' >&2; exit 1; }
	@AGENT_BOARD_E2E_RUNNER='$(RUNNER)' AGENT_BOARD_E2E_PLUGIN='$(PLUGIN)' AGENT_BOARD_E2E_ZELLIJ='$(ZELLIJ)' \
	    $(CARGO) run --locked -q -p e2e --bin recordings -- host-runner/tests/continuation/recordings $(NAMES)

.PHONY: rivals
rivals: ## install shpool for the benchmark; tmux and dtach are packages
	@[ -x '$(CACHE)/shpool/bin/shpool' ] || $(CARGO) install --locked --root '$(CACHE)/shpool' shpool@$(SHPOOL_VERSION) < /dev/null

# The measuring program is built in release mode too: it must never be what is measured. NAMES="echo attach --quick" for a part.
.PHONY: bench
bench: setup build ## what it costs, beside tmux and dtach; NAMES='echo --quick' for a part of it
	@AGENT_BOARD_PLUGIN_WASM='$(PLUGIN)' AGENT_BOARD_BUILD='$(BUILD)' $(CARGO) build --locked --release -q -p e2e --bin bench --bin actor
	@AGENT_BOARD_E2E_RUNNER='$(RUNNER)' AGENT_BOARD_E2E_PLUGIN='$(PLUGIN)' AGENT_BOARD_E2E_ZELLIJ='$(ZELLIJ)' \
	    AGENT_BOARD_CACHE='$(CACHE)' '$(TARGET)/release/bench' $(NAMES)

.PHONY: fmt
fmt: ## format the source
	@$(CARGO) fmt --all

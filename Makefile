# The two commands of the README, and what a change must pass.

PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	command -v $$p >/dev/null && $$p -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
DEMO := $(BIN)/kebab --workspace demo

.PHONY: demo test check lint types layers docs bench test-long test-llm conformance snapshots screenshots clean

demo: $(VENV)/installed  ## install, read this project's own documents, open the chat
	@$(BIN)/kebab models install
	@$(DEMO) ingest docs README.md
	@if [ -t 0 ] && [ -t 1 ]; then $(DEMO) tui; else \
		$(DEMO) ask "What happens to an answer when its reader closes the pipe?"; fi

test: $(VENV)/dev  ## install everything and run the tests
	$(BIN)/python -m pytest -n 2 --dist loadgroup -m "not long and not llm" tests

check: lint types layers test  ## all that CI does

lint: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/dev
	$(BIN)/mypy

layers: $(VENV)/dev
	$(BIN)/lint-imports

docs: $(VENV)/dev  ## write the generated parts of docs/ again
	$(BIN)/kebab schema export docs/wire-schema/v1
	$(BIN)/python -m kebab_core.settings > docs/settings.md
	$(BIN)/python -m kebab_core.settings --schema > docs/settings.schema.json
	$(BIN)/python -m kebab_cli.reference > docs/cli.md
	$(BIN)/python -m kebab_server.openapi > docs/wire-schema/v1/ask.openapi.json

snapshots: $(VENV)/dev  ## accept the screens as they are now
	$(BIN)/python -m pytest tests/kebab_tui -k snapshot --snapshot-update

screenshots: $(VENV)/dev  ## draw the README's picture again
	$(BIN)/python -m tests.kebab_tui.screenshots docs/screen.svg

bench: $(VENV)/dev
	$(BIN)/python -m benchmarks

test-long: $(VENV)/dev
	$(BIN)/python -m pytest -m long tests

conformance: $(VENV)/dev  ## the ask service held to its contract, in a process of its own
	$(BIN)/python -m conformance.local

test-llm: $(VENV)/dev
	$(BIN)/python -m pytest -m llm tests

$(BIN)/python:
	@[ -n "$(PYTHON)" ] || { echo "kebab needs Python 3.11 or newer with its venv module." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"

# Compiled at install: the first start is then as fast as every later one.
$(VENV)/installed: pyproject.toml | $(BIN)/python
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pip install --quiet --compile --editable .
	@touch $@

# torch first and pinned: left to the resolver, Linux gets several gigabytes of CUDA.
$(VENV)/dev: pyproject.toml $(VENV)/installed
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pip install --quiet torch==2.13.0
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pip install --quiet --group dev --editable ".[sentence-transformers,web,jwt,browser]"
	@touch $@

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache

# What a newcomer runs. Everything is set up in .venv and .cache inside this folder; nothing else is touched.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CACHE ?= $(CURDIR)/.cache
export NIGHTGARDEN_TEST_CACHE := $(CACHE)
export PIP_DISABLE_PIP_VERSION_CHECK := 1
JOBS ?= 2

.PHONY: run test lint bench bench-store bench-remember bench-recall bench-tend docs clean setup setup-dev

run: setup            ## import the sample sessions into a throw-away garden, recall, tend, show
	@$(BIN)/python -m nightgarden.surfaces.tour

test: setup-dev       ## all tests
	$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup

lint: setup-dev       ## style, types
	$(BIN)/ruff check src tests bench
	$(BIN)/ruff format --check src tests bench
	$(BIN)/mypy

bench: bench-store bench-remember bench-recall bench-tend   ## all measurements; results under docs/bench

bench-store: setup-bench
	$(BIN)/python -m bench.store

bench-remember: setup-bench
	$(BIN)/python -m bench.remember

bench-recall: setup-bench
	$(BIN)/python -m bench.recall

bench-tend: setup-bench
	$(BIN)/python -m bench.tend
	$(BIN)/python -m bench.verify_history
	$(BIN)/python -m bench.year

docs: setup-dev       ## write the generated reference pages
	$(BIN)/python -m nightgarden.surfaces.reference docs/reference

setup: $(VENV)/.core
setup-dev: $(VENV)/.dev
setup-bench: $(VENV)/.dev

$(VENV)/.core: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "nightgarden needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q -e .
	$(BIN)/nightgarden models fetch
	@touch $@

$(VENV)/.dev: $(VENV)/.core
	$(BIN)/python -m pip install -q -e '.[dev]'
	@touch $@

clean:
	rm -rf $(VENV) .cache

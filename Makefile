# What a newcomer runs. Everything is set up in .venv and .cache inside this folder; nothing else is touched.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CACHE ?= $(CURDIR)/.cache
export NIGHTGARDEN_TEST_CACHE := $(CACHE)
export PIP_DISABLE_PIP_VERSION_CHECK := 1
JOBS ?= 2

.PHONY: run test explore lint bench bench-store bench-remember bench-recall bench-turns bench-tend bench-load bench-hooks docs
.PHONY: bench-faults bench-judgement bench-minds train model-wheels clean setup setup-dev lock

run: setup            ## import the sample sessions into a throw-away garden, recall, tend, show
	@$(BIN)/python -m nightgarden.surfaces.tour

# Tests that drive real clients and kill real daemons depend on when the machine runs whom; tests/conftest.py says which
# may run again when they fail.
test: setup-dev       ## all tests
	$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup -rR

explore: setup-dev    ## property tests with examples that nobody has tried yet
	NIGHTGARDEN_TEST_EXAMPLES="new examples" $(BIN)/python -m pytest -n $(JOBS) --dist loadgroup -m hypothesis

lint: setup-dev       ## style, dead arguments, types of the package, tests and measurements
	$(BIN)/ruff check src tests bench train
	$(BIN)/ruff format --check src tests bench train
	$(BIN)/mypy

bench: bench-store bench-remember bench-recall bench-turns bench-tend bench-load bench-hooks bench-judgement bench-minds bench-faults   ## all; see docs/bench

bench-store: setup-dev      # against other stores, each installed in an environment of its own
	$(BIN)/python -m bench.store

bench-remember: setup-dev   # secrets, duplicates, contradictions, extraction, the wait for a verdict
	$(BIN)/python -m bench.remember

bench-recall: setup-dev     # LoCoMo at turn level, ablations, baselines, latency
	$(BIN)/python -m bench.recall

bench-turns: setup-dev      # what is shown unasked, on 200 labelled turns
	$(BIN)/python -m bench.turns

bench-tend: setup-dev       # what tending finds of what was planted, and what it costs; a replayed year (half an hour)
	$(BIN)/python -m bench.tend
	$(BIN)/python -m bench.nearest
	$(BIN)/python -m bench.verify_history
	$(BIN)/python -m bench.year

bench-load: setup-dev       # 200 clients on one daemon
	$(BIN)/python -m bench.load

bench-hooks: setup-dev      # what hooks add to a prompt and a tool call of a real client
	$(BIN)/python -m bench.hooks

bench-faults: setup-dev     # kills and damage, 10 to 15 minutes; KILLS=100 for a short look
	$(BIN)/python -m bench.faults $(or $(KILLS),1000)

bench-minds: setup-dev      # a simulated week of background work beside its user, and what a day of a mind takes
	$(BIN)/python -m bench.minds

bench-judgement: setup-dev  # what is kept, merged, replaced, refused and shown, on writers nobody tuned on
	$(BIN)/python -m bench.judgement

model-wheels: setup-dev  ## wheels of our own with the models, their licences and origins, into dist/
	$(BIN)/python -m train.wheels dist

train: setup-dev      ## make the built-in classifier and the occasions again from bench/data/judgement; above an hour
	$(BIN)/python -m pip install -q -e '.[train]'
	$(BIN)/python -m train.noted
	$(BIN)/python -m train.small $(TRAIN)
	$(BIN)/python -m train.deep --noted .cache/noted.jsonl $(TRAIN_DEEP)
	$(BIN)/python -m train.deep --second --noted .cache/noted.jsonl $(TRAIN_DEEP)
	$(BIN)/python -m train.contrasts
	$(BIN)/python -m train.calibrate
	$(BIN)/python -m train.occasions
	$(BIN)/nightgarden models fetch --multilingual
	$(BIN)/python -m train.contrasts multilingual
	$(BIN)/python -m train.occasions --multilingual

docs: setup-dev       ## write the generated reference pages
	$(BIN)/python -m nightgarden.surfaces.reference docs/reference

setup: $(VENV)/.core
setup-dev: $(VENV)/.dev

$(VENV)/.core: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "nightgarden needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q -e .
	$(BIN)/nightgarden models fetch
	@touch $@

# Every package that tests and checks run is the one whose hash is in the lock file.
$(VENV)/.dev: pyproject.toml requirements-dev.lock
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "nightgarden needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --require-hashes --no-deps -r requirements-dev.lock
	$(BIN)/python -m pip install -q --no-deps --no-build-isolation -e .
	$(BIN)/nightgarden models fetch
	@command -v bwrap >/dev/null || { [ "$$(id -u)" = 0 ] && apt-get install -y -qq bubblewrap; } \
	  || echo "install bubblewrap: the tests of the sandbox need it"
	@touch $(VENV)/.core $@

lock:                 ## choose the newest versions that pyproject.toml allows, with the hash of every file of them
	$(PYTHON) -m venv $(CACHE)/lock
	$(CACHE)/lock/bin/pip install -q pip-tools
	$(CACHE)/lock/bin/pip-compile -q --upgrade --extra dev --generate-hashes --allow-unsafe --strip-extras --no-header \
	  --no-annotate --no-emit-index-url --no-emit-find-links --no-emit-trusted-host -o requirements-dev.lock pyproject.toml

clean:
	rm -rf $(VENV) .cache

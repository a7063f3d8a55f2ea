# The one list of commands, for people and for CI. Each target sets up what it needs,
# out of nothing but make and a Python that is new enough: a fresh clone can start anywhere.

PYTHON ?= python3
ARGS ?=

IN_VENV := .venv/bin/python

# Said by the shortest program that every Python can read, before anything else is asked of it.
FLOOR := import sys; sys.version_info < (3, 11) and sys.exit( \
	"gapless needs Python 3.11 or later and this is %d.%d; try: make PYTHON=python3.11" \
	% sys.version_info[:2])

.PHONY: help
help: ## Show this list
	@echo 'make TARGET [PYTHON=python3.x] [ARGS="..."]'
	@sed -n 's/^\([a-z]*\):.*## /  \1\t/p' $(MAKEFILE_LIST) | expand -t 12

.PHONY: demo
demo: .venv ## Watch one session, with real shells, from its first prompt to its close (15 s)
	@$(IN_VENV) -m gapless.cli demo $(ARGS)

.PHONY: test
test: .venv ## Run the tests on PYTHON (ARGS go to pytest)
	$(IN_VENV) -m pytest $(ARGS)

.PHONY: check
check: lint types suite pythons wheel walks ## Check all that the tests on PYTHON do not: six of those below

.PHONY: lint
lint: .venv ## Check style, formatting, and which layer imports which
	$(IN_VENV) -m ruff check
	$(IN_VENV) -m ruff format --check
	.venv/bin/lint-imports --no-logo

.PHONY: types
types: .venv ## Check the types, strictly and twice: mypy and pyright
	$(IN_VENV) tools/typecheck.py

.PHONY: suite
suite: .venv ## Run pykka's own tests on every dispatcher
	$(IN_VENV) tools/pykka_suite.py

.PHONY: walks
walks: .venv ## Explore the heart with a fault at every step of every race, and in long runs
	$(IN_VENV) -m pytest -m walks tests/heart $(ARGS)

.PHONY: explore
explore: .venv ## Explore the heart further, for an hour or two (ARGS go to pytest)
	$(IN_VENV) -m pytest -v -m explore tests/heart tests/hosting $(ARGS)

.PHONY: fuzz
fuzz: .venv ## Try new examples in the properties, and many more, for an hour or so (ARGS go to pytest)
	GAPLESS_HYPOTHESIS=fuzz $(IN_VENV) -m pytest -v --timeout 3600 -m "not walks and not explore" \
		$(or $(ARGS),tests/fold tests/heart tests/explore tests/harnesses tests/recordings)

.PHONY: pythons
pythons: .venv ## Run the tests on the other supported Pythons of this machine
	$(IN_VENV) tools/pythons.py test

.PHONY: wheel
wheel: .venv ## Build the wheel, and test it away from the source
	$(IN_VENV) tools/wheel.py

.PHONY: bench
bench: .venv ## Measure on every supported Python of this machine (ARGS go to the benchmark)
	$(IN_VENV) tools/pythons.py bench $(ARGS)

.PHONY: format
format: .venv ## Rewrite the source the way `lint` wants it
	$(IN_VENV) -m ruff check --fix
	$(IN_VENV) -m ruff format

# Each lock is constrained by the one before, so that a tool has one version in all of them.
LOCK = cd requirements && ../.venv/bin/uv pip compile --quiet --no-config --no-header \
	--universal --python-version 3.11 --generate-hashes --no-emit-index-url $(ARGS)

.PHONY: lock
lock: .venv ## Pin the requirements anew (ARGS=--upgrade for newer versions)
	$(LOCK) ../pyproject.toml test.in bench.in dev.in --output-file dev.txt
	$(LOCK) ../pyproject.toml test.in bench.in --constraints dev.txt --output-file bench.txt
	$(LOCK) ../pyproject.toml test.in --constraints dev.txt --output-file test.txt

.PHONY: clean
clean: ## Remove everything that make can make again
	rm -rf .venv .venv-* .coverage .hypothesis .*_cache build dist
	find . -name __pycache__ -prune -exec rm -rf {} +

# Always asked, because only the tool knows whether the environment is whole and still the right one.
.PHONY: .venv
.venv:
	@"$(PYTHON)" -c '$(FLOOR)'
	@"$(PYTHON)" tools/environment.py .venv requirements/dev.txt --editable

# Everything is set up on first use, in .venv below this folder. Python 3.11 or later and make are all that is needed.
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$python" && break; done)
BIN := .venv/bin
# Tests wait for the disk and for one another's processes, too: one more of them than there are cores, and in the slow tests, which
# wait the most, twice as many. Each worker collects all tests by itself, which takes some seconds of a core.
WORKERS = $(shell $(BIN)/python -c 'import os; print(os.cpu_count() + 1)')
SLOW_WORKERS = $(shell $(BIN)/python -c 'import os; print(2 * os.cpu_count())')

# Compiled modules are kept: every process of the tests, and every tool, starts faster.
export PYTHONDONTWRITEBYTECODE :=

SCHEMA := $(BIN)/check-jsonschema --quiet --builtin-schema
TEXTS := bot/i18n/locales/springboard.pot

.PHONY: run test test-slow test-game proofs lint lint-workflows format texts picture docs bench arena torture torture-cluster lock clean

run: .venv/ready-run  ## Run the bot; without a DISCORD_TOKEN, the local sandbox page.
	$(BIN)/springboard run

test: .venv/ready-dev  ## Run what finds faults soon, on all cores.
	$(BIN)/python -m pytest -n $(WORKERS) -q -m "not slow and not proof"

test-slow: .venv/ready-dev  ## Run the other tests: kills, months, most of the matrices, servers, the browser.
	$(BIN)/python -m pytest -n $(SLOW_WORKERS) -q -m "slow and not proof"

# Some need a PostgreSQL server: the one that is named, or one of their own, as in .ci/run.
proofs: .venv/ready-dev  ## Run what takes long and is run once for its figures, and write them down (docs/proofs.md).
	@if [ -z "$$SPRINGBOARD_TEST_POSTGRESQL" ]; then \
		SPRINGBOARD_TEST_POSTGRESQL=$$(.ci/postgresql) || exit; \
		export SPRINGBOARD_TEST_POSTGRESQL; \
		trap '.ci/postgresql stop "$$SPRINGBOARD_TEST_POSTGRESQL"' EXIT; \
		trap 'exit 130' INT; \
	fi; \
	$(BIN)/python -m pytest -n $(WORKERS) -q -m proof --figures=docs/proofs.md

test-game: .venv/ready-dev  ## Run everything about one game: make test-game GAME=bouncers
	@$(BIN)/python -c 'import sys, engines; sys.exit(0 if "$(GAME)" in engines.GAMES else "Which game? make test-game GAME=… with one of: " + " ".join(engines.GAMES))'
	$(BIN)/python -m pytest -n $(WORKERS) -q -m "not browser and not server and not proof" -k "$(GAME)"

lint: .venv/ready-dev lint-workflows  ## Formatting, lint rules, types, the direction of imports; warns of what is not translated.
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m bot.i18n.coverage

# The schemas come with check-jsonschema, and zizmor looks for what could be misused in a workflow: neither asks the network.
lint-workflows: .venv/ready-dev  ## The files of GitHub and of compose: their schemas, and what a workflow may do.
	$(SCHEMA) vendor.github-workflows .github/workflows/*.yml
	$(SCHEMA) custom.github-workflows-require-timeout .github/workflows/*.yml
	$(SCHEMA) vendor.dependabot .github/dependabot.yml
	$(SCHEMA) vendor.github-issue-forms $(filter-out %/config.yml,$(wildcard .github/ISSUE_TEMPLATE/*.yml))
	$(SCHEMA) vendor.github-issue-config .github/ISSUE_TEMPLATE/config.yml
	$(SCHEMA) vendor.compose-spec compose.yaml compose.cluster.yaml
	$(BIN)/zizmor --offline --no-progress --quiet .github

format: .venv/ready-dev  ## Format the code and mend what can be mended by itself.
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

texts: .venv/ready-dev  ## Gather all texts for people, and bring the catalogues of every language up to date with them.
	$(BIN)/pybabel --quiet extract --mapping-file pyproject.toml --no-location --sort-output --width 120 --omit-header \
		--output-file $(TEXTS) .
	$(BIN)/pybabel --quiet update --domain springboard --input-file $(TEXTS) --output-dir bot/i18n/locales --width 120 \
		--no-fuzzy-matching --ignore-obsolete --ignore-pot-creation-date
	$(BIN)/python -m bot.i18n.coverage

picture: .venv/ready-dev  ## Draw the pictures of the pages anew, most of them in Chromium.
	$(BIN)/python -m tests.bot.sandbox.picture

docs: .venv/ready-docs  ## Build the site from docs/, the rules and the renderers into build/site, and check every link of it.
	$(BIN)/python -m docs.site

bench: .venv/ready-dev  ## Measure what the project promises: one table of figures, aims and references (docs/performance.md).
	$(BIN)/python -m benchmarks

arena: .venv/ready-dev  ## Measure how strong the computer opponents are, for hours (make arena BOUTS=bunny: some of it; docs/opponents.md).
	$(BIN)/python -m benchmarks.arena --jobs $$(nproc) $(BOUTS)

torture: .venv/ready-dev  ## Kill the bot a thousand times while people play (make torture KILLS=100: fewer), and look whether all is there.
	$(BIN)/python -m benchmarks.torture $(KILLS)

torture-cluster: .venv/ready-dev  ## Kill three bots on one PostgreSQL a hundred times (make torture-cluster KILLS=10: fewer), freeze and stop them, too.
	$(BIN)/python -m benchmarks.cluster_torture --freezes 20 --stops 20 --restarts 10 $(KILLS)

lock:  ## Pin the dependencies of pyproject.toml anew, with hashes (make UPGRADE=yes lock: the newest versions).
	$(PYTHON) requirements/lock.py $(if $(UPGRADE),--upgrade)

clean:  ## Remove what was set up.
	rm -rf .venv build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .arena .mining

.venv/bin/python:
	@test -n "$(PYTHON)" || { echo "Springboard needs Python 3.11 or later on the PATH (or: make PYTHON=/path/to/python3)." >&2; exit 1; }
	$(PYTHON) -m venv .venv

# Modules are compiled when they are first imported: most never are.
.venv/ready-%: requirements/%.txt pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes -r requirements/$*.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

# Needs Python 3.11 or newer with venv, and PyPI. `make setup` is all that the
# others need; it does nothing if the environment is up to date.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

# Hundreds of tests start a command; without bytecode, each would compile all of it anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup demo test pytest mutants web-coverage matrix lint format tables stable cases golden docs bench instructions fuzz clean

setup: $(READY)

$(READY): pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

# Needs only what scoring needs, in an environment of its own unless there is one already.
demo:
	@test -x $(BIN)/scoref || { $(PYTHON) -m venv .venv && \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check -e .; }
	@$(BIN)/scoref examples/key.conll examples/response.conll

# A file of tests stays with one process, which makes its fixtures once.
# Lint and the tests run at the same time; either may fail.
test: setup
	+@$(MAKE) --no-print-directory --jobs=2 lint pytest

pytest:
	$(BIN)/pytest -n auto --dist loadfile

# Faults in the sources, one at a time: deliberate ones, all of which must be caught, and
# random ones for some time. make mutants SEED=7 SECONDS=3600 ONLY=metrics/
# AGAIN=report.txt tries only those that survive in a report. MEASURE=tests first
# measures which tests call which functions, which takes minutes.
mutants: SECONDS = 600
mutants: setup
	$(BIN)/python tests/mutants.py --seconds $(SECONDS) $(if $(SEED),--seed $(SEED)) $(if $(ONLY),--only $(ONLY)) \
	  $(if $(AGAIN),--again $(AGAIN)) $(if $(DELIBERATE),--deliberate $(DELIBERATE)) $(if $(MEASURE),--measure $(MEASURE))

# The lines of web/ that no test runs. Pages of the site are tested as well, which needs its generator.
web-coverage: setup
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[docs]'
	$(BIN)/python tests/web_coverage.py

# Every Python that is installed, with the oldest and the newest libraries.
matrix: setup
	$(BIN)/python tests/matrix.py $(if $(ONLY),--only $(ONLY))

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The parts of the documentation that are made from rules, schemas and the index.
tables: setup
	$(BIN)/python website/rules.py docs/check.md docs/crac.md
	$(BIN)/python website/schemas.py docs/output.md
	$(BIN)/python website/llms.py > llms.txt

# The names that users rely on; a test fails if one of them disappears.
stable: setup
	PYTHONPATH=tests:website $(BIN)/python tests/stable_names.py

# The exact figures of the conformance suite.
cases: setup
	PYTHONPATH=tests $(BIN)/python tests/write_cases.py

# The official scorers' figures, from ../shared/golden; the same files give the same bytes.
golden: setup
	$(BIN)/python tests/pack_golden.py

# The tables and the site: build/docs/site/index.html opens from disk.
docs: tables
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[docs]'
	$(BIN)/python website/building.py

# Counts of instructions, which do not depend on load: UPDATE=1 writes them anew.
instructions: setup
	$(BIN)/python benchmarks/instructions.py $(if $(UPDATE),--update)

bench: setup
	$(BIN)/python benchmarks/run.py

# Damaged files through every command: make fuzz SECONDS=600; make fuzz SEED=4711 repeats
# one, make fuzz FIRST=1 runs the same cases each time.
SECONDS ?= 60
fuzz: setup
	PYTHONPATH=tests $(BIN)/python tests/fuzz/fuzzing.py --seconds $(SECONDS) $(if $(SEED),--seed $(SEED)) $(if $(FIRST),--first $(FIRST))

clean:
	rm -rf .venv .matrix build .mypy_cache .pytest_cache .ruff_cache .hypothesis dist

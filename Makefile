# Two commands do all the set-up: `make demo` and `make test`.
# make quick: a minute. make test: some minutes. make test-all: also what is long or needs servers.
# make thorough: before a release.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
PYTEST := $(BIN)/python -m pytest --dist loadgroup
# Some tests wait, so there is one more at once than there are processors.
SOME   := -n $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
UNITS  := $(addprefix tests/,intake/test_intake_letters.py intake/test_intake_faults.py \
          rendering/test_letter_templates.py rendering/test_letters.py games/test_deadline_calendar.py)

# Without it each run rewrites the asserts of all tests anew, and each new process compiles pbem.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo quick test test-all long thorough check bench soak fuzz messages lock clean

$(STAMP): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

demo: $(STAMP)  ## a whole duel by mail on embedded servers
	$(BIN)/pbem demo

quick: check    ## style, types, imports, the engine and the units
	$(PYTEST) $(SOME) -m "not long and not services" tests/engine $(UNITS)

test: check     ## style, types, imports, and all tests but the long ones and those with real servers
	$(PYTEST) $(SOME) -m "not long and not services"

test-all: test long

thorough: ## all tests, with more of what is random and a whole season; an hour or more
	PBEM_TESTS=many SEASON=full $(MAKE) test-all

long: $(STAMP)  ## a season, a soak, kills at every point, real servers, Chromium
	$(PYTEST) -n auto -m "long or services"

check: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(STAMP) ## ratios taken side by side in one run
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r benchmarks/requirements.lock
	$(BIN)/python -m benchmarks

soak: $(STAMP)  ## 50,000 letters with faults and kills, through Dovecot and an SMTP sink
	$(BIN)/python -m tests.soak.soak 50000

fuzz: $(STAMP)  ## ten minutes each of reading, the order grammar and the codec
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r tests/fuzz/requirements.lock
	for target in reading orders codec; do $(BIN)/python -m tests.fuzz $$target 600 || exit 1; done

messages: $(STAMP) ## what is to be translated, or translated in vain
	$(BIN)/python -m tools.messages

lock:           ## renew the pinned hashes (needs uv)
	uv pip compile pyproject.toml --extra demo --extra postgres --extra dev --universal --python-version 3.11 \
	  --generate-hashes --no-emit-index-url --no-emit-find-links --no-header -q -o requirements.lock

clean:
	rm -rf $(VENV) demo-letters

# All that is done here, from nothing but Python 3.11 or newer (with venv), make and git.
# Each target first makes .venv from its lock, once.  ARGS="…" is handed on to the command.

PYTHON := $(shell for python in python3.11 python3 python; do \
	"$$python" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& command -v "$$python" && break; done)
BIN := .venv/bin
# What has been installed: to play, the pages too, and what work on the code takes; each from a lock of its own.
PLAY := .venv/.play
WEB := .venv/.web
READY := .venv/.ready

# What one process has compiled the others find, whatever the machine says.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo test quick check bench mutants soak golden catalogues lock
QUICK := tests/test_floors.py tests/test_structure.py tests/test_readme.py tests/test_repository.py tests/kernel tests/ground \
	tests/orders tests/rules tests/systems/test_contract.py tests/systems/test_options.py tests/desk/turns tests/desk/intake

.DELETE_ON_ERROR:

help: ## say what can be made
	@sed -n 's/^\([a-z]*\):.*## /make \1 — /p' $(MAKEFILE_LIST)

demo: $(if $(findstring --web,$(ARGS)),$(WEB),$(PLAY)) ## play a shipped campaign from sample letters to its reports
	$(BIN)/pbem demo $(ARGS)

test: $(READY) ## run the tests
	$(BIN)/python -m pytest -n auto --dist loadgroup $(ARGS)

quick: $(READY) ## what a hand wants: linter, floors, kernel, orders, the contract by the toy
	$(BIN)/ruff check .
	$(BIN)/python -m pytest -q -n auto --dist loadgroup $(QUICK) -k "not (crossroads or empire or half or kriegsspiel or privat)" $(ARGS)

check: $(READY) ## lint, formatting, types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(READY) ## measure against the baselines
	$(BIN)/python -m tests.bench $(ARGS)

mutants: $(READY) ## take each rule away in turn: a case must fail
	$(BIN)/python -m tests.mutants $(ARGS)

soak: $(READY) ## long work: kills, fuzzing, many letters, many games, many examples
	$(BIN)/python -m tests.soak $(ARGS)

golden: $(READY) ## write the golden files anew; read the difference before committing it
	$(BIN)/python -m pytest --update-golden $(ARGS)

catalogues: $(READY) ## gather what the office says into the catalogues of other languages, and compile them
	pot=$$(mktemp) && trap 'rm -f "$$pot"' EXIT \
		&& $(BABEL) extract -F $(CATALOGUES)/babel.cfg -k phrase -k phrase_later -k phrase_of:1,2 --no-location \
			--omit-header -o "$$pot" . \
		&& $(BABEL) update -i "$$pot" -d $(CATALOGUES) -D pbem --no-fuzzy-matching --ignore-obsolete --ignore-pot-creation-date \
			--width 118 \
		&& $(BABEL) compile -d $(CATALOGUES) -D pbem

BABEL := $(BIN)/pybabel -q
CATALOGUES := pbem/reports/catalogues

lock: ## resolve the dependencies anew (needs uv)
	$(RESOLVE) --upgrade --extra build --extra web --extra postgres --extra dev --output-file requirements-dev.lock
	$(RESOLVE) --constraints requirements-dev.lock --extra build --extra web --output-file requirements-web.lock
	$(RESOLVE) --constraints requirements-dev.lock --extra build --extra web --extra postgres --output-file requirements-club.lock
	$(RESOLVE) --constraints requirements-dev.lock --extra build --output-file requirements.lock

RESOLVE := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
	--no-emit-index-url --no-header pyproject.toml

$(PLAY): requirements.lock
$(WEB): requirements-web.lock
$(READY): requirements-dev.lock

$(PLAY) $(WEB) $(READY): pyproject.toml
	@test -n "$(PYTHON)" || { \
		echo "pbem needs Python 3.11 or newer with its venv module, as python3.11 or python3 on the PATH" >&2; \
		exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $(filter %.lock,$^)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q pbem
	@touch $@

# Croupier: `make` lists the targets. Python 3.11 or later and make are all that a machine needs.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN    := .venv/bin
STAMP  := .venv/installed
ARGS   ?=

.DEFAULT_GOAL := help
.PHONY: help install lock serve test check generate release bench hands truth referee randomness soak crash siege mutants clean

help: ## Print the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

install: $(STAMP) ## Make .venv from the locked requirements (skipped when nothing changed)

# `.venv/made` names the folder of an install that came to its end, and its Python must still be there.
$(shell [ -x .venv/bin/python ] && grep -qsF "$$(pwd -P) " .venv/made || rm -f $(STAMP))

$(STAMP): pyproject.toml requirements.lock deploy/install
	@PYTHON='$(PYTHON)' sh deploy/install
	@touch $@

lock: $(STAMP) ## Resolve pyproject.toml into requirements.lock
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-emit-index-url \
	    --extra dev pyproject.toml --output-file requirements.lock

serve: install ## Serve gRPC and REST on loopback
	$(BIN)/croupier serve $(ARGS)

test: install ## Run every test
	$(BIN)/pytest -n auto $(ARGS)

check: install ## Lint, types, layers, contract, what is generated
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -q -p no:cacheprovider tests/test_walls.py
	$(BIN)/python -m service.rest.generator --check
	$(BIN)/python -m docs.generator --check
	$(BIN)/python -m service.rest.generator --image build/contract.binpb
	$(BIN)/buf lint build/contract.binpb --config proto/buf.yaml
	$(BIN)/buf breaking build/contract.binpb --against proto/released.binpb --config proto/buf.yaml

generate: install ## Write stubs, routes and OpenAPI from the proto files, and what pages have from the code
	$(BIN)/python -m docs.generator --proto
	$(BIN)/python -m service.rest.generator
	$(BIN)/python -m docs.generator

release: install ## Make the contract of now the one that later changes must not break
	$(BIN)/python -m service.rest.generator --image build/contract.binpb
	$(BIN)/buf build build/contract.binpb --exclude-source-info -o proto/released.binpb

hands: install ## Play the scripted rounds of tests/hands
	$(BIN)/croupier hands tests/hands/*.yaml

truth: install ## Simulate each preset at length and compare with known figures
	$(BIN)/python tests/truth/run.py $(ARGS)

referee: install ## Compare 100,000 random rounds with the second reading of the rules
	$(BIN)/python -m tests.properties.run $(ARGS)

randomness: install ## Test the shuffle over ten times as many shoes as the tests do
	$(BIN)/python -m tests.randomness.run $(ARGS)

soak: install ## Play at length: 1,000 rounds of each preset for one, matches, banks, watchers, feed
	SOAK_ROUNDS=1000 $(BIN)/pytest -n auto tests/contract/test_thousand_rounds.py tests/contract/test_leaks.py
	$(BIN)/python -m tests.soak.run $(ARGS)

crash: install ## Kill the service 75 times, and let two processes contend for 200 decisions
	$(BIN)/python -m tests.crash.run $(ARGS)

siege: install ## Attack both doors without a token, and time a player's calls meanwhile
	$(BIN)/python -m tests.siege.run $(ARGS)

mutants: install ## Put faults into the rules and see that each one is caught
	$(BIN)/python -m tests.mutants.run $(ARGS)

bench: install ## Measure gRPC and REST beside pgbench
	$(BIN)/python -m tests.bench.run $(ARGS)

clean: ## Remove the environment, caches and builds (never data)
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find .ci db deploy docs proto service tests -name __pycache__ -type d -prune -exec rm -rf {} +
	find db deploy docs proto service tests -type d -empty -delete

